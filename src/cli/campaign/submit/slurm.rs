//! Slurm: a job array with one task per shard. A task queues itself again when its time limit is reached.

use std::path::Path;
use std::process::Command;

use super::job::Job;
use super::not_started;
use crate::cli::error::CliError;

/// The default time limit of a task.
pub const DEFAULT_TIME: &str = "4:00:00";

/// The shortest time limit in which a task makes progress, in seconds.
const MIN_SECONDS: u64 = 180;

/// The resources of a task of the array.
#[derive(Clone, Debug)]
pub struct SlurmLimits {
    /// The number of cores, which is also the number of threads.
    pub threads: usize,
    /// The time limit in a format of Slurm.
    pub time: String,
    /// The memory in MiB.
    pub mem_mib: u64,
    /// Additional options for sbatch.
    pub sbatch: Vec<String>,
}

/// The part of the script after the options and the function `work`.
///
/// Slurm sends the signal only to this shell, a minute before the time limit. A task that a user has cancelled is no
/// longer in state `RUNNING`, and is not queued again. A preempted task is queued again by Slurm itself.
const BODY: &str = r#"
worker=
stop() {
    signalled=yes
    [ -z "$worker" ] || kill -TERM "$worker" 2>/dev/null
}
trap stop TERM
signalled=no
work "$SLURM_ARRAY_TASK_ID" &
worker=$!
[ $signalled = no ] || stop
# A signal ends "wait" before the worker has ended.
while :; do
    signalled=no
    wait "$worker"
    code=$?
    [ $signalled = no ] && break
done

# 130: stopped, and its counts are saved. 137: killed by the system; it may happen again, so only a few times.
if [ $code = 130 ] || { [ $code = 137 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; }; then
    task=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
    if [ "$(squeue --noheader --jobs "$task" --format %T)" = RUNNING ]; then
        echo "task $task ended with $code and is queued again"
        # Slurm ends the running task when it queues it again.
        scontrol requeue "$task" && sleep 60
    fi
fi
exit $code
"#;

/// Returns the batch script.
pub fn script(job: &Job, limits: &SlurmLimits) -> String {
    let SlurmLimits { threads, time, mem_mib, sbatch } = limits;
    let mut options = vec![
        "--job-name=perft".to_owned(),
        format!("--array={}", job.shards),
        "--ntasks=1".to_owned(),
        format!("--cpus-per-task={threads}"),
        format!("--time={time}"),
        format!("--mem={mem_mib}M"),
        "--requeue".to_owned(),
        "--signal=B:TERM@60".to_owned(),
        format!("--chdir={}", quoted_for_sbatch(&job.folder)),
        "--output=jobs/slurm-%A_%a.log".to_owned(),
        "--open-mode=append".to_owned(),
    ];
    options.extend(sbatch.iter().cloned());
    let options: String = options.iter().map(|option| format!("#SBATCH {option}\n")).collect();
    format!("#!/bin/bash\n{options}\n{}{BODY}", job.function("\"$SLURM_CPUS_PER_TASK\""))
}

/// Returns a text as one word of an `#SBATCH` line. In such a line, sbatch knows only double quotes and backslashes.
fn quoted_for_sbatch(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}

/// Submits a script to Slurm, and returns the job's number.
///
/// # Errors
/// A usage error if sbatch does not start, or if it rejects the job.
pub fn submit(script: &Path) -> Result<String, CliError> {
    let output = Command::new("sbatch").arg("--parsable").arg(script).output();
    let output = output.map_err(|error| not_started("sbatch", &error, script))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(CliError::usage(format!("Slurm rejected the job: {}", message.trim()))
            .help(format!("the script is in {}", script.display())));
    }
    // With several clusters, the output is NUMBER;CLUSTER.
    let answer = String::from_utf8_lossy(&output.stdout);
    Ok(answer.trim().split(';').next().unwrap_or_default().to_owned())
}

/// Checks a time limit in a format of Slurm: minutes, minutes:seconds, hours:minutes:seconds, days-hours and so on.
///
/// SlurmLimits below 3 minutes are refused. Slurm may send the signal one minute earlier than asked for, so a task of two
/// minutes could be stopped as soon as it starts, again and again.
pub fn parse_time(text: &str) -> Result<String, String> {
    match seconds(text) {
        None => Err("give a time such as 90 (minutes), 8:00:00 or 2-12".to_owned()),
        Some(seconds) if seconds < MIN_SECONDS => Err(format!("give at least {} minutes", MIN_SECONDS / 60)),
        Some(_) => Ok(text.to_owned()),
    }
}

/// Returns the seconds of a time in a format of Slurm; `None` if it is not one.
fn seconds(text: &str) -> Option<u64> {
    let parse = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?;
    let (days, rest) = text.split_once('-').map_or((None, text), |(days, rest)| (Some(days), rest));
    let parts: Vec<u64> = rest.split(':').map(parse).collect::<Option<_>>()?;
    let units: &[u64] = match (days, parts.len()) {
        (Some(_), 1..=3) => &[3600, 60, 1],
        (None, 1) => &[60],
        (None, 2) => &[60, 1],
        (None, 3) => &[3600, 60, 1],
        _ => return None,
    };
    let mut total = days.map_or(Some(0), parse)?.checked_mul(86_400)?;
    for (part, unit) in parts.iter().zip(units) {
        total = total.checked_add(part.checked_mul(*unit)?)?;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_formats_of_slurm() {
        for time in ["90", "90:30", "8:00:00", "2-12", "2-12:30", "2-12:30:00"] {
            assert_eq!(parse_time(time), Ok(time.to_owned()));
        }
        assert_eq!((seconds("90:30"), seconds("2-12:30")), (Some(5430), Some(217_800)));
        for wrong in ["", "0", "2", "2:59", "8h", "+8", "1:2:3:4", "2-", "-2", "1::2", "0:00:00"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn paths_are_quoted_for_sbatch() {
        assert_eq!(quoted_for_sbatch(r#"/a b/"c"\d"#), r#""/a b/\"c\"\\d""#);
    }
}
