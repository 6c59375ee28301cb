//! The job script of the book for Slurm, `docs/src/campaign.sbatch`.
//!
//! The programs of Slurm are replaced by small scripts here. `scripts/slurm-one-node` tests with a real Slurm.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::campaign::{Place, good, text};
use super::support::{until, write_script};

const JOB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/campaign.sbatch");

/// Plans a campaign in a folder whose name must be quoted in a shell.
fn planned(args: &[&str]) -> Place {
    Place::planned_as("it's a \"small\" {a..b} $HOME", args)
}

/// Returns a folder with programs of Slurm: `srun` runs the worker, `squeue` prints the state of the task, and
/// `scontrol` prints its arguments.
fn slurm(state: &str) -> TempDir {
    let programs = tempfile::tempdir().unwrap();
    let imitate = |name: &str, body: &str| {
        write_script(&programs.path().join(name), body);
    };
    imitate("srun", "shift; exec \"$@\"");
    imitate("squeue", &format!("echo {state}"));
    imitate("scontrol", "echo \"asked: $*\"");
    programs
}

fn task(programs: &TempDir, number: &str, place: &Place) -> Command {
    let mut task = Command::new("bash");
    let perft = Path::new(env!("CARGO_BIN_EXE_perft")).parent().unwrap();
    let path =
        format!("{}:{}:{}", programs.path().display(), perft.display(), std::env::var("PATH").unwrap());
    let variables =
        [("SLURM_ARRAY_JOB_ID", "7"), ("SLURM_ARRAY_TASK_ID", number), ("SLURM_CPUS_PER_TASK", "1")];
    task.args([JOB, &place.path]).env("PATH", path).envs(variables);
    task.stdout(Stdio::piped()).stderr(Stdio::piped());
    task
}

#[test]
fn the_tasks_of_the_script_count_a_campaign() {
    let place = planned(&["--depth", "4", "--split", "2", "--unit-positions", "40"]);
    let programs = slurm("RUNNING");
    for number in ["1", "2"] {
        let output = task(&programs, number, &place).args(["--hash", "1M"]).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert!(good(&["campaign", "merge", &place.path]).contains("Nodes searched: 197281\n"));
}

/// The worker gets the signal that Slurm sends before a time limit, and when a user cancels the task.
#[test]
fn an_interrupted_task_queues_itself_again_unless_it_was_cancelled() {
    let place = planned(&["--depth", "9", "--split", "1"]);
    for (state, asked) in [("RUNNING", "asked: requeue 7_1"), ("CANCELLED", "")] {
        let programs = slurm(state);
        let task = task(&programs, "1", &place).args(["--cpu-path", "portable"]).spawn().unwrap();
        // A claim has the name of the machine and the process of the worker.
        let claim = place.file("claims/000001");
        let claimed = || fs::read_to_string(&claim).unwrap_or_default();
        until(60, || claimed().ends_with('\n'));
        let claimed = claimed();
        let process = claimed.split_whitespace().next_back().unwrap();
        Command::new("kill").args(["-TERM", process]).status().unwrap();
        let output = task.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert!(text(&output.stderr).contains("unit 1 was not finished"));
        assert_eq!(text(&output.stdout).lines().last().unwrap_or_default(), asked);
    }
}
