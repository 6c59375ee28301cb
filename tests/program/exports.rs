//! Files that are written when the program is killed: each is old or new. The files that the program leaves behind are
//! removed.

use super::support::{Folder, until};

#[test]
fn a_killed_program_leaves_the_old_file() {
    let folder = Folder::new();
    let export = ["bench", "start", "--quiet", "--export-json", "out.json"];
    let start = |arguments: &[&str]| folder.perft(&[&export, arguments].concat()).spawn().unwrap();
    folder.write("out.json", "old");
    let before = folder.names();
    let mut program = start(&["--depth", "7", "--runs", "1000"]);
    until(20, || folder.names() != before);
    program.kill().unwrap();
    program.wait().unwrap();
    let killed = folder.names();
    assert_eq!((killed.len(), folder.read("out.json").as_str()), (2, "old"), "{killed:?}");
    assert!(start(&["--depth", "1", "--runs", "1"]).wait_with_output().unwrap().status.success());
    assert_eq!(folder.names(), killed, "nothing is removed that another run has created");
    serde_json::from_str::<serde_json::Value>(&folder.read("out.json")).unwrap();
}
