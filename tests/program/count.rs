//! Every command except the timing and campaign ones: output, messages and exit codes.

use std::io::Read;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin_cmd;
use perft_core::CpuPath;
use perft_lab::generators::Generator;
use perft_lab::sliders::SliderMethod;
use serde_json::Value;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn run(args: &[&str]) -> Output {
    cargo_bin_cmd!("perft").args(args).output().unwrap()
}

fn run_with_input(args: &[&str], input: &str) -> Output {
    cargo_bin_cmd!("perft").args(args).write_stdin(input).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// Runs the program, expects success without messages, and returns standard output.
fn good(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!((code(&output), err(&output).as_str()), (0, ""), "{args:?}");
    out(&output)
}

/// Runs the program, expects a usage error without output, and returns the message.
fn refused(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!((code(&output), out(&output).as_str()), (2, ""), "{args:?}");
    err(&output)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&good(args)).unwrap()
}

mod count {
    use super::*;

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
    fn depth_0_is_1() {
        assert!(good(&["--depth", "0"]).starts_with("perft( 0)=            1 ("));
    }

    #[test]
    fn single_prints_the_last_depth_only() {
        let text = good(&["--fen", KIWIPETE, "--depth", "3", "--single"]);
        assert!(text.starts_with("perft( 3)=        97862 (") && text.lines().count() == 1);
    }

    #[test]
    fn every_mode_counts_the_same() {
        for mode in [
            &["--threads", "2"][..],
            &["--threads", "all", "--hash", "16"],
            &["--no-bulk"],
            &["--cpu-path", "portable", "--hash", "64K"],
        ] {
            let mut args = vec!["--fen", "kiwipete", "--depth", "4", "--single"];
            args.extend(mode);
            assert!(good(&args).contains("=      4085603 ("), "{mode:?}");
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
            err(&output).contains(
                "merged 8,902 nodes at ply 3 into 5,362 positions, then counted 3 plies below each"
            )
        );
    }

    #[test]
    fn an_exact_divide_equals_a_plain_divide() {
        let args = ["divide", "--fen", "endgame", "--depth", "5"];
        assert_eq!(good(&[&args[..], &["--exact"]].concat()), good(&args));
    }

    #[test]
    fn exact_mode_has_no_table() {
        let text = refused(&["--depth", "3", "--exact", "--hash", "1M"]);
        assert!(
            text.contains("--exact cannot be used with --hash") && text.contains("leave out --hash"),
            "{text}"
        );
        assert!(refused(&["--depth", "3", "--memory", "1M"]).contains("--exact"));
        assert!(
            refused(&["--depth", "3", "--exact", "--memory", "x"]).contains("'--memory <SIZE>': not a size")
        );
        let absurd = refused(&["--depth", "3", "--exact", "--memory", "1000000G"]);
        assert!(absurd.contains("MiB of memory are free"));
    }

    #[test]
    fn moves_are_played_first() {
        let text = good(&["--moves", "e2e4,e7e5", "--depth", "1"]);
        assert!(text.contains("=           29 ("));
    }

    #[test]
    fn json_describes_the_count_and_the_machine() {
        let report = json(&["--fen", "kiwipete", "--depth", "3", "--json", "--threads", "2", "--hash", "1M"]);
        assert_eq!(report["schema_version"], 2);
        assert_eq!(report["program"], "perft");
        assert_eq!(report["generator"], "bitboard");
        assert_eq!(report["threads"], 2);
        assert_eq!(report["table_bytes"], 1 << 20);
        assert_eq!(report["table"]["seed"], 0);
        assert_eq!(report["position"]["fen"], KIWIPETE);
        assert_eq!((&report["depth"], &report["nodes"]), (&3.into(), &97862.into()));
        let results = report["results"].as_array().unwrap();
        assert_eq!(results.len(), 3);
        assert_eq!((&results[1]["depth"], &results[1]["nodes"]), (&2.into(), &2039.into()));
        for field in ["seconds", "nodes_per_second"] {
            assert!(results[2][field].is_f64());
        }
        assert!(report["machine"]["cores"].is_u64() && report["cpu_path"].is_string());
    }

