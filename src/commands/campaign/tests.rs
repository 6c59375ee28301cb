//! Campaigns: the totals are right, and damaged files are detected.

use std::fs;
use std::path::{Path, PathBuf};

use perft_core::Position;
use perft_count::{LeafStatistics, Perft, Progress, Table};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::journal::Worker;
use super::manifest::{Campaign, Manifest, PlanOptions, sha256, short_sha256};
use super::merge::merge;
use super::plan::plan;
use super::verify::unused_seed;
use super::work::UnitCounter;
use crate::engine::DriverSource;
use crate::output::{CliError, CliErrorKind, Nodes};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn options(depth: u32, split: u32) -> PlanOptions {
    PlanOptions { depth, split, unit_positions: 1000, statistics: false, memory_bytes: 1 << 30 }
}

fn planned(fen: &str, depth: u32, split: u32, unit_positions: u32) -> (TempDir, Campaign) {
    let folder = tempfile::tempdir().unwrap();
    let options = PlanOptions { unit_positions, ..options(depth, split) };
    let root = Position::from_fen(fen).unwrap();
    plan(&root, options, &Perft::new(), folder.path(), &Progress::default()).unwrap();
    let campaign = Campaign::open(folder.path()).unwrap();
    (folder, campaign)
}

fn worker(seed: Option<u64>) -> Worker {
    let [version, cpu_path, host] = ["0.1.0", "portable", "unknown"].map(str::to_owned);
    Worker { seed, version, cpu_path, host }
}

fn counter_of<'a>(campaign: &'a Campaign, perft: &'a Perft) -> UnitCounter<'a> {
    UnitCounter { campaign, perft, program: None, worker: worker(None) }
}

fn says_damaged(error: CliError, path: &Path) -> bool {
    matches!(error, CliError::Failed { message, .. } if message.starts_with(&format!("{} is damaged", path.display())))
}

fn all_units(campaign: &Campaign) -> Vec<u32> {
    (1..=campaign.units()).collect()
}

fn count(campaign: &Campaign) -> usize {
    let perft = Perft::new();
    let report = counter_of(campaign, &perft).work(&all_units(campaign), &Progress::default()).unwrap();
    assert!(report.left == 0 && report.abandoned.is_none());
    report.counted
}

fn total(campaign: &Campaign) -> Option<u128> {
    merge(campaign).unwrap().nodes.map(|Nodes(nodes)| nodes)
}

fn journals(folder: &TempDir) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder.path().join("journals")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            files.push((path, bytes));
        }
    }
    files.sort();
    files
}

#[test]
fn totals_and_divides_are_those_of_a_plain_count() {
    let cases = [
        (START, 5, 2),
        (START, 4, 3),
        (START, 3, 1),
        (KIWIPETE, 4, 2),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 4),
        ("1rk3r1/pp4pp/8/3pp3/3PP3/8/PP4PP/1RK3R1 w GBgb - 0 1", 4, 2),
        // Mate and stalemate, without leaf nodes.
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 4, 2),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 4, 2),
    ];
    for (fen, depth, split) in cases {
        let (_folder, campaign) = planned(fen, depth, split, 64);
        count(&campaign);
        let merged = merge(&campaign).unwrap();
        let root = Position::from_fen(fen).unwrap();
        let (perft, progress) = (Perft::new(), Progress::default());
        let nodes = perft.count_with_progress(&root, depth, &progress).unwrap();
        assert_eq!(merged.nodes, Some(Nodes(nodes)), "{fen}");
        let mut expected: Vec<(String, u128)> = perft
            .divide_with_progress(&root, depth, &progress)
            .unwrap()
            .iter()
            .map(|root_move| (root_move.played.to_uci(root.castling_notation()), root_move.nodes))
            .collect();
        expected.sort();
        let found: Vec<(String, u128)> =
            merged.moves.into_iter().map(|below| (below.played, below.leaves.nodes.0)).collect();
        assert_eq!(found, expected, "{fen}");
    }
}

#[test]
fn positions_are_merged_below_all_root_moves_at_once() {
    let (_folder, campaign) = planned(START, 5, 3, 1000);
    let Manifest { positions, nodes_at_split, units, .. } = &campaign.manifest;
    assert_eq!((*positions, *nodes_at_split, units.len()), (5362, 8902, 6));
}

