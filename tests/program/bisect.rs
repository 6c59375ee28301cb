//! The line of the book for `git bisect run` finds the commit that broke a generator.

use std::path::Path;
use std::process::Command;

use perft_testing::programs::example;

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

#[test]
fn the_line_of_the_book_finds_the_commit_that_broke_a_generator() {
    let folder = tempfile::tempdir().unwrap();
    let (repository, engine) = (folder.path(), folder.path().join("engine.sh"));
    let right = format!("exec '{}' uci", program().display());
    let wrong = format!("exec '{}' faulty no-en-passant", example("test-engine").display());
    // The second commit does not build.
    let sources = [&right, "exit 1 # broken", &right, &wrong, &wrong].map(str::to_owned);
    git(repository, &["init", "--quiet"]);
    std::fs::write(repository.join(".gitignore"), "my-engine\n").unwrap();
    for (number, source) in sources.iter().enumerate() {
        write_script(&engine, &format!("{source}\n# {number}"));
        git(repository, &["add", "."]);
        git(repository, &["commit", "--quiet", "-m", &format!("change {number}")]);
    }
    let book = include_str!("../../docs/src/ci.md");
    let line = book.lines().find_map(|line| line.strip_prefix("$ git bisect run sh -c ")).unwrap();
    let make = "! grep -q broken engine.sh && cp engine.sh my-engine";
    let script = shell_words::split(line).unwrap()[0].replace("make", &format!("{{ {make}; }}"));
    let script = script.replace("--max-nodes 100k", "--max-nodes 1k");
    git(repository, &["bisect", "start", "HEAD", "HEAD~4"]);
    let found = git(repository, &["bisect", "run", "sh", "-c", &script]);
    let first_bad = found.lines().find(|line| line.ends_with("is the first bad commit")).expect(&found);
    let hash = first_bad.split(' ').next().unwrap();
    assert_eq!(git(repository, &["log", "-1", "--format=%s", hash]).trim(), "change 3", "{found}");
}
