import type { WantedFiles } from './tree/select-files.ts';

/** An account that programs of an image look up by name. */
export interface Account {
  readonly name: string;
  readonly id: number;
  readonly groupId: number;
  readonly home: string;
}

/** The commands of those images of ours that have not all of them: no other command works there. */
export const COMMANDS_OF = {
  launcher: ['virt-launcher'],
  handler: ['virt-handler'],
  // libvirtd in a pod is told by the second one where its node is.
  'node-agent': ['node-agent', 'libvirt-config'],
  'ovs-agent': ['ovs-agent'],
} as const;

/** Which part of our own program an image carries: all of it, with the pages of the console, or some commands, or nothing. */
export type Product = 'whole' | keyof typeof COMMANDS_OF | 'none';

/** One image: what is in it beyond the base, and how it is started. */
export interface ImageRecipe {
  readonly name: string;
  /** For people who look at an image in a registry. */
  readonly title: string;
  readonly product: Product;
  /** Files of Debian packages; their libraries come along by themselves. */
  readonly wanted: WantedFiles;
  readonly accounts?: readonly Account[];
  /** Further groups, by name. */
  readonly groups?: Readonly<Record<string, number>>;
  /** Small files of our own, by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly directories?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Whom it runs as if nobody says otherwise. */
  readonly user: string;
  readonly entrypoint: readonly string[];
}

/** What is in every image. */
export const BASE_FILES: WantedFiles = {
  'base-files': ['usr/lib/os-release', 'etc/os-release', 'etc/debian_version', 'usr/share/common-licenses/*'],
  libc6: [
    'usr/lib64/ld-linux-x86-64.so.2',
    // What programs of old ask for has moved into libc.so.6, and is a page each.
    ...['c.so.6', 'dl.so.2', 'm.so.6', 'pthread.so.0', 'resolv.so.2', 'rt.so.1'].map(
      (name) => `usr/lib/x86_64-linux-gnu/lib${name}`,
    ),
  ],
  // libc loads it when a thread is cancelled, which no table of needs tells.
  'libgcc-s1': ['usr/lib/x86_64-linux-gnu/libgcc_s.so.1'],
};

export const NONROOT: Account = { name: 'nonroot', id: 65_532, groupId: 65_532, home: '/tmp' };

const RUN_SMALT = ['/usr/bin/node', '/opt/smalt/bundle/smalt.mjs'] as const;
const NONROOT_USER = `${NONROOT.id}:${NONROOT.groupId}`;
const ROOT_USER = '0:0';

/** As `podSecurity` of launcher pods has it. */
const LAUNCHER: Account = { name: 'launcher', id: 107, groupId: 107, home: '/tmp' };
/** The number that Debian has reserved for it. */
const QEMU: Account = { name: 'libvirt-qemu', id: 64_055, groupId: 64_055, home: '/var/lib/libvirt' };
const DNSMASQ: Account = { name: 'dnsmasq', id: 999, groupId: 65_534, home: '/var/lib/misc' };

/** All images, for a release of Debian. */
export function imageRecipes(debianVersion: string): readonly ImageRecipe[] {
  return [
    {
      name: 'smalt',
      title: 'Control plane, console and agents of Smalt',
      product: 'whole',
      wanted: {},
      user: NONROOT_USER,
      entrypoint: RUN_SMALT,
    },
    {
      name: 'smalt-launcher',
      title: 'Holds the place of one virtual machine',
      product: 'launcher',
      wanted: {},
      accounts: [LAUNCHER],
      // One heap and one thread for files: a launcher waits, and there is one for each machine.
      environment: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1' },
      user: `${LAUNCHER.id}:${LAUNCHER.groupId}`,
      entrypoint: RUN_SMALT,
    },
    handler(),
    ...otherAgents(),
    libvirt(debianVersion),
  ];
}

function handler(): ImageRecipe {
  return {
    name: 'smalt-handler',
    title: 'virt-handler of Smalt, which runs virtual machines on a node',
    product: 'handler',
    wanted: {
      coreutils: ['usr/bin/cat', 'usr/bin/tee'],
      'dnsmasq-base': ['usr/sbin/dnsmasq'],
      iproute2: ['usr/bin/ip', 'etc/iproute2/**'],
      mount: ['usr/bin/mount', 'usr/bin/umount'],
      netbase: ['etc/protocols', 'etc/services'],
      nftables: ['usr/sbin/nft'],
      'util-linux': ['usr/bin/flock', 'usr/bin/nsenter'],
    },
    accounts: [DNSMASQ],
    directories: ['var/lib/misc'],
    user: ROOT_USER,
    entrypoint: RUN_SMALT,
  };
}

function otherAgents(): readonly ImageRecipe[] {
  return [
    {
      name: 'smalt-node-agent',
      title: 'Node agent of Smalt, which reports on a hypervisor',
      product: 'node-agent',
      // A delay of the shutdown is held by systemd-inhibit, which runs cat.
      wanted: {
        coreutils: ['usr/bin/cat'],
        systemd: ['usr/bin/systemd-inhibit'],
        'util-linux': ['usr/bin/flock'],
      },
      user: ROOT_USER,
      entrypoint: RUN_SMALT,
    },
    {
      name: 'smalt-ovs-agent',
      title: 'OVS agent of Smalt, which reports on Open vSwitch of a node',
      product: 'ovs-agent',
      wanted: {
        coreutils: ['usr/bin/timeout'],
        iproute2: ['usr/bin/ip', 'etc/iproute2/**'],
        netbase: ['etc/protocols', 'etc/services'],
        tcpdump: ['usr/bin/tcpdump'],
        'util-linux': ['usr/bin/flock'],
      },
      user: ROOT_USER,
      entrypoint: RUN_SMALT,
    },
    {
      name: 'smalt-ha-service',
      title: 'HA service of Smalt, with ipmitool for power controllers that speak IPMI',
      product: 'whole',
      wanted: { ipmitool: ['usr/bin/ipmitool'] },
      user: NONROOT_USER,
      entrypoint: RUN_SMALT,
    },
  ];
}

