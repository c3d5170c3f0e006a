import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { runProgram } from '@smalt/libvirt-daemon';

it.each([
  { stage: 'network', leastProcesses: 1, leastNamespaces: 1 },
  { stage: 'host', leastProcesses: 3, leastNamespaces: 2 },
  { stage: 'test-daemon', leastProcesses: 5, leastNamespaces: 2 },
  // The switch, the host and the test daemon, with bash, libvirtd and QEMU.
  { stage: 'guest', leastProcesses: 6, leastNamespaces: 2 },
])(
  'nothing stays of an owner that is killed once it has its $stage',
  { timeout: 60_000 },
  async ({ stage, leastProcesses, leastNamespaces }) => {
    await using owner = startOwner();
    const address = (await owner.line(/^network (\S+)$/m))[1] ?? '';
    await owner.line(new RegExp(`^${stage}\\b`, 'm'));
    const before = await tracesOf(owner, address);

    await owner.kill();
    const left = await nothingOf(() => tracesOf(owner, address, before.namespaces));

    expect(before.processes.length).toBeGreaterThanOrEqual(leastProcesses);
    expect(before.namespaces.length).toBeGreaterThanOrEqual(leastNamespaces);
    expect(before.links).toHaveLength(1);
    expect(left).toEqual({ processes: [], namespaces: [], links: [], mounts: [] });
  },
);

interface Traces {
  readonly processes: readonly string[];
  readonly namespaces: readonly string[];
  readonly links: readonly string[];
  readonly mounts: readonly string[];
}

/** Everything on this machine that mentions an owner's directories or address, or lives in namespaces known before. */
async function tracesOf(owner: Owner, address: string, known: readonly string[] = []): Promise<Traces> {
  const directory = `/var/cache/smalt/bed/${owner.pid}-`;
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const processes = [];
  const namespaces = new Set<string>();
  for (const pid of all) {
    const output = await follow(`/proc/${pid}/fd/2`);
    const text = `${await read(`/proc/${pid}/mountinfo`)}${await read(`/proc/${pid}/cmdline`)}${output}`;
    const network = await follow(`/proc/${pid}/ns/net`);
    if (known.includes(network)) namespaces.add(network);
    if (!text.includes(directory)) continue;
    processes.push(`${pid} ${await read(`/proc/${pid}/comm`)}`.trim());
    if (network !== (await follow('/proc/self/ns/net'))) namespaces.add(network);
  }
  const mounts = (await read('/proc/self/mountinfo')).split('\n').filter((line) => line.includes(directory));
  return { processes, namespaces: [...namespaces], links: await linksWith(address), mounts };
}

async function linksWith(address: string): Promise<readonly string[]> {
  const output = await runProgram({ name: 'ip', debianPackage: 'iproute2' }, [
    '-oneline',
    'address',
    'show',
    'to',
    address,
  ]);
  return output
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

/** Looks until nothing is left, for at most ten seconds, and gives what is left then. */
async function nothingOf(look: () => Promise<Traces>): Promise<Traces> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const traces = await look();
    if (Object.values(traces).every((list) => list.length === 0) || Date.now() > deadline) return traces;
    await delay(50);
  }
}

async function follow(path: string): Promise<string> {
  return readlink(path).catch(() => '');
}

async function read(path: string): Promise<string> {
  // Processes come and go while we look.
  return readFile(path, 'utf8').catch(() => '');
}

interface Owner extends AsyncDisposable {
  readonly pid: number;
  /** Resolves once the owner has printed what fits. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  kill(): Promise<void>;
}

function startOwner(): Owner {
  const child = spawn(process.execPath, [`${import.meta.dirname}/fixtures/start-everything.ts`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const line = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (let match = pattern.exec(text); ; match = pattern.exec(text)) {
      if (match) return match;
      if (child.exitCode !== null) throw new Error(`The owner ended before it printed ${String(pattern)}`);
      await Promise.race([once(child.stdout, 'data'), closed]);
    }
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  return { pid: child.pid ?? 0, line, kill, [Symbol.asyncDispose]: kill };
}
