import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readdir, readFile, readlink } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { runProgram } from '@smalt/libvirt-daemon';

it('nothing stays of a bed whose owner is killed', { timeout: 60_000 }, async () => {
  await using directory = await mkdtempDisposable('/tmp/k-');
  await using owner = startOwner(directory.path);
  const told = await owner.firstLine;
  const before = await tracesOf(directory.path, told);
  const namespaces = before.namespaces;

  await owner.kill();
  const left = await nothingOf(() => tracesOf(directory.path, told, namespaces));

  // The host, the switch and the test daemon, with bash, libvirtd and QEMU; the owner's end of the network.
  expect(before.processes.length).toBeGreaterThanOrEqual(6);
  expect(before.namespaces.length).toBeGreaterThanOrEqual(2);
  expect(before.links).toHaveLength(1);
  expect(left).toEqual({ processes: [], namespaces: [], links: [], mounts: [] });
});

it('nothing stays of an owner that is killed while it starts', { timeout: 60_000 }, async () => {
  await using directory = await mkdtempDisposable('/tmp/k-');

  for (const afterMs of [150, 250, 350, 450, 600, 800]) {
    await using owner = startOwner(directory.path);
    await delay(afterMs);
    await owner.kill();
  }
  const left = await nothingOf(() => tracesOf(directory.path, undefined));

  expect(left).toEqual({ processes: [], namespaces: [], links: [], mounts: [] });
});

interface Traces {
  readonly processes: readonly string[];
  readonly namespaces: readonly string[];
  readonly links: readonly string[];
  readonly mounts: readonly string[];
}

interface Told {
  readonly address: string;
}

/** Everything on this machine that mentions the owner's directory or address, or lives in namespaces known before. */
async function tracesOf(directory: string, told: Told | undefined, known: readonly string[] = []): Promise<Traces> {
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
  return { processes, namespaces: [...namespaces], links: told ? await linksWith(told.address) : [], mounts };
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
  readonly firstLine: Promise<Told>;
  kill(): Promise<void>;
}

function startOwner(directory: string): Owner {
  const child = spawn(process.execPath, [`${import.meta.dirname}/fixtures/start-everything.ts`], {
    env: { TMPDIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const firstLine = new Promise<Told>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line) as Told));
    child.once('exit', () => reject(new Error('The owner ended before it had started everything')));
  });
  // A test that kills the owner early does not ask for it.
  firstLine.catch(() => undefined);
  return { firstLine, kill, [Symbol.asyncDispose]: kill };
}
