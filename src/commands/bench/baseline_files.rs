//! The folder of baselines, and reading a baseline by name or from a file.

use std::fs;
use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};

use super::baseline::Baseline;
use crate::output::error::CliError;
use crate::system::files;

/// The largest baseline that is read, in bytes. It has room for thousands of runs of each position.
const MAX_BYTES: u64 = 16 << 20;

/// Returns the file of the baseline with this name, whether it exists or not.
///
/// # Errors
/// A usage error if the name is not allowed.
pub fn path_of(name: &str) -> Result<PathBuf, CliError> {
    let is_allowed = |letter: char| letter.is_alphanumeric() || "._-+".contains(letter);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(is_allowed) {
        let refusal = CliError::usage(format!("'{name}' is not a valid name for a baseline"));
        return Err(refusal.help(
            "use letters, digits, '.', '_', '-' and '+', with no '.' at the start; --export-json writes to any file",
        ));
    }
    Ok(folder()?.join(format!("{name}.json")))
}

/// Returns the file to which the baseline with this name is written, and creates its folder.
///
/// # Errors
/// A usage error if the name is not allowed, or if the folder cannot be created.
pub fn path_to_write(name: &str) -> Result<PathBuf, CliError> {
    let path = path_of(name)?;
    let folder = folder()?;
    fs::create_dir_all(&folder).map_err(|error| {
        CliError::usage(format!("cannot create the folder for baselines '{}': {error}", folder.display()))
    })?;
    Ok(path)
}

/// Reads a baseline by name or from a file.
///
/// # Errors
/// A usage error if it cannot be read, or if it is not a benchmark.
pub fn read(name_or_file: &str) -> Result<Baseline, CliError> {
    let is_file = name_or_file.contains(std::path::is_separator)
        || name_or_file.ends_with(".json")
        || Path::new(name_or_file).is_file();
    let path = if is_file { PathBuf::from(name_or_file) } else { path_of(name_or_file)? };
    let text = files::read_text(&path, MAX_BYTES).map_err(|error| {
        let refusal = CliError::usage(format!("cannot read the baseline '{name_or_file}': {error}"));
        match names() {
            _ if is_file => refusal.help("give a file that perft bench --export-json wrote"),
            names if names.is_empty() => {
                refusal.help(format!("perft bench --save-baseline {name_or_file} creates it"))
            }
            names => refusal.help(format!("these baselines exist: {}", names.join(", "))),
        }
    })?;
    Baseline::read(&text).map_err(|error| {
        CliError::usage(format!("cannot use the baseline '{}': {error}", path.display()))
            .help("give a file that perft bench --export-json or --save-baseline wrote")
    })
}

fn folder() -> Result<PathBuf, CliError> {
    let strategy = choose_base_strategy()
        .map_err(|error| CliError::usage(format!("cannot find the folder for baselines: {error}")))?;
    Ok(strategy.data_dir().join("perft").join("baselines"))
}

/// Returns the names of all saved baselines, sorted.
pub fn names() -> Vec<String> {
    let files = folder().ok().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
    let mut names: Vec<String> = files
        .filter_map(|file| Some(file.ok()?.file_name().to_str()?.strip_suffix(".json")?.to_owned()))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_name_cannot_leave_the_folder() {
        for wrong in ["", ".", "..", "../x", "a/b", "a b", ".hidden"] {
            assert!(path_of(wrong).is_err(), "{wrong}");
        }
        assert!(path_of("v1.2-avx512_x").unwrap().ends_with("perft/baselines/v1.2-avx512_x.json"));
    }
}
