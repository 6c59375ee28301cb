worker=
stop() {
    signalled=yes
    [ -z "$worker" ] || kill -TERM "$worker" 2>/dev/null
}
trap stop TERM
signalled=no
work "$@" &
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
