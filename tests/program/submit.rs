//! `perft campaign submit`: the scripts that it writes, and runs of those scripts that this machine can run.
//!
//! Slurm itself is replaced by small scripts here. `scripts/slurm-one-node` tests with a real Slurm.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::campaign::{Place, bad, good, text};
use super::support::until;

const PERFT: &str = env!("CARGO_BIN_EXE_perft");

/// Runs the program, expects exit code 2 and one error, and returns standard error.
fn refused(args: &[&str]) -> String {
    let said = bad(2, args);
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    said
}

/// Plans a campaign in a folder whose name must be quoted in a shell.
fn planned(depth: &str, split: &str, unit_positions: &str) -> Place {
    let args = ["--depth", depth, "--split", split, "--unit-positions", unit_positions];
    Place::planned_as("it's a \"small\" {} $HOME", &args)
}

/// Writes a script, checks its syntax with bash, and returns its text.
fn write_script(place: &Place, target: &str, more: &[&str]) -> String {
    let said = good(&[&["campaign", "submit", &place.path, "--to", target], more].concat());
    assert!(said.contains("submit them with "), "{said}");
    let path = place.file(&format!("jobs/{target}.sh"));
    assert!(Command::new("bash").arg("-n").arg(&path).status().unwrap().success());
    fs::read_to_string(path).unwrap()
}

/// Returns a campaign of 10 units with 400 positions at ply 2. Its total is perft(4) = 197,281.
fn small() -> Place {
    planned("4", "2", "40")
}

