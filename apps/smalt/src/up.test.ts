import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { biosDomainXml } from '@smalt/bed-libvirt';
import { connect } from '@smalt/libvirt';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

it(
  'shows the host, streams the events of its domains, and leaves nothing behind on Ctrl-C',
  { timeout: 60_000 },
  async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-up-'));
    const smalt = startSmalt(['up', '--state', directory.path]);
    const uri = (await smalt.line(/answers on (\S+)/))[1] ?? '';
    await smalt.line(/watching the events/);

    await using connection = await connect(uri);
    const domain = await connection.domainCreateXml({ xml: biosDomainXml({ name: 'tiny' }) });
    await smalt.line(/tiny {2}lifecycle started \(booted\)/);
    const during = processesWithin(directory.path).length;
    smalt.pressCtrlC();
    const [code] = await once(smalt.process, 'exit');

    expect({ code, domain: domain.name }).toEqual({ code: 0, domain: 'tiny' });
    expect(smalt.text()).toMatch(/^hypervisor +QEMU \d+\.\d+\.\d+$/m);
    expect(smalt.text()).not.toContain('cannot be reached');
    expect(smalt.text()).toMatch(/stopping libvirtd and its guests\nstopped\n$/);
    expect(during).toBeGreaterThan(0);
    expect(processesWithin(directory.path)).toEqual([]);
  },
);

it.each([
  { args: ['up', '--port', 'seventy'], says: 'A port is a number from 1 to 65535.' },
  { args: ['up', '--state', '/proc/version'], says: '/proc/version' },
  { args: ['fly'], says: "unknown command 'fly'" },
])('refuses $args and says why', async ({ args, says }) => {
  const smalt = startSmalt(args);
  const [code] = await once(smalt.process, 'exit');

  expect(code).toBe(1);
  expect(smalt.text()).toContain(says);
});

interface RunningSmalt {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** As a terminal does: to the whole group of processes. */
  pressCtrlC(): void;
  text(): string;
  /** Resolves with the first line, printed already or not, that fits. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
}

function startSmalt(args: readonly string[]): RunningSmalt {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let text = '';
  const add = (chunk: Buffer): void => {
    text += chunk.toString();
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  const line = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (let match = pattern.exec(text); ; match = pattern.exec(text)) {
      if (match) return match;
      if (child.exitCode !== null) throw new Error(`smalt ended before it printed ${pattern}:\n${text}`);
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    }
  };
  const pressCtrlC = (): void => void process.kill(-(child.pid ?? 0), 'SIGINT');
  return { process: child, pressCtrlC, text: () => text, line };
}

/** The processes that see something below the directory as a mount of their own: libvirtd, its guests, their pid 1. */
function processesWithin(directory: string): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && mountsOf(name).includes(directory));
}

function mountsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
  } catch {
    return ''; // The process ended while the list was read.
  }
}
