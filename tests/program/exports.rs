//! Files that are written when the program is killed or interrupted: each is old or new, and nothing else is left.

use super::support::{Folder, interrupt, read_until};

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
    serde_json::from_str::<serde_json::Value>(&folder.read("out.json")).unwrap();
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
    let report: serde_json::Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    assert_eq!((&report["complete"], &report["results"][2]["nodes"]), (&false.into(), &8902.into()));
}