fn is_installed(program: &str) -> bool {
    let version = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

#[test]
fn the_slurm_script_has_the_options() {
    let place = small();
    let script = write_script(
        &place,
        "slurm",
        &["--jobs", "4", "--threads", "2", "--hash", "1G", "--time", "8:00:00"],
    );
    let directory = place.path.replace('"', "\\\"");
    let directives: Vec<&str> = script.lines().filter(|line| line.starts_with("#SBATCH")).collect();
    let expected = [
        "#SBATCH --job-name=perft",
        "#SBATCH --array=1-4",
        "#SBATCH --ntasks=1",
        "#SBATCH --cpus-per-task=2",
        "#SBATCH --time=8:00:00",
        "#SBATCH --mem=2048M",
        "#SBATCH --requeue",
        "#SBATCH --signal=B:TERM@60",
        &format!("#SBATCH --chdir=\"{directory}\""),
        "#SBATCH --output=jobs/slurm-%A_%a.log",
        "#SBATCH --open-mode=append",
    ];
    assert_eq!(directives, expected);
    for part in [
        "--shard \"$1\"/4 --threads \"$SLURM_CPUS_PER_TASK\" --cpu-path auto --hash 1G",
        "work \"$SLURM_ARRAY_TASK_ID\" &",
        "trap stop TERM",
        "scontrol requeue \"$task\"",
    ] {
        assert!(script.contains(part), "{part}\n{script}");
    }

    // The script contains the defaults, the additional options, and only the shards with missing units.
    good(&["campaign", "work", &place.path, "--shard", "2/4"]);
    let script =
        write_script(&place, "slurm", &["--jobs", "4", "--sbatch=--partition=long", "--sbatch", "--nice=5"]);
    for line in ["--array=1,3-4", "--cpus-per-task=1", "--time=4:00:00", "--mem=1024M"] {
        assert!(script.contains(&format!("#SBATCH {line}\n")), "{line}\n{script}");
    }
    assert!(script.contains("#SBATCH --partition=long\n#SBATCH --nice=5\n"), "{script}");
}

/// The programs of Slurm are replaced by scripts with the same names that print their arguments.
#[test]
fn an_interrupted_task_queues_itself_again() {
    let place = planned("9", "1", "1000");
    write_script(&place, "slurm", &["--jobs", "1", "--cpu-path", "portable"]);
    let programs = tempfile::tempdir().unwrap();
    let imitate = |name: &str, body: &str| {
        let path = programs.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    imitate("scontrol", "echo \"asked: $*\"; exit 1");
    let path = format!("{}:{}", programs.path().display(), std::env::var("PATH").unwrap());
    for (state, asked) in [("RUNNING", "asked: requeue 7_1"), ("CANCELLED", "")] {
        imitate("squeue", &format!("echo {state}"));
        let task = Command::new("bash")
            .arg(place.file("jobs/slurm.sh"))
            .env("PATH", &path)
            .envs([("SLURM_ARRAY_JOB_ID", "7"), ("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_CPUS_PER_TASK", "1")])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
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

#[test]
fn sbatch_is_run_and_its_answer_printed() {
    let place = small();
    let submit = |path: &Path| {
        Command::new(PERFT)
            .args(["campaign", "submit", &place.path, "--to", "slurm", "--now"])
            .env("PATH", path)
            .output()
            .unwrap()
    };
    let programs = tempfile::tempdir().unwrap();
    let output = submit(programs.path());
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("cannot start sbatch: it is not on the PATH"), "{said}");
    assert!(said.contains("the script is in "), "{said}");

    let sbatch = programs.path().join("sbatch");
    fs::write(&sbatch, "#!/bin/sh\necho \"4711;alpha\"\n").unwrap();
    fs::set_permissions(&sbatch, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(text(&submit(programs.path()).stdout), "job 4711: 10 units in 10 jobs\n");

    fs::write(&sbatch, "#!/bin/sh\necho 'sbatch: error: no such partition' >&2\nexit 1\n").unwrap();
    let output = submit(programs.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("Slurm rejected the job: sbatch: error: no such partition"));
}

#[test]
fn local_processes_count_a_campaign() {
    let place = small();
    let script = write_script(&place, "local", &["--jobs", "3", "--threads", "2"]);
    assert!(
        script.contains("shards=(1 2 3)\n") && script.contains("--shard \"$1\"/3 --threads 2"),
        "{script}"
    );
    let said = good(&["campaign", "submit", &place.path, "--to", "local", "--jobs", "3", "--now"]);
    assert_eq!(said.matches(": 0 already counted").count(), 3, "{said}");
    assert!(good(&["campaign", "merge", &place.path]).contains("Nodes searched: 197281\n"));
    let said = good(&["campaign", "submit", &place.path, "--to", "local", "--now"]);
    assert!(said.starts_with("all units are counted; add them up with perft campaign merge "), "{said}");
}

/// Bash expands braces that are not quoted. The folder `{a..a}` would become the folder `a`.
#[test]
fn a_folder_may_have_any_name() {
    let printable: String = (' '..='~').filter(|&c| c != '/').collect();
    for name in ["{a..a}", &printable] {
        let place = Place::planned_as(name, &["--depth", "4", "--split", "2", "--unit-positions", "100"]);
        for target in ["local", "parallel"] {
            write_script(&place, target, &["--jobs", "2"]);
        }
        good(&["campaign", "submit", &place.path, "--to", "local", "--jobs", "2", "--now"]);
        assert!(good(&["campaign", "merge", &place.path]).contains("Nodes searched: 197281\n"), "{name}");
    }
}

#[test]
fn a_signal_reaches_every_process() {
    let place = planned("9", "1", "10");
    let script = Command::new(PERFT)
        .args([
            "campaign",
            "submit",
            &place.path,
            "--to",
            "local",
            "--jobs",
            "2",
            "--cpu-path",
            "portable",
            "--now",
        ])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A worker has started when it has claimed its first unit.
    until(60, || place.file("claims/000001").exists());
    let output = stopped(script, &place.file("claims/000002"));
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(text(&output.stderr).matches("was not finished; 0 units were counted").count(), 2);
}

#[test]
fn the_parallel_script_has_the_options() {
    let place = small();
    let script =
        write_script(&place, "parallel", &["--jobs", "4", "--hosts", "alpha,2/me@beta", "--threads", "2"]);
    for part in [
        "--joblog ",
        "--resume --resume-failed",
        "--halt soon,fail=1",
        "--jobs 50%",
        "--sshlogin alpha,2/me@beta",
        "--shard 4/4 --threads 2",
    ] {
        assert!(script.contains(part), "{part}\n{script}");
    }
    let file = place.file("machines");
    fs::write(&file, ":\n").unwrap();
    let script = write_script(&place, "parallel", &["--sshloginfile", file.to_str().unwrap()]);
    assert!(script.contains("--sshloginfile ") && script.contains("machines' "), "{script}");
}

#[test]
fn parallel_counts_a_campaign_and_continues_it() {
    if !is_installed("parallel") {
        println!("skipped: GNU parallel is not installed");
        return;
    }
    let place = small();
    let said = good(&[
        "campaign",
        "submit",
        &place.path,
        "--to",
        "parallel",
        "--jobs",
        "4",
        "--hosts",
        ":",
        "--now",
    ]);
    assert_eq!(said.matches(": 0 already counted").count(), 4, "{said}");
    assert!(good(&["campaign", "merge", &place.path]).contains("Nodes searched: 197281\n"));
    let log = fs::read_to_string(place.file("jobs/parallel.log")).unwrap();
    assert_eq!(log.lines().count(), 5, "one header and one line per shard: {log}");

    // A second run runs only the jobs that failed.
    let again = || Command::new("bash").arg(place.file("jobs/parallel.sh")).output().unwrap();
    assert_eq!(text(&again().stdout), "");
    let failed = log.lines().map(|line| {
        let mut fields: Vec<&str> = line.split('\t').collect();
        if fields[0] == "2" {
            fields[6] = "130";
        }
        fields.join("\t") + "\n"
    });
    fs::write(place.file("jobs/parallel.log"), failed.collect::<String>()).unwrap();
    let output = again();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().count(), 1);
}

#[test]
fn a_signal_reaches_the_workers_of_parallel() {
    if !is_installed("parallel") {
        println!("skipped: GNU parallel is not installed");
        return;
    }
    let long = planned("9", "1", "1000");
    let script = Command::new(PERFT)
        .args(["campaign", "submit", &long.path, "--to", "parallel", "--cpu-path", "portable", "--now"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let claim = long.file("claims/000001");
    assert_ne!(stopped(script, &claim).status.code(), Some(0));
    assert!(!claim.exists());
}

#[test]
fn bad_arguments_are_refused_with_one_error() {
    let place = small();
    let dir = place.path.as_str();
    assert!(refused(&["campaign", "submit", dir, "--to", "cloud"]).contains("invalid value 'cloud'"));
    let elsewhere = tempfile::tempdir().unwrap();
    let empty = elsewhere.path().to_str().unwrap();
    assert!(
        refused(&["campaign", "submit", empty, "--to", "local"]).contains("no campaign was planned there")
    );
    assert!(
        refused(&["campaign", "submit", "/nowhere/at all", "--to", "slurm"]).contains("has no manifest.json")
    );
    let said = refused(&["campaign", "submit", dir, "--to", "local", "--jobs", "11"]);
    assert!(said.contains("the campaign has 10 units"), "{said}");
    assert!(
        refused(&["campaign", "submit", dir, "--to", "local", "--hosts", "a"])
            .contains("--hosts works only with --to parallel")
    );
    assert!(
        refused(&["campaign", "submit", dir, "--to", "parallel", "--time", "8:00:00"]).contains("--to slurm")
    );
    assert!(
        refused(&["campaign", "submit", dir, "--to", "parallel", "--hosts", "a,,b"])
            .contains("not a list of machines")
    );
    assert!(
        refused(&["campaign", "submit", dir, "--to", "slurm", "--time", "8h"])
            .contains("give a time such as 90")
    );
    assert!(
        refused(&["campaign", "submit", dir, "--to", "slurm", "--time", "2"])
            .contains("give at least 3 minutes")
    );
    assert!(
        refused(&["campaign", "submit", dir, "--to", "slurm", "--threads", "all"])
            .contains("needs the number of cores")
    );
    assert!(
        refused(&["campaign", "submit", dir, "--to", "slurm", "--threads", "0"])
            .contains("give a number of threads")
    );
    assert!(refused(&["campaign", "submit", dir, "--to", "slurm", "--mem", "lots"]).contains("not a size"));
    assert!(
        refused(&["campaign", "submit", dir, "--to", "slurm", "--sbatch", "long"])
            .contains("not an option of sbatch")
    );

    fs::remove_file(place.file("units/000003.epd")).unwrap();
    let said = refused(&["campaign", "submit", dir, "--to", "slurm"]);
    assert!(said.contains("1 unit files do not exist: 3"), "{said}");
    assert!(!place.file("jobs").exists(), "nothing was written");
}
