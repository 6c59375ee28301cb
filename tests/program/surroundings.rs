//! Files that people have, programs that misbehave, and the limits and signals of the system.

use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::endings::signals_of;
use super::support::{
    Folder, START, code, err, interrupt, interruptible, out, program, run, run_with_input, text_of, unfolded,
    until,
};

/// Runs a line of a shell in a folder. `$P` is the program.
fn shell(folder: &Folder, line: &str) -> (i32, String) {
    let mut command = Command::new("bash");
    command.args(["-c", line]).env("P", program()).current_dir(folder.path("")).stdin(Stdio::null());
    let output = command.output().unwrap();
    (output.status.code().unwrap_or(-1), out(&output) + &err(&output))
}

#[test]
fn a_text_may_come_through_a_pipe() {
    let folder = Folder::new();
    for line in [
        "$P divide 2 --against <(echo 'Nodes searched: 400')",
        "echo 'Nodes searched: 400' | $P divide 2 --against /dev/stdin",
        "mkfifo pipe; (echo 'Nodes searched: 400' >pipe &); $P divide 2 --against pipe",
    ] {
        let (code, said) = shell(&folder, line);
        assert!(code == 0 && said.contains("the totals agree: 400"), "{line}: {said}");
    }
    let (code, said) = shell(&folder, "$P diagnose <(echo 'Nodes searched: 401') --depth 2");
    assert!(code == 1 && said.contains("1 too many, right is 400"), "{said}");
}

#[test]
fn an_answer_is_read_behind_a_long_text() {
    let debug = "debug: 1 2 3 of the table is full\n".repeat(60_000);
    let output = run_with_input(&["divide", "2", "--against", "-"], &(debug + "Nodes searched: 400\n"));
    assert!(code(&output) == 0 && out(&output).contains("the totals agree: 400"), "{}", err(&output));
    let output = run_with_input(&["suite", "-"], &"debug: no position\n".repeat(100_000));
    assert!(code(&output) == 2 && err(&output).contains("there is no FEN"), "{}", err(&output));
}

/// Time that grows with the square of the length would be 16 times as long. The speed of a machine changes.
#[test]
fn long_texts_with_many_moves_take_little_time() {
    let folder = Folder::new();
    let square = |n: usize| format!("{}{}", char::from(b'a' + (n % 8) as u8), n / 8 % 8 + 1);
    let row = |n: usize| format!("{}{}: 24 {}", square(n), square(n / 7), "x".repeat(90));
    let wide = |length: usize| {
        (0..length).map(row).collect::<Vec<_>>().chunks(50).map(|line| line.join(" ") + "\n").collect()
    };
    let high = |length: usize| (0..10 * length).map(|n| format!("a2a{}: {n}\n", n % 9)).collect();
    let seconds = |text: String| {
        folder.write("long.txt", &text);
        let (code, said) = shell(&folder, "TIMEFORMAT=%U; time $P divide 2 --against long.txt");
        assert!(code == 1 || code == 2, "{code}: {said}");
        said.lines().last().unwrap().parse::<f64>().unwrap()
    };
    for text in [&wide as &dyn Fn(usize) -> String, &high] {
        let is_linear = || seconds(text(2_000)) < 9.0 * seconds(text(500));
        assert!((0..3).any(|_| is_linear()), "{} s", seconds(text(2_000)));
    }
}

#[test]
fn no_number_of_a_suite_is_left_out_without_a_word() {
    let odd = [";Dx 401", ";D4294967298 401", ";D1 20 401", ";D1 20 ; 401", ";D1 2O"];
    let negative = [",20,-400", " | 1: 20 | 2: -400", " ;D1 \u{2212}20", ", 20, 400, \u{2212}8902"];
    for counts in odd.into_iter().chain(negative) {
        let output = run_with_input(&["suite", "-"], &format!("{START} {counts}\n"));
        assert_eq!(code(&output), 2, "{counts}: {}{}", out(&output), err(&output));
    }
}

