import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findContainerd, startContainerd, type Containerd } from './fixtures/containerd.ts';
import { imageRecipes } from './recipes.ts';

const MAIN = resolve(import.meta.dirname, '../main.ts');
const REGISTRY = 'example.test:5000/team';
const NAMES = imageRecipes('12').map(({ name }) => name);
const programs = findContainerd();
const NODE = ['/usr/bin/node', '--eval'];
/** Compressed, as a node pulls it; layers that images share are in each of these. Node alone is 35e6 of them, and 109e6 unpacked. */
const MOST_BYTES: Readonly<Record<string, number>> = {
  'smalt-launcher': 40e6,
  'smalt-handler': 45e6,
  'smalt-ovs-agent': 45e6,
  'smalt-node-agent': 45e6,
};
const MOST_BYTES_OF_OTHERS = 50e6;

/** What each image has to be able to run, as whom, and what it prints then. */
const RUNS: readonly (readonly [image: string, command: readonly string[], says: RegExp, user?: string])[] = [
  ['smalt', ['smalt', '--version'], /^\d+[.]\d+/],
  ['smalt', ['smalt', 'operator', '--help'], /--kubeconfig/],
  ['smalt', ['smalt', 'ha-service', '--help'], /retention[.]journalMs/],
  ['smalt', ['smalt', 'virt-api', '--help'], /--kubeconfig/],
  ['smalt', ['smalt', 'virt-controller', '--help'], /--kubeconfig/],
  ['smalt', ['smalt', 'web-console', '--help'], /--pages/],
  ['smalt', [...NODE, 'console.log(process.getuid(), process.getgid())'], /^65532 65532$/],
  ['smalt', [...NODE, 'console.log(fs.readdirSync("/opt/smalt/console"))'], /index[.]html/],
  [
    'smalt',
    [...NODE, 'console.log(fs.readFileSync("/etc/ssl/certs/ca-certificates.crt", "utf8").split("BEGIN").length > 100)'],
    /true/,
  ],
  [
    'smalt',
    [...NODE, 'require("dns").lookup("localhost", (error, address) => console.log(error ?? address))'],
    /127[.]0[.]0[.]1|::1/,
  ],
  ['smalt-launcher', ['smalt', 'virt-launcher', '--help'], /--grace-period-seconds/],
  ['smalt-launcher', [...NODE, 'console.log(process.getuid())'], /^107$/],
  ['smalt-handler', ['smalt', 'virt-handler', '--help'], /--node/],
  ['smalt-handler', ['cat', '/etc/passwd'], /dnsmasq:/],
  ['smalt-handler', ['dnsmasq', '--version'], /Dnsmasq version/],
  ['smalt-handler', ['flock', '--version'], /util-linux/],
  ['smalt-handler', ['ip', '-V'], /iproute2/],
  ['smalt-handler', ['mount', '--version'], /util-linux/],
  ['smalt-handler', ['nft', '--version'], /nftables/],
  ['smalt-handler', ['nsenter', '--version'], /util-linux/],
  ['smalt-handler', ['tee', '--version'], /coreutils/],
  ['smalt-handler', ['umount', '--version'], /util-linux/],
  ['smalt-node-agent', ['smalt', 'node-agent', '--help'], /--libvirt/],
  ['smalt-node-agent', ['smalt', 'node-agent', '--help'], /--libvirt/, '65532:65532'],
  ['smalt-node-agent', ['smalt', 'libvirt-config', '--help'], /--address/],
  ['smalt-node-agent', ['systemd-inhibit', '--version'], /^systemd/],
  ['smalt-node-agent', ['flock', '--version'], /util-linux/],
  ['smalt-ovs-agent', ['flock', '--version'], /util-linux/],
  ['smalt-ovs-agent', ['smalt', 'ovs-agent', '--help'], /--ovs|--root/],
  ['smalt-ovs-agent', ['timeout', '5', 'tcpdump', '-y', 'EN10MB', '-d', '(tcp port 80)'], /jeq/],
  ['smalt-ha-service', ['ipmitool', '-V'], /ipmitool version/],
  ['smalt-libvirt', ['libvirtd', '--version'], /libvirt/],
  ['smalt-libvirt', ['virtlogd', '--version'], /libvirt/],
  ['smalt-libvirt', ['virt-admin', '--version'], /^\d+[.]\d+/],
  ['smalt-libvirt', ['qemu-img', '--version'], /qemu-img version/],
  ['smalt-libvirt', ['qemu-system-x86_64', '--version'], /QEMU emulator version/, '64055:64055'],
  // It goes to the background once emulation, firmware and devices were loaded.
  [
    'smalt-libvirt',
    ['qemu-system-x86_64', '-accel', 'tcg', '-S', '-display', 'none', '-device', 'virtio-vga', '-daemonize'],
    /^$/,
  ],
];

describe.runIf(programs !== undefined)('images in containerd (needs npm run bed:kubernetes -- --build)', () => {
  const stack = new AsyncDisposableStack();
  let containerd: Containerd;
  let output: string;

  beforeAll(async () => {
    const directory = stack.use(await mkdtempDisposable('/tmp/smalt-images-'));
    output = directory.path;
    await promisify(execFile)(process.execPath, [MAIN, '--registry', REGISTRY, '--tag', 'test', '--output', output]);
    containerd = stack.use(await startContainerd(programs ?? new Map()));
  }, 1_800_000);
  afterAll(async () => await stack.disposeAsync());

  it('are taken under their names, with the tag that was asked for alone', { timeout: 600_000 }, async () => {
    let names: readonly string[] = [];
    for (const name of NAMES) names = await containerd.take(join(output, `${name}.tar`));

    expect(names.toSorted()).toEqual(NAMES.map((name) => `${REGISTRY}/${name}:test`).toSorted());
  });

  const runs = RUNS.map(([name, command, says, user]) => ({ name, command, says, user }));
  it.each(runs)(
    '$name runs $command without a network and with a read-only root',
    { timeout: 120_000 },
    async (run) => {
      const { name, command, says, user } = run;

      const words = await containerd.run({ image: imageOf(name), command, ...(user === undefined ? {} : { user }) });

      expect(words.trim()).toMatch(says);
    },
  );

  it.each(NAMES)('%s has no shell', { timeout: 120_000 }, async (name) => {
    await expect(containerd.run({ image: imageOf(name), command: ['/bin/sh', '-c', 'true'] })).rejects.toThrow(
      '/bin/sh',
    );
  });

  it.each(NAMES)('%s is small enough, and says what is in it', async (name) => {
    const archive = await readFile(join(output, `${name}.tar`));
    const list = JSON.parse(await readFile(join(output, `${name}.sbom.json`), 'utf8'));

    expect(archive.length).toBeLessThan(MOST_BYTES[name] ?? MOST_BYTES_OF_OTHERS);
    expect(list.packages.map(({ name: one }: { readonly name: string }) => one)).toContain('libc6');
  });
});

function imageOf(name: string): string {
  return `${REGISTRY}/${name}:test`;
}
