//! Campaigns: the commands, their exit codes, workers that are killed, and full disks. Also `perft estimate`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use perft_diagnosis::random::Random;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{engine, interrupt, out, refused, report, run, spawn, terminate, until};

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs the program, expects success, and returns standard output.
pub fn good(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Runs the program, expects this exit code, and returns standard error.
pub fn bad(code: i32, args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", text(&output.stderr));
    text(&output.stderr)
}

/// A folder for a campaign. It does not exist until the campaign is planned.
pub struct Place {
    _parent: TempDir,
    pub path: String,
}

impl Place {
    fn new() -> Place {
        Place::named("campaign")
    }

    fn named(name: &str) -> Place {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().canonicalize().unwrap().join(name).to_str().unwrap().to_owned();
        Place { _parent: parent, path }
    }

    /// Plans a campaign with these arguments.
    fn planned(args: &[&str]) -> Place {
        Place::planned_as("campaign", args)
    }

    /// Plans a campaign with these arguments, in a folder of this name.
    pub fn planned_as(name: &str, args: &[&str]) -> Place {
        let place = Place::named(name);
        good(&[&["campaign", "plan", "-o", &place.path], args].concat());
        place
    }

    pub fn file(&self, name: &str) -> PathBuf {
        Path::new(&self.path).join(name)
    }
}

#[test]
fn a_plan_chooses_its_split_and_its_status_says_what_is_left() {
    let place = Place::planned(&["5", "--unit-positions", "100"]);
    let status = || good(&["campaign", "status", &place.path]);
    assert_eq!(status(), "4 units: 0 counted, 0 claimed, 4 left\nleft: 1-4\n");
    good(&["campaign", "work", &place.path, "--units", "1,4"]);
    fs::write(place.file("claims/000002"), "alpha 4711\n").unwrap();
    let said = status();
    assert!(
        said.starts_with("4 units: 2 counted, 1 claimed, 1 left\ncounted: 1,4\nleft: 3\nclaimed: 2, "),
        "{said}"
    );
    assert!(said.ends_with(" ago by alpha 4711\n"), "{said}");
    good(&["campaign", "work", &place.path]);
    assert_eq!(status(), "4 units: 4 counted, 0 claimed, 0 left\ncounted: 1-4\n");
}

const SMALL: [&str; 6] = ["--depth", "5", "--split", "2", "--unit-positions", "40"];

/// The arguments for the same number of units, but with two positions each, for engines that are started for each
/// position.
const FEW: [&str; 6] = ["--depth", "4", "--split", "1", "--unit-positions", "2"];

#[test]
#[cfg(unix)]
fn an_engine_can_count_units_again() {
    let place = Place::planned(&SMALL);
    let dir = place.path.as_str();
    good(&["campaign", "work", dir]);
    let own = env!("CARGO_BIN_EXE_perft");
    let other = format!("'{own}' uci");
    let said = good(&["campaign", "verify", dir, "--sample", "30%", "--engine", &other]);
    assert!(said.contains("3 of 10 units counted again; all agree"), "{said}");
    good(&["campaign", "merge", dir, "--certificate", place.file("certificate.json").to_str().unwrap()]);
    let certificate = report(&fs::read_to_string(place.file("certificate.json")).unwrap());
    let paths: Vec<&str> =
        certificate["cpu_paths"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    assert!(paths.iter().any(|path| path.starts_with("perft ")), "{paths:?}");

    let said = bad(4, &["campaign", "verify", dir, "--dialect", "perftree", "--engine", "sh -c 'exit 3'"]);
    assert!(said.contains("the engine ended (exit status: 3)"), "{said}");
    let said = bad(2, &["campaign", "verify", dir, "--hash", "1M", "--engine", &other]);
    assert!(said.contains("--hash has no effect on an engine"), "{said}");
}

#[test]
fn an_engine_verifies_a_campaign_of_chess960_with_the_letters_that_it_reads() {
    let place = Place::planned(&["rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1", "3", "--split", "1"]);
    good(&["campaign", "work", &place.path]);
    let files = engine("reads-only-files");
    let said = good(&["campaign", "verify", &place.path, "--sample", "all", "--engine", &files]);
    assert!(said.contains("all agree"), "{said}");
}

/// Plans and counts a small campaign. Returns it with the command of an engine, which counts as this program does.
/// Before the engine prints its count `$n`, it runs the shell commands `change`. `$1` is the depth, `$2` is the FEN,
/// and `notes` is a file of the campaign's folder.
#[cfg(unix)]
fn counted_with_engine(change: &str) -> (Place, String) {
    let place = Place::planned(&FEW);
    good(&["campaign", "work", &place.path]);
    let script = format!(
        "n=$('{}' --single --depth $1 --fen \"$2\" --format csv | tail -n 1 | cut -d, -f2); notes='{}'; {change}; echo $n",
        env!("CARGO_BIN_EXE_perft"),
        place.file("notes").display()
    );
    let file = place.file("engine.sh");
    fs::write(&file, script).unwrap();
    let engine = format!("sh '{}'", file.display());
    (place, engine)
}

/// Returns the arguments for counting all units again with an engine.
#[cfg(unix)]
fn verify_all<'a>(place: &'a Place, engine: &'a str) -> [&'a str; 9] {
    ["campaign", "verify", &place.path, "--sample", "all", "--dialect", "perftree", "--engine", engine]
}

/// The engine counts one node too many after White has moved the a-pawn by one square. The report names such a
/// position, and its counts of units with such positions are not written to a journal.
#[test]
#[cfg(unix)]
fn an_engine_that_counts_units_differently_is_reported() {
    let (place, wrong) = counted_with_engine("case $2 in */P7/*) n=$((n + 1));; esac");
    let lines = || -> usize {
        let journals = fs::read_dir(place.file("journals")).unwrap();
        journals.map(|file| fs::read_to_string(file.unwrap().path()).unwrap().lines().count()).sum()
    };
    let before = lines();
    let said = bad(1, &verify_all(&place, &wrong));
    let position =
        said.lines().find(|line| line.contains(" at depth 3: ")).unwrap_or_else(|| panic!("{said}"));
    assert!(position.contains("/P7/") && position.contains(" by this program"), "{said}");
    let (_, differing) = said.split_once("the engine disagrees in ").unwrap_or_else(|| panic!("{said}"));
    let differing: usize = differing.split_whitespace().next().unwrap().parse().unwrap();
    assert_eq!(lines(), before + 10 - differing, "{said}");
}

/// The engine counts one node too many in the first unit, and gives no answer in the second one.
#[test]
#[cfg(unix)]
fn a_difference_that_was_found_before_an_interrupt_is_reported() {
    let (place, engine) = counted_with_engine(
        "case $1$2 in 3rnbqkbnr/pppppppp/*' b '*) echo >>\"$notes\"; \
         case $(($(wc -l <\"$notes\"))) in 1) n=$((n + 1));; 2) ;; *) sleep 1000;; esac;; esac",
    );
    let verify = spawn(&verify_all(&place, &engine));
    until(60, || fs::read_to_string(place.file("notes")).is_ok_and(|text| text.lines().count() >= 3));
    interrupt(&verify);
    let output = verify.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the engine disagrees in 1 of the 1 unit that"), "{said}");
    assert!(said.contains("run the same command again"), "{said}");
}

/// The engine counts one node too many in its first count of a unit, and in no other. The count in the journal is
/// right.
#[test]
#[cfg(unix)]
fn an_engine_whose_count_does_not_repeat_is_no_reason_to_doubt_the_campaign() {
    let (place, once) = counted_with_engine(
        "case $1$2 in 3rnbqkbnr/pppppppp/*' b '*) [ -e \"$notes\" ] || n=$((n + 1)); : >\"$notes\";; esac",
    );
    let said = bad(1, &verify_all(&place, &once));
    assert!(said.contains("in a fresh process, the engine counts as this program does"), "{said}");
}

#[test]
fn a_campaign_runs_from_plan_to_certificate() {
    for (fen, depth, nodes) in [("start", "5", 4_865_609_u64), ("kiwipete", "4", 4_085_603)] {
        let place = Place::new();
        let dir = place.path.as_str();
        let said = good(&["campaign", "plan", "--fen", fen, "--depth", depth, "--split", "2", "-o", dir]);
        assert!(said.starts_with(&format!("planned perft({depth}): ")), "{said}");
        assert!(good(&["campaign", "work", dir, "--threads", "2"]).contains(": 0 already counted"));
        assert!(good(&["campaign", "work", dir]).contains("0 counted now"));
        // The divide must be equal to the plain divide byte for byte.
        let merged = good(&["campaign", "merge", dir]);
        let (divide, total) = merged.rsplit_once("\n\n").unwrap();
        assert_eq!(format!("{divide}\n\n"), good(&["divide", "--fen", fen, "--depth", depth]));
        assert!(total.starts_with(&format!("perft({depth:>2})= {nodes:>12} (")), "{total}");

        assert!(good(&["campaign", "verify", dir, "--sample", "all"]).contains("all agree"));
        let certificate = place.file("certificate.json");
        let json = report(&good(&[
            "campaign",
            "merge",
            dir,
            "--json",
            "--certificate",
            certificate.to_str().unwrap(),
        ]));
        assert_eq!((json["complete"].as_bool(), json["nodes"].as_u64()), (Some(true), Some(nodes)));
        assert_eq!(json["confirmed_units"]["units"], json["campaign"]["units"]);
        assert_eq!(json["journals"].as_array().unwrap().len(), 2);
        assert_eq!(serde_json::from_slice::<Value>(&fs::read(certificate).unwrap()).unwrap(), json);
    }
}

#[test]
fn a_campaign_of_kinds_has_the_numbers_of_stats() {
    let place =
        Place::planned(&["kiwipete", "--depth", "5", "--split", "1", "--unit-positions", "20", "--stats"]);
    let dir = place.path.as_str();
    good(&["campaign", "work", dir, "--threads", "2"]);
    assert!(good(&["campaign", "verify", dir]).contains("all agree"));
    let json = report(&good(&["campaign", "merge", dir, "--json"]));
    let stats = report(&good(&["stats", "kiwipete", "5", "--single", "--json"]));
    let kinds = json["total"].as_object().unwrap();
    assert_eq!((kinds.len(), &json["nodes"]), (16, &json["total"]["nodes"]));
    for (kind, number) in kinds {
        assert_eq!(number, &stats["results"][0][kind], "{kind}");
    }
    let merged = good(&["campaign", "merge", dir]);
    assert!(merged.starts_with(&good(&["divide", "kiwipete", "5"])), "{merged}");
    let row = ["castles", "4993637"];
    assert!(merged.lines().any(|line| line.split_whitespace().eq(row)), "{merged}");
    let said = bad(2, &["campaign", "verify", dir, "--engine", "'true'"]);
    assert!(said.contains("which an engine cannot count"), "{said}");
}

#[test]
fn bad_arguments_and_damaged_files_are_refused() {
    let place = Place::planned(&SMALL);
    let dir = place.path.as_str();
    assert!(
        bad(2, &["campaign", "plan", "--depth", "5", "--split", "2", "-o", dir]).contains("is not empty")
    );
    let elsewhere = Place::new();
    let said = bad(2, &["campaign", "plan", "--depth", "3", "--split", "3", "-o", &elsewhere.path]);
    assert!(said.contains("depth 3 cannot be split at ply 3"), "{said}");
    bad(2, &["campaign", "plan", "--depth", "3", "--split", "0", "-o", &elsewhere.path]);
    assert!(bad(2, &["campaign", "work", &elsewhere.path]).contains("no campaign was planned there"));
    let file = format!("{dir}/manifest.json");
    assert!(bad(2, &["campaign", "status", &file]).contains("is a file, not the folder of a campaign"));
    assert!(bad(2, &["campaign", "verify", dir]).contains("no unit has been counted yet"));
    assert!(bad(2, &["campaign", "work", dir, "--units", "3-1"]).contains("'3-1' is not a list of units"));
    assert!(
        bad(2, &["campaign", "work", dir, "--units", "1-4294967295"]).contains("there is no unit 4294967295")
    );

    let unit = place.file("units/000004.epd");
    let sound = fs::read_to_string(&unit).unwrap();
    fs::write(&unit, sound.replacen(" 1", " 2", 1)).unwrap();
    assert!(bad(2, &["campaign", "work", dir]).contains("000004.epd is damaged"));

    let manifest = place.file("manifest.json");
    let sound = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, sound.replace("\"format_version\": 1", "\"format_version\": 9")).unwrap();
    assert!(
        bad(2, &["campaign", "merge", dir]).contains("a campaign of format 9; this program reads format 1")
    );
    fs::write(&manifest, sound.replace("\"depth\": 5", "\"depth\": 6")).unwrap();
    assert!(bad(2, &["campaign", "merge", dir]).contains("manifest.json is damaged: its checksum is wrong"));
}

