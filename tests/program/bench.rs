//! `perft bench`: its output, its files and its exit codes.
//!
//! The times are real but tiny, and no test depends on them, except for factors of ten or more. The statistics have
//! unit tests, which do not wait.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Folder, report, unfolded};

/// Runs two positions quickly, and expects this exit code. Returns standard output and standard error.
fn quick(folder: &Folder, code: i32, args: &[&str]) -> (String, String) {
    quick_at(folder, code, &[&["start", "kiwipete", "--depth", "4"], args].concat())
}

fn quick_at(folder: &Folder, code: i32, args: &[&str]) -> (String, String) {
    folder.expect(code, &[&["bench", "--runs", "3", "--quiet"], args].concat())
}

/// Runs two positions often enough for a verdict.
fn judged(folder: &Folder, code: i32, args: &[&str]) -> (String, String) {
    let often = ["bench", "start", "kiwipete", "--depth", "4", "--runs", "13", "--quiet"];
    folder.expect(code, &[&often, args].concat())
}

/// Runs a benchmark, and returns its JSON with every time multiplied by a factor.
fn scaled(factor: f64) -> String {
    let mut document = report(&judged(&Folder::new(), 0, &["--json"]).0);
    for result in document["results"].as_array_mut().unwrap() {
        for run in result["measurements"].as_array_mut().unwrap() {
            for (_, time) in
                run.as_object_mut().unwrap().iter_mut().filter(|(key, _)| key.starts_with("time"))
            {
                time["value"] = (time["value"].as_f64().unwrap() * factor).into();
            }
        }
    }
    document.to_string()
}

/// Returns the last paragraph of a text, in one line.
fn conclusion(text: &str) -> String {
    text.trim_end().rsplit("\n\n").next().unwrap().replace('\n', " ")
}

#[test]
fn the_text_has_one_table_and_ends_with_the_conclusion() {
    let (text, err) = quick(&Folder::new(), 0, &[]);
    assert_eq!(err, "");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("perft ") && lines[0].contains(" build, rustc "), "{text}");
    assert!(unfolded(&text).contains(" 1 thread, bulk counting, no table\n"), "{text}");
    let header = lines.iter().find_map(|line| line.strip_prefix("position ")).unwrap();
    assert_eq!(header.split_whitespace().collect::<Vec<_>>().join(" "), "time Mnps runs");
    for name in ["start 4 ", "kiwipete 4 ", "geometric mean "] {
        assert_eq!(lines.iter().filter(|line| line.starts_with(name)).count(), 1, "{text}");
    }
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    let end = " million nodes per second in the geometric mean of 2 positions.\n";
    assert!(text.replace('\n', " ").ends_with(&end.replace('\n', " ")), "{text}");
}

