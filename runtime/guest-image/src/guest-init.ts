/** Modules the guest loads where its kernel has them as modules. */
export const GUEST_MODULES = [
  'virtio_pci',
  'virtio_console',
  'virtio_blk',
  'virtio_net',
  'virtio_balloon',
  'virtio_mem',
  'virtio_scsi',
  'sd_mod',
  'sr_mod',
  'ata_piix',
  'isofs',
  'vfat',
  'nls_cp437',
  'nls_utf8',
  'nls_ascii',
  'button',
  'evdev',
  'pvpanic-mmio',
  'pvpanic-pci',
] as const;

/** What pid 1 runs: it prints `guest-up`, does what the words on the kernel's command line say, and prints `guest-ready`. */
const guestInit: string = String.raw`#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
exec >/dev/console 2>&1 </dev/console
echo "guest-up $(cut -d' ' -f1 /proc/uptime) $(uname -r)"
for m in $(cat /modules/order); do insmod /modules/$m.ko 2>/dev/null; done
mkdir -p /dev/virtio-ports /mnt
for p in /sys/class/virtio-ports/*; do
  [ -e $p/name ] && ln -sf /dev/$(basename $p) "/dev/virtio-ports/$(cat $p/name)"
done
ip link set lo up
hostname smalt

# Only the name is taken from a disk for cloud-init; nothing that it says is run.
cloud_init() {
  for label in cidata CIDATA config-2 CONFIG-2; do
    device=$(findfs LABEL=$label 2>/dev/null) || continue
    mkdir -p /run/cloud
    mount -o ro $device /run/cloud || continue
    cloud_name=$(cat /run/cloud/meta-data /run/cloud/openstack/latest/meta_data.json 2>/dev/null |
      sed -n 's/.*hostname"\{0,1\} *: *"\{0,1\}\([A-Za-z0-9.-]*\).*/\1/p' | head -n 1)
    umount /run/cloud
    [ -n "$cloud_name" ] && hostname "$cloud_name" && echo "cloud-init hostname $cloud_name"
  done
}
cloud_init

# The first card gets its address by DHCP, where there is a card.
for card in /sys/class/net/*; do
  [ -e $card/device ] || continue
  ip link set $(basename $card) up
  udhcpc -f -i $(basename $card) -s /etc/udhcpc.sh -x hostname:$(hostname) >/dev/null 2>&1 &
  break
done

# The cloud kernel has no driver for the watchdog, so its registers are written here: unlock, both timers, enable.
watchdog() {
  device=$(dirname "$(grep -l 0x25ab /sys/bus/pci/devices/*/device)")
  base=$(($(head -n 1 $device/resource | cut -d' ' -f1)))
  echo 1 >$device/enable
  unlock() { devmem $((base + 12)) 16 0x80; devmem $((base + 12)) 16 0x86; }
  unlock; devmem $base 32 1000
  unlock; devmem $((base + 4)) 32 1000
  unlock; devmem $((base + 12)) 16 0x100
  printf '\002' | dd of=$device/config bs=1 seek=104 conv=notrunc 2>/dev/null
  echo watchdog-armed
}

tick() { n=0; while :; do echo "tick $n"; n=$((n + 1)); sleep 1; done; }

dirty() {
  mount -t tmpfs -o size=90% dirty /mnt
  echo dirty-started
  while :; do dd if=/dev/urandom of=/mnt/data bs=1M count=$1 conv=notrunc 2>/dev/null; done
}

write_disk() {
  n=0
  while :; do
    if dd if=/dev/zero of=/dev/vda bs=64k count=16 seek=$n conv=fsync 2>/dev/null; then echo "wrote $n"; else echo write-error; fi
    n=$((n + 16)); sleep 1
  done
}

online_memory() {
  while :; do
    for state in /sys/devices/system/memory/memory*/state; do
      [ "$(cat $state)" = offline ] && echo online_kernel >$state && echo "onlined $state"
    done
    sleep 1
  done
}

# Whoever comes is let in: the guest is for trying things out.
login_prompt() {
  while :; do
    printf '\n%s login: ' "$(hostname)"
    read -r user || sleep 1
    [ -n "$user" ] && setsid cttyhack sh -i
  done
}

echo_lines() { stty -echo; echo echo-ready; while read -r line; do echo "echo: $line"; done; }

for word in $(cat /proc/cmdline); do
  case $word in
    tick) tick & ;;
    dirty=*) dirty $(echo $word | cut -d= -f2) & ;;
    wblk) write_disk & ;;
    watchdog) watchdog ;;
    panic) (sleep 1; echo panicking; echo c >/proc/sysrq-trigger) & ;;
    reboot=*) (sleep $(echo $word | cut -d= -f2); echo rebooting; reboot -f) & ;;
    rtc) (date -s 2030-01-01; hwclock -w -u && echo rtc-set) & ;;
    online) online_memory & ;;
  esac
done

# The power button. Newer kernels report a wake-up on the same device, so the code of the key (116) counts.
wait_for_power_button() {
  while :; do
    key=$(head -c 24 | od -An -tx1 -j18 -N2)
    [ -n "$key" ] || return
    [ "$key" = " 74 00" ] && { echo power-button; poweroff -f; }
  done
}
for event in /dev/input/event*; do
  wait_for_power_button <$event &
done
if [ -e /dev/virtio-ports/org.qemu.guest_agent.0 ]; then
  LD_LIBRARY_PATH=/lib /bin/qemu-ga -d -m virtio-serial -p /dev/virtio-ports/org.qemu.guest_agent.0 -t /run -f /run/agent.pid -l /run/agent.log
fi
echo "guest-ready $(cut -d' ' -f1 /proc/uptime)"
case " $(cat /proc/cmdline) " in
  *" echo "*) echo_lines ;;
  *" login "*) login_prompt ;;
  *" shell "*) while :; do setsid cttyhack sh -i; sleep 1; done ;;
esac
while :; do sleep 3600; done
`;

/** What the guest agent calls to shut down or reboot. */
const guestShutdown: string = String.raw`#!/bin/busybox sh
case "$*" in *-r*) exec /bin/busybox reboot -f ;; esac
exec /bin/busybox poweroff -f
`;

/** What the DHCP client calls when it has got something. */
const dhcpScript: string = String.raw`#!/bin/busybox sh
[ "$1" = bound ] || [ "$1" = renew ] || exit 0
ip address flush dev $interface scope global
ip address add $ip/$mask dev $interface
for gateway in $router; do ip route replace default via $gateway dev $interface; break; done
for server in $dns; do echo "nameserver $server"; done >/etc/resolv.conf
[ "$1" = bound ] && echo "address $ip" >/dev/console
exit 0
`;

const osRelease = `NAME="Smalt demo"
ID=smalt-demo
VERSION="1"
VERSION_ID="1"
PRETTY_NAME="Smalt demo 1"
`;

/** A file that is written here, not taken from a package. */
export interface GuestFile {
  readonly path: string;
  readonly text: string;
  readonly isExecutable: boolean;
}

export const GUEST_FILES: readonly GuestFile[] = [
  { path: 'init', text: guestInit, isExecutable: true },
  { path: 'sbin/shutdown', text: guestShutdown, isExecutable: true },
  { path: 'etc/udhcpc.sh', text: dhcpScript, isExecutable: true },
  { path: 'etc/os-release', text: osRelease, isExecutable: false },
  { path: 'etc/passwd', text: 'root:x:0:0:root:/:/bin/sh\n', isExecutable: false },
];