    #[test]
    fn an_exported_count_is_a_benchmark_of_one_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        let args = ["--fen", "kiwipete", "--moves", "e1g1", "--depth", "3", "--exact", "--memory", "64M"];
        let text = good(&[&args[..], &["--export-json", path.to_str().unwrap()]].concat());
        assert_eq!(text.lines().count(), 3);
        let report: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let last = &report["results"][2];
        let seconds = &last["seconds"];
        assert_eq!((&last["mean"], &last["times"][0], &last["stddev"]), (seconds, seconds, &Value::Null));
        assert_eq!(last["measurements"][0]["time_wall_clock"]["value"], *seconds);
        assert_eq!(last["name"], "kiwipete e1g1, depth 3");
        let command = last["command"].as_str().unwrap();
        let again = shell_words::split(command).unwrap();
        let again: Vec<&str> = again[1..].iter().map(String::as_str).chain(["--json"]).collect();
        assert_eq!(json(&again)["nodes"], last["nodes"], "{command}");
        assert_eq!(json(&["--depth", "2", "--json"])["results"][1].get("times"), None);
    }

    #[test]
    fn an_export_needs_one_position_and_an_existing_folder() {
        let said = refused(&["--fen", "-", "--depth", "2", "--export-json", "out.json"]);
        assert!(said.contains("this command takes one position, but --fen - reads many"), "{said}");
        let said = refused(&["--depth", "2", "--export-json", "no/such/folder/out.json"]);
        assert!(said.contains("cannot write 'no/such/folder/out.json': No such file"), "{said}");
        assert!(!said.contains(".perft-"), "{said}");
    }

    #[test]
    fn json_has_the_table_statistics() {
        let table = |args: &[&str]| {
            json(&[args, &["--depth", "6", "--json", "--hash", "1M"]].concat())["table"].clone()
        };
        for verb in [&[][..], &["divide"]] {
            let table = table(&[verb, &["--seed", "7"]].concat());
            let (probes, hits) = (table["probes"].as_u64().unwrap(), table["hits"].as_u64().unwrap());
            assert!(0 < hits && hits < probes, "{table}");
            assert!(table["fill"].as_f64().is_some_and(|fill| 0.0 < fill && fill <= 1.0), "{table}");
            assert_eq!(table["expected_false_hits"], probes as f64 * (-61f64).exp2());
            assert_eq!(table["seed"], 7);
        }
        let report =
            json(&["suite", "named", "--max-nodes", "100k", "--json", "--hash", "1M", "--seed", "7"]);
        assert_eq!(report["table"]["seed"], 7);
        assert!(report["table"]["probes"].as_u64().unwrap() > 0);
        assert_eq!(json(&["--depth", "2", "--json"]).get("table"), None);
    }

    /// In a table that is too small, the keys decide which entries are replaced. Another seed gives other hits.
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
        assert!(refused(&["--depth", "1", "--hash", "1M", "--seed", "x"]).contains("--seed"));
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
    fn verbose_prints_the_settings() {
        let output = run(&["--depth", "1", "--verbose", "--hash", "1"]);
        assert!(err(&output).contains("bulk counting, a table of 1,048,576 bytes"));
        assert_eq!(out(&output).lines().count(), 1);
    }

    #[test]
    fn every_slider_lookup_counts_the_same() {
        for &method in SliderMethod::ALL.iter().filter(|method| method.is_available()) {
            let args = ["--fen", "kiwipete", "--depth", "4", "--sliders", method.name()];
            let report = json(&[&args[..], &["--json"]].concat());
            assert_eq!((&report["nodes"], &report["sliders"]), (&4_085_603.into(), &method.name().into()));
            assert_eq!(report["cpu_path"], CpuPath::best_scalar().name());
            let said = err(&run(&[&args[..], &["--verbose"]].concat()));
            assert!(said.contains(&format!(", sliders by {method}, ")), "{said}");
        }
        let modes: [&[&str]; 4] = [&["--no-bulk"], &["--hash", "1M"], &["--exact"], &["--threads", "2"]];
        for mode in modes {
            let args = ["--depth", "5", "--single", "--cpu-path", "portable", "--sliders", "fill"];
            assert!(good(&[&args[..], mode].concat()).contains("=      4865609 ("), "{mode:?}");
        }
        let divide = ["divide", "--fen", "endgame", "--depth", "4"];
        assert_eq!(good(&[&divide[..], &["--sliders", "rays"]].concat()), good(&divide));
    }

    #[test]
    fn every_cpu_path_has_its_slider_lookup() {
        for path in CpuPath::ALL.into_iter().filter(|path| path.is_available()) {
            let report = json(&["--depth", "1", "--json", "--cpu-path", path.name()]);
            let own = match path {
                CpuPath::Bmi2 => "pext".into(),
                CpuPath::Portable => "magic".into(),
                CpuPath::Avx512 | CpuPath::Avx2 => Value::Null,
            };
            assert_eq!(report["sliders"], own, "{path}");
        }
    }

    #[test]
    fn impossible_slider_lookups_are_usage_errors() {
        let sliders = |args: &[&str]| refused(&[&["--depth", "1", "--sliders"], args].concat());
        assert!(sliders(&["rotated"]).contains("kindergarten"));
        for path in [CpuPath::Avx512, CpuPath::Avx2].into_iter().filter(|path| path.is_available()) {
            let text = sliders(&["magic", "--cpu-path", path.name()]);
            assert!(text.contains(&format!("the CPU path '{path}' looks no sliders up")), "{text}");
            assert!(text.contains("--cpu-path bmi2 or portable"), "{text}");
        }
        let text = sliders(&["pext", "--cpu-path", "portable"]);
        let reason = match SliderMethod::Pext.is_available() {
            true => "the CPU path 'portable' cannot look sliders up by 'pext'",
            false => "this machine cannot look sliders up by 'pext'",
        };
        assert!(text.contains(reason) && text.contains("--sliders magic"), "{text}");
        for generator in Generator::ALL.iter().filter(|generator| **generator != Generator::Bitboard) {
            let text = sliders(&["magic", "--generator", generator.name()]);
            let reason = format!("the generator '{generator}' has its own slider lookup");
            assert!(text.contains(&reason) && text.contains("leave out --sliders"), "{text}");
            let report = json(&["--depth", "1", "--json", "--generator", generator.name()]);
            assert_eq!(report["sliders"], Value::Null, "{generator}");
        }
    }

    #[test]
    fn verbose_prints_the_table_statistics() {
        for verb in
            [&["--depth", "4"][..], &["divide", "--depth", "4"], &["suite", "named", "--max-nodes", "100k"]]
        {
            let said = err(&run(&[verb, &["--verbose", "--hash", "1", "--seed", "7"]].concat()));
            let line = said.lines().last().unwrap();
            assert!(line.starts_with("table: seed 7, ") && line.contains(" probes, "), "{said}");
            assert!(line.ends_with(" false hits expected"), "{said}");
        }
        assert!(!err(&run(&["--depth", "4", "--verbose"])).contains("false hits"));
    }
}

