import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { chmod, mkdtempDisposable } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as streamText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { biosDomainXml, lendCapabilities } from '@smalt/bed-libvirt';
import { startOvsNode } from '@smalt/bed-ovs';
import { connect } from '@smalt/libvirt';
import { expect, it } from 'vitest';

/** Nothing to boot, and nothing of the machine's network: its firmware waits. */
const MACHINE = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'tiny' },
  spec: {
    runStrategy: 'Always',
    template: {
      spec: {
        hypervisor: 'qemu',
        terminationGracePeriodSeconds: 0,
        domain: {
          memory: { guest: '64Mi' },
          devices: { disks: [{ name: 'scratch', disk: { bus: 'virtio' } }], autoattachPodInterface: false },
        },
        volumes: [{ name: 'scratch', emptyDisk: { capacity: '16Mi' } }],
      },
    },
  },
};
const main = fileURLToPath(new URL('main.ts', import.meta.url));

it(
  'shows the host, streams the events of its domains, and leaves nothing behind on Ctrl-C',
  { timeout: 60_000 },
  async () => {
    await using directory = await stateDirectory('smalt-up-');
    await using smalt = startSmalt(['up', '--state', directory.path]);
    const uri = (await smalt.line(/libvirtd answers on (\S+)/))[1] ?? '';
    await smalt.line(/watching the events/);

    await using connection = await connect(uri);
    const domain = await connection.domainCreateXml({ xml: biosDomainXml({ name: 'tiny' }) });
    await smalt.line(/tiny {2}lifecycle started \(booted\)/);
    const during = processesWithin(directory.path).length;
    smalt.pressCtrlC();
    const code = await smalt.closed;

    expect({ code, domain: domain.name }).toEqual({ code: 0, domain: 'tiny' });
    expect(smalt.text()).toMatch(/^hypervisor +QEMU \d+\.\d+\.\d+$/m);
    expect(smalt.text()).not.toContain('cannot be reached');
    expect(smalt.text()).toMatch(/stopping libvirtd and its guests\nwaiting up to 5 s for 1 guest to .*\nstopped\n$/);
    expect(during).toBeGreaterThan(0);
    expect(processesWithin(directory.path)).toEqual([]);
  },
);

