//! A campaign as a job: the shards to count, and the command that counts one, safe for a shell.

use std::path::Path;

use crate::campaign::Ranges;

use crate::cli::error::CliError;

/// What every script needs to know. Its texts are of one line.
#[derive(Clone, Debug)]
pub struct Job {
    /// The program, as the shell finds it.
    pub program: String,
    /// The folder of the campaign, from the root of the file system.
    pub folder: String,
    /// The shards to count.
    pub shards: Ranges,
    /// The number of all shards.
    pub of: u32,
    /// The table of each job.
    pub hash: Option<String>,
    /// The CPU features to count with.
    pub cpu_path: String,
}

impl Job {
    /// The command for a shard. The texts are handed to the shell as they are.
    pub fn command(&self, shard: &str, threads: &str) -> String {
        let Job { program, folder, of, hash, cpu_path, .. } = self;
        let mut command = format!(
            "{} work {} --shard {shard}/{of} --threads {threads} --cpu-path {cpu_path}",
            quoted(program),
            quoted(folder)
        );
        if let Some(hash) = hash {
            command += &format!(" --hash {}", quoted(hash));
        }
        command
    }

    /// A shell function that becomes the worker of the shard that it is handed.
    pub fn function(&self, threads: &str) -> String {
        format!("work() {{ exec {}; }}\n", self.command("\"$1\"", threads))
    }
}

/// A text as one word of the shell.
pub fn quoted(text: &str) -> String {
    shell_words::quote(text).into_owned()
}

/// The path of something that is there, from the root of the file system.
pub fn absolute(path: &Path) -> Result<String, CliError> {
    let found = path.canonicalize();
    line(&found.map_err(|error| CliError::usage(format!("cannot find {}: {error}", path.display())))?)
}

/// A path that can stand in a line of a script.
pub fn line(path: &Path) -> Result<String, CliError> {
    let text = path.to_str().filter(|text| !text.contains(char::is_control));
    let text = text.ok_or_else(|| {
        CliError::usage(format!("{path:?} cannot stand in a script"))
            .help("a path in UTF-8, without line breaks")
    });
    text.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_one_word_of_the_shell() {
        let job = Job {
            program: "/opt/my perft".to_owned(),
            folder: "/data/it's $HOME; \"nine\"".to_owned(),
            shards: [1].into_iter().collect(),
            of: 3,
            hash: Some("4G".to_owned()),
            cpu_path: "auto".to_owned(),
        };
        let words = shell_words::split(&job.command("2", "all")).unwrap();
        let expected = ["/opt/my perft", "work", "/data/it's $HOME; \"nine\"", "--shard", "2/3", "--threads"];
        assert_eq!(words[..6], expected);
        assert_eq!(words[6..], ["all", "--cpu-path", "auto", "--hash", "4G"]);
        assert!(line(Path::new("a\nb")).is_err());
    }
}
