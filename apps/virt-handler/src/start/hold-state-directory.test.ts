import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { holdStateDirectory } from './hold-state-directory.ts';

it('is held by one handler of a node at a time, and the next one waits until it is free', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-hold-'));
  const first = await hold(directory.path);
  const waits = Promise.withResolvers<string>();
  let isHeld = false;

  const second = hold(directory.path, { onWait: waits.resolve }).then((held) => {
    isHeld = true;
    return held;
  });
  const reason = await waits.promise;
  const wasHeld = isHeld;
  await first[Symbol.asyncDispose]();
  await (await second)[Symbol.asyncDispose]();

  expect(wasHeld).toBe(false);
  expect(reason).toContain(`another handler of the node n1 has the state directory ${directory.path}`);
});

it('is not waited for any longer than the signal says, and is free afterwards', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-hold-'));
  const first = await hold(directory.path);
  const stopping = new AbortController();

  const second = hold(directory.path, { onWait: () => stopping.abort(new Error('stop')), signal: stopping.signal });
  await expect(second).rejects.toThrow('stop');
  await first[Symbol.asyncDispose]();
  await using third = await hold(directory.path, { onWait: failToWait });

  expect(third).toBeDefined();
});

it('may belong to several nodes that share it', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-hold-'));

  await using one = await hold(directory.path, { onWait: failToWait });
  await using other = await hold(directory.path, { onWait: failToWait, nodeName: 'n2' });

  expect([one, other]).toHaveLength(2);
});

function failToWait(): never {
  return expect.fail('somebody has it');
}

async function hold(
  directory: string,
  { onWait = () => undefined, signal = AbortSignal.timeout(10_000), nodeName = 'n1' }: HoldOptions = {},
): Promise<AsyncDisposable> {
  return await holdStateDirectory({ directory, nodeName, onWait }, signal);
}

interface HoldOptions {
  readonly onWait?: (reason: string) => void;
  readonly signal?: AbortSignal;
  readonly nodeName?: string;
}
