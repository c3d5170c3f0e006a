/**
 * What pid 1 of a local host runs. It is constant: values arrive as arguments and never become code.
 *
 * Arguments: the name of the host, the file of its record, the file with the id of its boot, an empty directory, pairs of
 * bind-mount source and target, `--`, and what the host runs, again whenever it ends. It says `ready` on 3, and begins when it reads
 * `go`: until then its network is plugged in, and it ends with whoever does that. From then on it belongs to nobody. USR1 ends what
 * the host runs, so that it begins anew.
 */
export const hostScript: string = String.raw`
set -u
fail() { echo "$1 failed" >&2; exit 1; }
name=$1 record=$2 boot=$3 empty=$4
shift 4
# A program named bash has no blanks in its name, so the start is field 22. This is still the /proc of who started it.
read -r outer _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ ticks _ </proc/self/stat
read -r machine </proc/sys/kernel/random/boot_id
mount -t proc proc /proc || fail "mounting /proc"
printf %s "$name" >/proc/sys/kernel/hostname || fail "setting the host name"
mount --bind -- "$boot" /proc/sys/kernel/random/boot_id || fail "mounting the id of the boot"
# sysfs shows the network namespace of whoever mounted it, and has no cgroups in it then.
mount --rbind /sys/fs/cgroup "$empty" || fail "keeping the cgroups"
mount -t sysfs sysfs /sys || fail "mounting /sys"
mount --rbind "$empty" /sys/fs/cgroup || fail "mounting the cgroups"
umount -l "$empty"
# Beside the first version the second limits nothing: libvirt starts no containers where both have controllers.
unified=/sys/fs/cgroup/unified/cgroup.controllers
if [ -e "$unified" ]; then mount --bind /dev/null "$unified" || fail "hiding $unified"; fi
while [ "$1" != -- ]; do
  mount --bind -- "$1" "$2" || fail "mounting $1 over $2"
  shift 2
done
shift
# Libvirt has mounts of its own, and gets what agents mount later. Not before: what was unmounted above would go everywhere.
mount --make-rshared / || fail "passing mounts on"
(
  umask 077
  printf '{"pid":%s,"startTicks":"%s","bootId":"%s"}\n' "$outer" "$ticks" "$machine" >"$record.new" &&
    mv -f -- "$record.new" "$record"
) || fail "writing $record"
echo ready >&3
exec 3>&-
read -r word && [ "$word" = go ] || exit 1
exec </dev/null
main=
trap 'told=yes; [ -n "$main" ] && kill "$main" 2>/dev/null' USR1
while :; do
  "$@" &
  main=$!
  # A signal ends the wait, not what is waited for. Bash knows how that ended also once it is gone, so it is asked again.
  while :; do
    told=
    wait "$main"
    status=$?
    [ -n "$told" ] || break
  done
  main=
  echo "what the host runs has ended with $status, and is started again" >&2
  sleep 1
done
`;
