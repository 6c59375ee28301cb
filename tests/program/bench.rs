//! `perft bench`: its output, its files and its exit codes.
//!
//! The times are real but tiny, and no test depends on them, except for factors of ten or more. The statistics have
//! unit tests, which do not wait.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, report};

/// Runs two positions quickly, and expects this exit code. Returns standard output and standard error.
fn quick(folder: &Folder, code: i32, args: &[&str]) -> (String, String) {
    quick_at(folder, code, &[&["start", "kiwipete", "--depth", "4"], args].concat())
}

/// Runs the positions of the arguments quickly.
fn quick_at(folder: &Folder, code: i32, args: &[&str]) -> (String, String) {
    folder.expect(code, &[&["bench", "--runs", "3", "--quiet"], args].concat())
}

/// Runs a benchmark, and returns its JSON with every time multiplied by a factor.
fn scaled(factor: f64) -> String {
    let mut document = report(&quick(&Folder::new(), 0, &["--json"]).0);
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

#[test]
fn the_text_has_a_row_for_each_position_and_the_mean() {
    let (text, err) = quick(&Folder::new(), 0, &[]);
    assert_eq!(err, "");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("perft ") && lines[0].contains(" build, rustc "), "{text}");
    assert!(lines[1..4].iter().any(|line| line.contains("bulk counting, no table")), "{text}");
    // The columns that do not fit into the width of a text follow in a further table.
    let headers: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("position  depth  ")).collect();
    let words: Vec<&str> = headers.iter().flat_map(|header| header.split_whitespace()).collect();
    assert_eq!(words.join(" "), "median mean ± sd min max Mnps 95 % interval runs outliers");
    for name in ["start ", "kiwipete "] {
        assert_eq!(lines.iter().filter(|line| line.starts_with(name)).count(), headers.len(), "{text}");
    }
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    let mean = lines.last().unwrap();
    assert!(mean.starts_with("geometric mean: ") && mean.ends_with(" Mnps"), "{text}");
}

#[test]
fn exported_json_has_the_fields_that_hyperfine_scripts_read() {
    let bench = Folder::new();
    quick(
        &bench,
        0,
        &["--export-json", "out.json", "--export-csv", "out.csv", "--export-markdown", "out.md"],
    );
    assert_eq!(bench.names(), ["out.csv", "out.json", "out.md"]);
    let document = report(&bench.read("out.json"));
    let result = &document["results"][1];
    for key in ["mean", "stddev", "median", "min", "max"] {
        assert!(result[key].as_f64().unwrap() > 0.0, "{key}");
    }
    for key in ["user", "system"] {
        assert!(result[key].is_f64(), "{key}");
    }
    assert!(result["command_line"].as_str().unwrap().starts_with("perft --threads 1 --fen "));
    assert_eq!(result["times"].as_array().unwrap().len(), 3);
    assert_eq!(result["exit_codes"], serde_json::json!([0, 0, 0]));
    assert_eq!(result["parameters"], serde_json::json!({"position": "kiwipete", "depth": "4"}));
    assert_eq!((&result["nodes"], &result["runs"]), (&4_085_603.into(), &3.into()));
    assert!(document["environment"]["build"]["compiler"].as_str().unwrap().starts_with("rustc"));
    let csv = bench.read("out.csv");
    assert!(csv.starts_with("command,mean,stddev,median,user,system,min,max,") && csv.lines().count() == 3);
    assert!(bench.read("out.md").starts_with("| position | depth |"));
}

