//! The end of the program: signals, clients and terminals that go away, and the engines that it has started.

use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use super::campaign::planned;
use super::support::{
    ended_within, interruptible, is_alive, read_until, spawn, text_of, until, write_script,
};

const PERFT: &str = env!("CARGO_BIN_EXE_perft");
const HANG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/hang.sh");

/// The longest time in seconds from a signal to the end of the program, with some extra time for a busy machine.
const SOON: u64 = 20;

/// Sends a signal to a process, and returns whether the process exists.
pub fn send(signal: &str, process: &str) -> bool {
    Command::new("kill").args([signal, process]).stderr(Stdio::null()).status().unwrap().success()
}

fn said(program: &mut Child) -> String {
    let mut text = String::new();
    program.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn two_interrupts_say_what_is_done() {
    let mut program = spawn(&["--depth", "14"]);
    let id = program.id().to_string();
    until(20, || catches_signals(&id));
    assert!(send("-INT", &id) && send("-INT", &id));
    assert_eq!(ended_within(&mut program, SOON).code(), Some(130));
    let text = said(&mut program);
    assert!(text.contains("interrupted: depth ") && text.contains(" is unfinished"), "{text}");
}

/// Notes, warnings and errors that cannot be written are left unsaid. The results are not lost.
#[test]
#[cfg(target_os = "linux")]
fn messages_that_cannot_be_written_do_not_end_the_program() {
    let folder = tempfile::tempdir().unwrap();
    for (args, expected) in [
        (&["3", "--verbose", "--exact"][..], 0),
        (&["bench", "start", "2", "--runs", "2", "--export-json", "b.json"], 0),
        (&["suite", "start", "--max-nodes", "1k"], 0),
        (&["nowhere", "3"], 2),
        (&["divide", "8/8 x - -", "3"], 2),
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(crate::support::program());
        let output = command.args(args).current_dir(folder.path()).stderr(full).output().unwrap();
        assert_eq!(output.status.code(), Some(expected), "{args:?}");
    }
    assert!(folder.path().join("b.json").exists());
}

/// The program waits for input, and does not check the stop signal there.
#[test]
fn a_signal_ends_a_program_that_waits() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let cases: [&[&str]; 3] = [&["suite", "-"], &["suite", text_of(&pipe)], &["--depth", "3", "--fen", "-"]];
    let mut programs = cases.map(spawn);
    for program in &programs {
        let id = program.id().to_string();
        until(20, || catches_signals(&id));
        assert!(send("-TERM", &id));
    }
    for (program, args) in programs.iter_mut().zip(cases) {
        assert_eq!(ended_within(program, SOON).code(), Some(130), "{args:?}");
    }
}

/// Whether the program has installed its handler for SIGINT and SIGTERM.
fn catches_signals(process: &str) -> bool {
    let both = 1 << 1 | 1 << 14;
    signals_of(process, "SigCgt:") & both == both
}

/// Returns a set of signals that the system shows for a process.
pub fn signals_of(process: &str, set: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let signals = status.lines().find_map(|line| line.strip_prefix(set)).unwrap();
    u64::from_str_radix(signals.trim(), 16).unwrap()
}

#[test]
fn a_signal_ends_the_reading_of_an_endless_suite() {
    let mut program = spawn(&["suite", "-"]);
    let mut input = program.stdin.take().unwrap();
    let writer = std::thread::spawn(move || while input.write_all(b"# a comment\n").is_ok() {});
    let id = program.id().to_string();
    until(20, || catches_signals(&id));
    assert!(send("-TERM", &id));
    assert_eq!(ended_within(&mut program, SOON).code(), Some(130));
    assert!(said(&mut program).contains("interrupted: nothing was finished"));
    writer.join().unwrap();
}

#[test]
fn a_client_that_goes_away_ends_a_count() {
    let mut program = spawn(&["uci"]);
    let (mut input, mut output) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
    input.write_all(b"go perft 12\nisready\n").unwrap();
    read_until(&mut output, "readyok\n");
    drop((input, output));
    assert_eq!(ended_within(&mut program, SOON).code(), Some(0));
}

