//! The plain count, and the messages about bad input.

use serde_json::Value;

use crate::support::{Folder, KIWIPETE, code, err, good, json, out, refused, report, run, run_with_input};

#[test]
fn every_depth_has_a_line_and_the_last_has_the_rate() {
    let text = good(&["--depth", "4"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("perft( 1)=           20 ( 0.000 sec)"));
    assert!(lines[2].starts_with("perft( 3)=         8902 ("));
    assert!(lines[3].starts_with("perft( 4)=       197281 (") && lines[3].ends_with(" Mnps"));
    assert!(!lines[2].contains("Mnps"));
}

#[test]
fn every_mode_counts_the_same() {
    assert!(good(&["--depth", "0"]).starts_with("perft( 0)=            1 ("));
    for mode in [
        &["--threads", "2"][..],
        &["--threads", "all", "--hash", "16"],
        &["--no-bulk"],
        &["--cpu-path", "portable", "--hash", "64K"],
    ] {
        let mut args = vec!["--fen", "kiwipete", "--depth", "4", "--single"];
        args.extend(mode);
        let text = good(&args);
        assert!(text.starts_with("perft( 4)=      4085603 (") && text.lines().count() == 1, "{mode:?}");
    }
}

#[test]
fn exact_mode_counts_the_same_and_explains_how() {
    let args = ["--fen", "kiwipete", "--depth", "5", "--exact", "--threads", "2", "--memory", "64M"];
    assert!(good(&args).contains("perft( 5)=    193690690 ("));
    let report = json(&[&args[..], &["--json"]].concat());
    assert_eq!((&report["mode"], &report["memory_bytes"]), (&"exact".into(), &(64 << 20).into()));
    let exact = &report["results"][4]["exact"];
    assert_eq!((&exact["split_ply"], &exact["checked_ply"]), (&2.into(), &2.into()));
    assert_eq!(exact["plies"][1], serde_json::json!({"ply": 1, "positions": 48, "nodes": 48}));
    assert_eq!(json(&["--depth", "1", "--json"])["mode"], "plain");
    assert!(json(&["--depth", "1", "--json"])["results"][0].get("exact").is_none());

    let output = run(&["--depth", "6", "--exact", "--single", "--verbose"]);
    assert!(out(&output).starts_with("perft( 6)=    119060324 ("));
    assert!(
        err(&output)
            .contains("merged 8,902 nodes at ply 3 into 5,362 positions, then counted 3 plies below each")
    );
}

#[test]
fn moves_are_played_first() {
    for moves in ["e2e4,e7e5", "e2e4 e7e5", " e2e4,  e7e5 ,"] {
        let text = good(&["--moves", moves, "--depth", "1"]);
        assert!(text.contains("=           29 ("), "{moves}");
    }
    assert!(good(&["--moves", "", "--depth", "1"]).contains("=           20 ("));
}

#[test]
fn an_exported_count_is_a_benchmark_of_one_run() {
    let folder = Folder::new();
    let line = "--fen kiwipete --moves e1g1 --depth 3 --exact --memory 64M --export-json out.json";
    assert_eq!(folder.line(0, line).0.lines().count(), 3);
    let report = report(&folder.read("out.json"));
    let last = &report["results"][2];
    let seconds = &last["seconds"];
    assert_eq!((&last["mean"], &last["times"][0], &last["stddev"]), (seconds, seconds, &Value::Null));
    assert_eq!(last["measurements"][0]["time_wall_clock"]["value"], *seconds);
    assert_eq!(last["name"], "kiwipete moves e1g1, depth 3");
    assert_eq!(last["command"], last["name"]);
    let command = last["command_line"].as_str().unwrap();
    let (_, line) = command.split_once(' ').unwrap();
    let again = self::report(&folder.line(0, &format!("{line} --json")).0);
    assert_eq!(again["nodes"], last["nodes"], "{command}");
    assert_eq!(json(&["--depth", "2", "--json"])["results"][1].get("times"), None);
}

#[test]
fn json_has_the_table_statistics() {
    let table =
        |args: &[&str]| json(&[args, &["--depth", "6", "--json", "--hash", "1M"]].concat())["table"].clone();
    for verb in [&[][..], &["divide"]] {
        let table = table(&[verb, &["--seed", "7"]].concat());
        let (probes, hits) = (table["probes"].as_u64().unwrap(), table["hits"].as_u64().unwrap());
        assert!(0 < hits && hits < probes, "{table}");
        assert!(table["fill"].as_f64().is_some_and(|fill| 0.0 < fill && fill <= 1.0), "{table}");
        let false_hits = table["expected_false_hits"].as_f64().unwrap() * 61f64.exp2();
        assert!((false_hits - probes as f64).abs() < 0.001, "{table}");
        assert_eq!(table["seed"], 7);
    }
    let report = json(&["suite", "named", "--max-nodes", "100k", "--json", "--hash", "1M", "--seed", "7"]);
    assert_eq!(report["table"]["seed"], 7);
    assert!(report["table"]["probes"].as_u64().unwrap() > 0);
    assert_eq!(json(&["--depth", "2", "--json"]).get("table"), None);
}

/// In a table that is too small, the keys decide which entries are replaced. So another seed gives another number of
/// hits.
#[test]
fn another_seed_gives_other_keys_and_the_same_count() {
    let run = |seed| json(&["--depth", "6", "--json", "--hash", "4K", "--seed", seed]);
    let (one, two, again) = (run("1"), run("2"), run("1"));
    assert_eq!((&one["nodes"], &two["nodes"]), (&119_060_324.into(), &119_060_324.into()));
    assert_ne!(one["table"]["hits"], two["table"]["hits"]);
    assert_eq!(one["table"], again["table"]);
    assert_eq!(json(&["--depth", "6", "--json", "--hash", "4K"])["table"], run("0")["table"]);
}

#[test]
fn a_seed_without_a_table_is_a_warning() {
    let output = run(&["--depth", "1", "--seed", "7"]);
    assert_eq!(code(&output), 0);
    assert!(err(&output).contains("warning: --seed has no effect without --hash"));
    assert_eq!(err(&run(&["--depth", "1", "--seed", "7", "--quiet"])), "");
}

#[test]
fn csv_and_markdown_are_printed() {
    let csv = good(&["--depth", "2", "--format", "csv"]);
    assert!(csv.starts_with("depth,nodes,seconds,nodes_per_second,processor_seconds\n1,20,"));
    let markdown = good(&["--depth", "3", "--format", "markdown"]);
    assert!(markdown.starts_with("| depth | nodes |") && markdown.contains(" 8,902 |"));
}

#[test]
fn positions_are_read_from_standard_input() {
    let input = "\u{feff}start\r\n\n# a comment\n8/8/8/8/8/8/8/k1K5 w - - 0 1 ;D1 3\n";
    let output = run_with_input(&["--fen", "-", "--depth", "1"], input);
    let text = out(&output);
    assert_eq!(code(&output), 0);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(lines[2], "8/8/8/8/8/8/8/k1K5 w - - 0 1");
    let output = run_with_input(&["--fen", "-", "--depth", "1", "--json"], input);
    let nodes: Vec<Value> = out(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["nodes"].clone())
        .collect();
    assert_eq!(nodes, [20, 3]);
}

#[test]
fn a_line_of_an_epd_file_is_a_position_too() {
    let line = "8/8/8/8/8/8/8/k1K5 w - - 0 1 ;D1 3 ;D2 7";
    assert!(good(&[line, "2", "--single"]).starts_with("perft( 2)=            7 "));
}

#[test]
fn a_fault_on_standard_input_has_its_line() {
    for (line, fault) in [
        ("nonsense", "'nonsense' is neither"),
        ("start moves e2e5", "'e2e5' is not a legal"),
        ("8/8 w - -", ""),
    ] {
        let output = run_with_input(&["-", "1"], &format!("start\n\n{line}\n"));
        let said = err(&output);
        assert_eq!((code(&output), out(&output).lines().count()), (2, 2), "{said}");
        let place = if fault.is_empty() { "standard input:3:1" } else { "error: standard input, line 3: " };
        assert!(said.contains(&format!("{place}{fault}")), "{said}");
    }
}

#[test]
fn each_of_several_reports_says_which_position_it_belongs_to() {
    let kings = "8/8/8/8/8/8/8/k1K5 w - - 0 1";
    for command in [&[][..], &["stats"], &["unique"], &["divide"], &["divide", "--stats"]] {
        let printed = |format: &str| {
            let args = [command, &["-", "1", "--format", format]].concat();
            out(&run_with_input(&args, &format!("start\n{kings}\n")))
        };
        let csv = printed("csv");
        assert!(csv.lines().all(|line| line.contains(" w ") || line.starts_with("fen,")), "{csv}");
        assert_eq!(csv.matches("fen,").count(), 1, "{csv}");
        let markdown = printed("markdown");
        assert!(markdown.contains(&format!("\n\n{kings}\n\n| ")), "{markdown}");
        assert!(printed("json").lines().all(|line| line.starts_with('{')), "{command:?}");
    }
    let estimates = out(&run_with_input(&["estimate", "-", "1"], "start\nkiwipete\n"));
    assert_eq!(estimates.lines().nth(2), Some(KIWIPETE), "{estimates}");
}

#[test]
fn verbose_prints_the_table_statistics() {
    for verb in
        [&["--depth", "4"][..], &["divide", "--depth", "4"], &["suite", "named", "--max-nodes", "100k"]]
    {
        let said = err(&run(&[verb, &["--verbose", "--hash", "1", "--seed", "7"]].concat()));
        assert!(said.contains("bulk counting, a table of 1,048,576 bytes") || verb[0] == "suite", "{said}");
        let line = said.lines().last().unwrap();
        assert!(line.starts_with("table: seed 7, ") && line.contains(" probes, "), "{said}");
        assert!(line.ends_with(" false hits expected"), "{said}");
    }
    assert!(!err(&run(&["--depth", "4", "--verbose"])).contains("false hits"));
}

mod bad_input {
    use super::*;

    #[test]
    fn every_fault_of_a_fen_has_a_caret() {
        let text =
            refused(&["--depth", "1", "--fen", "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPP/RNBQKBNR w KQkq e9 0 1"]);
        for part in [
            "1 | rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPP/RNBQKBNR w KQkq e9 0 1\n",
            "  |              ^            ^^^^^^^                 ^^",
            "'x' is not a piece",
            "rank 2 has 7 squares, not 8",
            "'e9' is not an en passant square",
            "use PNBRQK for white pieces",
        ] {
            assert!(text.contains(part), "{part:?} in {text}");
        }
        let twice = refused(&["x7/7/x7/8/8/8/8/8 w - -", "2"]);
        assert_eq!(twice.matches("use PNBRQK").count(), 1, "an advice is given once: {twice}");
    }

    #[test]
    fn ignored_fields_of_a_fen_are_warned_of() {
        let output = run(&["--fen", "4k3/8/8/8/8/8/8/4K3 w KQ e3 0 1", "--depth", "1"]);
        assert_eq!(code(&output), 0);
        assert_eq!(err(&output).matches("warning: ").count(), 3);
        assert!(err(&output).contains("the en passant square e3 is ignored"));
        assert_eq!(err(&run(&["-q", "--fen", "4k3/8/8/8/8/8/8/4K3 w KQ e3 0 1", "--depth", "1"])), "");
    }

    #[test]
    fn a_general_option_may_stand_before_a_command() {
        assert!(good(&["--quiet", "divide", "--depth", "1"]).contains("Nodes searched: 20"));
    }
}