/// The scripts of hyperfine 1 read the fields of a result itself, and those of hyperfine 2 read `measurements` and
/// `summary`.
#[test]
fn every_result_has_the_fields_of_both_versions_of_hyperfine() {
    let document = report(&quick(&Folder::new(), 0, &["--json"]).0);
    for result in document["results"].as_array().unwrap() {
        let numbers = |key: &str| -> Vec<f64> {
            result[key].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
        };
        let times = numbers("times");
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        assert!((result["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = times.iter().copied().fold(0.0, f64::max);
        assert_eq!((result["min"].as_f64(), result["max"].as_f64()), (Some(least), Some(greatest)));
        let median = result["median"].as_f64().unwrap();
        assert!((least..=greatest).contains(&median) && result["stddev"].is_f64());
        assert!(result["command"].is_string());
        assert_eq!(numbers("exit_codes"), [0.0; 3]);
        assert!(result["parameters"].as_object().unwrap().values().all(Value::is_string));
        let measured = "time_wall_clock";
        let seconds = |run: &Value| run[measured]["value"].as_f64().unwrap();
        assert_eq!(result["measurements"].as_array().unwrap().iter().map(seconds).collect::<Vec<_>>(), times);
        let summary = &result["summary"][measured];
        assert_eq!((&summary["unit"], &summary["count"]), (&"second".into(), &3.into()));
        for key in ["mean", "stddev", "median", "min", "max"] {
            assert_eq!(summary[key], result[key], "{key}");
        }
        if cfg!(unix) {
            assert_eq!(result["summary"]["time_user"]["mean"], result["user"]);
            let memory = &result["measurements"][2]["memory_peak_resident"];
            assert_eq!(
                (memory["value"].as_f64(), memory["unit"].as_str()),
                (result["memory_usage_byte"][2].as_f64(), Some("byte"))
            );
        }
    }
    let name = |index: usize| document["results"][index]["name"].as_str().unwrap();
    assert_eq!(
        (document["schema_version"].as_u64(), name(0), name(1)),
        (Some(4), "start, depth 4", "kiwipete, depth 4")
    );
}

#[test]
fn a_page_begins_with_the_conclusion_and_has_a_dot_for_each_run() {
    let bench = Folder::new();
    let (text, _) = judged(&bench, 0, &["--generators", "magic,rays", "--export-html", "a.html"]);
    let page = bench.read("a.html");
    let count = |class: &str| page.matches(&format!("class=\"{class}\"")).count();
    // Two programs in two positions, and three ratios: of the positions and of their mean. There are 13 rounds.
    assert_eq!(["median", "interval", "run"].map(count), [4 + 3, 4 + 3, 4 * 13], "{page}");
    let conclusion = conclusion(&text);
    let parts = [
        "<h1>Speed of magic and rays</h1>\n",
        &format!("<p class=\"conclusion\">{conclusion}</p>"),
        "<h2>Ratios of the speeds</h2>",
        "geometric mean",
        "<h2>start 4</h2>",
        "<h2>kiwipete 4</h2>",
        "<p class=\"settings\">",
        "rays: generator rays, ",
        " UTC",
    ];
    let places: Vec<usize> = parts.iter().map(|part| page.find(part).expect(part)).collect();
    assert!(places.is_sorted(), "{places:?}: {page}");
    assert!(page.starts_with("<!DOCTYPE html>"));
    let elsewhere = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    assert!(!["src=", "href=", "http"].iter().any(|link| elsewhere.contains(link)), "{page}");
}

/// A gate asks for as many runs as it needs, or ends when its time is over.
#[test]
fn a_gate_runs_until_it_is_decided_or_its_time_is_over() {
    let bench = Folder::new();
    let gate = "bench start 3 --generators bitboard,rays --reference bitboard --max-regression 5 --quiet";
    // Of two equal programs, none is called faster after a few runs.
    bench.line(5, &gate.replace("rays", "magic --runs 2"));
    let (text, _) = bench.line(3, gate);
    assert!(text.starts_with("gate: rays is slower than bitboard by more than 5 %\n"), "{text}");
    let (text, _) = bench.line(5, &gate.replace("start 3", "start 4 --max-time 0.000001"));
    assert!(unfolded(&text).contains("this could not be decided within 0 s and 1 run; "), "{text}");
}

#[test]
fn a_wrong_count_has_no_speed() {
    let bench = Folder::new();
    let file = bench.write("wrong.epd", "8/8/8/8/8/8/8/k1K5 w - - ;D1 3 ;D2 4 ;id \"corner\"\n");
    let (text, _) = quick_at(&bench, 1, &[file, "start", "--depth", "2"]);
    assert!(text.starts_with("wrong: this program counts 7 nodes in corner at depth 2, not 4\n\n"), "{text}");
    assert!(text.contains("\nstart 2 ") && !text.contains("\ncorner 2 "), "{text}");
    let said = bench.expect(1, &["bench", file, "--depth", "2"]).1;
    assert!(!said.contains("--precision"), "a position without runs is not imprecise: {said}");
}

#[test]
fn bad_arguments_are_refused_before_the_first_run() {
    let bench = Folder::new();
    let read_only = bench.path("read-only.json");
    fs::write(&read_only, "old").unwrap();
    let mut permissions = fs::metadata(&read_only).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&read_only, permissions).unwrap();
    for (args, said) in [
        (&["--export-json", "nowhere/out.json"][..], "cannot write 'nowhere/out.json'"),
        (&["--export-html", "read-only.json"], "cannot write 'read-only.json'"),
        (&["--export-html", "."], "cannot write '.'"),
        (&["--max-regression", "5%"], "--max-regression needs something to compare with"),
        (&["--baseline", "nobody.json"], "cannot read the baseline 'nobody.json'"),
        (&["--baseline", "read-only.json"], "not a report of perft"),
        (&["strat"], "did you mean 'start'?"),
        (&["--engine", "./nobody"], "cannot start './nobody'"),
        (&["--engine", ""], "the engine's command is empty"),
        (&["--reference", "magic"], "the programs are: this program"),
        (&["--baseline", "a", "--generators", "all"], "compares one program with its earlier result"),
        (&["--baseline", "a", "--max-regression", "0.05"], "write 5% if it is a fraction, or 0.05%"),
        (&["--engine-timeout", "2"], "--engine-timeout needs an engine"),
        (&["--measure", "instructions"], "instructions"),
    ] {
        let (out, err) = quick(&bench, 2, args);
        assert!(out.is_empty() && err.contains(said) && !err.contains(".perft-"), "{args:?}: {err}");
    }
    let (_, said) = quick_at(&bench, 2, &["endgame", "--depth", "11"]);
    assert!(said.contains("its counts are known at depths 1, 2"), "{said}");
    assert_eq!(bench.names(), ["read-only.json"]);
}

#[test]
fn an_exported_result_is_a_baseline() {
    let bench = Folder::new();
    quick(&bench, 0, &["--export-json", "main"]);
    let (text, _) = quick(&bench, 0, &["--baseline", "main"]);
    assert!(text.contains("\nstart 4         the baseline 'main' ") && text.ends_with(".\n"), "{text}");
    // It may have another name, which is said.
    let mut renamed: Value = serde_json::from_str(&bench.read("main")).unwrap();
    renamed["contenders"][0]["name"] = "before".into();
    renamed["results"].as_array_mut().unwrap().iter_mut().for_each(|row| row["contender"] = "before".into());
    bench.write("renamed", &renamed.to_string());
    let (text, _) = quick(&bench, 0, &["--baseline", "renamed"]);
    assert!(text.contains("the baseline 'renamed': saved runs of before\n"), "{text}");
    let (_, said) = bench.expect(0, &["bench", "start", "4", "--runs", "1", "--baseline", "renamed"]);
    let expected = "the baseline 'renamed' has the runs of before, not of this program";
    assert!(unfolded(&said).contains(expected), "{said}");
    let one_more = ["--baseline", "main", "--json", "endgame"];
    let document = report(&quick(&bench, 0, &one_more).0);
    let warnings = document["warnings"].as_array().unwrap();
    let expected = "not compared, because the baseline does not have them: endgame";
    assert!(warnings.iter().any(|warning| warning == expected), "{warnings:?}");
}

#[test]
fn only_a_certain_regression_fails() {
    let bench = Folder::new();
    // The baselines are a thousand times faster and slower than now.
    let fast = bench.write("fast.json", &scaled(0.001));
    let slow = bench.write("slow.json", &scaled(1000.0));
    let gate = |baseline: &str, code| {
        let text = judged(&bench, code, &["--baseline", baseline, "--max-regression", "5"]).0;
        unfolded(&text).lines().next().unwrap().to_owned()
    };
    let verdict = |name: &str| format!("slower than the baseline '{name}' by more than 5 %");
    assert_eq!(gate(fast, 3), format!("gate: this program is {}", verdict("fast.json")));
    assert_eq!(gate(slow, 0), format!("gate: this program is not {}", verdict("slow.json")));
    judged(&bench, 0, &["--baseline", fast]);
}

#[test]
fn other_machines_and_settings_are_not_compared() {
    let bench = Folder::new();
    let document = scaled(1.0);
    let mut elsewhere: Value = serde_json::from_str(&document).unwrap();
    elsewhere["machine"]["cpu"] = "Another CPU".into();
    let elsewhere = bench.write("elsewhere.json", &elsewhere.to_string());
    let here = bench.write("here.json", &document);
    assert!(quick(&bench, 2, &["--baseline", elsewhere]).1.contains("CPU: Another CPU there"));
    assert!(quick(&bench, 0, &["--baseline", elsewhere, "--force"]).0.contains("baseline"));
    for (mode, said) in [
        (&["--threads", "2"][..], "threads: 1 there, 2 here"),
        (&["--hash", "1M"], "mode: plain there, hashed here"),
        (&["--no-bulk"], "bulk counting: true there, false here"),
        (&["--cpu-path", "portable"], "portable here"),
    ] {
        let args: Vec<&str> = ["--baseline", here].into_iter().chain(mode.iter().copied()).collect();
        let (out, err) = quick(&bench, 2, &args);
        assert!(out.is_empty() && err.contains(said), "{mode:?}: {err}");
    }
}

#[test]
fn by_default_this_program_is_timed_in_six_positions() {
    let document = report(&quick_at(&Folder::new(), 0, &["--depth", "2", "--json"]).0);
    assert_eq!(names(&document), ["this program"]);
    let results = document["results"].as_array().unwrap().iter();
    let found: Vec<&str> = results.map(|result| result["position"]["name"].as_str().unwrap()).collect();
    assert_eq!(found, ["start", "kiwipete", "endgame", "mirrored", "talkchess", "alternative"]);
}

#[test]
fn a_fen_is_a_position_whose_counts_this_program_makes() {
    let fen = ["8/8/8/8/8/8/8/k1K5", "w", "-", "-"];
    let result = |more: &[&str]| {
        let document = report(&quick_at(&Folder::new(), 0, &[&fen, more, &["--json"]].concat()).0);
        let result = &document["results"][0];
        (result["depth"].as_u64().unwrap(), result["nodes"].as_u64().unwrap())
    };
    assert_eq!(result(&["2"]), (2, 7));
    assert!(result(&[]).0 > 2);
}

fn names(document: &Value) -> Vec<&str> {
    let contenders = document["contenders"].as_array().unwrap();
    contenders.iter().map(|contender| contender["name"].as_str().unwrap()).collect()
}

#[test]
fn several_contenders_have_a_row_each_in_every_position() {
    let bench = Folder::new();
    let file = "a-position-with-a-name-of-many-letters.epd";
    let name = "a name with many letters, which is longer than any table could show in one line";
    bench.write(file, &format!("8/8/8/8/8/8/8/k1K5 w - - ;D4 169 ;id \"{name}\"\n"));
    let args = ["--generators", "magic,rays,rank-lookup", "--cpu-path", "portable", file];
    let (text, err) = quick(&bench, 0, &args);
    assert_eq!(err, "");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert_eq!(text.matches("position ").count(), 1, "one table: {text}");
    assert_eq!(text.matches("\na name with").count(), 3, "{text}");
    assert_eq!(rows(&text, "rank-lookup").len(), 4, "three positions and the mean: {text}");
    assert!(
        text.contains("\nrays: generator rays, CPU path portable, 1 thread, bulk counting, no table\n"),
        "{text}"
    );
    let few = "3 runs do not carry a comparison of ";
    let said = conclusion(&text);
    assert!(said.starts_with(few) && said.ends_with(": make 13 or more."), "{said}");
}

/// Returns the words after the name of a contender in its rows.
fn rows<'a>(text: &'a str, contender: &str) -> Vec<Vec<&'a str>> {
    let (_, table) = text.split_once("\nposition ").unwrap_or_else(|| panic!("{text}"));
    let rows = table
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(&format!(" {contender} ")));
    rows.map(|(_, cells)| cells.split_whitespace().collect()).collect()
}