/// The scripts of hyperfine 1 read the fields of a result itself, and those of hyperfine 2 read `measurements` and
/// `summary`. `scripts/check-hyperfine` runs these scripts.
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
        let measured = if document["measure"] == "wall" { "time_wall_clock" } else { "time_cpu" };
        let seconds = |run: &Value| run[measured]["value"].as_f64().unwrap();
        assert_eq!(result["measurements"].as_array().unwrap().iter().map(seconds).collect::<Vec<_>>(), times);
        assert!(result["measurements"][0]["time_wall_clock"]["value"].is_f64());
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
fn plots_pages_and_tracker_files_are_written() {
    let bench = Folder::new();
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
    quick(&bench, 0, &files);
    let svg = bench.read("a.svg");
    assert_eq!((svg.matches("<circle").count(), svg.matches("<rect").count()), (6, 2), "{svg}");
    assert!(svg.contains("prefers-color-scheme:dark"), "{svg}");
    let page = bench.read("a.html");
    // The page contains one picture for screens, and one for phones.
    assert_eq!((page.matches("<svg").count(), page.matches("<circle").count()), (2, 12), "{page}");
    assert!(page.contains(" Mnps in the geometric mean of 2 positions."), "{page}");
    let github: Value = serde_json::from_str(&bench.read("a.json")).unwrap();
    assert_eq!(github[1]["name"], "kiwipete, depth 4");
    let bmf: Value = serde_json::from_str(&bench.read("b.json")).unwrap();
    assert!(bmf["start, depth 4"]["latency"]["value"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_wrong_count_has_no_speed_and_no_baseline() {
    let bench = Folder::new();
    let file = bench.write("wrong.epd", "8/8/8/8/8/8/8/k1K5 w - - ;D1 3 ;D2 4 ;id \"corner\"\n");
    let (text, said) = quick_at(&bench, 1, &[file, "start", "--depth", "2", "--save-baseline", "main"]);
    assert!(text.contains("wrong: this program counts 7 nodes in corner at depth 2, not 4"), "{text}");
    assert!(text.contains("\nstart ") && !text.contains("\ncorner "), "{text}");
    assert!(said.contains("the baseline was not saved"), "{said}");
    assert_eq!(quick(&bench, 0, &["--list-baselines"]).0, "");
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
        (&["--export-csv", "read-only.json"], "cannot write 'read-only.json'"),
        (&["--export-markdown", "."], "cannot write '.'"),
        (&["--export-json", "same", "--export-csv", "./same"], "two exports would be written to './same'"),
        (&["--max-regression", "5%"], "--max-regression needs something to compare with"),
        (&["--baseline", "nobody"], "perft bench --save-baseline nobody creates it"),
        (&["--baseline", "nobody.json"], "cannot read the baseline 'nobody.json'"),
        (&["--baseline", "read-only.json"], "not a report of perft"),
        (&["--save-baseline", "../x"], "'../x' is not a valid name for a baseline"),
        (&["strat"], "did you mean 'start'?"),
        (&["--against", "./nobody"], "cannot start './nobody'"),
        (&["--engine", "./nobody"], "cannot start './nobody'"),
        (&["--engine", ""], "the engine's command is empty"),
        (&["--reference", "magic"], "there is no contender with this name"),
        (&["--baseline", "a", "--threads", "1,2"], "need this program to count in one way only"),
        (&["--baseline", "a", "--max-regression", "5"], "give a percentage below 100%, such as 5%"),
    ] {
        let (out, err) = quick(&bench, 2, args);
        assert!(out.is_empty() && err.contains(said), "{args:?}: {err}");
    }
    let (_, said) = quick_at(&bench, 2, &["endgame", "--depth", "11"]);
    assert!(said.contains("its counts are known at depths 1, 2"), "{said}");
    assert_eq!(bench.names(), ["read-only.json"]);
}

#[test]
fn a_baseline_is_saved_and_compared_with() {
    let bench = Folder::new();
    let args = ["bench", "start", "kiwipete", "--depth", "4", "--runs", "3", "--save-baseline", "main"];
    let (_, said) = bench.expect(0, &args);
    assert!(said.contains("the result was saved as ") && said.contains("main.json"), "{said}");
    assert_eq!(quick(&bench, 0, &["--list-baselines"]).0, "main\n");
    let (text, _) = quick(&bench, 0, &["--baseline", "main"]);
    assert!(text.contains("Compared with the baseline 'main'"), "{text}");
    let one_more = ["--baseline", "main", "--json", "endgame"];
    let document = report(&quick(&bench, 0, &one_more).0);
    let warnings = document["warnings"].as_array().unwrap();
    let expected = "not compared, because the baseline does not have them: endgame";
    assert!(warnings.iter().any(|warning| warning == expected), "{warnings:?}");
    let (_, said) = quick(&bench, 2, &["--baseline", "mian"]);
    assert!(said.contains("these baselines exist: main"), "{said}");
}

#[test]
fn only_a_certain_regression_fails() {
    let bench = Folder::new();
    // The baselines are a hundred times faster and slower than now.
    let fast = bench.write("fast.json", &scaled(0.01));
    let slow = bench.write("slow.json", &scaled(100.0));
    let gate =
        |baseline: &str, code| quick(&bench, code, &["--baseline", baseline, "--max-regression", "5%"]).0;
    let verdict = |name: &str| format!("slower than the baseline '{name}' by more than 5 %\n");
    assert!(gate(fast, 3).ends_with(&format!("this program: {}", verdict("fast.json"))));
    assert!(gate(slow, 0).ends_with(&format!("this program: not {}", verdict("slow.json"))));
    quick(&bench, 0, &["--baseline", fast]);
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
    assert!(quick(&bench, 0, &["--baseline", elsewhere, "--force"]).0.contains("Compared with"));
    for (mode, said) in [
        (&["--threads", "2"][..], "threads: 1 there, 2 here"),
        (&["--hash", "1M"], "mode: plain there, hashed here"),
        (&["--no-bulk"], "leaves: bulk counting there, every leaf made here"),
        (&["--cpu-path", "portable"], "portable here"),
        (&["--sliders", "magic"], "magic here"),
    ] {
        let args: Vec<&str> = ["--baseline", here].into_iter().chain(mode.iter().copied()).collect();
        let (out, err) = quick(&bench, 2, &args);
        assert!(out.is_empty() && err.contains(said), "{mode:?}: {err}");
    }
}

#[test]
#[cfg(any(target_os = "linux", windows))]
fn a_core_that_does_not_exist_is_refused() {
    let bench = Folder::new();
    let (_, said) = quick(&bench, 2, &["--pin", "100000"]);
    assert!(said.contains("core 100000 does not exist"), "{said}");
    assert!(quick(&bench, 0, &["--pin", "0"]).0.contains("start"));
}

#[test]
fn several_ways_to_count_are_compared() {
    let bench = Folder::new();
    let (text, _) = quick(&bench, 0, &["--generators", "bitboard,magic", "--cpu-path", "portable"]);
    assert!(text.contains("\nmagic:portable: generator magic, CPU path portable, 1 thread(s)\n"), "{text}");
    assert!(text.contains("speeds to bitboard:portable"), "{text}");
}

/// Creates a fake build: this program, with its output edited by awk.
#[cfg(unix)]
fn edited(bench: &Folder, name: &str, awk: &str) -> String {
    let program = assert_cmd::cargo::cargo_bin!("perft");
    let script = format!(
        "case \"$*\" in *json*) exec '{0}' \"$@\";; esac\n'{0}' \"$@\" | awk -F, -v OFS=, '{awk} {{print}}'",
        program.display()
    );
    crate::support::write_script(&bench.path(name), &script);
    format!("./{name}")
}

#[test]
#[cfg(unix)]
fn two_builds_are_compared() {
    let bench = Folder::new();
    let same = edited(&bench, "same", "");
    let (text, err) = quick(&bench, 0, &["--against", &same, "--max-regression", "90%"]);
    assert_eq!(err, "");
    assert!(text.contains("this program") && text.contains("geometric mean of ./same: "), "{text}");
    let fast = edited(&bench, "fast", "NR > 1 {$3 /= 100; $5 /= 100}");
    let (text, _) = quick(&bench, 3, &["--against", &fast, "--max-regression", "5%", "--json"]);
    let document = report(&text);
    assert_eq!(
        (&document["contenders"][0]["gate"], &document["reference_name"]),
        (&"slower".into(), &"./fast".into())
    );
    assert_eq!(
        (&document["results"][2]["gate"], &document["results"][3]["gate"]),
        (&"slower".into(), &Value::Null)
    );
    assert_eq!(document["results"][1]["parameters"]["contender"], "./fast");
}

#[test]
#[cfg(unix)]
fn a_build_that_counts_wrong_or_fails_is_named() {
    let bench = Folder::new();
    let wrong = edited(&bench, "wrong", "NR > 1 {$2 += 1}");
    let (text, _) = quick(&bench, 1, &["--against", &wrong]);
    assert!(text.contains("./wrong counts 197282 nodes in start at depth 4, not 197281"), "{text}");
    let broken = edited(&bench, "broken", "{exit 0}");
    let (text, _) = quick(&bench, 4, &["--against", &broken]);
    assert!(text.contains("./broken does not count start"), "{text}");
    // The build fails in its seventh run: after the warm-up and two rounds over both positions. Then it is asked once
    // about the other position.
    let late =
        r#"BEGIN {print >>"runs"; close("runs"); while ((getline line <"runs") > 0) n++; if (n > 6) exit 1}"#;
    let late = edited(&bench, "late", late);
    let (text, _) = quick(&bench, 4, &["--against", &late]);
    assert_eq!(text.matches("./late does not count ").count(), 2, "{text}");
    assert_eq!(bench.read("runs").lines().count(), 8);
    let (out, said) = quick(&bench, 4, &["--against", "true"]);
    assert!(out.is_empty() && said.contains("'true' does not report its settings"), "{said}");
}
