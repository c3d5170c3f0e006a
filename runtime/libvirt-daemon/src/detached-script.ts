/**
 * What becomes a detached libvirtd: it mounts, writes down who it is, and turns into the daemon, all as one process. It is
 * constant: values arrive as arguments and never become code.
 *
 * Arguments: the file of the record, the address, pairs of bind-mount source and target, `--`, the daemon's argument vector.
 * The record is written here, not by the starter, which may be killed between the two.
 */
export const detachedScript: string = String.raw`
set -u
fail() { echo "$1 failed" >&2; exit 1; }
record=$1 uri=$2
shift 2
while [ "$1" != -- ]; do
  mount --bind -- "$1" "$2" || fail "mounting $1 over $2"
  shift 2
done
shift
# Containers of libvirt fail where a second tree of cgroups lies beside the first; it limits nothing there.
umount /sys/fs/cgroup/unified 2>/dev/null
# A program named bash has no blanks in its name, so the start is field 22.
read -r _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ ticks _ </proc/self/stat
read -r boot </proc/sys/kernel/random/boot_id
(
  umask 077
  printf '{"pid":%s,"startTicks":"%s","bootId":"%s","uri":"%s"}\n' "$$" "$ticks" "$boot" "$uri" >"$record.new" &&
    mv -f -- "$record.new" "$record"
) || fail "writing $record"
exec "$@"
`;