#[test]
fn builds_with_flags_are_contenders() {
    let program = assert_cmd::cargo::cargo_bin!("perft").display();
    let ways = [1, 2].map(|threads| format!("'{program}' --threads {threads}"));
    let args = [&ways[0], &ways[1], "--reference", &ways[1], "--json"];
    let document = report(&quick(&Folder::new(), 0, &args).0);
    assert_eq!(names(&document), ways);
    assert_eq!(
        (&document["reference_name"], &document["contenders"][0]["kind"]),
        (&ways[1].as_str().into(), &"build".into())
    );
    assert_eq!(document["contenders"][1]["kind"], "build");
    // The plot of parameters that comes with hyperfine takes one number.
    let args = ["bench", &ways[0], &ways[1], "start", "3", "--runs", "2", "--quiet", "--json"];
    let document = report(&Folder::new().expect(0, &args).0);
    let parameters = [0, 1].map(|index: usize| document["results"][index]["parameters"].clone());
    assert_eq!(parameters, [json!({"threads": "1"}), json!({"threads": "2"})]);
    let document = report(&Folder::new().line(0, "bench start 3 --runs 1 --quiet --json").0);
    assert_eq!(document["results"][0]["parameters"], json!({"depth": "3"}));
}

/// Returns a script that is this program, with its output edited by awk.
#[cfg(unix)]
pub fn build(awk: &str) -> String {
    format!(
        "case \"$*\" in *json*) exec '{0}' \"$@\";; esac\n'{0}' \"$@\" | awk -F, -v OFS=, '{awk} {{print}}'",
        crate::support::program().display()
    )
}

