//! `perft submit`: a campaign as a job for Slurm, for GNU parallel, or for this machine.
//!
//! There is no scheduler here. The campaign is cut into shards, and what is written is a script that somebody else's
//! scheduler runs: one `perft work` a shard. The script stands in the folder of the campaign, in `jobs/`, beside what the
//! jobs say. Only shards with units that are missing are in it, so submitting again goes on.
//!
//! This file has the arguments and hands the job in; [`job`] has what a job is, and each scheduler has a file.

mod job;
mod local;
mod parallel;
mod slurm;

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread::available_parallelism;

use crate::campaign::{Campaign, Ranges, Shard, merge};
use crate::report::grouped;
use clap::{Args, ValueEnum};

use super::args::{HashArgs, MachineArgs, MemorySize, Threads};
use super::error::CliError;
use job::{Job, absolute, quoted};
use parallel::Hosts;
use slurm::Limits;

const EXAMPLES: &str = "\
Examples:
  perft submit nine --to slurm --jobs 32 --threads 8 --hash 4G --time 8:00:00 --now
  perft submit nine --to parallel --hosts alpha,beta,gamma --threads all --now
  perft submit nine --to local --jobs 4 --now
  perft submit nine --to slurm                 write the script only, to read it";

/// Jobs, unless told otherwise.
const JOBS: u32 = 16;

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct SubmitArgs {
    /// The folder of the campaign, from perft plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Who runs the jobs
    #[arg(long, value_name = "TARGET", help_heading = "Jobs")]
    to: Target,
    /// Hand the job in; without it the script is only written
    #[arg(long, help_heading = "Jobs")]
    now: bool,
    /// Shards, each of which is a job [default: 16; local: as many as there are cores for]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Jobs")]
    jobs: Option<u32>,
    /// The program to count with, where the jobs run [default: this one]
    #[arg(long, value_name = "PATH", help_heading = "Jobs")]
    program: Option<PathBuf>,
    #[command(flatten)]
    counting: WorkerArgs,
    #[command(flatten)]
    slurm: SlurmArgs,
    #[command(flatten)]
    hosts: HostArgs,
}

/// Who runs the jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// A job array, through sbatch
    Slurm,
    /// GNU parallel, here or on other machines through ssh
    Parallel,
    /// Processes of this machine
    Local,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
struct WorkerArgs {
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    table: HashArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Slurm")]
struct SlurmArgs {
    /// The time limit of a job as Slurm writes it; a job is stopped a minute before, and queued again [default: 4:00:00]
    #[arg(long, value_name = "TIME", value_parser = slurm::parse_time)]
    time: Option<String>,
    /// The memory of a job [default: 1G and the table]
    #[arg(long, value_name = "SIZE")]
    mem: Option<MemorySize>,
    /// A further option for sbatch, any number of times: --sbatch=--partition=long
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    sbatch: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "GNU parallel")]
struct HostArgs {
    /// The machines, as ssh names them [default: this one]
    #[arg(long, value_name = "HOSTS", conflicts_with = "sshloginfile")]
    hosts: Option<String>,
    /// A file with a machine a line
    #[arg(long, value_name = "FILE")]
    sshloginfile: Option<PathBuf>,
}

/// Runs the verb.
pub fn run(args: SubmitArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let campaign = Campaign::open(&args.folder)?;
    args.refuse_what_the_target_has_not()?;
    let missing = merge(&campaign)?.missing;
    if missing.is_empty() {
        writeln!(out, "nothing is left to count: perft merge {}", args.folder.display())?;
        return Ok(ExitCode::SUCCESS);
    }
    refuse_missing_files(&campaign, &missing)?;
    let job = args.job(&campaign, &missing)?;
    let script = args.write_script(&job)?;
    let (shards, units) = (job.shards.len(), grouped(missing.len().into()));
    if !args.now {
        let runner = if args.to == Target::Slurm { "sbatch" } else { "bash" };
        let name = quoted(&script.display().to_string());
        writeln!(out, "{units} units are left, in {shards} jobs; to hand them in: {runner} {name}")?;
        return Ok(ExitCode::SUCCESS);
    }
    match args.to {
        Target::Slurm => {
            let id = slurm::hand_in(&script)?;
            writeln!(out, "job {id}: {units} units in {shards} jobs")?;
            Ok(ExitCode::SUCCESS)
        }
        Target::Parallel | Target::Local => {
            out.flush()?;
            become_script(&script)
        }
    }
}

