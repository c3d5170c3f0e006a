import type { EngineKind } from '@smalt/store';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { DurableHaStore } from './durable-ha-store.ts';
import { haStoreContract } from './fixtures/ha-store-contract.ts';
import { openStoreBed, type StoreBed } from './fixtures/store-bed.ts';
import { openHaStore } from './open-ha-store.ts';

const KINDS: readonly EngineKind[] = ['sqlite', 'postgres'];
const { signal } = new AbortController();

describe.each(KINDS)('a store of %s', (kind) => {
  let bed: StoreBed;
  let store: DurableHaStore;

  beforeAll(async () => {
    bed = await openStoreBed(kind);
  });

  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    const location = await bed.newLocation();
    store = await openHaStore({ location, clock: { now }, ignore: () => undefined }, signal);
  });

  afterEach(async () => {
    await store[Symbol.asyncDispose]();
  });

  it.each(haStoreContract)('$title', async (promise) => {
    await expect(promise.check({ store, now }, signal)).resolves.toBeUndefined();
  });
});

function now(): number {
  return performance.timeOrigin + performance.now();
}
