//! Files that are written when the program is killed or interrupted: each is old or new, and nothing else is left.

use std::fs;
#[cfg(unix)]
use std::process::Command;

use super::support::{Folder, START, interrupt, read_until, report};
#[cfg(unix)]
use super::support::{program, text_of};

#[test]
fn a_killed_program_leaves_only_the_old_file() {
    let folder = Folder::new();
    let export = ["bench", "start", "--export-json", "out.json"];
    let start = |arguments: &[&str]| folder.perft(&[&export, arguments].concat()).spawn().unwrap();
    folder.write("out.json", "old");
    let before = folder.names();
    let mut program = start(&["--depth", "7", "--runs", "1000"]);
    read_until(program.stderr.as_mut().unwrap(), "timing");
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!((folder.names(), folder.read("out.json").as_str()), (before.clone(), "old"));
    assert!(start(&["--depth", "1", "--runs", "1"]).wait_with_output().unwrap().status.success());
    assert_eq!(folder.names(), before);
    report(&folder.read("out.json"));
}

#[test]
#[cfg(unix)]
fn an_interrupted_count_exports_its_finished_depths() {
    let folder = Folder::new();
    let args = ["start", "14", "--exact", "--memory", "16M", "--verbose", "--export-json", "out.json"];
    let mut program = folder.perft(&args).spawn().unwrap();
    read_until(program.stderr.as_mut().unwrap(), "perft(3): ");
    interrupt(&program);
    assert_eq!(program.wait_with_output().unwrap().status.code(), Some(130));
    let report = report(&folder.read("out.json"));
    assert_eq!((&report["complete"], &report["results"][2]["nodes"]), (&false.into(), &8902.into()));
}

/// Nothing that a command reads is written over, whatever the name of the output.
#[test]
fn no_output_is_an_input_or_another_output() {
    let folder = Folder::new();
    folder.write("my.epd", &format!("{START} ;D1 20\n"));
    folder.write("perft.toml", "[engine.mine]\ncommand = 'sh engine.sh'\noptions = { EvalFile = 'net' }\n");
    folder.write("other.toml", "[engine.there]\ncommand = 'sh there.sh'\nfolder = 'below'\n");
    folder.write("wrong.toml", "[engine.mine\n");
    folder.write("engine.sh", "exit 3\n");
    folder.write("net", "weights");
    folder.line(0, "bench start 1 --runs 2 --export-json old.json");
    folder.line(0, "campaign plan 3 --split 1 -o campaign");
    folder.line(0, "campaign work campaign");
    let journals = fs::read_dir(folder.path("campaign/journals")).unwrap();
    let journal = journals.map(|entry| entry.unwrap().file_name().into_string().unwrap()).next().unwrap();
    let journal = format!("campaign/journals/{journal}");
    folder.write("divide.txt", "a2a3: 1\n");
    fs::create_dir(folder.path("below")).unwrap();
    folder.write("below/there.sh", "exit 3\n");
    folder.write("below/net", "weights");
    for (input, command) in [
        ("my.epd", "bench my.epd 1 --runs 2 --export-json"),
        ("my.epd", "bench my.epd 1 --runs 2 --export-html"),
        ("my.epd", "suite my.epd --engine mine --engine-log"),
        ("perft.toml", "suite my.epd --engine mine --engine-log"),
        ("perft.toml", "1 --export-json"),
        ("perft.toml", "bench start 1 --runs 2 --export-html"),
        ("perft.toml", "campaign merge campaign --certificate"),
        ("perft.toml", "probe mine --save new --engine-log"),
        ("other.toml", "suite my.epd --engine false --config other.toml --engine-log"),
        ("wrong.toml", "probe mine --config wrong.toml --engine-log"),
        ("net", "divide 1 --against mine --engine-log"),
        ("below/there.sh", "hunt there --config other.toml --engine-log"),
        ("below/net", "probe there --config other.toml --option EvalFile=net --engine-log"),
        ("divide.txt", "divide 1 --against divide.txt --engine-log"),
        ("engine.sh", "suite my.epd --engine mine --engine-log"),
        ("old.json", "bench start 1 --runs 2 --baseline old.json --export-json"),
        ("campaign/manifest.json", "campaign merge campaign --certificate"),
        ("campaign/units/000001.epd", "campaign merge campaign --certificate"),
        (&journal, "campaign merge campaign --certificate"),
    ] {
        let before = fs::read(folder.path(input)).unwrap();
        let _ = fs::remove_file(folder.path("hard"));
        fs::hard_link(folder.path(input), folder.path("hard")).unwrap();
        let mut names =
            vec![input.to_owned(), format!("./{input}"), format!("below/../{input}"), "hard".to_owned()];
        names.push(folder.path(input).to_str().unwrap().to_owned());
        #[cfg(unix)]
        {
            let _ = fs::remove_file(folder.path("soft"));
            std::os::unix::fs::symlink(folder.path(input), folder.path("soft")).unwrap();
            names.push("soft".to_owned());
        }
        // On Windows, a second name of a file is not recognised.
        names.retain(|name| cfg!(unix) || name != "hard");
        for name in names {
            let words: Vec<&str> = command.split(' ').chain([name.as_str()]).collect();
            let (_, said) = folder.expect(2, &words);
            assert!(said.contains("would be written over"), "{words:?}: {said}");
            assert_eq!(fs::read(folder.path(input)).unwrap(), before, "{words:?}");
        }
    }
    let same =
        ["below/../new"].into_iter().chain(cfg!(any(windows, target_vendor = "apple")).then_some("NEW"));
    for name in same {
        let both = format!("bench start 1 --runs 2 --export-json new --export-html {name}");
        assert!(folder.line(2, &both).1.contains("the file of --export-json"));
    }
    for _ in 0..2 {
        folder.line(0, "campaign merge campaign --certificate campaign/certificate.json");
    }
}

#[test]
#[cfg(unix)]
fn a_link_to_nothing_is_not_replaced() {
    let folder = Folder::new();
    std::os::unix::fs::symlink("nothing", folder.path("link")).unwrap();
    for command in ["bench start 1 --runs 2 --export-json link", "probe --engine sh --engine-log link"] {
        let (_, said) = folder.line(2, command);
        assert!(said.contains("it is a link to a file that does not exist"), "{said}");
        assert!(folder.path("link").is_symlink() && !folder.path("nothing").exists());
    }
}

/// As in `--export-json >(jq .)`.
#[test]
#[cfg(unix)]
fn an_output_may_be_a_pipe() {
    for option in ["--export-json", "--export-html"] {
        let command = format!(
            "'{}' bench start 1 --runs 2 {option} /dev/fd/3 3>&1 >/dev/null | cat",
            text_of(&program())
        );
        let output = Command::new("sh").args(["-c", &command]).output().unwrap();
        assert!(output.stdout.starts_with(b"{") || output.stdout.starts_with(b"<!"), "{output:?}");
    }
}