/// With the smallest memory, most positions do not fit and are sorted on disk.
#[test]
fn a_plan_is_the_same_with_any_memory_and_any_number_of_threads() {
    let cases = [
        (START, 3, 60 << 10),
        (KIWIPETE, 3, 130 << 10),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 30 << 10),
        ("1rk3r1/pp4pp/8/3pp3/3PP3/8/PP4PP/1RK3R1 w GBgb - 0 1", 3, 60 << 10),
        (START, 1, 100),
        (START, 2, 4_000),
    ];
    for (fen, split, least_memory) in cases {
        let plan_with = |threads, memory_bytes| {
            let folder = tempfile::tempdir().unwrap();
            let perft = Perft::new().threads(threads).unwrap();
            let root = Position::from_fen(fen).unwrap();
            let options = PlanOptions { unit_positions: 500, memory_bytes, ..options(split + 1, split) };
            let manifest = plan(&root, options, &perft, folder.path(), &Progress::default()).unwrap();
            // A record takes 48 bytes. Half of the memory is used for sorting.
            let runs = manifest.positions as usize * 48 / (least_memory / 2);
            assert!(runs >= 5, "{fen}: {runs} runs");
            let strip = |(path, bytes): (PathBuf, Vec<u8>)| {
                (path.strip_prefix(folder.path()).unwrap().to_owned(), bytes)
            };
            files(folder.path()).into_iter().map(strip).collect::<Vec<_>>()
        };
        let in_memory = plan_with(1, 1 << 30);
        for (threads, memory_bytes) in [(1, least_memory), (2, 1 << 20), (5, 1 << 30)] {
            assert!(in_memory == plan_with(threads, memory_bytes), "{fen}: {threads}, {memory_bytes}");
        }
    }
}

#[test]
fn a_unit_that_a_killed_worker_claimed_is_counted() {
    let (folder, campaign) = planned(START, 4, 2, 100);
    fs::create_dir(folder.path().join("claims")).unwrap();
    for unit in 1..=4 {
        fs::write(folder.path().join(format!("claims/{unit:06}")), "dead 1").unwrap();
    }
    assert_eq!(count(&campaign), 4);
    assert_eq!(total(&campaign), Some(197_281));
}

/// Checks that a changed journal leads to the right total or to no total.
fn check_total(campaign: &Campaign, what: &str) {
    let merged = merge(campaign).unwrap();
    match merged.nodes {
        Some(Nodes(nodes)) => assert_eq!(nodes, 197_281, "{what}"),
        None => {
            assert!(
                !merged.ledger.missing_units.is_empty() && merged.ledger.contradictions.is_empty(),
                "{what}"
            );
        }
    }
}

#[test]
fn a_changed_byte_is_reported() {
    let (folder, campaign) = planned(START, 4, 2, 150);
    count(&campaign);
    let path = &journals(&folder)[0];
    let journal = fs::read(path).unwrap();
    for index in 0..journal.len() {
        // A wrong digit, and a letter in the other case.
        for damage in [0x01, 0x20] {
            let mut damaged = journal.clone();
            damaged[index] ^= damage;
            fs::write(path, &damaged).unwrap();
            let what = format!("byte {index} ^ {damage:#x}");
            check_total(&campaign, &what);
            assert!(!merge(&campaign).unwrap().ledger.ignored_lines.is_empty(), "{what}");
        }
    }
}

#[test]
fn a_truncated_journal_is_reported_and_can_be_completed() {
    let (folder, campaign) = planned(START, 4, 2, 150);
    count(&campaign);
    let path = &journals(&folder)[0];
    let journal = fs::read(path).unwrap();
    let ends: Vec<usize> =
        journal.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(index, _)| index).collect();
    for length in 0..journal.len() {
        fs::write(path, &journal[..length]).unwrap();
        check_total(&campaign, &format!("cut at {length}"));
        let merged = merge(&campaign).unwrap();
        let is_between_lines = length == 0 || ends.contains(&length) || ends.contains(&(length - 1));
        let faults: Vec<&str> = merged.ledger.ignored_lines.iter().map(|damage| damage.fault).collect();
        assert_eq!(
            faults,
            if is_between_lines { vec![] } else { vec!["torn: the line is incomplete"] },
            "cut at {length}"
        );
    }
    count(&campaign);
    assert_eq!(total(&campaign), Some(197_281));
}

#[test]
fn a_power_cut_may_leave_any_number_of_nul_bytes() {
    let (folder, campaign) = planned(START, 4, 2, 150);
    count(&campaign);
    let path = &journals(&folder)[0];
    let journal = fs::read(path).unwrap();
    for length in [1, 1 << 10, 1 << 20] {
        fs::write(path, [&journal[..journal.len() - 100], &vec![0; length]].concat()).unwrap();
        check_total(&campaign, &format!("{length} bytes"));
        count(&campaign);
        assert_eq!(total(&campaign), Some(197_281), "{length} bytes");
        journals(&folder)
            .into_iter()
            .filter(|other| other != path)
            .for_each(|other| fs::remove_file(other).unwrap());
    }
}