mod divide {
    use super::*;

    const KING_AND_ROOK: &str = "4k3/8/8/8/8/8/7P/R3K3 w Q - 0 1";

    fn divide(format: &str) -> String {
        good(&["divide", "--fen", "8/P7/8/8/8/8/8/k1K5 w - - 0 1", "--depth", "2", "--format", format])
    }

    #[test]
    fn every_format() {
        let moves = ["a7a8b", "a7a8n", "a7a8q", "a7a8r", "c1c2", "c1d1", "c1d2"];
        let nodes = [1, 1, 0, 0, 1, 3, 3];
        let lines = |line: &dyn Fn(&str, u32) -> String| -> String {
            moves.iter().zip(nodes).map(|(played, nodes)| line(played, nodes) + "\n").collect()
        };
        let stockfish = lines(&|played, nodes| format!("{played}: {nodes}"));
        assert_eq!(divide("stockfish"), format!("{stockfish}\nNodes searched: 9\n\n"));
        let perftree = lines(&|played, nodes| format!("{played} {nodes}"));
        assert_eq!(divide("perftree"), format!("{perftree}\n9\n"));
        let qperft = lines(&|played, nodes| format!("2. {} moves = {nodes:10}", &played[..4]));
        assert!(divide("qperft").starts_with(&format!("{qperft}perft( 2)=            9 (")));
        let csv = lines(&|played, nodes| format!("{played},{nodes}"));
        assert_eq!(divide("csv"), format!("move,nodes\n{csv}"));
        assert!(divide("markdown").contains("| c1d1  |     3 |"));
        let report: Value = serde_json::from_str(&divide("json")).unwrap();
        assert_eq!(report["moves"][5], serde_json::json!({"move": "c1d1", "nodes": 3}));
        assert_eq!(report["nodes"], 9);
        let jsonl = divide("jsonl");
        assert_eq!(jsonl.lines().count(), 8);
        assert_eq!(jsonl.lines().nth(5), Some(r#"{"move":"c1d1","nodes":3}"#));
    }

    #[test]
    fn castling_notation_follows_the_position_or_the_flag() {
        let castling = |args: &[&str]| {
            let text = good(&[&["divide", "--depth", "1", "--fen"], args].concat());
            ["e1c1: 1", "e1a1: 1", "f1h1: 1"]
                .into_iter()
                .filter(|line| text.contains(line))
                .collect::<Vec<_>>()
        };
        assert_eq!(castling(&[KING_AND_ROOK]), ["e1c1: 1"]);
        assert_eq!(castling(&[KING_AND_ROOK, "--chess960"]), ["e1a1: 1"]);
        assert_eq!(castling(&["4k3/8/8/8/8/8/8/5K1R w H - 0 1"]), ["f1h1: 1"]);
    }

    #[test]
    fn depth_0_has_no_root_move() {
        assert!(refused(&["divide", "--depth", "0"]).contains("give a depth from 1"));
    }
}

mod explore {
    use super::*;

    #[test]
    fn explore_needs_a_terminal() {
        let text = refused(&["explore", "--fen", "kiwipete"]);
        assert!(text.contains("explore needs a terminal, but standard output is not one"), "{text}");
        assert!(text.contains("perft divide"), "{text}");
    }
}

mod unique {
    use super::*;

    #[test]
    fn every_ply_has_a_line() {
        let text = good(&["unique", "--depth", "4", "--threads", "2"]);
        let counts: Vec<&str> = text.lines().map(|line| line.split_once(" (").unwrap().0).collect();
        assert_eq!(
            counts,
            [
                "unique( 0)=            1 of            1 nodes",
                "unique( 1)=           20 of           20 nodes",
                "unique( 2)=          400 of          400 nodes",
                "unique( 3)=         5362 of         8902 nodes",
                "unique( 4)=        72078 of       197281 nodes",
            ]
        );
        assert_eq!(good(&["unique", "--depth", "0"]).lines().count(), 1);
    }

    #[test]
    fn every_format_has_the_same_counts() {
        let report = json(&["unique", "--fen", "kiwipete", "--depth", "2", "--json"]);
        assert_eq!((&report["mode"], &report["depth"]), (&"unique".into(), &2.into()));
        let ply = &report["results"][1];
        assert_eq!((&ply["ply"], &ply["positions"], &ply["nodes"]), (&1.into(), &48.into(), &48.into()));
        assert_eq!(report["positions"], report["results"][2]["positions"]);
        let csv = good(&["unique", "--depth", "1", "--format", "csv"]);
        assert!(csv.starts_with("ply,positions,nodes,seconds\n0,1,1,"));
        assert!(good(&["unique", "--depth", "3", "--format", "markdown"]).contains(" 5,362 |"));
    }

    #[test]
    fn a_ply_that_does_not_fit_is_reported_with_sizes() {
        let output = run(&["unique", "--depth", "6", "--memory", "1M"]);
        assert_eq!(code(&output), 2);
        assert_eq!(out(&output).lines().count(), 4);
        assert!(err(&output).contains("the positions at ply 4 do not fit into 1048576 bytes"));
        assert!(err(&output).contains("the 5,362 positions of ply 3 take"));
    }

    #[test]
    #[cfg(unix)]
    fn an_interrupt_names_the_last_ply() {
        let child = Command::new(env!("CARGO_BIN_EXE_perft"))
            .args(["unique", "--depth", "14"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(500));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert!(err(&output).contains("is the last one counted"));
    }
}

mod suite {
    use super::*;

    const KINGS: &str = "8/8/8/8/8/8/8/k1K5 w - -";

    #[test]
    fn built_in_suites_pass() {
        let text = good(&["suite", "--max-nodes", "100k"]);
        assert_eq!(text.matches("all right").count(), 3);
        assert!(text.contains("known counts skipped"));
    }

    #[test]
    fn a_wrong_expectation_is_shown_with_the_command_to_see_it() {
        let line = format!("{KINGS} ;D1 3 ;D2 9 ;id \"kings\" ;c0 \"king moves: bare kings\"\n");
        let output = run_with_input(&["suite", "-"], &line);
        assert_eq!(code(&output), 1);
        let text = out(&output);
        for part in [
            "wrong: standard input:1: kings at depth 2\n  king moves: bare kings\n",
            "expected                      9\n",
            "found                         7\n",
            "difference                   -2\n",
            "  perft divide --fen '8/8/8/8/8/8/8/k1K5 w - -' --depth 2\n",
            "1 positions, 2 counts, 1 wrong;",
        ] {
            assert!(text.contains(part), "{part:?} in {text}");
        }
        let output = run_with_input(&["suite", "-", "--json"], &line);
        let report: Value = serde_json::from_str(&out(&output)).unwrap();
        assert_eq!((code(&output), &report["passed"]), (1, &false.into()));
        assert_eq!(report["suites"][0]["failures"][0]["found"], 7);
    }

    #[test]
    fn a_file_is_read_and_limits_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.epd");
        std::fs::write(&path, format!("{KINGS} ;D1 3 ;D2 999999999 ;D3 1")).unwrap();
        let text = good(&["suite", path.to_str().unwrap(), "--max-nodes", "1k", "--max-depth", "2"]);
        assert!(
            text.contains("1 positions, 1 counts, all right") && text.contains("2 known counts left out")
        );
    }

    #[test]
    fn faults_of_a_file_name_line_and_column() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("broken.epd");
        std::fs::write(&path, format!("{KINGS} ;D1 3\n{KINGS} ;D1 x\n8/8 w - - ;D1 1\n")).unwrap();
        let text = refused(&["suite", path.to_str().unwrap()]);
        assert!(text.contains("broken.epd:2:30") && text.contains("broken.epd:3:1"), "{text}");
        assert!(
            text.contains("'x' is not a number of nodes") && text.contains("the board has 2 ranks, not 8")
        );
    }

    #[test]
    fn an_unreadable_suite_is_a_usage_error() {
        let text = refused(&["suite", "nowhere.epd"]);
        assert!(
            text.contains("cannot read the suite 'nowhere.epd'")
                && text.contains("named, standard, chess960")
        );
        assert_eq!(code(&run_with_input(&["suite", "-"], "# nothing\n")), 2);
    }
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
    }

