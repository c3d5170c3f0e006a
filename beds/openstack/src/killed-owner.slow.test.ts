import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { canRunOpenStack, CloudClient } from '@smalt/local-openstack';
import { expect, it } from 'vitest';

import { startOpenStack } from './start-openstack.ts';

// The first one of the namespaces, the database, three web services and Nova.
const LEAST_PROCESSES = 6;

it.runIf(await canRunOpenStack())(
  'runs clouds side by side, and leaves nothing of one whose owner is killed',
  { timeout: 360_000 },
  async () => {
    await using owner = startOwner();
    await using cloud = await startOpenStack({ computes: ['node-b', 'node-c'] });
    const theirs = (await owner.line(/^cloud (\S+)$/m))[1] ?? '';
    const before = await tracesOf(await namespacesOf(owner.pid));

    await owner.kill();
    const left = await nothingOf(() => tracesOf(before.namespaces));

    expect(theirs).not.toBe(cloud.authUrl);
    expect(before.processes.length).toBeGreaterThanOrEqual(LEAST_PROCESSES);
    expect(left).toEqual({ processes: [], namespaces: before.namespaces, mounts: [] });
    await expect(fetch(theirs)).rejects.toThrow('fetch failed');
    expect(await hypervisorsOf(cloud.authUrl, cloud)).toEqual(['node-b', 'node-c']);
  },
);

interface Traces {
  readonly namespaces: readonly string[];
  readonly processes: readonly string[];
  /** What this process sees mounted of a cloud: never anything, also while one runs. */
  readonly mounts: readonly string[];
}

async function tracesOf(namespaces: readonly string[]): Promise<Traces> {
  const processes = [];
  for (const pid of await pids()) {
    if (namespaces.includes(await follow(`/proc/${pid}/ns/pid`))) {
      processes.push(`${pid} ${await read(`/proc/${pid}/comm`)}`.trim());
    }
  }
  const mounts = (await read('/proc/self/mountinfo')).split('\n').filter((line) => / - tmpfs cloud /.test(line));
  return { namespaces, processes, mounts };
}

/** The pid namespaces, other than ours, of a process's descendants. */
async function namespacesOf(owner: number): Promise<readonly string[]> {
  const own = await follow('/proc/self/ns/pid');
  const family = new Set([String(owner)]);
  // Parents have mostly lower pids, but not after a wrap-around: look until nobody is added.
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const pid of await pids()) {
      const parent = /^PPid:\s+(\d+)$/m.exec(await read(`/proc/${pid}/status`))?.[1];
      if (parent !== undefined && family.has(parent)) family.add(pid);
    }
  }
  const found = await Promise.all([...family].map(async (pid) => follow(`/proc/${pid}/ns/pid`)));
  return [...new Set(found)].filter((name) => name !== '' && name !== own);
}

/** Looks until no process is left, for at most twenty seconds, and gives what is left then. */
async function nothingOf(look: () => Promise<Traces>): Promise<Traces> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const traces = await look();
    if (traces.processes.length === 0 || Date.now() > deadline) return traces;
    await delay(50);
  }
}

async function hypervisorsOf(
  authUrl: string,
  cloud: Pick<Awaited<ReturnType<typeof startOpenStack>>, 'adminCredentials' | 'endpoints'>,
): Promise<readonly string[]> {
  const client = await CloudClient.logIn(authUrl, cloud.adminCredentials, AbortSignal.timeout(60_000));
  const answer = await client.request(`${cloud.endpoints.compute}/os-hypervisors`);
  const { hypervisors } = answer as { hypervisors: { hypervisor_hostname: string }[] };
  return hypervisors.map((each) => each.hypervisor_hostname).toSorted();
}

async function pids(): Promise<readonly string[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
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
  const child = spawn(process.execPath, [`${import.meta.dirname}/fixtures/start-cloud.ts`], {
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
