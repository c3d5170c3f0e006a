/** What the script exits with when another launcher of the same pod runs. */
export const TAKEN = 75;

/**
 * What becomes a launcher: it takes the lock of the pod, enters the pod's cgroups and turns into the launcher, all as one
 * process. It is constant: values arrive as arguments and never become code.
 *
 * Arguments: the lock file, the files by which a cgroup is entered, `--`, the argument vector. The lock stays with the
 * launcher for life, so that a runner which was killed at any point can never be followed by a second launcher.
 */
export const launchScript: string = String.raw`
set -u
fail() { echo "$1 failed" >&2; exit 1; }
exec 9>"$1" || fail "opening $1"
flock --exclusive --nonblock 9 || exit ${TAKEN}
shift
while [ "$1" != -- ]; do
  echo 0 >"$1" || fail "entering $1"
  shift
done
shift
exec "$@"
`;