    #[test]
    fn a_line_of_standard_input_is_named() {
        let output = run_with_input(&["--fen", "-", "--depth", "1"], "start\n8/8 w - -\n");
        assert_eq!(code(&output), 2);
        assert!(err(&output).contains("standard input:2:1"));
        assert_eq!(out(&output).lines().count(), 2);
    }

    #[test]
    fn misspelled_names_and_moves_get_suggestions() {
        assert!(refused(&["--fen", "kiwipeet", "--depth", "1"]).contains("did you mean 'kiwipete'?"));
        assert!(refused(&["--moves", "e2e5", "--depth", "1"]).contains("e2e4"));
        assert!(refused(&["--moves", "e2e4,", "--depth", "1", "--fen", "nowhere"]).contains("neither a FEN"));
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
    fn unreasonable_numbers_are_usage_errors() {
        assert!(refused(&["--depth", "1", "--hash", "1000000G"]).contains("MiB of memory are free"));
        assert!(refused(&["--depth", "1", "--hash", "x"]).contains("not a size"));
        assert!(refused(&["--depth", "1", "--hash", "0"]).contains("too small"));
        assert!(refused(&["--depth", "1", "--threads", "100000"]).contains("from 1 to 1024"));
        assert!(refused(&["--depth", "1", "--threads", "0"]).contains("from 1 to 1024"));
        assert!(
            refused(&["--depth", "1", "--threads", "-3"]).contains("give a number of threads from 1 to 1024")
        );
        assert!(refused(&["--depth", "256"]).contains("from 0 to 255"));
        assert!(refused(&["--depth", "-1"]).contains("from 0 to 255"));
    }

    #[test]
    fn arguments_of_the_count_before_a_command() {
        assert!(refused(&["--depth", "3", "divide", "--depth", "3"]).contains("after the command"));
        assert!(good(&["--quiet", "divide", "--depth", "1"]).contains("Nodes searched: 20"));
    }
}

mod conventions {
    use super::*;

