//! GNU parallel: one job per shard, on this machine or on others through ssh.

use super::job::{Job, quoted};
use crate::cli::args::Threads;

/// The file, next to the script, in which parallel records every job.
pub const JOB_LOG: &str = "parallel.log";

/// The machines that run the jobs.
#[derive(Clone, Debug)]
pub enum Hosts {
    /// This machine.
    Local,
    /// The machines in this text, separated by commas.
    List(String),
    /// The machines in the file with this path, one per line.
    File(String),
}

/// Returns the script.
///
/// The commands are the input of parallel, so that parallel does not replace anything in them. A second run with the
/// same input and the same job log only runs the jobs that failed or have not started.
pub fn script(job: &Job, hosts: &Hosts) -> String {
    let log = quoted(&format!("{}/jobs/{JOB_LOG}", job.folder));
    let mut options = vec![
        format!("--joblog {log}"),
        "--resume --resume-failed".to_owned(),
        "--retries 3 --halt soon,fail=1".to_owned(),
        "--termseq TERM,10000,TERM,1000,KILL,25".to_owned(),
        "--line-buffer".to_owned(),
        format!("--jobs {}", jobs_option(job.threads)),
    ];
    match hosts {
        Hosts::Local => {}
        Hosts::List(names) => options.push(format!("--sshlogin {}", quoted(names))),
        Hosts::File(path) => options.push(format!("--sshloginfile {}", quoted(path))),
    }
    let threads = job.threads.to_string();
    let commands: String =
        job.shards.iter().map(|shard| job.command(&shard.to_string(), &threads) + "\n").collect();
    format!("{HEAD}exec parallel \\\n    {} <<'SHARDS'\n{commands}SHARDS\n", options.join(" \\\n    "))
}

/// The beginning of the script.
const HEAD: &str = r#"#!/bin/bash
# SIGHUP: no new jobs are started. SIGTERM: the workers release their units and end.
command -v parallel >/dev/null || {
    echo 'error: cannot start parallel: it is not on the PATH' >&2
    exit 2
}
"#;

/// Returns the argument of `--jobs`. It limits the jobs on a machine so that all threads together fit its cores.
fn jobs_option(threads: Threads) -> String {
    match threads {
        Threads::Count(threads) => format!("{}%", (100 / threads.max(1)).max(1)),
        Threads::All => "1".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_share_the_cores() {
        let jobs = |threads| jobs_option(Threads::Count(threads));
        assert_eq!([1, 2, 3, 300].map(jobs), ["100%", "50%", "33%", "1%"]);
        assert_eq!(jobs_option(Threads::All), "1");
    }
}
