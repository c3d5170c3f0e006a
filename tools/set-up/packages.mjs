const daemon = [
  'dnsmasq-base',
  'iproute2',
  'libvirt-daemon',
  'libvirt-daemon-driver-qemu',
  'nftables',
  'openssl',
  'qemu-system-x86',
  'qemu-utils',
  'seabios',
  'util-linux',
];

// They make the disk of the demo machine that `npm start` boots.
const demo = ['e2fsprogs', 'grub-common', 'grub-pc-bin'];

// Debian 12 has these in libvirt-daemon.
const driversOfDebian13 = [
  'libvirt-daemon-driver-interface',
  'libvirt-daemon-driver-network',
  'libvirt-daemon-driver-nodedev',
  'libvirt-daemon-driver-nwfilter',
  'libvirt-daemon-driver-secret',
  'libvirt-daemon-driver-storage',
];

const bed = [
  'chromium-headless-shell',
  'dbus',
  'ethtool',
  'ipmitool',
  'kubernetes-client',
  'libsasl2-modules',
  'libvirt-clients',
  'libvirt-daemon-driver-lxc',
  'mtools',
  'openipmi',
  'openvswitch-common',
  'openvswitch-switch',
  'ovn-central',
  'ovn-common',
  'ovn-host',
  'postgresql',
  'procps',
  'python3',
  'sasl2-bin',
  'systemd',
  'tcpdump',
  'xorriso',
];

// What a Kubernetes with nodes needs beside the programs that are built of its Go modules, and what judges our alerts.
const kubernetes = [
  'busybox-static',
  'containernetworking-plugins',
  'etcd-client',
  'etcd-server',
  'iproute2',
  'iptables',
  'kubernetes-client',
  'nftables',
  'openssl',
  'prometheus',
  'runc',
  'util-linux',
];

// What the pages for those who install ask a person to have, beside kubectl and Helm: tests follow the pages.
const pages = ['jq'];

const compiler = ['gcc', 'libc6-dev', 'libvirt-dev'];

/**
 * Programs that make a package needless, whoever brought them: kubectl often comes from elsewhere, and the two would
 * fight over its place.
 *
 * @type {ReadonlyMap<string, string>}
 */
export const programOfPackage = new Map([['kubernetes-client', 'kubectl']]);

/** @type {Readonly<Record<string, readonly string[]>>} */
const byCommand = {
  start: [...daemon, ...demo],
  test: [...daemon, ...demo, ...bed],
  prove: [...daemon, ...demo, ...bed, ...pages],
  bench: [...daemon, ...demo, ...bed, ...compiler],
  'bed-kubernetes': kubernetes,
  'prove-privilege': [...daemon, ...demo, ...bed, ...kubernetes],
  'test-kubernetes': [...daemon, ...demo, ...bed, ...kubernetes, ...pages],
};

/**
 * What a command needs from a version of Debian.
 *
 * @param {string} command
 * @param {string} debianVersion
 * @returns {readonly string[]}
 */
export function debianPackages(command, debianVersion) {
  const packages = byCommand[command] ?? [];
  return packages.length > 0 && debianVersion === '13' ? [...packages, ...driversOfDebian13] : packages;
}