#[test]
fn lines_can_be_repeated_reordered_and_copied_to_other_files() {
    let (folder, campaign) = planned(START, 4, 2, 100);
    count(&campaign);
    let path = &journals(&folder)[0];
    let text = fs::read_to_string(path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.reverse();
    fs::write(path, format!("{}\n{text}", lines.join("\n"))).unwrap();
    fs::copy(path, path.with_file_name("copy.jsonl")).unwrap();
    let merged = merge(&campaign).unwrap();
    assert_eq!((merged.nodes, merged.ledger.repeated_lines), (Some(Nodes(197_281)), 12));
    assert!(merged.ledger.confirmed_units.is_empty(), "copies do not confirm a count");
    assert!(merged.ledger.ignored_lines.is_empty() && merged.ledger.contradictions.is_empty());
}

#[test]
fn lines_of_other_campaigns_are_reported() {
    let (folder, campaign) = planned(START, 4, 2, 100);
    let (other_folder, other) = planned(START, 5, 2, 100);
    count(&campaign);
    count(&other);
    let foreign = &journals(&other_folder)[0];
    fs::copy(foreign, folder.path().join("journals/foreign.jsonl")).unwrap();
    let merged = merge(&campaign).unwrap();
    assert_eq!((merged.nodes, merged.ledger.ignored_lines.len()), (Some(Nodes(197_281)), 4));
    assert!(merged.ledger.ignored_lines.iter().all(|damage| damage.fault.starts_with("foreign")));
}

#[test]
fn a_damaged_unit_is_reported_and_not_counted() {
    let (folder, campaign) = planned(START, 4, 2, 100);
    let path = folder.path().join("units/000003.epd");
    let unit = fs::read(&path).unwrap();
    for index in 0..unit.len() {
        let mut damaged = unit.clone();
        damaged[index] ^= 1;
        fs::write(&path, damaged).unwrap();
        let error = campaign.read_unit(3, &Perft::new()).unwrap_err();
        assert!(says_damaged(error, &path));
    }
    let perft = Perft::new();
    let error = counter_of(&campaign, &perft).work(&all_units(&campaign), &Progress::default()).unwrap_err();
    assert!(says_damaged(error, &path));
    fs::write(&path, unit).unwrap();
    assert_eq!(count(&campaign), 2);
    assert_eq!(total(&campaign), Some(197_281));
}

fn hashed(seed: u64) -> (Perft, Worker) {
    (Perft::new().table(Table::new(1 << 20, seed).unwrap()), worker(Some(seed)))
}

#[test]
fn a_recount_with_another_seed_confirms() {
    let (_folder, campaign) = planned(START, 5, 2, 40);
    let (perft, worker) = hashed(0);
    let mut counter = UnitCounter { worker, ..counter_of(&campaign, &perft) };
    counter.work(&all_units(&campaign), &Progress::default()).unwrap();
    assert_eq!(unused_seed(&campaign).unwrap(), 1);
    let (perft, worker) = hashed(1);
    let mut counter = UnitCounter { worker, ..counter_of(&campaign, &perft) };
    let report = counter.verify(30.0, &Progress::default()).unwrap();
    assert_eq!((report.done, report.recounted, report.wrong.len()), (10, 3, 0));
    let merged = merge(&campaign).unwrap();
    assert_eq!((merged.nodes, merged.ledger.confirmed_units), (Some(Nodes(4_865_609)), report.chosen));
}

/// Changes the first line of a journal, and gives it the right checksum.
fn resign(folder: &TempDir, change: &dyn Fn(&mut Value)) {
    let path = &journals(folder)[0];
    let text = fs::read_to_string(path).unwrap();
    let (line, rest) = text.split_once('\n').unwrap();
    let mut counted: Value = serde_json::from_str(line).unwrap();
    change(&mut counted);
    counted.as_object_mut().unwrap().remove("check");
    let body = counted.to_string();
    let body = body.trim_end_matches('}');
    fs::write(path, format!("{body},\"check\":\"{}\"}}\n{rest}", short_sha256(body.as_bytes()))).unwrap();
}

/// Makes the first count of a journal wrong, as a false hit of a table or a broken machine would.
fn forge(folder: &TempDir) {
    resign(folder, &|counted| {
        for number in ["/nodes", "/divide/0"] {
            let number = counted.pointer_mut(number).unwrap();
            *number = (number.as_u64().unwrap() + 1).into();
        }
    });
}

/// A checksum says that a line is whole, and not that it can be true.
#[test]
fn a_signed_line_that_no_campaign_has_is_ignored() {
    let (folder, campaign) = planned(START, 4, 2, 100);
    count(&campaign);
    let path = &journals(&folder)[0];
    let journal = fs::read(path).unwrap();
    let cases: [(&str, &str, Value); 15] = [
        ("/unit", "impossible: the campaign has no such unit", 5.into()),
        ("/unit", "impossible: the campaign has no such unit", 0.into()),
        ("/unit", "impossible: the campaign has no such unit", u32::MAX.into()),
        ("/unit", "impossible: it is not the count of a unit", (-1).into()),
        ("/divide", "impossible: its counts are not those of the moves", json!([380, 420, 440])),
        ("/divide/3", "impossible: its nodes are not the sum", 0.into()),
        ("/divide/3", "impossible: its nodes are not the sum", u64::MAX.into()),
        ("/nodes", "impossible: its nodes are not the sum", 1.into()),
        ("/nodes", "impossible: it is not the count of a unit", "1".into()),
        ("/format", "foreign: it has another format", 77.into()),
        ("/campaign", "foreign: it belongs to another campaign", "0123456789abcdef".into()),
        ("/seconds", "impossible: it is not the count of a unit", (-1.0).into()),
        ("/seconds", "impossible: it is not the count of a unit", f64::MAX.into()),
        ("/seed", "impossible: it is not the count of a unit", 1.5.into()),
        (
            "/statistics",
            "impossible: its kinds of nodes",
            json!(LeafStatistics { nodes: 1, ..Default::default() }),
        ),
    ];
    for (field, fault, value) in cases {
        fs::write(path, &journal).unwrap();
        resign(&folder, &|counted| match counted.pointer_mut(field) {
            Some(found) => *found = value.clone(),
            None => counted[&field[1..]] = value.clone(),
        });
        let merged = merge(&campaign).unwrap();
        let ignored = &merged.ledger.ignored_lines;
        assert_eq!((merged.nodes, ignored.len(), ignored[0].line), (None, 1, 1), "{field} {value}");
        assert!(ignored[0].fault.starts_with(fault), "{field} {value}: {}", ignored[0]);
        // The unit is counted again.
        assert_eq!((count(&campaign), total(&campaign)), (1, Some(197_281)), "{field} {value}");
        for other in journals(&folder).iter().filter(|other| *other != path) {
            fs::remove_file(other).unwrap();
        }
    }
}

#[test]
fn kinds_that_no_nodes_have_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let options = PlanOptions { statistics: true, ..options(4, 2) };
    let root = Position::from_fen(KIWIPETE).unwrap();
    plan(&root, options, &Perft::new(), folder.path(), &Progress::default()).unwrap();
    let campaign = Campaign::open(folder.path()).unwrap();
    count(&campaign);
    let path = &journals(&folder)[0];
    let journal = fs::read(path).unwrap();
    for (field, value) in [
        ("/statistics/nodes", 1.into()),
        ("/statistics/en_passant", u64::MAX.into()),
        ("/statistics/captures", u64::MAX.into()),
        ("/statistics/checkmates/direct", 1_000_000.into()),
        ("/statistics", Value::Null),
    ] {
        fs::write(path, &journal).unwrap();
        resign(&folder, &|counted| *counted.pointer_mut(field).unwrap() = value.clone());
        let ignored = merge(&campaign).unwrap().ledger.ignored_lines;
        assert!(ignored.len() == 1 && ignored[0].fault.contains("kinds of nodes"), "{field}: {ignored:?}");
    }
}