#[test]
fn missing_units_are_listed_as_ranges() {
    let place = Place::planned(&SMALL);
    let dir = place.path.as_str();
    good(&["campaign", "work", dir, "--units", "1-4,6,9-10"]);
    let said = bad(2, &["campaign", "merge", dir]);
    assert!(said.contains("there is no total: missing units 5,7-8 (3 of 10)"), "{said}");
    let output = run(&["campaign", "merge", dir, "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let json = report(&out(&output));
    assert_eq!(
        (json["complete"].as_bool(), json["missing_units"]["ranges"].as_str()),
        (Some(false), Some("5,7-8"))
    );
    assert!(json.get("nodes").is_none());
    assert!(good(&["campaign", "work", dir]).contains(": 7 already counted"));
    assert!(good(&["campaign", "merge", dir]).contains("Nodes searched: 4865609"));
}

/// The longest time until a worker is killed, in microseconds. Under Wine, the start of a worker takes a quarter of a
/// second.
const LONGEST_LIFE: usize = if cfg!(windows) { 1_000_000 } else { 40_000 };

/// Kills workers at random times in several campaigns. Each campaign must end with the right total. The environment
/// variable `PERFT_KILLS` sets the number of kills.
#[test]
fn workers_may_be_killed_at_any_time() {
    let wanted: u32 = std::env::var("PERFT_KILLS").map_or(40, |kills| kills.parse().unwrap());
    let mut random = Random::new(2026);
    let (mut kills, mut campaigns) = (0, 0);
    while kills < wanted {
        let place = Place::planned(&["--depth", "5", "--split", "3", "--unit-positions", "6"]);
        let dir = place.path.as_str();
        campaigns += 1;
        while kills < wanted && run(&["campaign", "merge", dir]).status.code() == Some(2) {
            let before = journal_bytes(&place);
            let mut worker = spawn(&["campaign", "work", dir]);
            // Half of the workers have counted something. On a busy machine, the others may not even have started.
            if random.below(2) == 0 {
                until(60, || journal_bytes(&place) > before || worker.try_wait().unwrap().is_some());
            }
            std::thread::sleep(Duration::from_micros(random.below(LONGEST_LIFE) as u64));
            worker.kill().unwrap();
            // A worker that ended before the kill was not killed.
            kills += u32::from(was_killed(worker.wait().unwrap()));
        }
        good(&["campaign", "work", dir]);
        assert!(good(&["campaign", "merge", dir]).contains("Nodes searched: 4865609"), "after {kills} kills");
    }
    println!("{kills} kills of workers on {campaigns} campaigns");
}

/// Returns the size of all journals of a campaign.
fn journal_bytes(place: &Place) -> u64 {
    let journals = fs::read_dir(place.file("journals")).into_iter().flatten();
    journals.map(|file| file.unwrap().metadata().unwrap().len()).sum()
}

/// Whether a process was killed. On Windows, a killed process has an exit code that a worker never ends with.
fn was_killed(status: std::process::ExitStatus) -> bool {
    status.code() == if cfg!(windows) { Some(1) } else { None }
}

#[test]
fn two_workers_at_the_same_time_give_the_right_total() {
    let place = Place::planned(&["--depth", "5", "--split", "2", "--unit-positions", "5"]);
    let dir = place.path.as_str();
    let workers = [spawn(&["campaign", "work", dir]), spawn(&["campaign", "work", dir, "--hash", "1"])];
    for worker in workers {
        let output = worker.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    assert!(good(&["campaign", "merge", dir]).contains("Nodes searched: 4865609"));
}

#[test]
fn a_signal_releases_the_unit() {
    for send in [interrupt, terminate] {
        let place = Place::planned(&["--depth", "9", "--split", "1"]);
        let worker = spawn(&["campaign", "work", &place.path, "--cpu-path", "portable"]);
        let claim = place.file("claims/000001");
        until(60, || claim.exists());
        send(&worker);
        let output = worker.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let said = text(&output.stderr);
        assert!(said.contains("unit 1 was not finished; 0 units were counted and saved, 1 left"), "{said}");
        assert!(!claim.exists());
    }
}

#[test]
fn an_estimate_that_is_no_number_is_refused() {
    // At depth 200, the estimate is a number, but its variance is not.
    for depth in ["200", "255"] {
        let said = refused(&["estimate", "startpos", depth, "--walks", "10"]);
        assert!(said.contains(&format!("perft({depth}) is too large to estimate")), "{said}");
    }
}

#[test]
fn an_estimate_has_a_confidence_interval() {
    let args = ["estimate", "--depth", "7", "--walks", "4000", "--seed", "3"];
    let said = good(&args);
    assert!(said.starts_with("perft(7) = 3.") && said.contains("with 95% confidence from 3."), "{said}");
    let (estimate, exact) = said.split_once("an exact count would take ").unwrap();
    let exact = exact.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(exact.contains("equal positions merged at ply 5, "), "{exact}");
    let on_two = good(&[&args[..], &["--threads", "2"]].concat());
    assert!(on_two.starts_with(estimate), "the number of threads does not change the estimate");
    let json = report(&good(&[&args[..], &["--json"]].concat()));
    let (found, error) =
        (json["estimated_nodes"].as_f64().unwrap(), json["standard_error"].as_f64().unwrap());
    assert!((found - 3_195_901_860.0).abs() < 4.0 * error, "{found} is too far off");
    // Ply 5 has 4,865,609 nodes and 822,518 positions; its sharing is predicted.
    let exact = |field: &str| json["forecast"][field].as_f64().unwrap();
    assert!((0.7..1.0).contains(&(exact("nodes_per_position") / (4_865_609.0 / 822_518.0))), "{json}");
    let seconds = found / exact("nodes_per_position") / exact("nodes_per_second");
    assert!((1.0..2.0).contains(&(exact("seconds") / seconds)), "{json}");
    assert_eq!(good(&["estimate", "--depth", "3"]), "perft(3) = 8902 (exact)\n");
    let mate = good(&["estimate", "--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "-d", "5"]);
    assert_eq!(mate, "perft(5) = 0 (exact)\n");
}

/// Arguments of a plan that takes some time and has more positions than fit into its memory.
const LONG: [&str; 8] = ["--depth", "6", "--split", "4", "--memory", "1M", "--unit-positions", "2"];

#[test]
fn a_plan_that_was_killed_is_no_campaign() {
    let place = Place::new();
    let dir = place.path.as_str();
    let mut planner = spawn(&[&["campaign", "plan", "-o", dir][..], &LONG].concat());
    until(60, || place.file("units/000001.epd").exists());
    planner.kill().unwrap();
    assert!(was_killed(planner.wait().unwrap()), "the plan was finished too early");
    for command in ["work", "merge", "verify"] {
        assert!(bad(2, &["campaign", command, dir]).contains("no campaign was planned there"));
    }
    let said = bad(2, &[&["campaign", "plan", "-o", dir][..], &SMALL].concat());
    assert!(said.contains("is not empty"), "{said}");
}

#[test]
fn an_interrupted_plan_leaves_no_files() {
    let place = Place::new();
    let planner = spawn(&[&["campaign", "plan", "-o", &place.path][..], &LONG].concat());
    until(60, || place.file("units/000001.epd").exists());
    terminate(&planner);
    assert_eq!(planner.wait_with_output().unwrap().status.code(), Some(130));
    assert!(fs::read_dir(&place.path).unwrap().next().is_none());
}

/// Runs the program with a limit on the size of files, in blocks of 512 or 1024 bytes, depending on the shell. A write
/// beyond the limit fails in the middle, as on a full disk. Expects exit code 2, and returns standard error.
#[cfg(unix)]
fn full_disk(blocks: &str, args: &[&str]) -> String {
    let script = "trap '' XFSZ; ulimit -f \"$0\" && exec \"$@\"";
    let program = env!("CARGO_BIN_EXE_perft");
    let output = Command::new("sh").args(["-c", script, blocks, program]).args(args).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    assert!(said.contains("cannot write"), "{args:?}: {said}");
    said
}

#[cfg(unix)]
#[test]
fn a_plan_on_a_full_disk_leaves_no_files() {
    let cases: [(&str, &str, &[&str]); 3] = [
        ("", "100", &["--depth", "6", "--split", "4", "--memory", "1M"]),
        ("000001.epd", "100", &["--depth", "5", "--split", "3", "--unit-positions", "100000"]),
        ("manifest.json", "20", &["--depth", "5", "--split", "3", "--unit-positions", "10"]),
    ];
    for (file, blocks, args) in cases {
        let place = Place::new();
        let dir = place.path.as_str();
        let args = [&["campaign", "plan", "-o", dir], args].concat();
        let said = full_disk(blocks, &args);
        assert!(said.contains(file), "{said}");
        assert!(fs::read_dir(dir).unwrap().next().is_none(), "{file}");
        assert!(bad(2, &["campaign", "work", dir]).contains("no campaign was planned there"));
        good(&args);
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_the_work_can_continue() {
    let place = Place::planned(&SMALL);
    let dir = place.path.as_str();
    // First there is not even room for a byte, then for some lines and an incomplete one.
    for blocks in ["0", "2", "2"] {
        assert!(full_disk(blocks, &["campaign", "work", dir]).contains(".jsonl': "));
        assert_eq!(run(&["campaign", "merge", dir]).status.code(), Some(2));
    }
    assert!(!good(&["campaign", "work", dir]).contains(": 0 already counted"), "complete lines are saved");
    assert!(full_disk("0", &["campaign", "verify", dir, "--sample", "all"]).contains(".jsonl': "));
    let certificate = place.file("certificate.json");
    let certificate = certificate.to_str().unwrap();
    full_disk("1", &["campaign", "merge", dir, "--certificate", certificate]);
    assert!(!Path::new(certificate).exists());

    let output = run(&["campaign", "merge", dir, "--certificate", certificate]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("Nodes searched: 4865609"));
    let said = text(&output.stderr);
    assert_eq!(said.matches("torn: the line is incomplete").count(), 2, "{said}");
    assert!(Path::new(certificate).exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_printed_is_an_error() {
    let place = Place::planned(&SMALL);
    let dir = place.path.as_str();
    good(&["campaign", "work", dir]);
    for args in [
        vec!["campaign", "merge", dir],
        vec!["campaign", "merge", dir, "--json"],
        vec!["estimate", "--depth", "3"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_perft")).args(&args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains("No space left"), "{args:?}: {}", text(&output.stderr));
    }
}
