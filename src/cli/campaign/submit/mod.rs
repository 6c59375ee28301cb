//! `perft campaign submit`: runs a campaign as jobs of Slurm, of GNU parallel, or of this machine.
//!
//! This program is not a scheduler. It divides the campaign into shards, and writes a script with one `perft campaign work`
//! per shard, which an existing scheduler runs. The script and the logs are in `jobs/` in the folder of the campaign.
//! The script contains only shards with missing work units, so a campaign can be submitted again after failures.
//!
//! This file contains the arguments, and writes and starts the script. `job` describes the jobs; `slurm`, `parallel`
//! and `local` each contain the script of one scheduler.

mod job;
mod local;
mod parallel;
mod slurm;

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread::available_parallelism;

use clap::{Args, ValueEnum};

use crate::campaign::{Campaign, Ranges, Shard, create_subfolder, merge};
use crate::cli::args::{HashArgs, MachineArgs, MemorySize, Threads};
use crate::cli::error::CliError;
use crate::cli::export::Export;
use crate::report::grouped;
use job::{Job, absolute, quoted};
use parallel::Hosts;
use slurm::SlurmLimits;

const EXAMPLES: &str = "\
Examples:
  perft campaign submit nine --to slurm                 write the script, and read it
  perft campaign submit nine --to slurm --jobs 32 --threads 8 --hash 4G --now
  perft campaign submit nine --to parallel --hosts alpha,beta --threads all --now
  perft campaign submit nine --to local --jobs 4 --now";

/// The number of jobs without `--jobs`, except on this machine.
const DEFAULT_JOBS: u32 = 16;

/// The memory of a Slurm job in addition to the table, in bytes, without `--mem`.
const DEFAULT_MEMORY_BYTES: u64 = 1 << 30;

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct SubmitArgs {
    /// Folder of the campaign, created by perft campaign plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Scheduler that runs the jobs
    #[arg(long, value_name = "TARGET", help_heading = "Jobs")]
    to: Target,
    /// Submit the jobs now; without this flag, the script is only written
    #[arg(long, help_heading = "Jobs")]
    now: bool,
    /// Number of jobs; each counts one shard of the campaign [default: 16, or with --to local one for each group of
    /// --threads cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Jobs")]
    jobs: Option<u32>,
    /// Path of the perft program on the machines that run the jobs [default: this program]
    #[arg(long, value_name = "PATH", help_heading = "Jobs")]
    program: Option<PathBuf>,
    #[command(flatten)]
    counting: WorkerArgs,
    #[command(flatten)]
    slurm: SlurmArgs,
    #[command(flatten)]
    hosts: HostArgs,
}

/// A scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// Slurm: a job array, submitted with sbatch
    Slurm,
    /// GNU parallel, on this machine or on others through ssh
    Parallel,
    /// Processes on this machine
    Local,
}

