//! The scripts of completions, and the manual pages.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{good, out, run};

/// The words that bash offers for the last word of some lines.
const OFFERED: [(&str, &[&str]); 6] = [
    ("perft diag", &["diagnose"]),
    ("perft campaign pl", &["plan"]),
    ("perft divide --gen", &["--generator"]),
    ("perft divide --format stock", &["stockfish"]),
    ("perft suite --engine loc", &["local.epd"]),
    ("perft --depth 5", &["5"]),
];

#[test]
fn bash_offers_commands_options_values_and_files() {
    let function = "_try() { local words=($1); COMP_WORDS=(\"${words[@]}\"); COMP_CWORD=$((${#words[@]} - 1)); COMPREPLY=()
        _perft perft \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; echo \"${COMPREPLY[*]}\"; }";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("local.epd"), "").unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_perft")).parent().unwrap().to_str().unwrap();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    for (line, offered) in OFFERED {
        let script = format!("source <(perft generate completions bash)\n{function}\n_try '{line}'");
        let mut bash = Command::new("bash");
        let output = bash.args(["-c", &script]).current_dir(&folder).env("PATH", &path).output().unwrap();
        let words = out(&output);
        assert_eq!(words.split_whitespace().collect::<Vec<_>>(), offered, "{line}");
    }
}

/// bash quotes a name such as `a;reboot` only if it knows that it is the name of a file.
#[test]
fn bash_quotes_the_names_of_files() {
    let script = good(&["generate", "completions", "bash"]);
    let [files, quoted] = ["compgen -f", "compopt -o filenames"].map(|words| script.matches(words).count());
    assert!(files > 10 && files == quoted, "{files} {quoted}");
}

#[test]
fn every_shell_has_a_script() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(good(&["generate", "completions", shell]).contains("unit-positions"), "{shell}");
    }
    let zsh = good(&["generate", "completions", "zsh"]);
    assert!(zsh.contains(" -A '-*' : ") && zsh.contains("\n'*:words"), "clap_complete writes another script");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    good(&["generate", "man", "--folder", folder.path().to_str().unwrap()]);
    let mut pages = 0;
    for page in fs::read_dir(folder.path().join("man1")).unwrap() {
        let path = page.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let command: Vec<&str> = name.split('-').skip(1).collect();
        assert_eq!(good(&[&["generate", "man"][..], &command].concat()), text, "{name}");
        // A command without examples needs none on its page.
        let is_simple =
            ["perft-list-engines", "perft-list-generators", "perft-help", "perft-campaign-verify"]
                .contains(&name.as_str());
        assert!(text.contains(".SH EXAMPLES\n.nf\n") || is_simple, "{name}");
        assert!(!text.contains(".TP\n\\fB\\-\\-quiet\\fR\n.TP"), "{name}: an option without a text");
        pages += 1;
    }
    let commands = good(&["--help"]);
    assert!(pages > 20 && commands.contains("generate"), "{pages}");
    assert_eq!(run(&["generate", "man", "--folder", "/dev/null/x"]).status.code(), Some(2));
}