/// A manifest is compared with its own position and its own sums.
#[test]
fn a_signed_manifest_that_no_plan_has_is_refused() {
    let (folder, campaign) = planned(START, 4, 2, 100);
    let path = folder.path().join("manifest.json");
    let sound = fs::read_to_string(&path).unwrap();
    let sign = |text: &str| {
        let (body, _) = text.rsplit_once("  \"checksum\"").unwrap();
        format!("{body}  \"checksum\": \"{}\"\n}}\n", sha256(body.as_bytes()))
    };
    assert_eq!(sign(&sound), sound);
    for (old, new, why) in [
        ("PPPPPPPP/RNBQKBNR", "PPPPPPPP/RNBQQBNR", "its FEN is not a position"),
        (" w KQkq - ", " b KQkq - ", "its moves are not those of its position"),
        ("\"depth\": 4", "\"depth\": 2", "its depth and its split are impossible"),
        ("\"depth\": 4", "\"depth\": 4000000000", "its depth and its split are impossible"),
        ("\"split\": 2", "\"split\": 0", "its depth and its split are impossible"),
        ("\"move\": \"a2a3\"", "\"move\": \"\\u001b]0;\"", "its moves are not those of its position"),
        ("\"positions\": 400", "\"positions\": 401", "its positions do not add up"),
        ("\"nodes_at_split\": 400,", "\"nodes_at_split\": 401,", "its moves do not add up"),
        ("perft campaign", "another format", "it is not the plan of a campaign"),
    ] {
        assert!(sound.contains(old), "{old}");
        fs::write(&path, sign(&sound.replacen(old, new, 1))).unwrap();
        let error = Campaign::open(folder.path()).unwrap_err();
        let CliError::Failed { message, kind: CliErrorKind::Usage, .. } = error else {
            panic!("{new}: {error:?}")
        };
        assert!(message.contains(why), "{new}: {message}");
    }
    fs::write(&path, &sound).unwrap();
    assert_eq!(Campaign::open(folder.path()).unwrap().manifest, campaign.manifest);
}

