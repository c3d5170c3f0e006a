import { describe, expect, it } from 'vitest';

import { haStoreContract } from '../../apps/ha-service/src/store/fixtures/ha-store-contract.ts';
import { createStorePort, MemoryStore, type StoreAccess } from './memory-store.ts';

const { signal } = new AbortController();

describe('the store of the simulator', () => {
  it.each(haStoreContract)('$title', async (promise) => {
    const store = createStorePort(new MemoryStore(), { ask, ownNow: now, storeNow: now });

    await expect(promise.check({ store, now }, signal)).resolves.toBeUndefined();
  });

  it('goes on after its clock was set back: what is new counts', async () => {
    let storeNow = HOUR_MS;
    const store = createStorePort(new MemoryStore(), { ask, ownNow: () => 0, storeNow: () => storeNow });
    const sample = { host: 'node-1', source: 'agent', kind: 'alive', at: 0 } as const;
    await store.signals.state([sample], signal);
    storeNow = 0;
    await store.signals.state([sample], signal);
    storeNow = 60_000;
    await store.signals.state([sample], signal);
    storeNow = 70_000;

    const { signals } = await store.signals.changes(undefined, signal);

    expect(signals).toMatchObject([{ host: 'node-1', aliveAgeMs: 10_000 }]);
  });
});

const HOUR_MS = 3_600_000;

const ask: StoreAccess['ask'] = async (_what, effect, given) => {
  given.throwIfAborted();
  return effect();
};

function now(): number {
  return performance.timeOrigin + performance.now();
}
