//! Campaigns: the commands, their exit codes, workers that are killed, and full disks. Also `perft estimate`.

use std::fs;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use perft_diagnosis::random::Random;

use crate::support::{Folder, engine, err, interrupt, program, report, terminate, until, words};

/// Plans a campaign with these arguments, in a folder of this name.
pub fn planned(name: &str, arguments: &str) -> Folder {
    let folder = Folder::new();
    let words = words(arguments);
    let words = words.iter().map(String::as_str);
    folder.expect(0, &["campaign", "plan", "-o", name].into_iter().chain(words).collect::<Vec<_>>());
    folder
}

/// Plans a campaign with these arguments, and counts it.
fn counted(arguments: &str) -> Folder {
    let folder = planned("campaign", arguments);
    folder.line(0, "campaign work campaign");
    folder
}

fn merged(folder: &Folder) -> String {
    folder.line(0, "campaign merge campaign").0
}

#[test]
fn a_plan_chooses_its_split_and_its_status_says_what_is_left() {
    let folder = planned("campaign", "5 --unit-positions 100");
    let status = || folder.line(0, "campaign status campaign").0;
    assert_eq!(status(), "4 units: 0 counted, 0 claimed, 4 left\nleft: 1-4\n");
    folder.line(0, "campaign work campaign --units 1,4");
    folder.write("campaign/claims/000002", "alpha 4711\n");
    let said = status();
    assert!(
        said.starts_with("4 units: 2 counted, 1 claimed, 1 left\ncounted: 1,4\nleft: 3\nclaimed: 2, "),
        "{said}"
    );
    assert!(said.ends_with(" ago by alpha 4711\n"), "{said}");
    folder.line(0, "campaign work campaign");
    assert_eq!(status(), "4 units: 4 counted, 0 claimed, 0 left\ncounted: 1-4\n");
}

const SMALL: &str = "--depth 5 --split 2 --unit-positions 40";

#[test]
#[cfg(unix)]
fn an_engine_can_count_units_again() {
    let folder = counted(SMALL);
    let own = format!("\"'{}' uci\"", program().display());
    let verify = "campaign verify campaign";
    let (said, _) = folder.line(0, &format!("{verify} --sample 30% --engine {own}"));
    assert!(said.contains("3 of 10 units counted again; all agree"), "{said}");
    folder.line(0, "campaign merge campaign --certificate certificate.json");
    let certificate = report(&folder.read("certificate.json"));
    let mut paths = certificate["cpu_paths"].as_array().unwrap().iter();
    assert!(paths.any(|path| path.as_str().unwrap().starts_with("perft ")), "{certificate}");
    let (_, said) = folder.line(4, &format!("{verify} --dialect perftree --engine \"sh -c 'exit 3'\""));
    assert!(said.contains("the engine ended (exit status: 3)"), "{said}");
    let (_, said) = folder.line(2, &format!("{verify} --hash 1M --engine {own}"));
    assert!(said.contains("--hash has no effect on an engine"), "{said}");
}

#[test]
fn an_engine_verifies_a_campaign_of_chess960_with_the_letters_that_it_reads() {
    let folder = counted("'rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1' 3 --split 1");
    let files = engine("reads-only-files");
    let (said, _) =
        folder.expect(0, &["campaign", "verify", "campaign", "--sample", "all", "--engine", &files]);
    assert!(said.contains("all agree"), "{said}");
}