/// Commands that would run for hours. `{engine}` is an engine that hangs, and `{campaign}` a campaign.
const LONG_COMMANDS: [&str; 15] = [
    "--depth 14",
    "--depth 14 --threads 2 --hash 64M",
    "--depth 12 --exact",
    "divide --depth 14",
    "stats --depth 9",
    "unique --depth 9",
    "bench start --depth 7 --runs 1000",
    "estimate --depth 30 --walks 100000000",
    "campaign plan --depth 12 --split 7 --output {folder}",
    "campaign work {campaign}",
    "diagnose kiwipete 7:1",
    "suite standard --dialect uci --engine {engine}",
    "hunt --fen start --depth 3 --dialect uci --engine {engine}",
    "hunt --random 9 --dialect uci --engine {engine}",
    "bench start --depth 3 --engine {engine}",
];

/// The signals, one after another. The second one must not prevent an orderly end.
const SIGNALS: [&[&str]; 4] = [&["-INT"], &["-TERM"], &["-HUP"], &["-INT", "-TERM"]];

#[test]
fn every_command_ends_soon_after_a_signal() {
    let folder = planned("campaign", "--depth 9 --split 3");
    let campaign = folder.path("campaign");
    std::thread::scope(|scope| {
        for (command, signals) in LONG_COMMANDS.into_iter().zip(SIGNALS.into_iter().cycle()) {
            let campaign = text_of(&campaign);
            scope.spawn(move || ends_soon(command, campaign, signals));
        }
    });
}

fn ends_soon(command: &str, campaign: &str, signals: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("sh '{HANG}' '{}'", folder.path().display());
    let plan = folder.path().join("plan");
    let arguments: Vec<&str> = command
        .split(' ')
        .map(|word| match word {
            "{engine}" => &engine,
            "{folder}" => text_of(&plan),
            "{campaign}" => campaign,
            _ => word,
        })
        .collect();
    let mut program = spawn(&arguments);
    let id = program.id().to_string();
    until(20, || catches_signals(&id));
    if command.contains("{engine}") {
        until(30, || folder.path().join("child").exists());
    }
    for signal in signals {
        // After nohup, the tests and the programs that they start ignore the signal. This program blocks it, and then
        // installs a handler for it.
        let left_out = signals_of(&id, "SigIgn:") | signals_of(&id, "SigBlk:");
        let ignored = *signal == "-HUP" && left_out & 1 == 1;
        send(if ignored { "-TERM" } else { signal }, &id);
    }
    let status = ended_within(&mut program, SOON);
    let said = said(&mut program);
    assert_eq!(status.code(), Some(130), "{command}: {said}");
    assert!(said.contains("interrupted: "), "{command}: {said}");
    let started =
        ["engine", "child"].map(|name| fs::read_to_string(folder.path().join(name)).unwrap_or_default());
    until(SOON, || !started.iter().any(|process| is_alive(process.trim())));
}

#[test]
#[cfg(target_os = "linux")]
fn a_hang_up_is_ignored_after_nohup() {
    let ignoring = format!("trap '' HUP; exec '{PERFT}' --depth 14");
    let mut program = interruptible(&mut Command::new("sh"))
        .args(["-c", &ignoring])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let id = program.id().to_string();
    until(20, || catches_signals(&id));
    assert!(send("-HUP", &id));
    // The signal has arrived, and nothing happens.
    until(SOON, || signals_of(&id, "ShdPnd:") & 1 == 1);
    assert!(is_alive(&id));
    program.kill().unwrap();
    program.wait().unwrap();
}

