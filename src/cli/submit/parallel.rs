//! GNU parallel: a line a shard, on this machine or on others through ssh.

use super::job::{Job, quoted};

/// What parallel notes about each job, beside the script.
pub const JOB_LOG: &str = "parallel.log";

/// The machines.
#[derive(Clone, Debug)]
pub enum Hosts {
    /// This one.
    Here,
    /// Names, with commas between.
    List(String),
    /// A file of names.
    File(String),
}

/// The script. The commands are its input, where parallel replaces nothing; with the same job log and input, running the
/// script again goes on with what failed or was not begun.
pub fn script(job: &Job, threads: &str, hosts: &Hosts) -> String {
    let log = quoted(&format!("{}/jobs/{JOB_LOG}", job.folder));
    let mut options = vec![
        format!("--joblog {log}"),
        "--resume --resume-failed".to_owned(),
        "--retries 3 --halt soon,fail=1".to_owned(),
        "--termseq TERM,10000,TERM,1000,KILL,25".to_owned(),
        "--line-buffer".to_owned(),
        format!("--jobs {}", at_a_time(threads)),
    ];
    match hosts {
        Hosts::Here => {}
        Hosts::List(names) => options.push(format!("--sshlogin {}", quoted(names))),
        Hosts::File(path) => options.push(format!("--sshloginfile {}", quoted(path))),
    }
    let commands: String =
        job.shards.iter().map(|shard| job.command(&shard.to_string(), threads) + "\n").collect();
    format!("{HEAD}exec parallel \\\n    {} <<'SHARDS'\n{commands}SHARDS\n", options.join(" \\\n    "))
}

/// What comes before parallel is called.
const HEAD: &str = r#"#!/bin/bash
# SIGHUP: nothing new is begun. SIGTERM: the workers give their units up and end.
command -v parallel >/dev/null || {
    echo 'error: cannot start parallel: it is not on the PATH' >&2
    exit 2
}
"#;

/// How many jobs a machine runs at a time: as many as have cores.
fn at_a_time(threads: &str) -> String {
    match threads.parse::<u32>() {
        Ok(threads) => format!("{}%", (100 / threads.max(1)).max(1)),
        Err(_) => "1".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_share_the_cores() {
        assert_eq!(["1", "2", "3", "300", "all"].map(at_a_time), ["100%", "50%", "33%", "1%", "1"]);
    }
}