impl SubmitArgs {
    /// An option that belongs to another target would silently do nothing.
    fn refuse_what_the_target_has_not(&self) -> Result<(), CliError> {
        let SlurmArgs { time, mem, sbatch } = &self.slurm;
        let HostArgs { hosts, sshloginfile } = &self.hosts;
        let of_targets = [
            ("--time", time.is_some(), Target::Slurm, "slurm"),
            ("--mem", mem.is_some(), Target::Slurm, "slurm"),
            ("--sbatch", !sbatch.is_empty(), Target::Slurm, "slurm"),
            ("--hosts", hosts.is_some(), Target::Parallel, "parallel"),
            ("--sshloginfile", sshloginfile.is_some(), Target::Parallel, "parallel"),
        ];
        match of_targets.into_iter().find(|&(_, is_given, target, _)| is_given && target != self.to) {
            Some((flag, _, _, target)) => Err(CliError::usage(format!("{flag} belongs to --to {target}"))),
            None => Ok(()),
        }
    }

    /// The shards that have missing units, and how to count one.
    fn job(&self, campaign: &Campaign, missing: &Ranges) -> Result<Job, CliError> {
        let of = self.shard_count(campaign.units())?;
        let has_missing = |shard: &Shard| missing.iter().any(|unit| shard.has(unit));
        let shards = (1..).zip(Shard::all(of)).filter(|(_, shard)| has_missing(shard));
        let WorkerArgs { machine, table } = self.counting;
        if let Some(hash) = table.hash {
            bytes("--hash", hash)?;
        }
        Ok(Job {
            program: self.program.as_deref().map_or_else(this_program, job::line)?,
            folder: absolute(&self.folder)?,
            shards: shards.map(|(index, _)| index).collect(),
            of,
            hash: table.hash.map(|size| size.to_string()),
            cpu_path: machine.cpu_path.to_string(),
        })
    }

    fn shard_count(&self, units: u32) -> Result<u32, CliError> {
        let threads = self.threads();
        match self.jobs {
            Some(jobs) if jobs > units => {
                let message = format!("--jobs {jobs}: the campaign has {units} units, so some jobs had none");
                Err(CliError::usage(message).help(format!("--jobs N: at most {units}")))
            }
            Some(jobs) => Ok(jobs),
            None if self.to == Target::Local => {
                let cores = available_parallelism().map_or(1, usize::from);
                Ok(units.min((cores / threads).max(1) as u32))
            }
            None => Ok(units.min(JOBS)),
        }
    }

    /// The threads of a job; those of `all` are known on this machine only.
    fn threads(&self) -> usize {
        self.counting.machine.threads.count()
    }

    /// Writes the script into the folder of the campaign.
    fn write_script(&self, job: &Job) -> Result<PathBuf, CliError> {
        let folder = self.folder.join("jobs");
        let threads = self.counting.machine.threads.to_string();
        let (name, text) = match self.to {
            Target::Slurm => ("slurm.sh", slurm::script(job, &self.limits()?)),
            Target::Parallel => ("parallel.sh", parallel::script(job, &threads, &self.hosts()?)),
            Target::Local => ("local.sh", local::script(job, &threads)),
        };
        let path = folder.join(name);
        let refuse = |error| CliError::usage(format!("cannot write {}: {error}", path.display()));
        fs::create_dir_all(&folder).and_then(|()| fs::write(&path, text)).map_err(refuse)?;
        if self.to == Target::Parallel {
            forget_job_log(&folder.join(parallel::JOB_LOG))?;
        }
        Ok(path)
    }

