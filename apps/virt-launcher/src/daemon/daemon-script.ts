/**
 * What becomes a daemon with directories of its own: it mounts them and turns into the daemon, as one process. It is
 * constant: values arrive as arguments and never become code.
 *
 * Arguments: pairs of bind-mount source and target, `--`, the argument vector.
 */
export const daemonScript: string = String.raw`
set -u
while [ "$1" != -- ]; do
  mount --bind -- "$1" "$2" || { echo "mounting $1 over $2 failed" >&2; exit 1; }
  shift 2
done
shift
exec "$@"
`;