/// Creates a fake build.
#[cfg(unix)]
fn edited(bench: &Folder, name: &str, awk: &str) -> String {
    crate::support::write_script(&bench.path(name), &build(awk));
    format!("./{name}")
}

#[test]
#[cfg(unix)]
fn two_builds_are_compared() {
    let bench = Folder::new();
    let same = edited(&bench, "same", "");
    let fast = edited(&bench, "fast", "NR > 1 {$3 /= 10000; $5 /= 10000}");
    let args = [&same, &fast, "--reference", "fast", "--max-regression", "5%", "--json"];
    // What a build states is elapsed time.
    let document = report(&judged(&bench, 3, &[&args[..], &["--measure", "time"]].concat()).0);
    assert_eq!(
        (names(&document), &document["contenders"][0]["kind"]),
        (vec!["same", "fast"], &"build".into())
    );
    assert_eq!(
        (&document["contenders"][0]["gate"], &document["reference_name"]),
        (&"slower".into(), &"fast".into())
    );
    assert_eq!(
        (&document["results"][2]["gate"], &document["results"][3]["gate"]),
        (&"slower".into(), &Value::Null)
    );
    assert_eq!(document["results"][1]["parameters"]["contender"], "fast");
    assert_eq!(document["measure"], "time");
}

/// Several builds on one thread are compared by what the system says about their processes.
#[test]
#[cfg(unix)]
fn builds_are_compared_by_processor_time() {
    let bench = Folder::new();
    let plain = edited(&bench, "plain", "");
    let busy = edited(&bench, "busy", "BEGIN {for (i = 0; i < 2000000; i++) n += i}");
    let args = [&plain, &busy, "--reference", "plain", "--max-regression", "5%"];
    let (text, _) = judged(&bench, 3, &args);
    assert!(text.starts_with("gate: busy is slower than plain by more than 5 %\n"), "{text}");
    assert!(conclusion(&text).ends_with(" times as fast as busy, by processor time."), "{text}");
    for (flags, measure) in
        [(&[][..], "cpu"), (&["--threads", "2"], "time"), (&["--measure", "time"], "time")]
    {
        let args = [&[plain.as_str(), &busy, "start", "2", "--runs", "1", "--json"], flags].concat();
        let document = report(&bench.expect(0, &[&["bench", "--quiet"], &args[..]].concat()).0);
        assert_eq!(document["measure"], measure, "{flags:?}");
        let run = &document["results"][0]["measurements"][0];
        let times = ["time_wall_clock", "time_user", "time_system"];
        assert!(times.iter().all(|time| run[time]["value"].is_f64()), "{run:#}");
    }
}

