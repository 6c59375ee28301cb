//! Records the build for the reports of benchmarks: compiler, flags, and the commit.
//!
//! The commit is recorded in release builds only, because benchmarks need no other builds. So a new commit does not
//! make `cargo test` compile everything again.

#![allow(clippy::disallowed_methods, reason = "it asks git and rustc")]

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let compiler = first_line(&variable("RUSTC"), &["--version"]).unwrap_or_default();
    // The flags that hide the paths of this machine would show them.
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    let flags: Vec<&str> = flags.split('\u{1f}').filter(|flag| !flag.starts_with("--remap-path")).collect();
    let flags = flags.join(" ");
    say("COMPILER", &compiler);
    say("FLAGS", &flags);
    say("PROFILE", &variable("PROFILE"));
    say("TARGET", &variable("TARGET"));
    let commit = if variable("PROFILE") == "release" { commit() } else { None };
    say("COMMIT", &commit.unwrap_or_default());
}

fn say(name: &str, value: &str) {
    println!("cargo::rustc-env=PERFT_BUILD_{name}={value}");
}

/// Returns the commit, with the suffix `-dirty` if files differ from it. Returns `None` outside a clone.
fn commit() -> Option<String> {
    for path in ["src", "crates", "Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let folder = first_line("git", &["rev-parse", "--git-dir"])?;
    for name in ["HEAD", "logs/HEAD"] {
        let path = Path::new(&folder).join(name);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    first_line("git", &["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"])
}

fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()?.lines().next().map(str::to_owned)
}
