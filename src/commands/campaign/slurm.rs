//! The job script of a campaign for Slurm: a job array, in which each task counts a shard.
//!
//! A task queues itself again when its time limit is reached. Options of `sbatch` on the command line replace the
//! limits in the script.

use std::path::{Path, PathBuf};

use crate::output::error::CliError;
use crate::output::export::Export;

/// The name of the script in the folder of the campaign.
const FILE: &str = "slurm.sh";

/// The number of tasks without `--jobs`.
const DEFAULT_TASKS: u32 = 16;

/// The part of the script after the function `work`.
///
/// Slurm sends the signal only to this shell, a minute before the time limit. A task that a user has cancelled is no
/// longer in state `RUNNING`, and is not queued again. A preempted task is queued again by Slurm itself.
const BODY: &str = include_str!("slurm-body.sh");

/// Writes the script into the folder of a campaign with this number of units, and returns its path.
///
/// # Errors
/// A usage error if the path of the folder or of this program cannot be written to a script, or if the script cannot be
/// written.
pub fn write_script(folder: &Path, units: u32, tasks: Option<u32>) -> Result<PathBuf, CliError> {
    let program = std::env::current_exe();
    let program = program.map_err(|error| {
        CliError::usage(format!("cannot find the executable file of this program: {error}"))
    })?;
    // A tree that ends before the split has no units.
    let tasks = tasks.unwrap_or(DEFAULT_TASKS).min(units.max(1));
    let text = script(&absolute(&program)?, &absolute(folder)?, tasks);
    let path = folder.join(FILE);
    Export::replace(&path)?.write(|out| out.write_all(text.as_bytes()))?;
    Ok(path)
}

/// Returns the script. Its arguments are further options of `perft campaign work`.
fn script(program: &str, folder: &str, tasks: u32) -> String {
    let (quoted, for_sbatch) = (shell_words::quote(folder), quoted_for_sbatch(folder));
    let program = shell_words::quote(program);
    format!(
        r#"#!/bin/bash
#SBATCH --job-name=perft
#SBATCH --array=1-{tasks}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=4:00:00
#SBATCH --mem=1G
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
#SBATCH --chdir={for_sbatch}
#SBATCH --output=slurm-%A_%a.log
#SBATCH --open-mode=append

work() {{
    exec {program} campaign work {quoted} --shard "$SLURM_ARRAY_TASK_ID/{tasks}" --threads "$SLURM_CPUS_PER_TASK" "$@"
}}

{BODY}"#
    )
}

/// Returns a text as one word of an `#SBATCH` line. In such a line, sbatch knows only double quotes and backslashes.
fn quoted_for_sbatch(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}

/// Returns the absolute path of an existing file, which must be UTF-8 without control characters such as line breaks.
fn absolute(path: &Path) -> Result<String, CliError> {
    let wrong = |error| CliError::usage(format!("cannot find {}: {error}", path.display()));
    let found = path.canonicalize().map_err(wrong)?;
    // Bash does not understand the canonical form on Windows, `\\?\C:\x`.
    let found = if cfg!(windows) { std::path::absolute(path).map_err(wrong)? } else { found };
    let text = found.to_str().filter(|text| !text.contains(char::is_control));
    text.map(str::to_owned).ok_or_else(|| {
        CliError::usage(format!("the path {found:?} cannot be written to a script"))
            .help("use a path in UTF-8 without line breaks")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_for_the_shell_and_for_sbatch() {
        let text = script("/opt/my perft", r#"/a b/{a..b} it's "$HOME""#, 3);
        let line = text.lines().find(|line| line.contains("exec ")).unwrap();
        let words = shell_words::split(line).unwrap();
        let expected =
            ["exec", "/opt/my perft", "campaign", "work", r#"/a b/{a..b} it's "$HOME""#, "--shard"];
        assert_eq!(words[..6], expected);
        assert!(text.contains("#SBATCH --chdir=\"/a b/{a..b} it's \\\"$HOME\\\"\"\n"), "{text}");
        assert!(absolute(Path::new("a\nb")).is_err());
    }
}
