import { hypervisorKind } from '@smalt/fleet-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { engineSettings, startEngineBed, type EngineBed } from '../fixtures/engine-bed.ts';

const SOON = { timeout: 30_000, interval: 50 };

let bed: EngineBed;

beforeAll(async () => {
  bed = await startEngineBed(['cleared', 'spare1', 'spare2']);
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('a host that is held', () => {
  it('returns when somebody clears spec.maintenance, even while nobody leads', async () => {
    bed.cloud.addServer('cleared', { name: 'web' });
    const first = bed.lead();
    await expect.poll(() => bed.cluster.host('cleared')?.haEnabled?.status, SOON).toBe('True');
    await bed.ports.clock.wait(engineSettings().detection.brakes.warmUpMs, signal());
    bed.die('cleared');
    await expect.poll(() => markOf('cleared'), SOON).toBeDefined();

    await first[Symbol.asyncDispose]();
    await bed.client.resource(hypervisorKind).patch('cleared', 'merge', { spec: { maintenance: '' } });
    await expect.poll(() => bed.cluster.host('cleared')?.maintenance, SOON).toBe('');
    bed.power.turnOn('cleared');
    bed.revive('cleared');
    await using _ = bed.lead();

    await expect.poll(() => heldBy('cleared'), SOON).toBeUndefined();
    expect(await bed.ports.compute.hosts.find('cleared', signal())).toMatchObject({
      isEnabled: true,
      isForcedDown: false,
    });
    expect(bed.cluster.host('cleared')?.maintenance).toBe('');
    await expect.poll(() => markOf('cleared'), SOON).toBeUndefined();
  }, 90_000);
});

async function markOf(host: string): Promise<unknown> {
  return await bed.store.documents.get('held-host-mark', host, signal());
}

async function heldBy(host: string): Promise<string | undefined> {
  return (await bed.store.hosts.list(signal())).find(({ name }) => name === host)?.heldBy;
}

function signal(): AbortSignal {
  return AbortSignal.timeout(10_000);
}
