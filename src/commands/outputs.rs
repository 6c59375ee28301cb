//! Nothing that a command reads is written over.
//!
//! Before a command starts, each file that it will write is compared with every file that it may read, and with its
//! other outputs. The outputs are the options of the type `OutputFile`. All other words of the command line may name
//! inputs: a suite, a program, a configuration, a campaign. Files are compared, and not names, so that links and other
//! spellings of a path count too.

use std::path::{Path, PathBuf};

use crate::input::Engines;
use crate::output::CliError;
use crate::output::context::{Given, GivenArgument};
use crate::system::command_line;
use crate::system::files::Identity;

/// The depth of the folders of a campaign.
const FOLDERS: u32 = 2;

/// Checks the command that was typed.
///
/// # Errors
/// An output is also an input, or another output.
pub fn refuse_overwriting(given: &Given) -> Result<(), CliError> {
    let (outputs, others): (Vec<_>, Vec<_>) = given.arguments.iter().partition(|argument| argument.is_output);
    if outputs.is_empty() {
        return Ok(());
    }
    let mut taken: Vec<(Identity, String)> = Vec::new();
    #[cfg(unix)]
    taken.extend(
        [
            (Identity::of_stream(std::io::stdin()), "standard input"),
            (Identity::of_stream(std::io::stdout()), "standard output"),
        ]
        .into_iter()
        .filter_map(|(identity, name)| Some((identity?, name.to_owned()))),
    );
    let mut read = |path: &Path| {
        let files = files_of(path, FOLDERS).into_iter().filter(|path| path.exists());
        taken.extend(files.filter_map(|path| Some((Identity::of(&path)?, path.display().to_string()))));
    };
    let words =
        || others.iter().filter(|argument| argument.id != "config").flat_map(|argument| &argument.values);
    words().for_each(|word| inputs_of(word, Path::new(""), &mut read));
    // Without `--config`, the file of the current folder is read. If it is wrong, the command says so.
    let config = given.values(&["config"]);
    let config = config.first().map(Path::new);
    read(Engines::file(config));
    for (_, spec) in Engines::load(config).iter().flat_map(Engines::specs) {
        // An option of the command line may be a file in the folder of the engine.
        let own = spec.command.iter().chain(spec.options.iter().map(|(_, value)| value));
        let folder = spec.folder.as_deref().unwrap_or(Path::new(""));
        own.chain(words()).for_each(|word| inputs_of(word, folder, &mut read));
    }
    for GivenArgument { flag, values, .. } in outputs {
        let (option, path) = (flag.clone().unwrap_or_default(), &values[0]);
        let Some(identity) = Identity::of(Path::new(path)) else { continue };
        if let Some((_, other)) = taken.iter().find(|(taken, _)| *taken == identity) {
            return Err(CliError::usage(format!("{option} '{path}' would be written over {other}"))
                .help("give the name of another file"));
        }
        taken.push((identity, format!("the file of {option}")));
    }
    Ok(())
}

/// Passes the paths that a word may name to `read`: the whole word, the words of a command, the program that it names,
/// and the values of options such as `EvalFile=my.nnue`.
fn inputs_of(word: &str, folder: &Path, read: &mut impl FnMut(&Path)) {
    let words = command_line::split(word).unwrap_or_default();
    for word in words.iter().map(String::as_str).chain([word]) {
        let value = word.split_once('=').map(|(_, value)| value);
        for name in [Some(word), value].into_iter().flatten() {
            read(&folder.join(name));
        }
        if let Ok(program) = which::which(word) {
            read(&program);
        }
    }
}

/// Returns a file, or the files of the folder of a campaign.
fn files_of(path: &Path, folders: u32) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let is_campaign = folders < FOLDERS || path.join("manifest.json").exists();
    let entries = (is_campaign && folders > 0).then(|| std::fs::read_dir(path).ok()).flatten();
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    // A certificate beside the manifest may be written again.
    let is_read = |path: &PathBuf| folders < FOLDERS || path.is_dir() || path.ends_with("manifest.json");
    paths.filter(is_read).flat_map(|path| files_of(&path, folders - 1)).collect()
}