    fn limits(&self) -> Result<Limits, CliError> {
        if self.counting.machine.threads == Threads::All {
            return Err(CliError::usage("--threads all: Slurm wants to know how many cores a job needs")
                .help("--threads N, as many as a node has for one job"));
        }
        let SlurmArgs { time, mem, sbatch } = &self.slurm;
        if sbatch.iter().any(|option| !option.starts_with('-') || option.contains(['\n', '\r'])) {
            return Err(CliError::usage("--sbatch: not an option").help("--sbatch=--partition=long"));
        }
        let table_bytes = self.counting.table.hash.map_or(Ok(0), |hash| bytes("--hash", hash))?;
        let mem_bytes = mem.map_or(Ok(table_bytes.saturating_add(1 << 30)), |mem| bytes("--mem", mem))?;
        Ok(Limits {
            threads: self.threads(),
            time: time.clone().unwrap_or_else(|| slurm::TIME.to_owned()),
            mem_mib: mem_bytes.div_ceil(1 << 20),
            further: sbatch.clone(),
        })
    }

    fn hosts(&self) -> Result<Hosts, CliError> {
        Ok(match (&self.hosts.hosts, &self.hosts.sshloginfile) {
            (Some(hosts), _) if hosts.split(',').any(str::is_empty) || hosts.contains(['\n', '\r']) => {
                return Err(CliError::usage(format!("--hosts '{hosts}': not a list of machines"))
                    .help("--hosts alpha,beta,user@gamma"));
            }
            (Some(hosts), _) => Hosts::List(hosts.clone()),
            (None, Some(file)) => Hosts::File(absolute(file)?),
            (None, None) => Hosts::Here,
        })
    }
}

/// The path of the program that runs.
fn this_program() -> Result<String, CliError> {
    let path = std::env::current_exe();
    absolute(&path.map_err(|error| CliError::usage(format!("cannot find this program: {error}")))?)
}

fn bytes(flag: &str, size: MemorySize) -> Result<u64, CliError> {
    Some(size.bytes()).filter(|&bytes| bytes > 0).ok_or_else(|| {
        CliError::usage(format!("{flag} {size}: not a size")).help("4G, 512M, or a number of MiB")
    })
}

/// A job that finds a unit missing would fail in the middle of the night.
fn refuse_missing_files(campaign: &Campaign, missing: &Ranges) -> Result<(), CliError> {
    let absent: Ranges = missing.iter().filter(|&unit| !campaign.unit_path(unit).is_file()).collect();
    if absent.is_empty() {
        return Ok(());
    }
    let message =
        format!("the plan is not complete: the files of {} units are not there: {absent}", absent.len());
    Err(CliError::usage(message).help(
        "perft plan with the same arguments, in another folder, writes the same files again: copy them from there",
    ))
}

/// The journals know better than an old job log what is left to do.
fn forget_job_log(path: &Path) -> Result<(), CliError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(CliError::usage(format!("cannot remove {}: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

/// Runs a script in place of this program, so that signals and the exit code are its own.
#[cfg(unix)]
fn become_script(script: &Path) -> Result<ExitCode, CliError> {
    use std::os::unix::process::CommandExt;
    Err(not_started("bash", &Command::new("bash").arg(script).exec(), script))
}

/// Runs a script; its exit code is that of this program.
#[cfg(not(unix))]
fn become_script(script: &Path) -> Result<ExitCode, CliError> {
    let status = Command::new("bash").arg(script).status();
    let status = status.map_err(|error| not_started("bash", &error, script))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2)))
}

/// What to hand the script to is not there.
fn not_started(program: &str, error: &std::io::Error, script: &Path) -> CliError {
    let why = match error.kind() {
        ErrorKind::NotFound => "it is not on the PATH".to_owned(),
        _ => error.to_string(),
    };
    CliError::usage(format!("cannot start {program}: {why}"))
        .help(format!("the script is written: {}; hand it in where there is {program}", script.display()))
}
