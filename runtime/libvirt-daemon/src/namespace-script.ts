/**
 * What pid 1 of a daemon's namespaces runs. It is constant: values arrive as arguments and never become code.
 *
 * Arguments: host name (or empty), `own` or `shared` network, pairs of bind-mount source and target, `--`, the daemon's argument vector.
 * It answers on stdout: `ready PID`, then for each `start` line on stdin `started PID` and later `exited STATUS`.
 * Pids are those of the process that started it. When stdin ends, it exits, and the kernel kills all that is left.
 */
export const namespaceScript: string = String.raw`
set -u
fail() { echo "failed $1"; exit 1; }
read -r outer _ </proc/self/stat
exec 8</proc
mount -t proc proc /proc || fail "mounting /proc"
if [ -n "$1" ]; then printf %s "$1" >/proc/sys/kernel/hostname || fail "setting the host name"; fi
# sysfs shows the network namespace of whoever mounted it.
if [ "$2" = own ]; then mount -t sysfs sysfs /sys || fail "mounting /sys"; fi
# Containers of libvirt fail where a second tree of cgroups lies beside the first; it limits nothing there.
umount /sys/fs/cgroup/unified 2>/dev/null
shift 2
while [ "$1" != -- ]; do
  mount --bind -- "$1" "$2" || fail "mounting $1 over $2"
  shift 2
done
shift
echo "ready $outer"
while read -r word; do
  [ "$word" = start ] || continue
  (
    # The /proc of the parent's pid namespace, still open as 8, knows this process by the pid the parent sees.
    ( read -r outer _ </proc/self/fd/8/self/stat; echo "started $outer"; exec "$@" </dev/null >&2 8<&- ) &
    wait "$!"
    echo "exited $?"
  ) &
done
`;
