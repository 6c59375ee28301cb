//! `perft compare`: the contenders, the table, wrong counts and failures, and the files.
//!
//! The times are real but tiny, and no test depends on them.

use std::fs;
#[cfg(unix)]
use std::time::{Duration, Instant};

use serde_json::Value;

use super::support::{Folder, report, unfolded};

/// Runs each position this number of times, and expects this exit code. Returns standard output and standard error.
fn compared(folder: &Folder, runs: &str, code: i32, args: &[&str]) -> (String, String) {
    let (out, err) = folder.expect(code, &[&["compare", "--runs", runs, "--quiet"], args].concat());
    (unfolded(&out), unfolded(&err))
}

/// Runs each position three times.
fn quick(folder: &Folder, code: i32, args: &[&str]) -> (String, String) {
    compared(folder, "3", code, args)
}

fn json(folder: &Folder, code: i32, args: &[&str]) -> Value {
    report(&quick(folder, code, &[args, &["--json"]].concat()).0)
}

/// Returns the words in the row of a contender in the first table, without its name. The table may be folded.
fn row<'a>(text: &'a str, program: &str) -> Vec<&'a str> {
    let (table, _) = text.split_once("\nMnps: ").unwrap_or_else(|| panic!("{text}"));
    let rows = table.lines().filter_map(|line| line.strip_prefix(program)?.strip_prefix(' '));
    rows.flat_map(str::split_whitespace).collect()
}

fn names(document: &Value) -> Vec<&str> {
    let contenders = document["contenders"].as_array().unwrap();
    contenders.iter().map(|contender| contender["name"].as_str().unwrap()).collect()
}

#[test]
fn the_text_has_a_row_for_each_contender_and_a_column_for_each_position() {
    let (text, err) =
        quick(&Folder::new(), 0, &["start", "kiwipete", "--depth", "3", "--generators", "magic,rays"]);
    assert_eq!(err, "");
    assert_eq!(
        row(&text, "Mnps").join(" "),
        "start 3 kiwipete 3 geometric mean ratio 95 % interval",
        "{text}"
    );
    let (first, second) = (row(&text, "magic"), row(&text, "rays"));
    assert_eq!((first.len(), first[3]), (4, "1"), "{text}");
    assert!(second.len() == 7 && second[3].parse::<f64>().unwrap() > 0.0, "{text}");
    assert!(text.contains("speeds to magic, the median of all rounds; above 1 is faster"), "{text}");
    assert!(text.contains("rays: generator rays, CPU path "), "{text}");
    assert_eq!(text.matches("all times are ").count(), 1, "{text}");
}

#[test]
fn by_default_all_generators_are_compared_in_six_positions() {
    let document = json(&Folder::new(), 0, &["--depth", "2"]);
    assert_eq!(names(&document)[..2], ["bitboard", "magic"]);
    let results = document["results"].as_array().unwrap();
    let own = results.iter().filter(|result| result["contender"] == "bitboard");
    let found: Vec<&str> = own.map(|result| result["position"]["name"].as_str().unwrap()).collect();
    assert_eq!(found, ["start", "kiwipete", "endgame", "mirrored", "talkchess", "alternative"]);
    assert_eq!(document["contenders"][0]["overall"]["value"], 1.0);
    assert_eq!(results.len(), 6 * names(&document).len());
    assert_eq!(document["results"][0]["parameters"]["contender"], "bitboard");
}

#[test]
fn lookups_paths_and_threads_are_contenders() {
    let args = [
        "start",
        "--depth",
        "3",
        "--generator",
        "magic",
        "--sliders",
        "magic,fill",
        "--cpu-paths",
        "portable",
    ];
    let compare = Folder::new();
    let all = ["magic", "bitboard:magic", "bitboard:fill", "bitboard:portable"];
    assert_eq!(names(&json(&compare, 0, &args)), all);
    let document =
        json(&compare, 0, &["start", "--depth", "3", "--threads", "1,2", "--reference", "bitboard:2t"]);
    assert_eq!(names(&document), ["bitboard:1t", "bitboard:2t"]);
    assert_eq!((&document["reference_name"], &document["measure"]), (&"bitboard:2t".into(), &"wall".into()));
    assert_eq!(document["contenders"][1]["threads"], 2);
    let (_, said) = quick(&compare, 2, &["start", "--depth", "3", "--reference", "magik"]);
    assert!(said.contains("the contenders are: bitboard, magic, "), "{said}");
}