/// The instructions of a program are those of all its processes. They hardly vary, so a few runs find a slow program.
#[test]
#[cfg(target_os = "linux")]
fn builds_are_compared_by_instructions() {
    let bench = Folder::new();
    let program = assert_cmd::cargo::cargo_bin!("perft").display().to_string();
    let ways = ["", "--no-bulk"].map(|flags| format!("'{program}' --cpu-path portable {flags}"));
    let args =
        ["bench", &ways[0], &ways[1], "start", "4", "--measure", "instructions", "--runs", "2", "--json"];
    let done = bench.run(&args);
    if done.status.code() == Some(2) {
        println!("left out: {}", String::from_utf8_lossy(&done.stderr));
        return;
    }
    let document = report(&String::from_utf8(done.stdout).unwrap());
    let instructions = |program: usize, run: usize| {
        document["results"][program]["measurements"][run]["instructions"]["value"].as_f64().unwrap()
    };
    assert!((instructions(0, 0) / instructions(0, 1) - 1.0).abs() < 0.01);
    assert!(instructions(1, 0) > 1.01 * instructions(0, 0), "{} {}", instructions(1, 0), instructions(0, 0));
}

/// A baseline keeps the settings of a build, not those of the program that has timed it.
#[test]
fn a_build_has_the_settings_of_its_flags() {
    let bench = Folder::new();
    let program = assert_cmd::cargo::cargo_bin!("perft").display().to_string();
    let with = |flags: &str| format!("'{program}' {flags}");
    let (hashed, unhashed) = (with("--hash 1M --threads 2"), with("--no-bulk"));
    let document = report(&quick(&bench, 0, &[&hashed, &unhashed, "--json"]).0);
    let settings = |index: usize| {
        ["threads", "table_bytes", "bulk", "mode"].map(|name| document["contenders"][index][name].clone())
    };
    assert_eq!(settings(0), json!([2, 1 << 20, true, "hashed"]).as_array().unwrap()[..]);
    assert_eq!(settings(1), json!([1, 0, false, "plain"]).as_array().unwrap()[..]);
    quick(&bench, 0, &[&hashed, "--export-json", "main"]);
    quick(&bench, 0, &[&hashed, "--baseline", "main"]);
    let mut saved: Value = serde_json::from_str(&bench.read("main")).unwrap();
    saved["contenders"][0]["threads"] = 1.into();
    let other = bench.write("other", &saved.to_string()).to_owned();
    assert!(quick(&bench, 2, &[&hashed, "--baseline", &other]).1.contains("threads: 1 there, 2 here"));
}