it('serves our kinds to kubectl, and still has what was written after a restart', { timeout: 60_000 }, async () => {
  await using directory = await stateDirectory('smalt-up-');
  const manifest = { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', metadata: { name: 'node001-bb234' } };

  const created = await withApi(directory.path, (kubeconfig) => kubectl(kubeconfig, ['create', '-f', '-'], manifest));
  const listed = await withApi(directory.path, (kubeconfig) => kubectl(kubeconfig, ['get', 'hypervisors']));

  expect(created).toBe('hypervisor.kvm.cloud.sap/node001-bb234 created\n');
  expect(listed.split('\n')[0]?.split(/ {2,}/)).toEqual([
    'NAME',
    'NODE',
    'READY',
    'STATE',
    'VERSION',
    'INSTANCES',
    'HARDWARE',
    'KERNEL',
    'AGE',
  ]);
  expect(listed).toMatch(/^node001-bb234 +node001-bb234 /m);
});

it('shows this machine and its guests to kubectl get hypervisors', { timeout: 60_000 }, async () => {
  await using directory = await stateDirectory('smalt-up-');
  await using smalt = startSmalt(['up', '--state', directory.path]);
  const kubeconfig = (await smalt.line(/export KUBECONFIG=(\S+)/))[1] ?? '';
  const uri = (await smalt.line(/libvirtd answers on (\S+)/))[1] ?? '';
  const name = (await smalt.line(/reporting this machine as the Hypervisor (\S+)/))[1] ?? '';
  await smalt.line(/watching the events/);

  await using connection = await connect(uri);
  const domain = await connection.domainCreateXml({ xml: biosDomainXml({ name: 'tiny' }) });
  const wish = [`hypervisor/${name}`, '--for=jsonpath={.status.numInstances}=1', '--timeout=20s'];
  await kubectl(kubeconfig, ['wait', ...wish]);
  const listed = await kubectl(kubeconfig, ['get', 'hypervisors']);
  await connection.domainDestroy({ domain });
  smalt.pressCtrlC();
  const code = await smalt.closed;

  expect(code).toBe(0);
  expect(listed).toMatch(new RegExp(String.raw`^${name} +${name} +.* 1 +.*${release()} +\d+s$`, 'm'));
});

it('shows the Open vSwitch of this machine, and says nothing where there is none', { timeout: 60_000 }, async () => {
  await using directory = await stateDirectory('smalt-up-');
  await using node = await startOvsNode({ datapath: 'dummy' });
  await node.vsctl('add-br', 'br-int');
  const absent = join(directory.path, 'openvswitch');
  await using smalt = startSmalt(['up', '--state', directory.path, '--ovs', absent]);
  const kubeconfig = (await smalt.line(/export KUBECONFIG=(\S+)/))[1] ?? '';
  await smalt.line(/watching the events/);
  const before = smalt.text();

  symlinkSync(node.runDirectory, absent);
  const name = (await smalt.line(/reporting its Open vSwitch as the OVSNode ovn-system\/(\S+)/))[1] ?? '';
  const wish = [`ovsnode/${name}`, '--for=condition=AllBridgesHealthy', '--timeout=20s', '--namespace=ovn-system'];
  await kubectl(kubeconfig, ['wait', '--for=create', ...wish.filter((word) => !word.startsWith('--for'))]);
  await kubectl(kubeconfig, ['wait', ...wish]);
  const listed = await kubectl(kubeconfig, ['get', 'ovsnodes', '--all-namespaces']);
  smalt.pressCtrlC();

  expect(await smalt.closed).toBe(0);
  expect(before).not.toMatch(/open ?vswitch|ovs/i);
  expect(listed).toMatch(new RegExp(String.raw`^ovn-system +${name} +\w+ +3\.1\.0 +false`, 'm'));
});

it('brings a libvirtd that died back, and goes on watching', { timeout: 60_000 }, async () => {
  await using directory = await stateDirectory('smalt up & #1 ');
  await using smalt = startSmalt(['up', '--state', directory.path]);
  const uri = (await smalt.line(/libvirtd answers on (\S+)/))[1] ?? '';
  await smalt.line(/watching the events/);

  process.kill(libvirtdWithin(directory.path), 'SIGKILL');
  await smalt.line(/libvirtd died; starting it again in 0\.25 s/);
  await smalt.line(/libvirtd is back after \d+ ms/);
  await using connection = await connect(uri);
  const domain = await connection.domainCreateXml({ xml: biosDomainXml({ name: 'later' }) });
  await smalt.line(/later {2}lifecycle started \(booted\)/);
  await connection.domainDestroy({ domain });
  smalt.pressCtrlC();
  const code = await smalt.closed;

  expect(code).toBe(0);
  expect(smalt.text()).toMatch(/stopping libvirtd and its guests\nstopped\n$/);
});

it('runs virtual machines, which outlive a kill of it and end with Ctrl-C', { timeout: 90_000 }, async () => {
  await using directory = await stateDirectory('smalt-up-');
  const first = startSmalt(['up', '--state', directory.path]);
  const kubeconfig = (await first.line(/export KUBECONFIG=(\S+)/))[1] ?? '';
  await first.line(/watching the events/);
  await kubectl(kubeconfig, ['apply', '-f', '-'], MACHINE);
  const wish = ['vm/tiny', '--for=jsonpath={.status.printableStatus}=Running', '--timeout=40s'];
  await kubectl(kubeconfig, ['wait', ...wish]);
  const before = [await guestUid(kubeconfig), guestsWithin(directory.path)];

  await first[Symbol.asyncDispose]();
  const between = guestsWithin(directory.path);
  await using second = startSmalt(['up', '--state', directory.path]);
  const again = (await second.line(/export KUBECONFIG=(\S+)/))[1] ?? '';
  await second.line(/watching the events/);
  await kubectl(again, ['wait', ...wish]);
  const after = [await guestUid(again), guestsWithin(directory.path)];
  second.pressCtrlC();

  expect(await second.closed).toBe(0);
  expect(between).toHaveLength(1);
  expect(after).toEqual(before);
  expect(processesWithin(directory.path)).toEqual([]);
});

it.each([
  { args: ['up', '--api-port', '0'], says: 'A port is a number from 1 to 65535.' },
  { args: ['up', '--api-port', 'seventy'], says: 'A port is a number from 1 to 65535.' },
  { args: ['up', '--state', '/proc/version'], says: '/proc/version' },
  { args: ['fly'], says: "unknown command 'fly'" },
])('refuses $args and says why', async ({ args, says }) => {
  await using smalt = startSmalt(args);
  const code = await smalt.closed;

  expect(code).toBe(1);
  expect(smalt.text()).toContain(says);
});

/** A directory whose libvirtd need not find out what QEMU can do. */
async function stateDirectory(prefix: string): Promise<AsyncDisposable & { readonly path: string }> {
  const directory = await mkdtempDisposable(join(tmpdir(), prefix));
  // Guests are not root, and have to get through.
  await chmod(directory.path, 0o711);
  await lendCapabilities(join(directory.path, 'libvirt'));
  return directory;
}

/** Runs Smalt for as long as `use` takes. */
async function withApi<T>(directory: string, use: (kubeconfig: string) => Promise<T>): Promise<T> {
  await using smalt = startSmalt(['up', '--state', directory]);
  const kubeconfig = (await smalt.line(/export KUBECONFIG=(\S+)/))[1] ?? '';
  const result = await use(kubeconfig);
  await smalt.line(/watching the events/);
  smalt.pressCtrlC();
  expect(await smalt.closed).toBe(0);
  return result;
}

async function kubectl(kubeconfig: string, args: readonly string[], input?: object): Promise<string> {
  const child = spawn('kubectl', [`--kubeconfig=${kubeconfig}`, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input === undefined ? '' : JSON.stringify(input));
  return await streamText(child.stdout);
}

interface RunningSmalt extends AsyncDisposable {
  /** As a terminal does: to the whole group of processes. */
  pressCtrlC(): void;
  text(): string;
  /** Resolves with the first line, printed already or not, that fits. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with its status once it has ended and all it printed is here. */
  readonly closed: Promise<number | null | undefined>;
}

function startSmalt(args: readonly string[]): RunningSmalt {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let text = '';
  const add = (chunk: Buffer): void => {
    text += chunk.toString();
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  let hasClosed = false;
  const closed = once(child, 'close').then(([code]: (number | null)[]) => {
    hasClosed = true;
    return code;
  });
  const line = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (let match = pattern.exec(text); ; match = pattern.exec(text)) {
      if (match) return match;
      if (hasClosed) throw new Error(`smalt ended before it printed ${pattern}:\n${text}`);
      await Promise.race([once(child.stdout, 'data'), closed]);
    }
  };
  const pressCtrlC = (): void => void process.kill(-(child.pid ?? 0), 'SIGINT');
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  return { pressCtrlC, text: () => text, line, closed, [Symbol.asyncDispose]: end };
}

/** The processes that see something below the directory as a mount of their own: libvirtd, its guests, their pid 1. */
function processesWithin(directory: string): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && mountsOf(name).includes(directory));
}

/** The processes of guests, which do not change while these run. */
function guestsWithin(directory: string): readonly string[] {
  return processesWithin(directory).filter((pid) => nameOf(pid).startsWith('qemu-system'));
}

async function guestUid(kubeconfig: string): Promise<string> {
  return await kubectl(kubeconfig, ['get', 'vmi', 'tiny', '-o', 'jsonpath={.metadata.uid}']);
}

function libvirtdWithin(directory: string): number {
  return Number(processesWithin(directory).find((pid) => nameOf(pid) === 'libvirtd'));
}

function nameOf(pid: string): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
}

function mountsOf(pid: string): string {
  try {
    // The kernel writes blanks and `#` in paths as three octal digits.
    return readFileSync(`/proc/${pid}/mountinfo`, 'utf8').replaceAll(/\\(\d{3})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 8)),
    );
  } catch {
    return ''; // The process ended while the list was read.
  }
}
