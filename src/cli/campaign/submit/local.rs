//! This machine: one process per shard, all at the same time.

use super::job::Job;

/// The part of the script that starts the workers and waits for them.
///
/// Each worker has a process group of its own (`set -m`). So it receives Ctrl-C once, from the trap. A second signal
/// would end it before it has released its unit.
const BODY: &str = r#"
workers=()
stop() {
    signalled=yes
    [ ${#workers[@]} = 0 ] || kill -TERM "${workers[@]}" 2>/dev/null
}
trap stop INT TERM HUP
set -m
signalled=no
for shard in "${shards[@]}"; do
    [ $signalled = no ] || break
    work "$shard" </dev/null &
    workers+=($!)
done
[ $signalled = no ] || stop

worst=0
for worker in "${workers[@]}"; do
    # A signal ends "wait" before the worker has ended.
    while :; do
        signalled=no
        wait "$worker"
        code=$?
        [ $signalled = no ] && break
    done
    [ $code -gt $worst ] && worst=$code
done
exit $worst
"#;

/// Returns the script. Its exit code is the highest one of its workers.
pub fn script(job: &Job) -> String {
    let shards: Vec<String> = job.shards.iter().map(|shard| shard.to_string()).collect();
    let function = job.function(&job.threads.to_string());
    format!("#!/bin/bash\nshards=({})\n{function}{BODY}", shards.join(" "))
}