/** What QEMU loads on demand: emulation, virtio screens, and USB devices of the host or of a viewer. */
const QEMU_PARTS = [
  'accel-tcg-x86_64',
  'hw-display-virtio-gpu',
  'hw-display-virtio-gpu-pci',
  'hw-display-virtio-vga',
  'hw-usb-host',
  'hw-usb-redirect',
] as const;

function libvirt(debianVersion: string): ImageRecipe {
  return {
    name: 'smalt-libvirt',
    title: 'libvirtd with QEMU, for nodes whose operating system brings none',
    product: 'none',
    wanted: {
      ...(Number(debianVersion) >= 13 ? splitLibvirt() : wholeLibvirt()),
      'ipxe-qemu': ['usr/lib/ipxe/qemu/*.rom'],
      'libvirt-daemon-driver-qemu': [`${LIBVIRT_DRIVERS}_qemu.so`],
      // For probes: whether a daemon answers is asked by it.
      'libvirt-clients': ['usr/bin/virt-admin'],
      libvirt0: ['usr/share/libvirt/cpu_map/*', 'usr/share/libvirt/schemas/*'],
      mount: ['usr/bin/mount', 'usr/bin/umount'],
      ovmf: ['usr/share/OVMF/*', 'usr/share/qemu/firmware/*'],
      'qemu-system-data': ['keymaps/*', 'kvmvapic.bin', 'linuxboot*.bin', 'multiboot*.bin', 'pvh.bin'].map(
        (name) => `usr/share/qemu/${name}`,
      ),
      'qemu-system-x86': ['usr/bin/qemu-system-x86_64'],
      'qemu-utils': ['usr/bin/qemu-img'],
      seabios: ['usr/share/seabios/*.bin'],
    },
    accounts: [QEMU],
    groups: { kvm: 36 },
    files: LIBVIRT_FILES,
    directories: ['var/lib/libvirt', 'var/log/libvirt', 'var/cache/libvirt', 'run/libvirt'],
    user: ROOT_USER,
    entrypoint: ['/usr/sbin/libvirtd'],
  };
}

const LIBVIRT_MODULES = 'usr/lib/x86_64-linux-gnu/libvirt';
const LIBVIRT_DRIVERS = `${LIBVIRT_MODULES}/connection-driver/libvirt_driver`;
const STORAGE_MODULES = [
  `${LIBVIRT_MODULES}/storage-backend/*_fs.so`,
  `${LIBVIRT_MODULES}/storage-file/*_fs.so`,
] as const;
/** Drivers beside that of QEMU. */
const OTHER_DRIVERS = ['interface', 'network', 'nodedev', 'nwfilter', 'secret', 'storage'] as const;
const QEMU_MODULES = QEMU_PARTS.map((name) => `usr/lib/x86_64-linux-gnu/qemu/${name}.so`);
const SHARED_FOLDERS = 'usr/share/qemu/vhost-user/*';

/** As Debian 12 has it: all drivers in one package. */
function wholeLibvirt(): WantedFiles {
  return {
    'libvirt-daemon': [
      'usr/lib/libvirt/libvirt_iohelper',
      ...['libvirtd', 'virtlockd', 'virtlogd'].map((name) => `usr/sbin/${name}`),
      ...OTHER_DRIVERS.map((name) => `${LIBVIRT_DRIVERS}_${name}.so`),
      ...STORAGE_MODULES,
      `${LIBVIRT_MODULES}/lock-driver/*`,
    ],
    'qemu-system-common': [...QEMU_MODULES, 'usr/lib/qemu/virtiofsd', SHARED_FOLDERS],
  };
}

/** As Debian 13 has it: a package for each. */
function splitLibvirt(): WantedFiles {
  const drivers = OTHER_DRIVERS.map((name) => {
    const modules = name === 'storage' ? STORAGE_MODULES : [];
    return [`libvirt-daemon-driver-${name}`, [`${LIBVIRT_DRIVERS}_${name}.so`, ...modules]] as const;
  });
  return {
    ...Object.fromEntries(drivers),
    'libvirt-daemon': ['usr/sbin/libvirtd'],
    'libvirt-daemon-common': ['usr/lib/libvirt/libvirt_iohelper'],
    'libvirt-daemon-lock': ['usr/sbin/virtlockd'],
    'libvirt-daemon-log': ['usr/sbin/virtlogd'],
    'libvirt-daemon-plugin-lockd': [`${LIBVIRT_MODULES}/lock-driver/*`],
    'qemu-system-common': QEMU_MODULES,
    virtiofsd: ['usr/libexec/virtiofsd', SHARED_FOLDERS],
  };
}

/** What a libvirtd in a container needs to be told; a chart lays its own over it. */
const LIBVIRT_FILES: Readonly<Record<string, string>> = {
  'etc/libvirt/libvirtd.conf': [
    '# Without this it would ask polkit, which is not here. The directory of the socket says who may reach it.',
    'auth_unix_rw = "none"',
    'auth_unix_ro = "none"',
    'unix_sock_rw_perms = "0700"',
    'unix_sock_ro_perms = "0700"',
    '',
  ].join('\n'),
  'etc/libvirt/qemu.conf': [
    'user = "libvirt-qemu"',
    'group = "libvirt-qemu"',
    'security_driver = "none"',
    '# Devices of guests come and go in the /dev of the node, which a copy would not show.',
    'namespaces = []',
    '',
  ].join('\n'),
};
