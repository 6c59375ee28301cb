//! A job: the shards of a campaign to count, and the shell command that counts one of them.

use std::path::Path;

use crate::campaign::Ranges;
use crate::cli::args::{CpuChoice, MemorySize, Threads};
use crate::cli::error::CliError;

/// The data for every script. The program and the folder contain no line breaks.
#[derive(Clone, Debug)]
pub struct Job {
    /// The program, as a path or as a name on the `PATH` of the machine that runs the script.
    pub program: String,
    /// The absolute path of the campaign's folder.
    pub folder: String,
    /// The shards to count.
    pub shards: Ranges,
    /// The number of shards in the whole campaign.
    pub shard_count: u32,
    /// The number of threads of each worker.
    pub threads: Threads,
    /// The size of each worker's table.
    pub hash: Option<MemorySize>,
    /// The CPU path of each worker.
    pub cpu_path: CpuChoice,
}

impl Job {
    /// Returns the command that counts a shard. `shard` and `threads` are inserted as shell code, without quoting.
    pub fn command(&self, shard: &str, threads: &str) -> String {
        let Job { program, folder, shard_count, hash, cpu_path, .. } = self;
        let mut command = format!(
            "{} campaign work {} --shard {shard}/{shard_count} --threads {threads} --cpu-path {cpu_path}",
            quoted(program),
            quoted(folder)
        );
        if let Some(hash) = hash {
            command += &format!(" --hash {hash}");
        }
        command
    }

    /// Returns a shell function `work` that replaces its process by the worker of the shard in its argument.
    pub fn function(&self, threads: &str) -> String {
        format!("work() {{ exec {}; }}\n", self.command("\"$1\"", threads))
    }
}

/// Returns a text as one word of the shell.
///
/// Only characters that no shell treats specially stay outside quotes. Braces are quoted too, because bash expands
/// `{a..b}`.
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-,:@+".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns the absolute path of an existing file, in a form that can be part of a script.
///
/// # Errors
/// A usage error if the file does not exist, or if [`script_path`] refuses the path.
pub fn absolute(path: &Path) -> Result<String, CliError> {
    let wrong = |error| CliError::usage(format!("cannot find {}: {error}", path.display()));
    let found = path.canonicalize().map_err(wrong)?;
    // Bash does not understand the canonical form on Windows, `\\?\C:\x`.
    script_path(&if cfg!(windows) { std::path::absolute(path).map_err(wrong)? } else { found })
}

/// Returns a path in a form that can be part of a script.
///
/// # Errors
/// A usage error if the path is not UTF-8, or if it contains control characters such as line breaks.
pub fn script_path(path: &Path) -> Result<String, CliError> {
    let text = path.to_str().filter(|text| !text.contains(char::is_control));
    let text = text.ok_or_else(|| {
        CliError::usage(format!("the path {path:?} cannot be written to a script"))
            .help("use a path in UTF-8 without line breaks")
    })?;
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_for_the_shell() {
        let job = Job {
            program: "/opt/my perft".to_owned(),
            folder: "/data/it's $HOME; \"nine\"".to_owned(),
            shards: [1].into_iter().collect(),
            shard_count: 3,
            threads: Threads::All,
            hash: Some("4G".parse().unwrap()),
            cpu_path: CpuChoice::Auto,
        };
        let words = shell_words::split(&job.command("2", "all")).unwrap();
        let expected = [
            "/opt/my perft",
            "campaign",
            "work",
            "/data/it's $HOME; \"nine\"",
            "--shard",
            "2/3",
            "--threads",
        ];
        assert_eq!(words[..7], expected);
        assert_eq!(words[7..], ["all", "--cpu-path", "auto", "--hash", "4G"]);
        assert!(script_path(Path::new("a\nb")).is_err());
    }

    #[test]
    fn every_printable_character_is_quoted_where_a_shell_needs_it() {
        for c in ' '..='~' {
            let word = quoted(&format!("a{c}"));
            let is_plain = c.is_ascii_alphanumeric() || "/._-,:@+".contains(c);
            assert_eq!(word.starts_with('\''), !is_plain, "{word}");
            assert_eq!(shell_words::split(&word).unwrap(), [format!("a{c}")]);
        }
        assert_eq!(quoted(""), "''");
    }
}
