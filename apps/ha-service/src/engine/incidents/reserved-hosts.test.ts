import type { RecoverySettings } from '@smalt/failure-detection';
import { defaultRecoveryPolicy, type RecoveryMethod, type RecoverySegment } from '@smalt/recovery-policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { EngineSettings } from '../engine-settings.ts';
import { engineSettings, startEngineBed, type EngineBed } from '../fixtures/engine-bed.ts';

const DEAD = ['auto', 'reserved', 'auto-first', 'reserved-first', 'retried'];
const RESERVED = ['kept1', 'kept2'];
const HOSTS = [...DEAD, ...RESERVED, 's1', 's2', 's3'];
const SOON = { timeout: 30_000, interval: 50 };

let bed: EngineBed;

beforeAll(async () => {
  bed = await startEngineBed(HOSTS);
  bed.cloud.addAggregate('blue', { hosts: ['reserved'] });
  for (const name of RESERVED) {
    const host = await bed.ports.compute.hosts.find(name, signal());
    if (host !== undefined) await bed.compute.hosts.disable(host, 'reserved for failures', signal());
  }
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('the four ways to recover', () => {
  it('auto lets the compute system choose, and leaves reserved hosts alone', async () => {
    const server = await lose('auto', [segment('auto', 'auto', RESERVED)]);

    await expect.poll(() => stateOf('auto'), SOON).toBe('recovered');
    expect(RESERVED).not.toContain(bed.cloud.server(server)?.host);
    expect(bed.cloud.host('kept1')?.status).toBe('disabled');
  }, 60_000);

  it('reserved-host uses the first that is free, in the aggregates of the dead one, and notes that it is used', async () => {
    const server = await lose('reserved', [segment('reserved', 'reserved-host', ['unknown', 'kept1', 'kept2'])]);

    await expect.poll(() => stateOf('reserved'), SOON).toBe('recovered');
    expect(bed.cloud.server(server)?.host).toBe('kept1');
    expect(bed.cloud.host('kept1')).toMatchObject({ status: 'enabled', aggregates: expect.arrayContaining(['blue']) });
    expect((await bed.store.documents.list('used-reserved-host', signal())).map(({ key }) => key)).toEqual(['kept1']);
    expect(bed.cloud.host('kept2')?.status).toBe('disabled');
  }, 60_000);

  it('reserved-host-priority lets the compute system choose when all are used', async () => {
    const server = await lose('reserved-first', [segment('reserved-first', 'reserved-host-priority', ['kept1'])]);

    await expect.poll(() => stateOf('reserved-first'), SOON).toBe('recovered');
    expect(bed.cloud.server(server)?.host).not.toBe('reserved-first');
    expect(bed.cloud.host('kept2')?.status).toBe('disabled');
  }, 60_000);

  it('auto-priority goes to a reserved host after the compute system has failed, and asks for one at a time', async () => {
    const server = await lose('auto-first', [segment('auto-first', 'auto-priority', RESERVED)], 'fails');
    await expect.poll(() => evacuationsOf(server)[0], SOON).toBe('failed');

    bed.cloud.behave({ evacuation: 'succeeds' }, server);

    await expect.poll(() => stateOf('auto-first'), SOON).toBe('recovered');
    expect(bed.cloud.server(server)?.host).toBe('kept2');
    expect(evacuationsOf(server)).toHaveLength(2);
  }, 60_000);
});

describe('an evacuation that fails', () => {
  it('is tried again, but only so often, and the host is held then', async () => {
    const server = await lose('retried', [], 'fails');

    await expect.poll(() => stateOf('retried'), SOON).toBe('failed');

    expect(evacuationsOf(server)).toEqual(['failed', 'failed', 'failed']);
    const [incident] = await bed.store.incidents.list({ host: 'retried', limit: 1 }, signal());
    expect(incident?.instances.find(({ id }) => id === server)).toMatchObject({ state: 'failed', attempts: 3 });
    expect((await bed.store.hosts.list(signal())).find(({ name }) => name === 'retried')?.heldBy).toBe(incident?.id);
  }, 60_000);
});

let leader: AsyncDisposable | undefined;
afterAll(() => leader?.[Symbol.asyncDispose]());

/** A host with one instance dies while an engine with these segments leads. */
async function lose(
  host: string,
  segments: readonly RecoverySegment[],
  evacuation: 'succeeds' | 'fails' = 'succeeds',
): Promise<string> {
  await leader?.[Symbol.asyncDispose]();
  const server = bed.cloud.addServer(host, { name: `on-${host}` });
  bed.cloud.behave({ evacuation }, server);
  leader = bed.lead({ ...hasty(), policy: { ...defaultRecoveryPolicy, segments } });
  await expect.poll(() => bed.cluster.host(host)?.haEnabled?.status, SOON).toBe('True');
  await bed.ports.clock.wait(engineSettings().detection.brakes.warmUpMs, signal());
  bed.die(host);
  return server;
}

function hasty(): Pick<EngineSettings, 'detection'> {
  const { detection } = engineSettings();
  const recovery: RecoverySettings = { ...detection.recovery, retryDelayMs: 100, repeatMs: 100 };
  // Those of the tests before are missing still.
  const brakes = { ...detection.brakes, maximumMissing: 5, maximumMissingShare: 0.5 };
  return { detection: { ...detection, recovery, brakes } };
}

function segment(host: string, method: RecoveryMethod, reservedHosts: readonly string[]): RecoverySegment {
  return { name: host, isEnabled: true, hosts: { names: [host] }, method, reservedHosts, joinsAggregates: true };
}

async function stateOf(host: string): Promise<string | undefined> {
  return (await bed.store.incidents.list({ host, limit: 1 }, signal()))[0]?.state;
}

function evacuationsOf(server: string): readonly string[] {
  const moves = bed.cloud.moves().filter(({ serverId, type }) => serverId === server && type === 'evacuation');
  return moves.map(({ status }) => status);
}

function signal(): AbortSignal {
  return AbortSignal.timeout(10_000);
}
