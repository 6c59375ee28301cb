//! Campaign folders from another user: links, pipes and devices in place of files, and manifests with false content.
//! Also other files that are read as a whole.

use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};

use super::campaign::{Place, bad, good};
use super::support::ended_within;

/// Plans a campaign of 4 units.
fn small() -> Place {
    Place::planned_as("campaign", &["--depth", "4", "--split", "2", "--unit-positions", "100"])
}

/// Changes the manifest and computes its checksum again.
fn sign_again(place: &Place, from: &str, to: &str) {
    let path = place.file("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    let (body, _) = text.split_once("  \"checksum\": ").unwrap();
    let body = body.replace(from, to);
    let digest = sha256(body.as_bytes());
    fs::write(path, format!("{body}  \"checksum\": \"{digest}\"\n}}\n")).unwrap();
    let Ok(journals) = fs::read_dir(place.file("journals")) else { return };
    journals.for_each(|journal| sign_journal_again(&journal.unwrap().path(), &digest[..16]));
}

/// Makes the lines of a journal belong to the campaign with this identity.
fn sign_journal_again(path: &Path, identity: &str) {
    let sign = |line: &str| {
        let (body, _) = line.split_once(",\"check\":").unwrap();
        let (_, rest) = body.split_once("\",\"unit\":").unwrap();
        let body = format!("{{\"format\":1,\"campaign\":\"{identity}\",\"unit\":{rest}");
        format!("{body},\"check\":\"{}\"}}\n", &sha256(body.as_bytes())[..16])
    };
    let lines: String = fs::read_to_string(path).unwrap().lines().map(sign).collect();
    fs::write(path, lines).unwrap();
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Runs a command on a campaign within 400 MB of memory and some seconds. Expects exit code 2, and returns standard
/// error.
fn refused_soon(args: &[&str]) -> String {
    let script = "ulimit -v 400000; exec \"$@\"";
    let mut child = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_perft")])
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = ended_within(&mut child, 20);
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(status.code(), Some(2), "{args:?}: {said}");
    said
}

#[test]
fn a_manifest_with_an_impossible_depth_is_refused() {
    let place = small();
    sign_again(&place, "\"depth\": 4", "\"depth\": 4294967295");
    for args in [&["campaign", "work", &place.path][..], &["campaign", "merge", &place.path]] {
        assert!(
            bad(2, args).contains("manifest.json is damaged: its depth or its split is wrong"),
            "{args:?}"
        );
    }
}

#[test]
fn a_manifest_with_another_split_is_refused() {
    let place = small();
    good(&["campaign", "work", &place.path]);
    sign_again(&place, "\"split\": 2", "\"split\": 1");
    for command in ["work", "merge", "verify"] {
        let said = bad(2, &["campaign", command, &place.path]);
        assert!(
            said.contains("the tree has other numbers of nodes at ply 1, the split"),
            "{command}: {said}"
        );
    }
}

/// The program does not count the tree to a ply where that would take years.
#[test]
fn a_manifest_with_a_deep_split_is_refused_soon() {
    let place = small();
    good(&["campaign", "work", &place.path]);
    sign_again(&place, "\"depth\": 4,\n    \"split\": 2", "\"depth\": 255,\n    \"split\": 254");
    assert!(refused_soon(&["campaign", "work", &place.path]).contains("other numbers of nodes at ply 254"));
}

/// The numbers of nodes are corrected for the other ply, but the units still contain positions of ply 2.
#[test]
fn units_of_another_ply_are_refused() {
    let place =
        Place::planned_as("campaign", &["--fen", "8/8/8/8/8/8/8/K1k5 w - - 0 1", "-d", "3", "-s", "2"]);
    let other = Place::planned_as("other", &["--fen", "8/8/8/8/8/8/8/K1k5 w - - 0 1", "-d", "3", "-s", "1"]);
    let unit = fs::read(place.file("units/000001.epd")).unwrap();
    let line = unit.split(|&byte| byte == b'\n').nth(1).unwrap();
    let forged = [b"# perft campaign, format 1, unit 1\n", line, b"\n"].concat();
    let before = fs::read(other.file("units/000001.epd")).unwrap();
    fs::write(other.file("units/000001.epd"), &forged).unwrap();
    sign_again(&other, &sha256(&before), &sha256(&forged));
    let said = bad(2, &["campaign", "work", &other.path]);
    assert!(said.contains("its positions are not those of ply 1"), "{said}");
}

#[test]
fn links_are_not_followed_by_files_that_are_written() {
    let place = small();
    let victim = place.file("victim");
    fs::write(&victim, "mine").unwrap();
    fs::create_dir(place.file("claims")).unwrap();
    symlink(&victim, place.file("claims/000002")).unwrap();
    good(&["campaign", "work", &place.path]);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    assert!(good(&["campaign", "merge", &place.path]).contains("Nodes searched: 197281\n"));

    let elsewhere = tempfile::tempdir().unwrap();
    for (folder, args) in [("claims", &["campaign", "work"][..]), ("journals", &["campaign", "work"])] {
        let place = small();
        symlink(elsewhere.path(), place.file(folder)).unwrap();
        let said = bad(2, &[args, &[place.path.as_str()]].concat());
        assert!(said.contains("it is a symbolic link"), "{folder}: {said}");
    }
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn only_regular_files_of_a_sensible_size_are_read() {
    let pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let zeros = |path: &Path| symlink("/dev/zero", path).unwrap();
    // A sparse file takes no space on the disk, but a lot of memory.
    let sparse = |path: &Path| fs::File::create(path).unwrap().set_len(1 << 40).unwrap();
    let replacements: [&dyn Fn(&Path); 3] = [&pipe, &zeros, &sparse];
    for (replace, why) in replacements.into_iter().zip(["not a regular file", "not a regular file", " bytes"])
    {
        for (file, command) in
            [("units/000001.epd", "work"), ("journals/x.jsonl", "merge"), ("manifest.json", "work")]
        {
            let place = small();
            let _ = fs::create_dir(place.file("journals"));
            let _ = fs::remove_file(place.file(file));
            replace(&place.file(file));
            let said = refused_soon(&["campaign", command, &place.path]);
            assert!(said.contains("cannot read ") && said.contains(why), "{file}: {said}");
        }
    }
}

#[test]
fn files_without_an_end_are_refused() {
    for args in [
        &["list", "engines", "--config", "/dev/zero"][..],
        &["bench", "start", "-d", "1", "--baseline", "/dev/zero"],
    ] {
        let said = refused_soon(args);
        assert!(said.contains("it has more than "), "{said}");
    }
}