/// The engine answers three questions and then has a counter of 32 bits with a sign.
#[test]
fn a_negative_total_is_wrong() {
    let folder = Folder::new();
    let script = "n=0; while read -r a b c d; do case $a in uci) echo uciok;; isready) echo readyok;; \
        go) n=$((n + 1)); case $c in 1) x=20;; 2) x=400;; *) x=-8902;; esac; echo \"Nodes searched: $x\";; esac; done";
    folder.write("engine.sh", script);
    let profile = r#"{ total = "node searched", end = "ready" }"#;
    let entry = format!("[engine.mine]\ncommand = 'sh engine.sh'\ndialect = 'uci'\nprofile = {profile}\n");
    folder.write("perft.toml", &entry);
    folder.write("my.epd", &format!("{START} ;D3 8902\n"));
    folder.line(0, "campaign plan 4 --split 1 --unit-positions 50 -o campaign");
    folder.line(0, "campaign work campaign");
    let own = format!("'{}' uci", text_of(&program()));
    for (arguments, said) in [
        (&["suite", "my.epd", "--engine", "mine"][..], "-8,902"),
        (&["bench", "mine", "start", "3", "--runs", "2"], "counts -8902 nodes"),
        (&["divide", "3", "--against", "mine"], "differ"),
        (&["campaign", "verify", "campaign", "--engine", "mine"], "counts -8902 nodes"),
        (&["hunt", "mine", "my.epd", "--reference", &own], "they differ"),
    ] {
        let (out, err) = folder.expect(1, arguments);
        assert!(unfolded(&(out.clone() + &err)).contains(said), "{arguments:?}: {out}{err}");
    }
    let (_, said) = folder.expect(4, &["divide", "2", "--against", "mine", "--total", "nothing (\\d+)"]);
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn a_log_that_cannot_be_written_is_an_error() {
    let own = format!("'{}' uci", text_of(&program()));
    let output = run(&["divide", "1", "--against", &own, "--engine-log", "/dev/full"]);
    assert!(code(&output) == 2 && err(&output).contains("is not complete"), "{}", err(&output));
}

#[test]
fn arguments_that_are_not_utf_8_are_shown() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    for arguments in
        [&[&b"divide"[..], b"a\xff"][..], &[b"--help", b"\xff"], &[b"suite", b"--engine-log", b"\xfe"]]
    {
        let mut command = Command::new(program());
        let output = command.args(arguments.iter().map(|word| OsStr::from_bytes(word))).output().unwrap();
        assert!(code(&output) == 2 && err(&output).contains("\\xf"), "{arguments:?}: {}", err(&output));
    }
}

#[test]
fn too_little_memory_is_said_at_the_start() {
    let folder = Folder::new();
    for (line, said) in [
        ("ulimit -v 40000; $P 5", "1 thread needs 64 MiB"),
        ("ulimit -v 200000; $P estimate 8 -t 4", "4 threads need 512 MiB"),
    ] {
        let (code, text) = shell(&folder, line);
        // A program that the system cannot even load ends with 127.
        assert!(code == 127 || code == 2 && unfolded(&text).contains(said), "{line}: {code} {text}");
    }
    let (code, said) = shell(&folder, "ulimit -v 700000; $P estimate 8 -t 4 --walks 1000");
    assert_eq!(code, 0, "{said}");
}

#[test]
fn quiet_is_quiet_and_no_walks_are_none() {
    let folder = Folder::new();
    folder.write("my.epd", &format!("{START} ;D1 20\n8/8/8/8/8/8/8/k1K5 w - -\n"));
    assert!(folder.expect(0, &["suite", "my.epd"]).1.contains("note: "));
    assert_eq!(folder.expect(0, &["suite", "my.epd", "-q"]).1, "");
    folder.expect(2, &["estimate", "8", "--walks", "0"]);
}

#[test]
fn a_campaign_may_have_the_name_of_a_program() {
    let folder = Folder::new();
    folder.line(0, "campaign plan 3 --split 1 -o test");
    folder.line(0, "campaign work test");
    assert!(folder.line(0, "campaign verify test").0.contains("all agree"));
}

#[test]
fn ignored_signals_stay_ignored_and_others_end_with_130() {
    let started = |line: &str| {
        let mut command = Command::new("sh");
        interruptible(&mut command)
            .args(["-c", line, text_of(&program())])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let child = command.process_group(0).spawn().unwrap();
        // On a busy machine, the program starts late. The shell handles neither SIGINT nor SIGQUIT.
        let id = child.id().to_string();
        let handled = || ["SigCgt:", "SigIgn:", "SigBlk:"].into_iter().map(|set| signals_of(&id, set));
        until(20, || handled().fold(0, |all, one| all | one) & 0b110 == 0b110);
        std::thread::sleep(Duration::from_millis(700));
        child
    };
    let mut ignoring = started("trap '' INT TERM; exec \"$0\" 9");
    interrupt(&ignoring);
    std::thread::sleep(Duration::from_millis(1500));
    assert!(ignoring.try_wait().unwrap().is_none());
    ignoring.kill().unwrap();
    assert_eq!(ignoring.wait().unwrap().signal(), Some(9));
    let mut session = started("exec \"$0\" uci");
    // Waiting closes the input, which would end the session with 0.
    let _input = session.stdin.take();
    interrupt(&session);
    assert_eq!(session.wait().unwrap().code(), Some(130));
    let mut quit = started("exec \"$0\" 9");
    assert!(Command::new("kill").args(["-QUIT", &quit.id().to_string()]).status().unwrap().success());
    assert_eq!(quit.wait().unwrap().code(), Some(130));
}

/// A terminal can say any size. A picture of it would need all memory.
#[test]
fn a_terminal_that_is_larger_than_any_screen_is_refused() {
    let folder = Folder::new();
    let line = "script --quiet --return --command \"stty rows 65535 cols 65535; '$P' explore\" /dev/null >said; \
        code=$?; cat said; exit $code";
    let (code, said) = shell(&folder, line);
    assert!(code == 2 && said.contains("65535 x 65535 characters"), "{code}: {said}");
    assert!(fs::exists(folder.path("said")).unwrap());
}
