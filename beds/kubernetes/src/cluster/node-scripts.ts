/**
 * The first process of a node, in new mount, name, ipc, network and pid namespaces: makes the node's cgroup the root of all that it
 * sees of cgroups, and goes on with the next script. Both are constant: values arrive as arguments and never become code.
 */
export const joinScript: string = String.raw`
set -u
script=$1 cgroup=$2 trees=$3
shift
for tree in $trees; do echo 0 >"$tree/$cgroup/cgroup.procs" || exit 1; done
exec unshare --cgroup bash --norc --noprofile -c "$script" node "$@"
`;

/**
 * Builds the node's root, and runs programs in it. Arguments: the node's cgroup, its trees, the directory with `root` and `sysctl`,
 * the host name, and pairs of what is shown to the node and where.
 *
 * For a line on 3 it runs the command of that name in `/opt/bed/commands`, and answers on 4: `ready PID` at first, then `started
 * NAME PID` and `exited NAME STATUS`. Pids are those of who started it. When 3 ends it exits, and the kernel kills all that is left.
 */
export const nodeScript: string = String.raw`
set -eu
trap 'echo "line $LINENO of the script of the node failed" >&2' ERR
cgroup=$1 trees=$2 directory=$3 name=$4
shift 4
# Out of the way: in the second version a cgroup has processes or others in it, not both.
for tree in $trees; do echo 0 >"$tree/$cgroup/init/cgroup.procs"; done
read -r outer _ </proc/self/stat
exec 8</proc
mount --bind "$directory/root" "$directory/root"
cd "$directory/root"
for link in bin sbin lib lib32 lib64 libx32; do if [ -L "/$link" ]; then cp -d "/$link" .; fi; done
mount --bind /usr usr
mount -o remount,bind,ro usr
for file in passwd group nsswitch.conf ld.so.cache ld.so.conf protocols services alternatives libvirt sasl2; do
  if [ -e "/etc/$file" ] && [ ! -e "etc/$file" ]; then cp -a "/etc/$file" etc/; fi
done

mount -t proc proc proc
printf %s "$name" >proc/sys/kernel/hostname
# Settings of the whole machine which a kubelet would change: it sees what it wants there.
(cd "$directory/sysctl" && find . -type f) | while read -r file; do
  if [ -e "proc/sys/$file" ]; then mount --bind "$directory/sysctl/$file" "proc/sys/$file"; fi
done
mount -t sysfs sysfs sys
if [ "$trees" = /sys/fs/cgroup ]; then
  mount --bind "/sys/fs/cgroup/$cgroup" sys/fs/cgroup
  sed 's/[a-z]\+/+&/g' sys/fs/cgroup/cgroup.controllers >sys/fs/cgroup/cgroup.subtree_control
else
  mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
  for tree in $trees; do
    mkdir "sys/fs/cgroup/$(basename "$tree")"
    mount --bind "$tree/$cgroup" "sys/fs/cgroup/$(basename "$tree")"
  done
fi

mount -t tmpfs -o mode=755 tmpfs dev
mkdir dev/net dev/pts dev/shm dev/mqueue
for node in null zero full random urandom tty kmsg kvm fuse vhost-net vhost-vsock net/tun; do
  if [ -c "/dev/$node" ]; then : >"dev/$node"; mount --bind "/dev/$node" "dev/$node"; fi
done
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
mount -t mqueue mqueue dev/mqueue
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr

while [ "$#" -gt 0 ]; do
  if [ -d "$1" ]; then mkdir -p ".$2"; else mkdir -p ".$(dirname "$2")"; : >>".$2"; fi
  mount --bind -- "$1" ".$2"
  shift 2
done

pivot_root . old
cd /
umount -l /old
rmdir /old
# What a pod mounts for others to see has to get there.
mount --make-rshared /
printf 1 >/proc/sys/net/ipv4/ip_forward

set +e
trap - ERR
echo "ready $outer" >&4
while read -r word <&3; do
  (
    set --
    while IFS= read -r -d "" each; do set -- "$@" "$each"; done <"/opt/bed/commands/$word"
    (
      # The /proc of the parent's pid namespace, still open as 8, knows this process by the pid the parent sees.
      read -r outer _ </proc/self/fd/8/self/stat
      echo "started $word $outer" >&4
      exec "$@" </dev/null >>"/var/log/bed/$word.log" 2>&1 3<&- 4>&- 8<&-
    ) &
    wait "$!"
    echo "exited $word $?" >&4
  ) &
done
`;
