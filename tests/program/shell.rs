//! Completions as the shells request them, and the manual pages.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{good, refused, run};

/// The program, as a shell finds it.
const PERFT: &str = env!("CARGO_BIN_EXE_perft");

/// Runs a script in a shell, in a folder with a `perft.toml` and a saved baseline. Returns its output, or `None`
/// without this shell.
fn shell(shell: &str, script: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("perft.toml"), "[engine.mine]\ncommand = 'mine'\n").unwrap();
    fs::write(folder.path().join("local.epd"), "").unwrap();
    let baselines = folder.path().join("data/perft/baselines");
    fs::create_dir_all(&baselines).unwrap();
    fs::write(baselines.join("main.json"), "").unwrap();
    let programs = Path::new(PERFT).parent().unwrap().to_str().unwrap();
    let output = Command::new(shell)
        .args(["-c", script])
        .current_dir(&folder)
        .env("PATH", format!("{programs}:{}", std::env::var("PATH").unwrap()))
        .env("HOME", folder.path())
        .env("XDG_DATA_HOME", folder.path().join("data"))
        .output();
    match output {
        Ok(output) => Some(String::from_utf8(output.stdout).unwrap()),
        Err(_) => {
            eprintln!("not tested: there is no {shell}");
            None
        }
    }
}

/// The words that a shell offers for the last word of some lines.
const OFFERED: [(&str, &[&str]); 9] = [
    ("perft diag", &["diagnose"]),
    ("perft kiw", &["kiwipete"]),
    ("perft divide kiw", &["kiwipete"]),
    ("perft suite chess", &["chess960"]),
    ("perft suite loc", &["local.epd"]),
    ("perft hunt mi", &["mine", "mirrored"]),
    ("perft suite --engine mi", &["mine"]),
    ("perft bench --baseline ma", &["main"]),
    ("perft divide --format stock", &["stockfish"]),
];

#[test]
fn bash_offers_what_exists() {
    let function = "_try() { local words=($1); COMP_WORDS=(\"${words[@]}\"); COMP_CWORD=$((${#words[@]} - 1)); COMPREPLY=()
        local complete=$(complete -p perft | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        $complete perft \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; echo \"${COMPREPLY[*]}\"; }";
    for (line, offered) in OFFERED {
        let script = format!("source <(perft generate completions bash)\n{function}\n_try '{line}'");
        let Some(output) = shell("bash", &script) else { return };
        assert_eq!(output.split_whitespace().collect::<Vec<_>>(), offered, "{line}");
    }
}

#[test]
fn fish_offers_what_exists() {
    for (line, offered) in OFFERED {
        let script = format!("perft generate completions fish | source; complete -C '{line}'");
        let Some(output) = shell("fish", &script) else { return };
        let names: Vec<&str> = output.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(names, offered, "{line}");
    }
}

#[test]
fn every_shell_has_a_script_that_runs_the_program() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(good(&["generate", "completions", shell]).contains("PERFT_COMPLETE"), "{shell}");
    }
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
    assert!(refused(&["generate", "man", "divied"]).contains("divide"));
    assert_eq!(run(&["generate", "man", "--folder", "/dev/null/x"]).status.code(), Some(2));
}