/// Plans and counts a small campaign. Returns it with the arguments for counting all units again with an engine, which
/// counts as this program does. Before the engine prints its count `$n`, it runs the shell commands `change`. `$1` is the
/// depth, `$2` is the FEN, and `notes` is a file.
#[cfg(unix)]
fn counted_with_engine(change: &str) -> (Folder, [&'static str; 9]) {
    let folder = counted("--depth 4 --split 1 --unit-positions 2");
    let script = format!(
        "n=$('{}' --single --depth $1 --fen \"$2\" --format csv | tail -n 1 | cut -d, -f2); notes=notes; {change}; echo $n",
        program().display()
    );
    folder.write("engine.sh", &script);
    let verify = "campaign verify campaign --sample all --dialect perftree --engine";
    let words: Vec<&str> = verify.split(' ').chain(["sh ./engine.sh"]).collect();
    (folder, words.try_into().unwrap())
}

/// The engine counts one node too many after White has moved the a-pawn by one square. The report names such a
/// position, and its counts of units with such positions are not written to a journal.
#[test]
#[cfg(unix)]
fn an_engine_that_counts_units_differently_is_reported() {
    let (folder, verify) = counted_with_engine("case $2 in */P7/*) n=$((n + 1));; esac");
    let lines = || -> usize {
        let journals = fs::read_dir(folder.path("campaign/journals")).unwrap();
        journals.map(|file| fs::read_to_string(file.unwrap().path()).unwrap().lines().count()).sum()
    };
    let before = lines();
    let (_, said) = folder.expect(1, &verify);
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
    let (folder, verify) = counted_with_engine(
        "case $1$2 in 3rnbqkbnr/pppppppp/*' b '*) echo >>\"$notes\"; \
         case $(($(wc -l <\"$notes\"))) in 1) n=$((n + 1));; 2) ;; *) sleep 1000;; esac;; esac",
    );
    let verify = folder.perft(&verify).spawn().unwrap();
    until(60, || fs::read_to_string(folder.path("notes")).is_ok_and(|text| text.lines().count() >= 3));
    interrupt(&verify);
    let output = verify.wait_with_output().unwrap();
    let said = err(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the engine disagrees in 1 of the 1 unit that"), "{said}");
    assert!(said.contains("run the same command again"), "{said}");
}

/// The engine counts one node too many in its first count of a unit, and in no other. The count in the journal is
/// right.
#[test]
#[cfg(unix)]
fn an_engine_whose_count_does_not_repeat_is_no_reason_to_doubt_the_campaign() {
    let (folder, verify) = counted_with_engine(
        "case $1$2 in 3rnbqkbnr/pppppppp/*' b '*) [ -e \"$notes\" ] || n=$((n + 1)); : >\"$notes\";; esac",
    );
    let (_, said) = folder.expect(1, &verify);
    assert!(said.contains("in a fresh process, the engine counts as this program does"), "{said}");
}

#[test]
fn a_campaign_runs_from_plan_to_certificate() {
    for (fen, depth, nodes) in [("start", 5, 4_865_609_u64), ("kiwipete", 4, 4_085_603)] {
        let folder = Folder::new();
        let run = |line: &str| folder.line(0, line).0;
        let said = run(&format!("campaign plan --fen {fen} --depth {depth} --split 2 -o campaign"));
        assert!(said.starts_with(&format!("planned perft({depth}): ")), "{said}");
        assert!(run("campaign work campaign --threads 2").contains(": 0 already counted"));
        assert!(run("campaign work campaign").contains("0 counted now"));
        // The divide must be equal to the plain divide byte for byte.
        let merged = merged(&folder);
        let (divide, total) = merged.rsplit_once("\n\n").unwrap();
        assert_eq!(format!("{divide}\n\n"), run(&format!("divide --fen {fen} --depth {depth}")));
        assert!(total.starts_with(&format!("perft({depth:>2})= {nodes:>12} (")), "{total}");
        assert!(run("campaign verify campaign --sample all").contains("all agree"));
        let json = report(&run("campaign merge campaign --json --certificate certificate.json"));
        assert_eq!((json["complete"].as_bool(), json["nodes"].as_u64()), (Some(true), Some(nodes)));
        assert_eq!(json["confirmed_units"]["units"], json["campaign"]["units"]);
        assert_eq!(json["journals"].as_array().unwrap().len(), 2);
        assert_eq!(report(&folder.read("certificate.json")), json);
    }
}

#[test]
fn a_campaign_of_kinds_has_the_numbers_of_stats() {
    let folder = planned("campaign", "kiwipete --depth 5 --split 1 --unit-positions 20 --stats");
    folder.line(0, "campaign work campaign --threads 2");
    assert!(folder.line(0, "campaign verify campaign").0.contains("all agree"));
    let json = report(&folder.line(0, "campaign merge campaign --json").0);
    let stats = report(&folder.line(0, "stats kiwipete 5 --single --json").0);
    let kinds = json["total"].as_object().unwrap();
    assert_eq!((kinds.len(), &json["nodes"]), (16, &json["total"]["nodes"]));
    for (kind, number) in kinds {
        assert_eq!(number, &stats["results"][0][kind], "{kind}");
    }
    let merged = merged(&folder);
    assert!(merged.starts_with(&folder.line(0, "divide kiwipete 5").0), "{merged}");
    let row = ["castles", "4993637"];
    assert!(merged.lines().any(|line| line.split_whitespace().eq(row)), "{merged}");
    let (_, said) = folder.line(2, "campaign verify campaign --engine \"'true'\"");
    assert!(said.contains("which an engine cannot count"), "{said}");
}

#[test]
fn bad_arguments_and_damaged_files_are_refused() {
    let folder = planned("campaign", SMALL);
    let refused = |line: &str, words: &str| {
        let (_, said) = folder.line(2, &format!("campaign {line}"));
        assert!(said.contains(words), "{line}: {said}");
    };
    for (line, words) in [
        ("plan --depth 5 --split 2 -o campaign", "is not empty"),
        ("plan --depth 3 --split 3 -o other", "depth 3 cannot be split at ply 3"),
        ("plan --depth 3 --split 0 -o other", ""),
        ("work other", "no campaign was planned there"),
        ("status campaign/manifest.json", "is a file, not the folder of a campaign"),
        ("verify campaign", "no unit has been counted yet"),
        ("work campaign --units 3-1", "'3-1' is not a list of units"),
        ("work campaign --units 1-4294967295", "there is no unit 4294967295"),
    ] {
        refused(line, words);
    }
    let manifest = "campaign/manifest.json";
    for (file, old, new, line, words) in [
        ("campaign/units/000004.epd", " 1", " 2", "work campaign", "000004.epd is damaged"),
        (
            manifest,
            "\"format_version\": 1",
            "\"format_version\": 9",
            "merge campaign",
            "a campaign of format 9; this program reads format 1",
        ),
        (
            manifest,
            "\"depth\": 5",
            "\"depth\": 6",
            "merge campaign",
            "manifest.json is damaged: its checksum is wrong",
        ),
    ] {
        let sound = folder.read(file);
        folder.write(file, &sound.replacen(old, new, 1));
        refused(line, words);
        folder.write(file, &sound);
    }
}

#[test]
fn missing_units_are_listed_as_ranges() {
    let folder = planned("campaign", SMALL);
    folder.line(0, "campaign work campaign --units 1-4,6,9-10");
    let (_, said) = folder.line(2, "campaign merge campaign");
    assert!(said.contains("there is no total: missing units 5,7-8 (3 of 10)"), "{said}");
    let json = report(&folder.line(2, "campaign merge campaign --json").0);
    assert_eq!(
        (json["complete"].as_bool(), json["missing_units"]["ranges"].as_str()),
        (Some(false), Some("5,7-8"))
    );
    assert!(json.get("nodes").is_none());
    assert!(folder.line(0, "campaign work campaign").0.contains(": 7 already counted"));
    assert!(merged(&folder).contains("Nodes searched: 4865609"));
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
        let folder = planned("campaign", "--depth 5 --split 3 --unit-positions 6");
        let has_total = || folder.run(&["campaign", "merge", "campaign"]).status.code() != Some(2);
        campaigns += 1;
        while kills < wanted && !has_total() {
            let before = journal_bytes(&folder);
            let mut worker = folder.perft(&["campaign", "work", "campaign"]).spawn().unwrap();
            // Half of the workers have counted something. On a busy machine, the others may not even have started.
            if random.below(2) == 0 {
                until(60, || journal_bytes(&folder) > before || worker.try_wait().unwrap().is_some());
            }
            std::thread::sleep(Duration::from_micros(random.below(LONGEST_LIFE) as u64));
            worker.kill().unwrap();
            // A worker that ended before the kill was not killed.
            kills += u32::from(was_killed(worker.wait().unwrap()));
        }
        folder.line(0, "campaign work campaign");
        assert!(merged(&folder).contains("Nodes searched: 4865609"), "after {kills} kills");
    }
    println!("{kills} kills of workers on {campaigns} campaigns");
}

/// Returns the size of all journals of a campaign.
fn journal_bytes(folder: &Folder) -> u64 {
    let journals = fs::read_dir(folder.path("campaign/journals")).into_iter().flatten();
    journals.map(|file| file.unwrap().metadata().unwrap().len()).sum()
}

/// Whether a process was killed. On Windows, a killed process has an exit code that a worker never ends with.
fn was_killed(status: ExitStatus) -> bool {
    status.code() == if cfg!(windows) { Some(1) } else { None }
}

#[test]
fn two_workers_at_the_same_time_give_the_right_total() {
    let folder = planned("campaign", "--depth 5 --split 2 --unit-positions 5");
    let work = ["campaign", "work", "campaign", "--hash", "1"];
    for worker in [&work[..3], &work].map(|work| folder.perft(work).spawn().unwrap()) {
        let output = worker.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    }
    assert!(merged(&folder).contains("Nodes searched: 4865609"));
}

#[test]
fn a_signal_releases_the_unit() {
    for send in [interrupt, terminate] {
        let folder = planned("campaign", "--depth 9 --split 1");
        let work = ["campaign", "work", "campaign", "--cpu-path", "portable"];
        let worker = folder.perft(&work).spawn().unwrap();
        let claim = folder.path("campaign/claims/000001");
        until(60, || claim.exists());
        send(&worker);
        let output = worker.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let said = err(&output);
        assert!(said.contains("unit 1 was not finished; 0 units were counted and saved, 1 left"), "{said}");
        assert!(!claim.exists());
    }
}

#[test]
fn an_estimate_has_a_confidence_interval() {
    let folder = Folder::new();
    let run = |more: &str| folder.line(0, &format!("estimate {more}")).0;
    let line = "--depth 7 --walks 4000 --seed 3";
    let said = run(line);
    assert!(said.starts_with("perft(7) = 3.") && said.contains("with 95% confidence from 3."), "{said}");
    let (estimate, exact) = said.split_once("an exact count would take ").unwrap();
    let exact = exact.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(exact.contains("equal positions merged at ply 5, "), "{exact}");
    let on_two = run(&format!("{line} --threads 2"));
    assert!(on_two.starts_with(estimate), "the number of threads does not change the estimate");
    let json = report(&run(&format!("{line} --json")));
    let (found, error) =
        (json["estimated_nodes"].as_f64().unwrap(), json["standard_error"].as_f64().unwrap());
    assert!((found - 3_195_901_860.0).abs() < 4.0 * error, "{found} is too far off");
    // Ply 5 has 4,865,609 nodes and 822,518 positions; its sharing is predicted.
    let exact = |field: &str| json["forecast"][field].as_f64().unwrap();
    assert!((0.7..1.0).contains(&(exact("nodes_per_position") / (4_865_609.0 / 822_518.0))), "{json}");
    let seconds = found / exact("nodes_per_position") / exact("nodes_per_second");
    assert!((1.0..2.0).contains(&(exact("seconds") / seconds)), "{json}");
    assert_eq!(run("--depth 3"), "perft(3) = 8902 (exact)\n");
    assert_eq!(run("--fen '7k/6Q1/6K1/8/8/8/8/8 b - - 0 1' -d 5"), "perft(5) = 0 (exact)\n");
}

/// A plan that takes some time and has more positions than fit into its memory.
const LONG_PLAN: &str = "campaign plan -o campaign --depth 6 --split 4 --memory 1M --unit-positions 2";

/// Returns a plan that has begun, and its folder.
fn planning() -> (Folder, Child) {
    let folder = Folder::new();
    let planner = folder.perft(&LONG_PLAN.split(' ').collect::<Vec<_>>()).spawn().unwrap();
    until(60, || folder.path("campaign/units/000001.epd").exists());
    (folder, planner)
}

#[test]
fn a_plan_that_was_killed_is_no_campaign() {
    let (folder, mut planner) = planning();
    planner.kill().unwrap();
    assert!(was_killed(planner.wait().unwrap()), "the plan was finished too early");
    for command in ["work", "merge", "verify"] {
        let (_, said) = folder.line(2, &format!("campaign {command} campaign"));
        assert!(said.contains("no campaign was planned there"), "{said}");
    }
    let (_, said) = folder.line(2, &format!("campaign plan -o campaign {SMALL}"));
    assert!(said.contains("is not empty"), "{said}");
}

#[test]
fn an_interrupted_plan_leaves_no_files() {
    let (folder, planner) = planning();
    terminate(&planner);
    assert_eq!(planner.wait_with_output().unwrap().status.code(), Some(130));
    assert!(fs::read_dir(folder.path("campaign")).unwrap().next().is_none());
}

/// Runs the program with a limit on the size of files, in blocks of 512 or 1024 bytes, depending on the shell. A write
/// beyond the limit fails in the middle, as on a full disk. Expects exit code 2, and returns standard error.
#[cfg(unix)]
fn full_disk(folder: &Folder, blocks: &str, line: &str) -> String {
    let script = format!("trap '' XFSZ; ulimit -f {blocks} && exec '{}' {line}", program().display());
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
    let said = err(&output);
    assert_eq!(output.status.code(), Some(2), "{line}: {said}");
    assert!(said.contains("cannot write"), "{line}: {said}");
    said
}

#[cfg(unix)]
#[test]
fn a_plan_on_a_full_disk_leaves_no_files() {
    for (file, blocks, more) in [
        ("", "100", "--depth 6 --split 4 --memory 1M"),
        ("000001.epd", "100", "--depth 5 --split 3 --unit-positions 100000"),
        ("manifest.json", "20", "--depth 5 --split 3 --unit-positions 10"),
    ] {
        let folder = Folder::new();
        let plan = format!("campaign plan -o campaign {more}");
        let said = full_disk(&folder, blocks, &plan);
        assert!(said.contains(file), "{said}");
        assert!(fs::read_dir(folder.path("campaign")).unwrap().next().is_none(), "{file}");
        assert!(folder.line(2, "campaign work campaign").1.contains("no campaign was planned there"));
        folder.line(0, &plan);
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_the_work_can_continue() {
    let folder = planned("campaign", SMALL);
    // First there is not even room for a byte, then for some lines and an incomplete one.
    for blocks in ["0", "2", "2"] {
        assert!(full_disk(&folder, blocks, "campaign work campaign").contains(".jsonl': "));
        folder.line(2, "campaign merge campaign");
    }
    let (said, _) = folder.line(0, "campaign work campaign");
    assert!(!said.contains(": 0 already counted"), "complete lines are saved: {said}");
    assert!(full_disk(&folder, "0", "campaign verify campaign --sample all").contains(".jsonl': "));
    let merge = "campaign merge campaign --certificate certificate.json";
    full_disk(&folder, "1", merge);
    assert!(!folder.path("certificate.json").exists());
    let (text, said) = folder.line(0, merge);
    assert!(text.contains("Nodes searched: 4865609"));
    assert_eq!(said.matches("torn: the line is incomplete").count(), 2, "{said}");
    assert!(folder.path("certificate.json").exists());
}