/// The engine reads only the letters of files as castling rights, not K and Q. `script` gives the program a terminal.
/// When `script` is killed, the terminal is closed.
#[test]
#[cfg(target_os = "linux")]
fn the_explorer_finds_out_castling_letters_and_ends_with_its_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let number = folder.path().join("number");
    let shown = folder.path().join("shown");
    // Only the first process gets the hang-up signal. So the explorer has to notice the closed terminal itself.
    let explorer = folder.path().join("explorer.sh");
    let engine = folder.path().join("engine");
    write_script(&engine, &format!("sed -u 's/ [KQkq][KQkq]* - / - - /' | tee asked | '{PERFT}' uci"));
    let explore = format!("'{PERFT}' explore '4k3/8/8/8/8/8/8/1RK4R w KQ - 0 1' 1 '{}'", text_of(&engine));
    let code = folder.path().join("code");
    let start = format!("echo \\$\\$ >'{}'; exec {explore}", number.display());
    fs::write(&explorer, format!("sh -c \"{start}\"; echo $? >'{}'", code.display())).unwrap();
    let command = format!(
        "trap '' HUP; stty rows 30 cols 100; cd '{}'; sh '{}'; :",
        folder.path().display(),
        explorer.display()
    );
    let started = Command::new("script")
        .args(["--quiet", "--flush", "--command", &command, text_of(&shown)])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn();
    let Ok(mut terminal) = started else {
        println!("skipped: script is not installed");
        return;
    };
    let asked = folder.path().join("asked");
    until(60, || fs::read_to_string(&asked).is_ok_and(|asked| asked.contains("1RK4R w HB")));
    let explorer = fs::read_to_string(&number).unwrap().trim().to_owned();
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    until(SOON, || !is_alive(&explorer));
    // The explorer does not abort because of a message that it cannot print.
    until(SOON, || fs::read_to_string(&code).is_ok_and(|code| code == "0\n" || code == "2\n"));
}

/// The limit does not apply to the superuser. If the tests run as the superuser, they start the program as another
/// user.
#[test]
#[cfg(target_os = "linux")]
fn a_thread_that_cannot_be_started_is_an_error() {
    use std::os::unix::process::CommandExt;

    let is_superuser = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    for args in ["uci", "--depth=2"] {
        let mut command = Command::new("prlimit");
        command.args(["--nproc=1", PERFT, args]).current_dir("/");
        if is_superuser {
            command.uid(61_234).gid(61_234);
        }
        let output = command.stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("ermission denied") {
            println!("skipped: another user cannot read the program");
            return;
        }
        assert_eq!(output.status.code(), Some(2), "{args}: {said}");
        assert!(said.contains("error: cannot "), "{args}: {said}");
    }
}

/// Runs a script of bash in which `$perft` is the program. Returns its exit code and what it printed.
#[cfg(target_os = "linux")]
fn in_bash(script: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let script = format!("perft='{PERFT}'; {script}");
    let mut bash = Command::new("timeout");
    let output = bash.args(["60", "bash", "-c", &script]).current_dir(folder.path()).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
#[cfg(target_os = "linux")]
fn the_limits_of_the_shell_are_kept() {
    let (code, said) =
        in_bash("ulimit -s 256; $perft diagnose kiwipete 3:97800; $perft suite named --max-nodes 1k");
    assert_eq!(code, Some(0), "{said}");

    let (code, said) = in_bash("ulimit -n 8; $perft divide start 1 --against 'cat -u'");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("Too many open files") && !said.contains("help"), "{said}");

    let (code, said) = in_bash("ulimit -v 2000000; $perft start 3 --exact --verbose");
    let bytes = said.split("at most ").nth(1).unwrap().split(' ').next().unwrap().replace(',', "");
    assert!(code == Some(0) && bytes.parse::<u64>().unwrap() < 1_536_000_000, "{said}");
}

/// Nobody writes to the pipe, so reading it would never end.
#[test]
#[cfg(target_os = "linux")]
fn a_pipe_is_no_list_of_engines_unless_it_is_named() {
    let (code, said) = in_bash("mkfifo perft.toml; $perft divide start 1 --against cat");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("cannot read 'perft.toml': it is not a file"), "{said}");
    let (code, said) = in_bash("$perft probe e --config <(echo \"engine.e.command = '$perft uci'\")");
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn an_output_that_is_full_is_an_error_and_none_is_not() {
    let campaign = planned("campaign", "3 --split 1");
    campaign.line(0, "campaign work campaign");
    for args in [
        "--depth 3",
        "divide --depth 3",
        "--help",
        "--version",
        "list positions",
        "estimate --depth 3",
        "campaign merge campaign",
        "campaign merge campaign --json",
    ] {
        for (output, code, error) in [
            (">/dev/full", 2, "error: cannot write the output: "),
            (">/dev/null", 0, ""),
            // As Python and service managers open it.
            ("1<>/dev/null", 0, ""),
        ] {
            let script = format!("'{PERFT}' {args} {output}");
            let mut shell = Command::new("sh");
            let output = shell.args(["-c", &script]).current_dir(campaign.path("")).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{script}: {said}");
            assert!(said.starts_with(error), "{script}: {said}");
        }
    }
}