    #[test]
    fn help_begins_with_examples() {
        for args in [&["--help"][..], &["divide", "--help"], &["unique", "--help"], &["suite", "--help"]] {
            let text = good(args);
            let (examples, usage) = (text.find("Examples:").unwrap(), text.find("Usage:").unwrap());
            assert!(examples < usage, "{args:?}");
        }
    }

    #[test]
    fn built_in_positions_and_suites_are_listed_and_shown() {
        assert!(good(&["positions"]).contains("kiwipete     known to depth  9"));
        assert!(good(&["positions", "kiwipete"]).contains("193,690,690"));
        assert!(good(&["positions", "standard"]).contains(";D1 "));
        assert!(good(&["positions", "invalid"]).contains("is not a piece"));
        assert!(refused(&["positions", "nowhere"]).contains("nowhere"));
    }

    #[test]
    fn completions_and_the_manual_page_are_printed() {
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            assert!(good(&["completions", shell]).contains("cpu-path"), "{shell}");
        }
        assert!(good(&["man"]).starts_with(".ie"));
    }

    #[test]
    fn a_closed_pipe_is_success() {
        let mut child = Command::new(env!("CARGO_BIN_EXE_perft"))
            .args(["positions", "standard"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said, "");
    }

    #[test]
    #[cfg(unix)]
    fn an_interrupt_ends_the_count_and_names_the_last_depth() {
        let child = Command::new(env!("CARGO_BIN_EXE_perft"))
            .args(["--depth", "14"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(500));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert!(err(&output).contains("interrupted: depth "));
        assert!(out(&output).starts_with("perft( 1)=           20 ("));
    }

    #[test]
    fn colors_follow_the_flag_and_the_terminal() {
        assert!(!good(&["suite", "named", "--max-nodes", "100"]).contains('\u{1b}'));
        assert!(good(&["suite", "named", "--max-nodes", "100", "--color", "always"]).contains('\u{1b}'));
        let mut quiet = cargo_bin_cmd!("perft");
        let output = quiet.env("NO_COLOR", "1").args(["--depth", "1", "--fen", "8/8"]).output().unwrap();
        assert!(!err(&output).contains('\u{1b}'));
    }

    #[test]
    fn an_endless_depth_is_warned_of_and_started() {
        let mut child = Command::new(env!("CARGO_BIN_EXE_perft"))
            .args(["--depth", "30"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(500));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(err(&output).contains("warning: depth 30 has about"));
        assert!(out(&output).contains("perft( 1)=           20 ("));
    }
}

mod uci {
    use super::*;

    fn session(input: &str) -> String {
        let output = run_with_input(&["uci"], input);
        assert_eq!((code(&output), err(&output).as_str()), (0, ""));
        out(&output)
    }

    #[test]
    fn questions_before_the_end_of_input_are_answered() {
        assert!(session("go perft 3").ends_with("\n\nNodes searched: 8902\n\n"));
        assert_eq!(session("position startpos\ngo perft 0\n"), "\nNodes searched: 1\n\n");
        assert_eq!(session(""), "");
    }

    #[test]
    fn threads_and_a_table_can_be_set() {
        let set = "setoption name threads value 2\nsetoption name Hash value 4\n";
        let said = session(&format!("{set}position fen {KIWIPETE}\ngo perft 5\n"));
        assert!(said.ends_with("Nodes searched: 193690690\n\n"), "{said}");
    }

    #[test]
    fn errors_are_reported_and_nothing_is_counted() {
        let wrong = [
            "setoption name Threads value many",
            "setoption name Threads value 0",
            "setoption name Style value wild",
            "setoption name UCI_Chess960 value perhaps",
            "position fen nonsense",
            "position startpos moves e2e5",
            "go perft 1",
        ];
        let said = session(&format!("{}\nposition startpos\ngo perft 1\n", wrong.join("\n")));
        let complaints = said.lines().take_while(|line| line.starts_with("info string ")).count();
        assert_eq!(complaints, wrong.len(), "{said}");
        assert!(said.ends_with("Nodes searched: 20\n\n"), "{said}");
    }
}

mod stats {
    use super::*;

    #[test]
    fn stats_has_a_row_per_kind_and_a_column_per_depth() {
        let text = good(&["stats", "--fen", "kiwipete", "--depth", "3"]);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        for row in [
            &["depth", "1", "2", "3"][..],
            &["nodes", "48", "2039", "97862"],
            &["direct", "and", "discovered", "0", "0", "0"],
            &["checkmates", "0", "0", "1"],
        ] {
            assert!(rows.iter().any(|found| found == row), "no {row:?} in\n{text}");
        }
    }

    #[test]
    fn every_format_has_the_same_numbers() {
        let with = |format| good(&["stats", "--depth", "4", "--single", "--format", format]);
        assert!(with("csv").lines().nth(1).unwrap().starts_with("4,197281,1576,0,0,0,469,469,0,0,0,8,0,"));
        assert!(with("markdown").contains("| 4     | 197,281 |    1,576 |"), "{}", with("markdown"));
        let report = json(&["stats", "--depth", "4", "--json", "--threads", "2", "--hash", "1M"]);
        assert_eq!((&report["mode"], &report["threads"]), (&"statistics".into(), &2.into()));
        assert!(report["table_bytes"].as_u64().is_some_and(|bytes| 0 < bytes && bytes <= 1 << 20));
        let last = &report["results"][3];
        assert_eq!(
            (&last["nodes"], &last["checks"], &last["checkmates"]),
            (&197_281.into(), &469.into(), &8.into())
        );
        assert_eq!(with("jsonl").lines().count(), 1);
    }

    #[test]
    fn a_position_is_its_own_leaf() {
        let text = good(&["stats", "--depth", "0"]);
        assert!(text.lines().any(|line| line.split_whitespace().eq(["nodes", "1"])), "{text}");
    }
}

#[cfg(unix)]
mod engine {
    use super::*;

    const FAKE: &str = concat!("sh ", env!("CARGO_MANIFEST_DIR"), "/tests/engines/fake.sh ");

    fn suite(arguments: &[&str]) -> Output {
        run(&[&["suite", "named", "--max-nodes", "10k", "--engine"], arguments].concat())
    }

    /// Our own program, as an engine.
    fn ourselves() -> String {
        format!("{} uci", env!("CARGO_BIN_EXE_perft"))
    }

    #[test]
    fn a_correct_engine_passes_on_several_processes() {
        let output = suite(&[&ourselves(), "--threads", "3"]);
        assert_eq!((code(&output), err(&output).as_str()), (0, ""));
        assert!(out(&output).starts_with("named: 7 positions, 18 counts, all right;"), "{}", out(&output));
        let report: Value = serde_json::from_slice(&suite(&[&ourselves(), "--json"]).stdout).unwrap();
        assert_eq!((&report["generator"], &report["passed"]), (&"foreign".into(), &true.into()));
        assert!(report["engine"]["name"].as_str().is_some_and(|name| name.starts_with("perft ")));
    }

    #[test]
    fn a_wrong_count_is_shown_and_deeper_counts_are_skipped() {
        let output = suite(&["sh -c 'echo 20' script", "--dialect", "perftree"]);
        let text = out(&output);
        assert_eq!((code(&output), err(&output).as_str()), (1, ""));
        assert!(text.contains("wrong: named:6: kiwipete at depth 1\n"), "{text}");
        assert!(text.contains("  promotion: 3 of 3 positions fail\n"), "{text}");
        assert!(text.contains(" deeper counts of failed positions skipped\n"), "{text}");
        assert!(!text.contains("kiwipete at depth 2"), "{text}");
    }

    #[test]
    fn an_engine_that_fails_gives_exit_code_4_and_the_run_goes_on() {
        let output = suite(&[&format!("{FAKE} dies")]);
        let text = out(&output);
        assert_eq!((code(&output), text.matches("unanswered: named:").count()), (4, 7), "{text}");
        assert!(text.contains("(exit status: 3): assertion failed: no king\n"), "{text}");
        let report: Value =
            serde_json::from_slice(&suite(&[&format!("{FAKE} dies"), "--json"]).stdout).unwrap();
        assert_eq!(
            (&report["passed"], &report["suites"][0]["unanswered"][6]["depth"]),
            (&false.into(), &1.into())
        );
    }

    #[test]
    fn an_engine_that_does_not_start_is_reported_once() {
        let output = suite(&["/nowhere/engine"]);
        assert_eq!((code(&output), out(&output).as_str()), (2, ""));
        assert_eq!(err(&output).matches("cannot start '/nowhere/engine'").count(), 1, "{}", err(&output));
        let output = suite(&[&format!("{FAKE} refuses")]);
        assert_eq!((code(&output), out(&output).as_str()), (4, ""));
        assert!(err(&output).contains("no licence"), "{}", err(&output));
        assert_eq!(code(&suite(&["'unclosed"])), 2);
    }

    #[test]
    fn junit_has_one_test_case_per_position() {
        let good = out(&suite(&[&ourselves(), "--format", "junit"]));
        assert!(good.contains("<testsuite name=\"named\" tests=\"7\""), "{good}");
        let bad = out(&suite(&["sh -c 'echo 20' script", "--dialect", "perftree", "--format", "junit"]));
        assert!(bad.contains("<failure message=\"depth 1: 20 instead of 48\"/>"), "{bad}");
    }

    #[test]
    fn the_conversation_can_be_logged() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        assert_eq!(code(&suite(&[&ourselves(), "--engine-log", log.to_str().unwrap()])), 0);
        let text = std::fs::read_to_string(log).unwrap();
        assert!(text.contains("> go perft 1\n") && text.contains("< Nodes searched: 20\n"), "{text}");
    }

    #[test]
    fn flags_of_our_own_generator_are_refused_with_an_engine() {
        for flag in [&["--hash", "1M"][..], &["--no-bulk"], &["--cpu-path", "portable"]] {
            let said = refused(&[&["suite", "--engine", "true"], flag].concat());
            assert!(said.contains(flag[0]), "{said}");
        }
        assert!(refused(&["suite", "--dialect", "qperft"]).contains("--engine"));
    }
}

mod generators {
    use super::*;

    #[test]
    fn generators_are_listed_with_their_design() {
        let text = good(&["generators"]);
        assert!(text.starts_with("bitboard\n  ours: "), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 90), "{text}");
        let report = json(&["generators", "bitboard", "--json"]);
        assert_eq!(report["generators"][0]["name"], "bitboard");
        assert!(refused(&["generators", "chess"]).contains("the generators are: bitboard"));
    }

    #[test]
    fn all_generators_agree_on_random_positions() {
        let text = good(&["agree", "--positions", "2k", "--threads", "2"]);
        assert!(text.contains(" generators agree on ") && text.contains(" positions of "), "{text}");
        let report = json(&["agree", "--positions", "1k", "--seed", "5", "--json"]);
        assert_eq!((&report["mode"], &report["seed"]), (&"agree".into(), &5.into()));
        assert!(report["positions"].as_u64().unwrap() >= 1000 && report["disagreement"].is_null());
    }
}
