//! The job script of `perft campaign plan --slurm`, and runs of it that this machine can make.
//!
//! Slurm itself is replaced by small scripts here. `scripts/slurm-one-node` tests with a real Slurm.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::campaign::{Place, bad, good, text};
use super::support::{until, write_script};

/// Plans a campaign with a script, in a folder whose name must be quoted in a shell. Checks the syntax with bash.
fn planned(depth: &str, split: &str, unit_positions: &str, more: &[&str]) -> Place {
    let args = ["--depth", depth, "--split", split, "--unit-positions", unit_positions, "--slurm"];
    let place = Place::planned_as("it's a \"small\" {a..b} $HOME", &[&args[..], more].concat());
    assert!(Command::new("bash").arg("-n").arg(place.file("slurm.sh")).status().unwrap().success());
    place
}

/// Runs a task of the script.
fn task(place: &Place, number: &str, path: &str) -> Command {
    let mut task = Command::new("bash");
    let variables =
        [("SLURM_ARRAY_JOB_ID", "7"), ("SLURM_ARRAY_TASK_ID", number), ("SLURM_CPUS_PER_TASK", "1")];
    task.arg(place.file("slurm.sh")).env("PATH", path).envs(variables);
    task.stdout(Stdio::piped()).stderr(Stdio::piped());
    task
}

#[test]
fn the_tasks_of_a_script_count_a_campaign() {
    let place = planned("4", "2", "40", &["--jobs", "3"]);
    let script = fs::read_to_string(place.file("slurm.sh")).unwrap();
    let directory = place.path.replace('"', "\\\"");
    for line in ["--array=1-3", "--requeue", "--signal=B:TERM@60", &format!("--chdir=\"{directory}\"")] {
        assert!(script.contains(&format!("#SBATCH {line}\n")), "{line}\n{script}");
    }
    let path = std::env::var("PATH").unwrap();
    for number in ["1", "2", "3"] {
        let mut task = task(&place, number, &path);
        let output = task.args(["--hash", "1M"]).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert!(good(&["campaign", "merge", &place.path]).contains("Nodes searched: 197281\n"));
    let few = planned("4", "2", "200", &[]);
    assert!(fs::read_to_string(few.file("slurm.sh")).unwrap().contains("--array=1-2\n"));
    // A mate has no positions at the split. Slurm refuses an array without tasks.
    let mate = planned("4", "2", "40", &["--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]);
    assert!(fs::read_to_string(mate.file("slurm.sh")).unwrap().contains("--array=1-1\n"));
    assert!(task(&mate, "1", &path).output().unwrap().status.success());
    let said = bad(2, &["campaign", "plan", "4", "--split", "2", "-o", "nowhere", "--jobs", "2"]);
    assert!(said.contains("--slurm"), "{said}");
}

/// The programs of Slurm are replaced by scripts with the same names that print their arguments.
#[test]
fn an_interrupted_task_queues_itself_again() {
    let place = planned("9", "1", "1000", &["--jobs", "1"]);
    let programs = tempfile::tempdir().unwrap();
    let imitate = |name: &str, body: &str| {
        write_script(&programs.path().join(name), body);
    };
    imitate("scontrol", "echo \"asked: $*\"; exit 1");
    let path = format!("{}:{}", programs.path().display(), std::env::var("PATH").unwrap());
    for (state, asked) in [("RUNNING", "asked: requeue 7_1"), ("CANCELLED", "")] {
        imitate("squeue", &format!("echo {state}"));
        let task = task(&place, "1", &path).args(["--cpu-path", "portable"]).spawn().unwrap();
        let output = stopped(task, &place.file("claims/000001"));
        assert_eq!(output.status.code(), Some(130));
        assert!(text(&output.stderr).contains("unit 1 was not finished"));
        let said = text(&output.stdout);
        assert_eq!(said.lines().last().unwrap_or_default(), asked);
    }
}

/// Waits until a unit is claimed, sends SIGTERM to a script, and waits for its end.
fn stopped(script: std::process::Child, claim: &Path) -> Output {
    until(60, || claim.exists());
    Command::new("kill").args(["-TERM", &script.id().to_string()]).status().unwrap();
    script.wait_with_output().unwrap()
}
