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
  'button',
  'evdev',
  'pvpanic-mmio',
  'pvpanic-pci',
] as const;

/** What the guest's pid 1 runs: it prints `guest-up`, does what the words on the kernel's command line say, and prints `guest-ready`. */
export const guestInit: string = String.raw`#!/bin/busybox sh
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
  *" shell "*) while :; do setsid cttyhack sh -i; sleep 1; done ;;
esac
while :; do sleep 3600; done
`;

/** What the guest agent calls to shut down or reboot. */
export const guestShutdown: string = String.raw`#!/bin/busybox sh
case "$*" in *-r*) exec /bin/busybox reboot -f ;; esac
exec /bin/busybox poweroff -f
`;
