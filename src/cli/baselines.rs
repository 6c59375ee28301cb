//! Where baselines are kept, and reading one by name or from a file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::report::baseline::Baseline;
use etcetera::{BaseStrategy, choose_base_strategy};

use super::error::CliError;

/// The file of a baseline, whether it is there or not.
pub fn path_of(name: &str) -> Result<PathBuf, CliError> {
    let is_allowed = |letter: char| letter.is_alphanumeric() || "._-+".contains(letter);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(is_allowed) {
        let refusal = CliError::usage(format!("'{name}' is not the name of a baseline"));
        return Err(refusal.help("letters, digits, '.', '_', '-' and '+'; --export-json writes any file"));
    }
    Ok(folder()?.join(format!("{name}.json")))
}

/// The file of a baseline that is to be written, in a folder that is there.
pub fn path_to_write(name: &str) -> Result<PathBuf, CliError> {
    let path = path_of(name)?;
    let folder = folder()?;
    fs::create_dir_all(&folder).map_err(|error| {
        CliError::usage(format!("cannot make the folder of baselines '{}': {error}", folder.display()))
    })?;
    Ok(path)
}

/// Reads the baseline of this name, or from this file.
pub fn read(name_or_file: &str) -> Result<Baseline, CliError> {
    let is_file = name_or_file.contains(std::path::is_separator)
        || name_or_file.ends_with(".json")
        || Path::new(name_or_file).is_file();
    let path = if is_file { PathBuf::from(name_or_file) } else { path_of(name_or_file)? };
    let text = fs::read_to_string(&path).map_err(|error| {
        let refusal = CliError::usage(format!("cannot read the baseline '{name_or_file}': {error}"));
        match names() {
            _ if is_file => refusal.help("a file that perft bench --export-json wrote"),
            names if names.is_empty() => {
                refusal.help(format!("perft bench --save-baseline {name_or_file} makes it"))
            }
            names => refusal.help(format!("there are: {}", names.join(", "))),
        }
    })?;
    Baseline::read(&text).map_err(|error| {
        CliError::usage(format!("cannot use the baseline '{}': {error}", path.display()))
            .help("a file that perft bench --export-json or --save-baseline wrote")
    })
}

fn folder() -> Result<PathBuf, CliError> {
    let strategy = choose_base_strategy()
        .map_err(|error| CliError::usage(format!("no place for baselines: {error}")))?;
    Ok(strategy.data_dir().join("perft").join("baselines"))
}

/// The baselines that there are, sorted.
fn names() -> Vec<String> {
    let entries = folder().ok().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".json")?.to_owned()))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_within_the_folder() {
        for wrong in ["", ".", "..", "../x", "a/b", "a b", ".hidden"] {
            assert!(path_of(wrong).is_err(), "{wrong}");
        }
        assert!(path_of("v1.2-avx512_x").unwrap().ends_with("perft/baselines/v1.2-avx512_x.json"));
    }
}
