//! The lines of the book for `git bisect run` find the commit that broke a generator, and the one that made it slower.

use std::path::Path;
use std::process::Command;

use perft_testing::programs::example;

use crate::bench::build;
use crate::support::{program, write_script};

/// Runs git in a repository and returns its output.
fn git(repository: &Path, arguments: &[&str]) -> String {
    let settings = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    let path = format!("{}:{}", program().parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("git")
        .current_dir(repository)
        .env("PATH", path)
        .args(settings)
        .args(arguments)
        .output()
        .expect("git is installed");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Commits the sources one after another and runs a line of the book, in which `make` copies the source. The line has this
/// text, and words of it are replaced. Returns the message of the commit that it finds.
fn bisected(sources: &[&str], text: &str, replaced: &[[&str; 2]]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let repository = folder.path().join("repository");
    std::fs::create_dir(&repository).unwrap();
    write_script(&folder.path().join("fast"), sources[0]);
    git(&repository, &["init", "--quiet"]);
    std::fs::write(repository.join(".gitignore"), "my-engine\n").unwrap();
    for (number, source) in sources.iter().enumerate() {
        write_script(&repository.join("engine.sh"), &format!("{source}\n# {number}"));
        git(&repository, &["add", "."]);
        git(&repository, &["commit", "--quiet", "-m", &format!("change {number}")]);
    }
    let book = include_str!("../../docs/src/ci.md");
    let mut lines = book.lines().filter_map(|line| line.strip_prefix("$ git bisect run sh -c "));
    let line = shell_words::split(lines.find(|line| line.contains(text)).unwrap()).unwrap();
    let make = "{ ! grep -q broken engine.sh && cp engine.sh my-engine; }";
    let mut script = line[0].replace("make", make);
    for [word, other] in replaced {
        assert!(script.contains(word), "{script}");
        script = script.replace(word, other);
    }
    git(&repository, &["bisect", "start", "HEAD", &format!("HEAD~{}", sources.len() - 1)]);
    let found = git(&repository, &["bisect", "run", "sh", "-c", &script]);
    let first_bad = found.lines().find(|line| line.ends_with("is the first bad commit")).expect(&found);
    let hash = first_bad.split(' ').next().unwrap();
    git(&repository, &["log", "-1", "--format=%s", hash]).trim().to_owned()
}

#[test]
fn the_lines_of_the_book_find_the_commit_that_is_wrong_or_slow() {
    let right = format!("exec '{}' uci", program().display());
    let wrong = format!("exec '{}' faulty no-en-passant", example("test-engine").display());
    // The second commit does not build.
    let found = bisected(
        &[&right, "exit 1 # broken", &right, &wrong, &wrong],
        "perft suite",
        &[["--max-nodes 100k", "--max-nodes 1k"]],
    );
    assert_eq!(found, "change 3");
    // Builds of perft are run anew for each count. On a busy machine, a small difference takes long to decide.
    let (fast, slow) = (build(""), build("BEGIN {for (i = 0; i < 2000000; i++) n += i}"));
    let found = bisected(
        &[&fast, "exit 1 # broken", &fast, &slow, &slow],
        "perft bench",
        &[["kiwipete 4", "kiwipete 3"], ["--max-regression 10", "--max-regression 50"]],
    );
    assert_eq!(found, "change 3");
}
