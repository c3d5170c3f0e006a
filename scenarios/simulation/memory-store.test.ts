import { describe, expect, it } from 'vitest';

import { haStoreContract } from '../../apps/ha-service/src/store/fixtures/ha-store-contract.ts';
import { createStorePort, MemoryStore, type StoreAccess } from './memory-store.ts';

const { signal } = new AbortController();

describe('the store of the simulator', () => {
  it.each(haStoreContract)('$title', async (promise) => {
    const store = createStorePort(new MemoryStore(), { ask, ownNow: now, storeNow: now });

    await expect(promise.check({ store, now }, signal)).resolves.toBeUndefined();
  });
});

const ask: StoreAccess['ask'] = async (_what, effect, given) => {
  given.throwIfAborted();
  return effect();
};

function now(): number {
  return performance.timeOrigin + performance.now();
}
