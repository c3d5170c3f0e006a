/**
 * Keeps a machine, from outside its namespaces, and takes away what the kernel leaves of it: the empty cgroups. It is
 * constant: values arrive as arguments and never become code.
 *
 * Arguments: the bed's directory, the name of the machine's cgroup, the machine script and its arguments.
 * It answers on stdout: `ready PID`, and at last `ended STATUS`. The machine is killed when stdin ends, that
 * is, when the owner wants it or is gone.
 */
export const keeperScript: string = String.raw`
set -u
fail() { echo "$1 failed" >&2; exit 1; }
bed=$1 cgroup=$1/cgroup/$2 script=$3
shift 3
mount -t cgroup2 cgroup2 "$bed/cgroup" || fail "mounting cgroup2"
mkdir "$cgroup" || fail "making a cgroup"
exec 3<>"$bed/shared/ready" 4<&0
(
  echo 0 >"$cgroup/cgroup.procs" || exit 1
  exec setpriv --pdeathsig KILL unshare --mount --uts --ipc --net --pid --cgroup --propagation private --fork \
    --kill-child=KILL bash --norc --noprofile -c "$script" machine "$@" </dev/null >&2 3<&- 4<&-
) &
outer=$!
( read -r _ <&4; kill -KILL "$outer" ) &
owner=$!
( read -r first <&3; read -r inner _ <"/proc/$outer/task/$outer/children"; echo "ready $inner" ) &
boot=$!
wait "$outer"
status=$?
kill "$owner" "$boot" 2>/dev/null
# The last processes of the machine may still be on their way out.
for attempt in {1..600}; do
  find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null && break
  sleep 0.05
done
echo "ended $status"
`;
