//! Programs that tests start. They are examples of the workspace, and Cargo puts them beside the tests.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// The examples that were built so far.
static BUILT: Mutex<Option<HashMap<String, PathBuf>>> = Mutex::new(None);

/// Returns the path of an example of the workspace, such as the engine with planted faults, `test-engine`.
///
/// `cargo test` builds all examples, but `cargo test --test NAME` and `cargo test --lib` build none. So the first call
/// runs Cargo to build the example, in the profile of the tests. If it is already built, this takes a fraction of a
/// second. Tests that do not run under Cargo use the example that exists.
///
/// # Panics
/// Panics if the example cannot be built, or if it is not beside the tests.
pub fn example(name: &str) -> PathBuf {
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let built = built.get_or_insert_default();
    if let Some(path) = built.get(name) {
        return path.clone();
    }
    let tests = std::env::current_exe().expect("the path of the tests is known");
    let folder = tests.parent().and_then(Path::parent).expect("tests are in a folder of their profile");
    if let Some(cargo) = std::env::var_os("CARGO") {
        build(&mut Command::new(cargo), name, folder);
    }
    let path = folder.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "{} is missing: run 'cargo build --example {name}' with the options of the tests",
        path.display()
    );
    built.insert(name.to_owned(), path.clone());
    path
}

/// Builds an example in the profile of this folder, such as `target/debug`.
fn build(cargo: &mut Command, name: &str, folder: &Path) {
    let profile = folder.file_name().filter(|&profile| profile != "debug").unwrap_or("dev".as_ref());
    let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    cargo.args(["build", "--quiet", "--example", name, "--profile"]).arg(profile).current_dir(workspace);
    let output = cargo.output().expect("Cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