/// How each job counts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Counting, for each job")]
struct WorkerArgs {
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    table: HashArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Slurm")]
struct SlurmArgs {
    /// Time limit of a job in a format of Slurm; a job stops one minute earlier and is queued again [default: 4:00:00]
    #[arg(long, value_name = "TIME", value_parser = slurm::parse_time)]
    time: Option<String>,
    /// Memory of a job [default: 1G plus the table]
    #[arg(long, value_name = "SIZE")]
    mem: Option<MemorySize>,
    /// Additional option for sbatch, such as --sbatch=--partition=long; repeat the flag for several options
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    sbatch: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "GNU parallel")]
struct HostArgs {
    /// Machines that run the jobs, as for ssh, separated by commas [default: this machine]
    #[arg(long, value_name = "HOSTS", conflicts_with = "sshloginfile")]
    hosts: Option<String>,
    /// File with one machine per line
    #[arg(long, value_name = "FILE")]
    sshloginfile: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: SubmitArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let campaign = Campaign::open(&args.folder)?;
    args.refuse_flags_of_other_targets()?;
    let missing = merge(&campaign)?.missing;
    if missing.is_empty() {
        writeln!(
            out,
            "all units are counted; add them up with perft campaign merge {}",
            args.folder.display()
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    refuse_missing_files(&campaign, &missing)?;
    let job = args.job(&campaign, &missing)?;
    let script = args.write_script(&job)?;
    let (jobs, units) = (job.shards.len(), grouped(missing.len().into()));
    match args.to {
        target if !args.now => {
            let runner = if target == Target::Slurm { "sbatch" } else { "bash" };
            let script = quoted(&script.display().to_string());
            writeln!(out, "{units} units are left, in {jobs} jobs; submit them with {runner} {script}")?;
        }
        Target::Slurm => {
            let id = slurm::submit(&script)?;
            writeln!(out, "job {id}: {units} units in {jobs} jobs")?;
        }
        Target::Parallel | Target::Local => {
            out.flush()?;
            return exec_script(&script);
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl SubmitArgs {
    /// Refuses flags that belong to another target, where they would have no effect.
    fn refuse_flags_of_other_targets(&self) -> Result<(), CliError> {
        let SlurmArgs { time, mem, sbatch } = &self.slurm;
        let HostArgs { hosts, sshloginfile } = &self.hosts;
        let flags = [
            ("--time", time.is_some(), Target::Slurm, "slurm"),
            ("--mem", mem.is_some(), Target::Slurm, "slurm"),
            ("--sbatch", !sbatch.is_empty(), Target::Slurm, "slurm"),
            ("--hosts", hosts.is_some(), Target::Parallel, "parallel"),
            ("--sshloginfile", sshloginfile.is_some(), Target::Parallel, "parallel"),
        ];
        match flags.into_iter().find(|&(_, is_given, target, _)| is_given && target != self.to) {
            Some((flag, _, _, target)) => {
                let message = format!("{flag} works only with --to {target}");
                Err(CliError::usage(message).help(format!("leave out {flag}")))
            }
            None => Ok(()),
        }
    }

    /// Describes the jobs: one for each shard that has missing units.
    fn job(&self, campaign: &Campaign, missing: &Ranges) -> Result<Job, CliError> {
        let shard_count = self.shard_count(campaign.units())?;
        let has_missing = |shard: &Shard| missing.iter().any(|unit| shard.contains(unit));
        let shards = (1..).zip(Shard::all(shard_count)).filter(|(_, shard)| has_missing(shard));
        let MachineArgs { threads, cpu_path } = self.counting.machine;
        Ok(Job {
            program: self.program.as_deref().map_or_else(this_program, job::script_path)?,
            folder: absolute(&self.folder)?,
            shards: shards.map(|(index, _)| index).collect(),
            shard_count,
            threads,
            hash: self.counting.table.hash.map(|size| above_zero("--hash", size)).transpose()?,
            cpu_path,
        })
    }

    /// Returns the number of shards of a campaign with this number of units.
    fn shard_count(&self, units: u32) -> Result<u32, CliError> {
        match self.jobs {
            Some(jobs) if jobs > units => {
                let message =
                    format!("--jobs {jobs}: the campaign has {units} units, so some jobs would have none");
                Err(CliError::usage(message).help(format!("use at most --jobs {units}")))
            }
            Some(jobs) => Ok(jobs),
            None if self.to == Target::Local => {
                let cores = available_parallelism().map_or(1, usize::from);
                Ok(units.min((cores / self.counting.machine.threads.count()).max(1) as u32))
            }
            None => Ok(units.min(DEFAULT_JOBS)),
        }
    }

    /// Writes the script into the folder of the campaign.
    fn write_script(&self, job: &Job) -> Result<PathBuf, CliError> {
        let folder = self.folder.join("jobs");
        let (name, text) = match self.to {
            Target::Slurm => ("slurm.sh", slurm::script(job, &self.limits()?)),
            Target::Parallel => ("parallel.sh", parallel::script(job, &self.hosts()?)),
            Target::Local => ("local.sh", local::script(job)),
        };
        create_subfolder(&folder)?;
        let path = folder.join(name);
        Export::replace(&path)?.write(|out| out.write_all(text.as_bytes()))?;
        if self.to == Target::Parallel {
            remove_job_log(&folder.join(parallel::JOB_LOG))?;
        }
        Ok(path)
    }

    fn limits(&self) -> Result<SlurmLimits, CliError> {
        let Threads::Count(threads) = self.counting.machine.threads else {
            return Err(CliError::usage("--threads all: Slurm needs the number of cores of a job")
                .help("use --threads N, with the cores of a node divided by its jobs"));
        };
        let SlurmArgs { time, mem, sbatch } = &self.slurm;
        if sbatch.iter().any(|option| !option.starts_with('-') || option.contains(['\n', '\r'])) {
            return Err(CliError::usage("--sbatch: the value is not an option of sbatch")
                .help("give an option that starts with '-', such as --sbatch=--partition=long"));
        }
        let table_bytes = self.counting.table.hash.map_or(0, MemorySize::bytes);
        let mem_bytes = match *mem {
            Some(mem) => above_zero("--mem", mem)?.bytes(),
            None => table_bytes.saturating_add(DEFAULT_MEMORY_BYTES),
        };
        Ok(SlurmLimits {
            threads,
            time: time.clone().unwrap_or_else(|| slurm::DEFAULT_TIME.to_owned()),
            mem_mib: mem_bytes.div_ceil(1 << 20),
            sbatch: sbatch.clone(),
        })
    }

    fn hosts(&self) -> Result<Hosts, CliError> {
        Ok(match (&self.hosts.hosts, &self.hosts.sshloginfile) {
            (Some(hosts), _) if hosts.split(',').any(str::is_empty) || hosts.contains(['\n', '\r']) => {
                return Err(CliError::usage(format!("--hosts '{hosts}': not a list of machines"))
                    .help("separate the machines by commas, as in --hosts alpha,beta,user@gamma"));
            }
            (Some(hosts), _) => Hosts::List(hosts.clone()),
            (None, Some(file)) => Hosts::File(absolute(file)?),
            (None, None) => Hosts::Local,
        })
    }
}

/// Returns the path of this program.
fn this_program() -> Result<String, CliError> {
    let path = std::env::current_exe();
    absolute(&path.map_err(|error| {
        CliError::usage(format!("cannot find the executable file of this program: {error}"))
    })?)
}

fn above_zero(flag: &str, size: MemorySize) -> Result<MemorySize, CliError> {
    if size.bytes() == 0 {
        return Err(
            CliError::usage(format!("{flag} 0: the size must be above 0")).help("give a size such as 4G")
        );
    }
    Ok(size)
}

/// Refuses a campaign without the files of all missing units. Otherwise a job would fail on them hours later.
fn refuse_missing_files(campaign: &Campaign, missing: &Ranges) -> Result<(), CliError> {
    let absent: Ranges = missing.iter().filter(|&unit| !campaign.unit_path(unit).is_file()).collect();
    if absent.is_empty() {
        return Ok(());
    }
    let message = format!("the plan is incomplete: {} unit files do not exist: {absent}", absent.len());
    Err(CliError::usage(message).help(
        "run perft campaign plan with the same arguments in another folder: it writes the same files, so copy them from there",
    ))
}

/// Removes the log of an earlier submission. The journals of the campaign say more exactly which units are missing.
fn remove_job_log(path: &Path) -> Result<(), CliError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(CliError::usage(format!("cannot remove {}: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

/// Replaces this process by the script, which then receives all signals and determines the exit code.
#[cfg(unix)]
fn exec_script(script: &Path) -> Result<ExitCode, CliError> {
    use std::os::unix::process::CommandExt;
    Err(not_started("bash", &Command::new("bash").arg(script).exec(), script))
}

/// Runs the script with the bash of Git or of MSYS2, and returns its exit code. Windows cannot replace a process.
#[cfg(not(unix))]
fn exec_script(script: &Path) -> Result<ExitCode, CliError> {
    let status = Command::new("bash").arg(script).status();
    let status = status.map_err(|error| not_started("bash", &error, script))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2)))
}

/// Returns the error for a scheduler or a shell that does not start.
fn not_started(program: &str, error: &io::Error, script: &Path) -> CliError {
    let reason = match error.kind() {
        ErrorKind::NotFound => "it is not on the PATH".to_owned(),
        _ => error.to_string(),
    };
    CliError::usage(format!("cannot start {program}: {reason}")).help(format!(
        "the script is in {}; run it with {program} on a machine that has it",
        script.display()
    ))
}