#[test]
#[cfg(unix)]
fn a_build_that_counts_wrong_or_fails_is_named() {
    let bench = Folder::new();
    let wrong = edited(&bench, "wrong", "NR > 1 {$2 += 1}");
    let (text, _) = quick(&bench, 1, &[&wrong]);
    assert!(text.contains("wrong counts 197282 nodes in start at depth 4, not 197281"), "{text}");
    let broken = edited(&bench, "broken", "{exit 0}");
    let (text, _) = quick(&bench, 4, &[&broken]);
    assert!(text.contains("broken does not count start"), "{text}");
    // The build fails in its seventh run: after the warm-up and two rounds over both positions. Then it is asked once
    // about the other position.
    let late =
        r#"BEGIN {print >>"runs"; close("runs"); while ((getline line <"runs") > 0) n++; if (n > 6) exit 1}"#;
    let late = edited(&bench, "late", late);
    let (text, _) = quick(&bench, 4, &[&late]);
    assert_eq!(text.matches("late does not count ").count(), 2, "{text}");
    assert_eq!(bench.read("runs").lines().count(), 8);
}

#[cfg(unix)]
mod with_engines {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::support::{at_once, entry};

    /// Times an engine in positions to depth 2, and expects this exit code. Returns standard output.
    fn quick(folder: &Folder, code: i32, args: &[&str]) -> String {
        unfolded(&quick_at(folder, code, &[&["--depth", "2"], args].concat()).0)
    }

    fn json(folder: &Folder, code: i32, args: &[&str]) -> Value {
        report(&quick(folder, code, &[args, &["--json"]].concat()))
    }

    /// Returns a folder with a scripted UCI engine in some of its modes, which are also its names. It knows the start
    /// position to depth 2.
    fn with_fakes(modes: &[&str]) -> Folder {
        let bench = Folder::new();
        let entry = |mode: &&str| entry(mode, &format!("sh '{FOLDER}/fake.sh' {mode}"));
        bench.write("perft.toml", &modes.iter().map(entry).collect::<String>());
        bench
    }