#[test]
fn a_copied_journal_takes_no_time() {
    let (folder, campaign) = planned(START, 4, 2, 100);
    count(&campaign);
    let seconds = merge(&campaign).unwrap().ledger.seconds;
    let path = &journals(&folder)[0];
    for copy in 1..5 {
        fs::copy(path, path.with_file_name(format!("copy{copy}.jsonl"))).unwrap();
    }
    let merged = merge(&campaign).unwrap();
    assert_eq!((merged.nodes, merged.ledger.seconds), (Some(Nodes(197_281)), seconds));
}

#[test]
#[cfg(unix)]
fn a_campaign_has_only_files() {
    let (folder, campaign) = planned(START, 4, 2, 100);
    count(&campaign);
    let journal = folder.path().join("journals/endless.jsonl");
    std::os::unix::fs::symlink("/dev/zero", &journal).unwrap();
    assert!(format!("{:?}", merge(&campaign).unwrap_err()).contains("it is not a file"));
    fs::remove_file(&journal).unwrap();
    fs::write(&journal, "\n".repeat(20_000)).unwrap();
    assert!(format!("{:?}", merge(&campaign).unwrap_err()).contains("is no journal"));
    fs::remove_file(&journal).unwrap();
    let manifest = folder.path().join("manifest.json");
    fs::remove_file(&manifest).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &manifest).unwrap();
    assert!(format!("{:?}", Campaign::open(folder.path()).unwrap_err()).contains("it is not a file"));
}

#[test]
fn a_wrong_count_is_found_by_a_recount_and_stays_a_contradiction() {
    let (folder, campaign) = planned(START, 4, 2, 100);
    count(&campaign);
    forge(&folder);
    assert_eq!(total(&campaign), Some(197_281 + 1));
    let report = counter_of(&campaign, &Perft::new()).verify(100.0, &Progress::default()).unwrap();
    assert_eq!((report.recounted, report.wrong.len()), (4, 1));
    let (before, now) = &report.wrong[0];
    assert_eq!(before.counted.nodes, now.nodes + 1);
    let merged = merge(&campaign).unwrap();
    assert_eq!((merged.nodes, merged.ledger.contradictions.len()), (None, 1));
    assert_eq!(merged.ledger.contradictions[0].unit_number, 1);
}

#[test]
fn another_source_confirms_a_count_and_only_reports_a_different_one() {
    let (folder, campaign) = planned(START, 4, 2, 100);
    count(&campaign);
    let recount = || {
        let (source, perft) = (DriverSource::new(Perft::new(), 0), Perft::new());
        let program = Some(perft_diagnosis::Program::new(Box::new(source), Default::default()));
        let worker = Worker { cpu_path: "another source".to_owned(), ..worker(None) };
        let mut counter = UnitCounter { program, worker, ..counter_of(&campaign, &perft) };
        counter.verify(100.0, &Progress::default()).unwrap()
    };
    assert_eq!((recount().recounted, merge(&campaign).unwrap().ledger.confirmed_units.len()), (4, 4));
    for journal in &journals(&folder) {
        fs::remove_file(journal).unwrap();
    }
    count(&campaign);
    forge(&folder);
    assert_eq!(recount().wrong.len(), 1);
    assert!(merge(&campaign).unwrap().ledger.contradictions.is_empty());
}
