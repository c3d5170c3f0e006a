import { chmod, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { startTcpdump } from './start-tcpdump.ts';

const NEVER = new AbortController().signal;
/** A program that begins like tcpdump, and gives up neither when it is asked to nor when nobody reads. */
const STUBBORN = `#!/bin/bash
trap '' TERM INT PIPE
echo 'tcpdump: listening on tap1' >&2
while :; do sleep 0.2; done
`;

describe('a tcpdump', () => {
  it('that does not end when it is asked to is ended', { timeout: 10_000 }, async () => {
    await using directory = await program(STUBBORN);
    const running = await startTcpdump(options(directory.path), NEVER);

    await running[Symbol.asyncDispose]();

    expect(await runs(directory.path)).toBe(false);
  });

  it('that ends before it listens is told of in its own words', async () => {
    await using directory = await program('#!/bin/sh\necho "tap1: no such device" >&2\nexit 1\n');

    await expect(startTcpdump(options(directory.path), NEVER)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'tcpdump cannot listen on tap1: tap1: no such device',
    });
  });

  it('that never listens is not waited for once the signal fires', { timeout: 10_000 }, async () => {
    await using directory = await program(STUBBORN.replace('listening', 'dreaming'));
    const reason = new Error('enough');

    const starting = startTcpdump(options(directory.path), AbortSignal.abort(reason));

    await expect(starting).rejects.toBe(reason);
    expect(await runs(directory.path)).toBe(false);
  });

  it('that is not installed is asked for', async () => {
    const { tcpdump: _, ...rest } = options('/nowhere');

    await expect(startTcpdump({ ...rest, tcpdump: ['/nowhere/tcpdump'] }, NEVER)).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

async function program(text: string): Promise<AsyncDisposable & { readonly path: string }> {
  const directory = await mkdtempDisposable(join(tmpdir(), 'smalt-tcpdump-'));
  const path = join(directory.path, 'tcpdump');
  await writeFile(path, text);
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

/** Whether a process of this machine has these words among its own. */
async function runs(path: string): Promise<boolean> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = numbers.map((name) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(commands)).some((command) => command.split('\0').includes(path));
}

function options(path: string): Parameters<typeof startTcpdump>[0] {
  const limits = { seconds: 60, packets: 1, snapLength: 100 };
  return { tcpdump: [path], device: 'tap1', onlyIncoming: false, filter: undefined, ...limits };
}