#[cfg(unix)]
mod with_engines {
    use super::*;
    use crate::support::at_once;

    /// Returns the command of a scripted UCI engine, in one of its modes. It knows the start position to depth 2.
    fn fake(mode: &str) -> String {
        format!("sh '{}/tests/engines/fake.sh' {mode}", env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn an_engine_that_counts_right_has_a_speed_and_a_name() {
        let good = fake("good");
        let document = json(&Folder::new(), 0, &["start", "--depth", "2", "--engine", &good]);
        assert_eq!(names(&document), ["bitboard", &good]);
        let engine = &document["contenders"][1];
        assert_eq!((&engine["own_name"], &engine["dialect"]), (&"Fake 1.0".into(), &"uci".into()));
        assert!(engine["overall"]["value"].as_f64().unwrap() > 0.0);
        assert_eq!(document["measure"], "wall");
    }

    #[test]
    fn an_engine_that_counts_wrong_has_no_speed_and_the_others_continue() {
        let (good, dies) = (fake("good"), fake("dies"));
        let [good_uci, dies_uci] = [&good, &dies].map(|command| format!("uci:{command}"));
        let args = ["start", "kiwipete", "--depth", "2", "--engine", &good_uci, "--engine", &dies_uci];
        let compare = Folder::new();
        let (text, _) = quick(&compare, 1, &args);
        let words = row(&text, &good);
        assert!(words[0].parse::<f64>().is_ok() && words[1..] == ["wrong", "-", "-"], "{text}");
        assert_eq!(row(&text, &dies), ["failed", "failed", "-", "-"], "{text}");
        assert_eq!(row(&text, "bitboard").len(), 4, "{text}");
        assert!(text.contains("counts 400 nodes in kiwipete at depth 2, not 2039"), "{text}");
        assert!(text.contains("assertion failed: no king"), "{text}");
        let csv: Vec<&str> = ["--format", "csv"].into_iter().chain(args).collect();
        let (csv, _) = quick(&compare, 1, &csv);
        assert!(csv.lines().skip(1).filter(|line| line.ends_with(",measured,wall")).count() == 3, "{csv}");
        assert!(csv.lines().filter(|line| line.ends_with(",failed,wall")).count() == 2, "{csv}");
    }

    #[test]
    fn an_engine_that_fails_means_exit_code_4() {
        let compare = Folder::new();
        let quick = |mode: &str, args: &[&str]| {
            let engine = format!("uci:{}", fake(mode));
            quick(&compare, 4, &[&["start", "--depth", "2", "--engine", &engine], args].concat()).0
        };
        let text = quick("dies", &[]);
        assert!(text.contains("Fake 1.0"), "{text}");
        quick("hang", &["--engine-timeout", "0.2"]);
    }

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines");

    /// Four engines in `perft.toml`, one for each dialect and way to start: the name, and the number of the question
    /// that it answers badly. The questions before it are those that find out how it is asked, those of the warm-up,
    /// and those of two runs.
    const LATE: [(&str, usize); 4] = [("session", 6), ("process", 6), ("perftree", 5), ("qperft", 4)];

    fn write_late(compare: &Folder, mode: &str) {
        let uci = |(name, question), launch| {
            format!(
                "[engine.{name}]\ncommand = ['sh', '{FOLDER}/fake.sh', '{mode}', '{name}.runs', '{question}']\nlaunch = '{launch}'\n"
            )
        };
        let script = |(name, question)| {
            format!(
                "[engine.{name}]\ncommand = ['sh', '{FOLDER}/script.sh', '{mode}', '{question}', '{name}.runs']\ndialect = '{name}'\n"
            )
        };
        let entries = [uci(LATE[0], "once"), uci(LATE[1], "each"), script(LATE[2]), script(LATE[3])];
        compare.write("perft.toml", &entries.concat());
    }

    /// Compares some of these engines with the built-in generator. Returns the outcome and the reason for each engine.
    fn late(mode: &str, code: i32, engines: &[(&str, usize)]) -> Vec<(String, String)> {
        let compare = Folder::new();
        write_late(&compare, mode);
        let mut args = vec!["start", "--depth", "2", "--engine-timeout", "2", "--export-json", "out.json"];
        args.extend(engines.iter().flat_map(|(name, _)| ["--engine", name]));
        let begin = Instant::now();
        let document = json(&compare, code, &args);
        assert!(begin.elapsed() < Duration::from_secs(20), "{mode}: {:?}", begin.elapsed());
        assert_eq!(serde_json::from_str::<Value>(&compare.read("out.json")).unwrap(), document);
        let programs = document["contenders"].as_array().unwrap();
        assert_eq!((programs.len(), document["results"].as_array().unwrap().len()), (1 + engines.len(), 1));
        assert_eq!(document["results"][0]["runs"], 3, "{mode}: the built-in generator continues");
        for (name, question) in engines {
            assert_eq!(
                compare.read(&format!("{name}.runs")).lines().count(),
                *question,
                "{mode}: {name} is not asked again"
            );
        }
        let has_figures =
            |program: &Value| program["overall"].is_f64() || program["nodes_per_second"].is_f64();
        assert!(!programs[1..].iter().any(has_figures), "{document:#}");
        let failures = document["failures"].as_array().unwrap().iter();
        let text = |failure: &Value, key: &str| failure[key].as_str().unwrap().to_owned();
        failures.map(|failure| (text(failure, "outcome"), text(failure, "error"))).collect()
    }

    /// Each engine runs in a comparison of its own, so that the time limits pass at the same time.
    #[test]
    fn a_failure_in_the_third_run_is_reported_with_its_reason() {
        let nothing = "the engine did not answer within 2 s";
        let no_counts = "the engine does not answer 'go perft 2' with counts; it last printed: \u{fffd}\u{fffd}\\x01 \u{fffd}( many";
        let [exit, kill] = ["exit status: 3", "signal: 9 (SIGKILL)"]
            .map(|how| format!("the engine ended before it had answered ({how}); it last printed: "));
        let modes = [
            ("hang", nothing, nothing),
            ("dies", exit.as_str(), kill.as_str()),
            ("nonsense", no_counts, "the engine does not answer"),
        ];
        let cases = modes.map(|(mode, of_uci, of_script)| {
            LATE.map(|engine| (mode, engine, if LATE[..2].contains(&engine) { of_uci } else { of_script }))
        });
        at_once(cases.as_flattened(), |&(mode, engine, said)| {
            let [(outcome, reason)] = &late(mode, 4, &[engine])[..] else { panic!("{mode}: {engine:?}") };
            assert_eq!(outcome, "failed", "{mode}");
            let expected = format!("{} does not count start: {said}", engine.0);
            assert!(reason.starts_with(&expected), "{mode}: {reason}\n{expected}");
            assert!(mode != "dies" || reason.contains("assertion failed: no king"), "{reason}");
        });
    }

    #[test]
    fn a_wrong_count_in_the_third_run_is_wrong() {
        let found = late("wrong", 1, &LATE);
        let expected = LATE.map(|(name, _)| {
            ("wrong".to_owned(), format!("{name} counts 401 nodes in start at depth 2, not 400"))
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn an_engine_whose_file_disappears_has_failed() {
        let compare = Folder::new();
        let script = compare.path("own");
        fs::copy(format!("{FOLDER}/script.sh"), &script).unwrap();
        fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let args = ["start", "--depth", "2", "--engine", "perftree:./own gone 3 runs"];
        let (text, _) = quick(&compare, 4, &args);
        assert!(
            text.contains("does not count start: cannot start './own': there is no such program"),
            "{text}"
        );
    }

    #[test]
    fn a_missing_engine_is_refused_at_once_in_every_dialect() {
        let compare = Folder::new();
        compare.write("text", "no program");
        for dialect in ["uci", "perftree", "qperft"] {
            for (program, said) in [("./nobody", "there is no such program"), ("./text", "permission denied")]
            {
                let engine = format!("{dialect}:{program} x");
                let (out, err) = quick(&compare, 2, &["start", "--engine", &engine]);
                let expected = format!("cannot start '{program}': {said}");
                assert!(out.is_empty() && err.contains(&expected), "{dialect}: {err}");
            }
        }
    }

    /// The benchmark waits for the timeout once for each position: when the depth is chosen, and not again in the runs.
    #[test]
    fn an_engine_that_hangs_is_waited_for_once_per_position() {
        let compare = Folder::new();
        let command = format!("{} runs 1", fake("hang"));
        let engine = format!("uci:{command}");
        let args = ["start", "kiwipete", "--depth", "2", "--engine-timeout", "0.5", "--engine", &engine];
        let (text, _) = quick(&compare, 4, &args);
        assert_eq!(row(&text, &command)[..2], ["failed", "failed"], "{text}");
        // It was asked once more to see whether it understands the dialect.
        assert_eq!(compare.read("runs").lines().count(), 3, "{text}");
    }

    #[test]
    fn the_start_of_an_engine_is_not_timed() {
        let compare = Folder::new();
        let engine =
            format!("[engine.loads]\ncommand = \"{}\"\ndialect = 'uci'\nlaunch = 'each'\n", fake("loads"));
        compare.write("perft.toml", &engine);
        let (document, _) = compared(
            &compare,
            "1",
            0,
            &["start", "--depth", "2", "--warmup", "0", "--engine", "loads", "--json"],
        );
        let document = report(&document);
        let slowest = document["results"][1]["max"].as_f64().unwrap();
        assert!(slowest < 0.9, "its start takes one second, and its slowest run took {slowest} s");
    }

    #[test]
    fn an_engine_that_does_not_become_ready_is_not_started_again() {
        let compare = Folder::new();
        let engine = "uci:sh -c 'echo >>starts; echo no licence >&2; exit 7'";
        let (text, _) = quick(&compare, 4, &["start", "kiwipete", "--depth", "2", "--engine", engine]);
        assert_eq!(text.matches("(exit status: 7); it last printed: no licence").count(), 2, "{text}");
        // It was started once to see whether it starts, and once for the first question.
        assert_eq!(compare.read("starts").lines().count(), 2, "{text}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_resources_of_engines_are_reported() {
        let compare = Folder::new();
        write_late(&compare, "good");
        let toml = compare.read("perft.toml");
        let (head, perftree) = toml.split_at(toml.find("[engine.perftree]").unwrap());
        let fat = perftree.replacen("'good', '5'", "'fat', '1'", 1);
        compare.write("perft.toml", &[head, &fat].concat());
        let mut args = vec!["start", "--depth", "2", "--warmup", "0"];
        args.extend(LATE.iter().flat_map(|(name, _)| ["--engine", name]));
        let document = report(&compared(&compare, "1", 0, &[&args[..], &["--json"]].concat()).0);
        for ((name, _), index) in LATE.iter().zip(1..) {
            let result = &document["results"][index];
            assert!(result["user"].is_number() && result["system"].is_number(), "{name}: {result:#}");
            let memory = result["memory_usage_byte"].as_array();
            let peak = memory.map(|memory| memory.iter().filter_map(Value::as_u64).max().unwrap());
            assert_eq!(document["contenders"][index]["peak_memory_bytes"].as_u64(), peak, "{name}");
            let least = match index {
                // A shell that waits for questions, and one that becomes larger than this program.
                1 | 2 => 100_000,
                3 => 100_000_000,
                // A shell that has ended is smaller than this program, so its size is not known.
                _ => {
                    assert_eq!(peak, None);
                    continue;
                }
            };
            assert!((least..2 * least + 50_000_000).contains(&peak.unwrap()), "{name}: {memory:?}");
        }
        assert!(document["contenders"][0]["peak_memory_bytes"].is_null());
        let (text, _) = compared(&compare, "1", 0, &args);
        assert_eq!(text.matches(" MiB at most").count(), 3, "{text}");
    }

    #[test]
    fn a_script_without_a_name_is_reported_as_such() {
        let compare = Folder::new();
        // It counts something else after moves, so it is clear that it does not ignore them.
        compare.write("count.sh", "echo ${3:+1}400\n");
        let args = ["start", "--depth", "2", "--engine", "perftree:sh count.sh"];
        let (text, _) = quick(&compare, 0, &args);
        let line = "sh count.sh: does not say its name; asked as perftree: sh count.sh";
        assert!(text.lines().any(|found| found == line), "{text}");
        assert_eq!(json(&compare, 0, &args)["contenders"][1]["own_name"], Value::Null);
    }
}

#[test]
fn plots_pages_and_tracker_files_are_written() {
    let compare = Folder::new();
    let files = [
        "--export-svg",
        "a.svg",
        "--export-html",
        "a.html",
        "--export-github",
        "a.json",
        "--export-bmf",
        "b.json",
    ];
    let args = ["start", "kiwipete", "--depth", "2", "--generators", "magic,rays"];
    quick(&compare, 0, &args.into_iter().chain(files).collect::<Vec<_>>());
    let svg = compare.read("a.svg");
    // There is a circle for each run: two contenders, two positions, three runs. There is a bar for each contender and
    // position, and for each of the two means.
    assert_eq!((svg.matches("<circle").count(), svg.matches("<rect").count()), (12, 6), "{svg}");
    let html = compare.read("a.html");
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains(">rays</td>"));
    assert_eq!((html.matches("<svg").count(), html.matches("<circle").count()), (2, 24), "{html}");
    assert!(html.contains(" was the fastest: ") && html.contains("times as fast as "), "{html}");
    let title = "Speed of magic and rays: start 2 and kiwipete 2";
    assert!(html.contains(&format!("<title>{title}</title>")) && html.contains(&format!("<h1>{title}</h1>")));
    assert!(svg.contains(title) && svg.contains(" UTC") && html.contains(" UTC"), "{svg}");
    assert!(!html.contains("src=") && !html.contains("href="), "{html}");
    let github: Value = serde_json::from_str(&compare.read("a.json")).unwrap();
    assert_eq!(github.as_array().unwrap().len(), 4);
    assert_eq!((&github[0]["name"], &github[0]["unit"]), (&"magic: start, depth 2".into(), &"Mnps".into()));
    assert!(
        github[0]["value"].as_f64().unwrap() > 0.0 && github[0]["range"].as_str().unwrap().starts_with("± ")
    );
    assert!(github[0]["extra"].as_str().unwrap().starts_with("3 runs\nperft "));
    let bmf: Value = serde_json::from_str(&compare.read("b.json")).unwrap();
    let metric = &bmf["rays: kiwipete, depth 2"]["throughput"];
    let [low, value, high] = ["lower_value", "value", "upper_value"].map(|key| metric[key].as_f64().unwrap());
    assert!(0.0 < low && low <= value && value <= high, "{metric}");
}

#[test]
fn a_contender_that_is_certainly_too_slow_fails() {
    let compare = Folder::new();
    let gate = |reference: &'static str, code| {
        let args = ["--cpu-paths", "portable", "--generators", "mailbox-0x88", "start", "--depth", "5"];
        let bound = ["--max-regression", "20%", "--reference", reference];
        // With eleven runs, one or two disturbed runs do not decide.
        compared(&compare, "11", code, &args.into_iter().chain(bound).collect::<Vec<_>>()).0
    };
    let text = gate("bitboard:portable", 3);
    assert!(text.contains("mailbox-0x88: slower than bitboard:portable by more than 20 %"), "{text}");
    let text = gate("mailbox-0x88", 0);
    assert!(text.contains("bitboard:portable: not slower than mailbox-0x88 by more than 20 %"), "{text}");
    quick(&compare, 2, &["start", "--max-regression", "20%"]);
}