    #[test]
    fn only_what_is_named_is_timed() {
        let bench = with_fakes(&["good"]);
        let document = json(&bench, 0, &["good", "start"]);
        let engine = &document["contenders"][0];
        assert_eq!(names(&document), ["good"]);
        assert_eq!((&engine["own_name"], &engine["dialect"]), (&"Fake 1.0".into(), &"uci".into()));
        assert!(engine["nodes_per_second"].as_f64().is_some_and(|speed| speed > 0.0), "{engine:#}");
        let (_, said) = quick_at(&bench, 2, &["good", "start", "2", "--threads", "2"]);
        assert!(said.contains("--threads is for this program, and only engines are timed"), "{said}");
        // On some file systems, every file is executable.
        let list = bench.path("list.epd");
        fs::write(&list, "8/8/8/8/8/8/8/k1K5 w - - ;D2 7\n").unwrap();
        fs::set_permissions(&list, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        assert_eq!(names(&json(&bench, 0, &["./list.epd"])), ["this program"]);
    }

    #[test]
    fn an_engine_has_a_baseline() {
        let bench = with_fakes(&["good", "dies"]);
        let often = |code, args: &[&str]| {
            let often = ["bench", "good", "start", "2", "--runs", "10", "--quiet"];
            bench.expect(code, &[&often, args].concat()).0
        };
        often(0, &["--export-json", "before"]);
        let text = often(0, &["--baseline", "before", "--max-regression", "99"]);
        let verdict = "gate: good is not slower than the baseline 'before' by more than 99 %";
        assert!(text.starts_with(verdict), "{text}");
        assert!(conclusion(&text).ends_with(", by elapsed time."), "{text}");
        let (_, said) = bench.line(2, "bench good start 2 --measure cpu --quiet");
        assert!(said.contains("it is not known how much processor time"), "{said}");
        quick(&bench, 0, &["good", "start", "--generators", "bitboard", "--export-json", "two"]);
        let (_, said) = quick_at(&bench, 2, &["start", "2", "--baseline", "two"]);
        assert!(said.contains("it has no results of this program, but of: bitboard, good"), "{said}");
    }

    #[test]
    fn an_engine_that_counts_wrong_has_no_speed_and_the_others_continue() {
        let args = ["good", "dies", "start", "kiwipete", "--generators", "bitboard"];
        let bench = with_fakes(&["good", "dies"]);
        let text = quick(&bench, 1, &args);
        assert!(text.starts_with("failed: dies does not count start: "), "{text}");
        let [start, kiwipete, mean] = &rows(&text, "good")[..] else { panic!("{text}") };
        assert!(start.len() > 3 && kiwipete[..] == ["wrong"] && mean[..] == ["-", "-"], "{text}");
        assert_eq!(rows(&text, "dies"), [vec!["failed"], vec!["failed"], vec!["-", "-"]], "{text}");
        assert_eq!(rows(&text, "bitboard").len(), 3, "{text}");
        assert!(text.contains("counts 400 nodes in kiwipete at depth 2, not 2039"), "{text}");
        assert!(text.contains("assertion failed: no king"), "{text}");
        let csv: Vec<&str> = ["--format", "csv"].into_iter().chain(args).collect();
        let csv = quick(&bench, 1, &csv);
        assert!(csv.lines().skip(1).filter(|line| line.ends_with(",measured")).count() == 3, "{csv}");
        assert!(csv.lines().filter(|line| line.ends_with(",failed")).count() == 2, "{csv}");
    }

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines");

    /// Four engines in `perft.toml`, one for each dialect and way to start.
    const LATE: [&str; 4] = ["session", "process", "perftree", "qperft"];

    /// The number of the question that they answer badly. The questions before it are those of the warm-up and of two
    /// runs.
    const BAD: usize = 4;

    fn write_late(bench: &Folder, mode: &str) {
        let uci = |name, launch| {
            let entry = entry(name, &format!("sh '{FOLDER}/fake.sh' {mode} {name}.runs {BAD}"));
            format!("{entry}launch = '{launch}'\n")
        };
        let script = |name, total| {
            totals(name, &format!("sh '{FOLDER}/script.sh' {mode} {BAD} {name}.runs"), name, total)
        };
        let scripts = [script(LATE[2], "#1"), script(LATE[3], ") = #1")];
        let entries = [uci(LATE[0], "once"), uci(LATE[1], "each"), scripts.concat()];
        bench.write("perft.toml", &entries.concat());
    }

    /// Returns the entry of a program that prints only totals. `total` is the name of the total in a profile.
    fn totals(name: &str, command: &str, dialect: &str, total: &str) -> String {
        let profile = format!("{{ total = \"{total}\", end = \"silence\" }}");
        format!("[engine.{name}]\ncommand = {command:?}\ndialect = '{dialect}'\nprofile = {profile}\n")
    }

    /// Compares some of these engines with the built-in generator. Returns the outcome and the reason for each engine.
    fn late(mode: &str, code: i32, engines: &[&str]) -> Vec<(String, String)> {
        let bench = Folder::new();
        write_late(&bench, mode);
        let mut args = vec!["start", "--engine-timeout", "4", "--export-json", "out.json"];
        args.extend(["--generators", "bitboard"]);
        args.extend(engines.iter().flat_map(|name| ["--engine", name]));
        let begin = Instant::now();
        let document = json(&bench, code, &args);
        assert!(begin.elapsed() < Duration::from_secs(40), "{mode}: {:?}", begin.elapsed());
        assert_eq!(serde_json::from_str::<Value>(&bench.read("out.json")).unwrap(), document);
        let programs = document["contenders"].as_array().unwrap();
        assert_eq!((programs.len(), document["results"].as_array().unwrap().len()), (1 + engines.len(), 1));
        assert_eq!(document["results"][0]["runs"], 3, "{mode}: the built-in generator continues");
        for name in engines {
            let asked = bench.read(&format!("{name}.runs")).lines().count();
            assert_eq!(asked, BAD, "{mode}: {name} is not asked again");
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
        let nothing = "the engine did not answer within 4 s";
        let no_counts =
            "the engine's answer has no count that can be read: \u{fffd}\u{fffd}\\x01 \u{fffd}( many";
        let [exit, kill] = ["exit status: 3", "signal: 9 (SIGKILL)"]
            .map(|how| format!("the engine ended ({how}); it last printed: "));
        let modes = [
            ("hang", nothing, nothing),
            ("dies", exit.as_str(), kill.as_str()),
            ("nonsense", no_counts, no_counts),
        ];
        let cases = modes.map(|(mode, of_uci, of_script)| {
            LATE.map(|engine| (mode, engine, if LATE[..2].contains(&engine) { of_uci } else { of_script }))
        });
        at_once(cases.as_flattened(), |&(mode, engine, said)| {
            let [(outcome, reason)] = &late(mode, 4, &[engine])[..] else { panic!("{mode}: {engine:?}") };
            assert_eq!(outcome, "failed", "{mode}");
            let expected = format!("{engine} does not count start: {said}");
            assert!(reason.starts_with(&expected), "{mode}: {reason}\n{expected}");
            assert!(mode != "dies" || reason.contains("assertion failed: no king"), "{reason}");
        });
    }

    #[test]
    fn a_wrong_count_in_the_third_run_is_wrong() {
        let found = late("wrong", 1, &LATE);
        let expected = LATE.map(|name| {
            ("wrong".to_owned(), format!("{name} counts 401 nodes in start at depth 2, not 400"))
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn an_engine_whose_file_disappears_has_failed() {
        let bench = Folder::new();
        let script = bench.path("own");
        fs::copy(format!("{FOLDER}/script.sh"), &script).unwrap();
        fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        bench.write("perft.toml", &totals("own", "./own gone 3 runs", "perftree", "#1"));
        let text = quick(&bench, 4, &["own", "start"]);
        assert!(text.contains("own does not count start: cannot start '"), "{text}");
    }

    #[test]
    fn the_start_of_an_engine_is_not_timed() {
        let bench = with_fakes(&["loads"]);
        bench.write("perft.toml", &(bench.read("perft.toml") + "launch = 'each'\n"));
        let line = "bench start --depth 2 --runs 1 --warmup 0 --quiet --json --engine loads";
        let document = report(&bench.line(0, line).0);
        let slowest = document["results"][0]["max"].as_f64().unwrap();
        assert!(slowest < 0.9, "its start takes one second, and its slowest run took {slowest} s");
    }

    #[test]
    fn an_engine_that_does_not_become_ready_is_not_started_again() {
        let bench = Folder::new();
        let engine = "uci:sh -c 'echo >>starts; echo no licence >&2; exit 7'";
        let text = quick(&bench, 4, &["start", "kiwipete", "--engine", engine]);
        assert_eq!(text.matches("(exit status: 7); it last printed: no licence").count(), 2, "{text}");
        // It was started once to see whether it starts, and once for the first question.
        assert_eq!(bench.read("starts").lines().count(), 2, "{text}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_resources_of_engines_are_reported() {
        let bench = Folder::new();
        write_late(&bench, "good");
        let toml = bench.read("perft.toml");
        let (head, perftree) = toml.split_at(toml.find("[engine.perftree]").unwrap());
        let fat = perftree.replacen("good 4", "fat 1", 1);
        bench.write("perft.toml", &[head, &fat].concat());
        let mut args = vec!["start", "--warmup", "0", "--generators", "bitboard"];
        args.extend(LATE.iter().flat_map(|name| ["--engine", name]));
        let document = json(&bench, 0, &args);
        for (name, index) in LATE.iter().zip(1..) {
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
        let text = quick(&bench, 0, &args);
        assert_eq!(text.matches(" MiB at most").count(), 3, "{text}");
    }

    #[test]
    fn a_script_has_no_name_of_its_own() {
        let bench = Folder::new();
        bench.write("perft.toml", &totals("counts", "sh -c 'echo 400'", "perftree", "#1"));
        let args = ["start", "--engine", "counts"];
        let text = quick(&bench, 0, &args);
        let line = "counts: sh -c 'echo 400', asked as perftree";
        assert!(text.lines().any(|found| found == line), "{text}");
        assert_eq!(json(&bench, 0, &args)["contenders"][0]["own_name"], Value::Null);
    }
}
