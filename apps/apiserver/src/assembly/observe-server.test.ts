import { expect, it } from 'vitest';

import { observeServer, type Observed } from './observe-server.ts';

it('is ready as long as it runs and can write', async () => {
  expect(await readiness({})).toEqual(['ping ok', 'shutdown ok', 'store ok']);
});

it('is not ready while the disk takes no writes', async () => {
  expect(await readiness({ checkWritable: refuse })).toEqual([
    'ping ok',
    'shutdown ok',
    'store the write was not stored: database or disk is full',
  ]);
});

it('is not ready while it stops', async () => {
  expect(await readiness({}, AbortSignal.abort())).toEqual([
    'ping ok',
    'shutdown process is shutting down',
    'store ok',
  ]);
});

function refuse(): void {
  throw new Error('the write was not stored: database or disk is full');
}

async function readiness(
  store: Partial<Observed['store']>,
  stopping: AbortSignal = new AbortController().signal,
): Promise<readonly string[]> {
  const idle = { resources: () => [], count: () => 0, resourceVersion: 1, checkWritable: () => undefined };
  const { health } = observeServer({ store: { ...idle, ...store }, audit: { dropped: 0 }, stopping });
  const { results } = await health.run('readyz', { signal: new AbortController().signal });
  return results.map(({ name, error }) => `${name} ${error instanceof Error ? error.message : 'ok'}`);
}
