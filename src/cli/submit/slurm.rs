//! Slurm: a job array, one task a shard, each of which queues itself again when its time is up.

use std::path::Path;
use std::process::Command;

use super::job::Job;
use super::not_started;
use crate::cli::error::CliError;

/// The time limit of a job, unless told otherwise.
pub const TIME: &str = "4:00:00";

/// What a task of the array may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Its cores, and threads.
    pub threads: usize,
    /// Its time, as Slurm writes it.
    pub time: String,
    /// Its memory.
    pub mem_mib: u64,
    /// Further options for sbatch.
    pub further: Vec<String>,
}

/// What follows the options and the worker. Slurm asks for the end a minute ahead of the limit, of this shell alone. A task
/// that somebody cancels is no longer running and stays ended; one that is preempted is queued again by Slurm itself.
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
# A signal ends wait before the worker has ended.
while :; do
    signalled=no
    wait "$worker"
    code=$?
    [ $signalled = no ] && break
done

# 130: stopped, and what was counted is saved. 137: killed from outside, which may happen again, so not for ever.
if [ $code = 130 ] || { [ $code = 137 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; }; then
    task=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
    if [ "$(squeue --noheader --jobs "$task" --format %T)" = RUNNING ]; then
        echo "task $task ended with $code and is queued again"
        # Slurm ends what still runs of a task that it queues again.
        scontrol requeue "$task" && sleep 60
    fi
fi
exit $code
"#;

/// The batch script.
pub fn script(job: &Job, limits: &Limits) -> String {
    let Limits { threads, time, mem_mib, further } = limits;
    let mut options = vec![
        "--job-name=perft".to_owned(),
        format!("--array={}", job.shards),
        "--ntasks=1".to_owned(),
        format!("--cpus-per-task={threads}"),
        format!("--time={time}"),
        format!("--mem={mem_mib}M"),
        "--requeue".to_owned(),
        "--signal=B:TERM@60".to_owned(),
        format!("--chdir={}", in_directive(&job.folder)),
        "--output=jobs/slurm-%A_%a.log".to_owned(),
        "--open-mode=append".to_owned(),
    ];
    options.extend(further.iter().cloned());
    let options: String = options.iter().map(|option| format!("#SBATCH {option}\n")).collect();
    format!("#!/bin/bash\n{options}\n{}{BODY}", job.function("\"$SLURM_CPUS_PER_TASK\""))
}

/// A text as one word of a line that begins with `#SBATCH`: sbatch knows quotes and backslashes, and nothing else.
fn in_directive(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}

/// Gives a script to Slurm, which answers with the number of the job.
pub fn hand_in(script: &Path) -> Result<String, CliError> {
    let output = Command::new("sbatch").arg("--parsable").arg(script).output();
    let output = output.map_err(|error| not_started("sbatch", &error, script))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(CliError::usage(format!("Slurm refuses the job: {}", said.trim()))
            .help(format!("the script is written: {}", script.display())));
    }
    // On one of several clusters: NUMBER;CLUSTER.
    let said = String::from_utf8_lossy(&output.stdout);
    Ok(said.trim().split(';').next().unwrap_or_default().to_owned())
}

/// Minutes, minutes:seconds, hours:minutes:seconds, or days-hours and so on.
///
/// Slurm sends the signal up to a minute before the minute that it is asked for, so a job of two minutes could be stopped as
/// soon as it begins, again and again.
pub fn parse_time(text: &str) -> Result<String, String> {
    match seconds(text) {
        None => Err("a time such as 90 (minutes), 8:00:00 or 2-12".to_owned()),
        Some(seconds) if seconds < SHORTEST => Err(format!("at least {} minutes", SHORTEST / 60)),
        Some(_) => Ok(text.to_owned()),
    }
}

/// The shortest time limit in which a job gets something done.
const SHORTEST: u64 = 180;

/// The seconds of a time of Slurm.
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
    fn times_are_those_of_slurm() {
        for time in ["90", "90:30", "8:00:00", "2-12", "2-12:30", "2-12:30:00"] {
            assert_eq!(parse_time(time), Ok(time.to_owned()));
        }
        assert_eq!((seconds("90:30"), seconds("2-12:30")), (Some(5430), Some(217_800)));
        for wrong in ["", "0", "2", "2:59", "8h", "+8", "1:2:3:4", "2-", "-2", "1::2", "0:00:00"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn directives_are_quoted() {
        assert_eq!(in_directive(r#"/a b/"c"\d"#), r#""/a b/\"c\"\\d""#);
    }
}
