/**
 * What builds the machine's root and becomes its systemd. It is constant: values arrive as arguments and never become
 * code. It runs as pid 1 of new mount, host name, ipc, network, pid and cgroup namespaces.
 *
 * Arguments: the bed's directory, the host name. The root is a tmpfs with the /usr of this machine, read-only, so that
 * nothing that systemd does at boot reaches this machine's files or kernel settings.
 */
export const machineScript: string = String.raw`
set -eu
trap 'echo "line $LINENO of the machine script failed" >&2' ERR
bed=$1
mount -t tmpfs -o mode=755 tmpfs "$bed/root"
cd "$bed/root"
mkdir usr etc proc sys dev run tmp var var/lib var/log var/tmp root old
for link in bin sbin lib lib32 lib64 libx32; do if [ -L "/$link" ]; then cp -d "/$link" .; fi; done
ln -s /run var/run
mount --bind /usr usr
mount -o remount,bind,ro usr

# Accounts, and what programs need to start; the rest of /etc is the test's.
for file in passwd group nsswitch.conf ld.so.cache ld.so.conf; do if [ -e "/etc/$file" ]; then cp "/etc/$file" etc/; fi; done
cp -a "$bed/etc/." etc/
mkdir -p etc/systemd/system
mount --bind "$bed/units" etc/systemd/system

mount -t proc proc proc
printf %s "$2" >proc/sys/kernel/hostname
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs sysfs sys
mount -o remount,bind,ro sys
mount -t cgroup2 cgroup2 sys/fs/cgroup

mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero full random urandom tty; do : >"dev/$node"; mount --bind "/dev/$node" "dev/$node"; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd

mount -t tmpfs -o mode=755 tmpfs run
mkdir run/dbus run/bed
mount --bind "$bed/bus" run/dbus
mount --bind "$bed/shared" run/bed
mount -t tmpfs tmpfs tmp

pivot_root . old
umount -l /old
exec env -i container=smalt PATH=/usr/sbin:/usr/bin:/sbin:/bin SYSTEMD_UNIT_PATH=/etc/systemd/system \
  /lib/systemd/systemd --unit=bed.target --log-target=null --show-status=no </dev/null
`;
