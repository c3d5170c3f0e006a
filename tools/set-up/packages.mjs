// What each command needs from Debian. The same names serve Debian 12 and 13.

const daemon = ['iproute2', 'libvirt-daemon', 'libvirt-daemon-driver-qemu', 'qemu-system-x86', 'seabios', 'util-linux'];

const bed = ['libsasl2-modules', 'libvirt-clients', 'procps', 'qemu-utils', 'sasl2-bin'];

const compiler = ['gcc', 'libc6-dev', 'libvirt-dev', 'pkgconf'];

/** @type {Readonly<Record<string, readonly string[]>>} */
export const debianPackages = {
  start: daemon,
  test: [...daemon, ...bed],
  bench: [...daemon, ...bed, ...compiler],
  fuzz: [],
  check: [],
};
