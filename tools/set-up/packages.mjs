// What each command needs from Debian. The same names serve Debian 12 and 13.

const daemon = ['iproute2', 'libvirt-daemon', 'libvirt-daemon-driver-qemu', 'qemu-system-x86', 'seabios', 'util-linux'];

const bed = [
  'busybox-static',
  'cpio',
  'kmod',
  'libsasl2-modules',
  'libvirt-clients',
  'openssl',
  'qemu-utils',
  'sasl2-bin',
  'xz-utils',
];

const compiler = ['gcc', 'libc6-dev', 'libvirt-dev', 'pkgconf'];

/** @type {Readonly<Record<string, readonly string[]>>} */
export const debianPackages = {
  start: daemon,
  test: [...daemon, ...bed],
  bench: [...daemon, ...bed, ...compiler],
  fuzz: [],
  check: [],
};
