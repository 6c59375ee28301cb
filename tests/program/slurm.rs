//! The job script of the book for Slurm, `docs/src/campaign.sbatch`.
//!
//! The programs of Slurm are replaced by small scripts here. `scripts/slurm-one-node` tests with a real Slurm.

use std::fs;
use std::process::{Command, Stdio};

use super::campaign::planned;
use super::support::{Folder, err, out, program, until, write_script};

const JOB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/campaign.sbatch");

/// The name of the folder of a campaign, which must be quoted in a shell.
const NAME: &str = "it's a \"small\" {a..b} $HOME";

/// Returns a folder with programs of Slurm: `srun` runs the worker, `squeue` prints the state of the task, and
/// `scontrol` prints its arguments.
fn slurm(state: &str) -> Folder {
    let programs = Folder::new();
    write_script(&programs.path("srun"), "shift; exec \"$@\"");
    write_script(&programs.path("squeue"), &format!("echo {state}"));
    write_script(&programs.path("scontrol"), "echo \"asked: $*\"");
    programs
}

fn task(programs: &Folder, number: &str, folder: &Folder) -> Command {
    let mut task = Command::new("bash");
    let (programs, perft) = (programs.path(""), program());
    let perft = perft.parent().unwrap().display();
    let path = format!("{}:{perft}:{}", programs.display(), std::env::var("PATH").unwrap());
    let variables =
        [("SLURM_ARRAY_JOB_ID", "7"), ("SLURM_ARRAY_TASK_ID", number), ("SLURM_CPUS_PER_TASK", "1")];
    task.arg(JOB).arg(folder.path(NAME)).env("PATH", path).envs(variables);
    task.stdout(Stdio::piped()).stderr(Stdio::piped());
    task
}

#[test]
fn the_tasks_of_the_script_count_a_campaign() {
    let folder = planned(NAME, "--depth 4 --split 2 --unit-positions 40");
    let programs = slurm("RUNNING");
    for number in ["1", "2"] {
        let output = task(&programs, number, &folder).args(["--hash", "1M"]).output().unwrap();
        assert!(output.status.success(), "{}", err(&output));
    }
    assert!(folder.expect(0, &["campaign", "merge", NAME]).0.contains("Nodes searched: 197281\n"));
}

/// The worker gets the signal that Slurm sends before a time limit, and when a user cancels the task.
#[test]
fn an_interrupted_task_queues_itself_again_unless_it_was_cancelled() {
    let folder = planned(NAME, "--depth 9 --split 1");
    for (state, asked) in [("RUNNING", "asked: requeue 7_1"), ("CANCELLED", "")] {
        let programs = slurm(state);
        let task = task(&programs, "1", &folder).args(["--cpu-path", "portable"]).spawn().unwrap();
        // A claim has the name of the machine and the process of the worker.
        let claim = folder.path(NAME).join("claims/000001");
        let claimed = || fs::read_to_string(&claim).unwrap_or_default();
        until(60, || claimed().ends_with('\n'));
        let claimed = claimed();
        let process = claimed.split_whitespace().next_back().unwrap();
        Command::new("kill").args(["-TERM", process]).status().unwrap();
        let output = task.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert!(err(&output).contains("unit 1 was not finished"));
        assert_eq!(out(&output).lines().last().unwrap_or_default(), asked);
    }
}
