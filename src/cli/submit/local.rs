//! This machine: a process a shard, all at once.

use super::job::{Job, quoted};

/// Each worker is in a process group of its own (`set -m`), so that Ctrl-C reaches it once, through the trap: a second
/// signal would end it without waiting.
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
    # A signal ends wait before the worker has ended.
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

/// The script. Its exit code is the highest of the workers'.
pub fn script(job: &Job, threads: &str) -> String {
    let shards: Vec<String> = job.shards.iter().map(|shard| shard.to_string()).collect();
    let shards = shards.join(" ");
    format!("#!/bin/bash\nshards=({shards})\n{}{BODY}", job.function(&quoted(threads)))
}
