import { migrationKind, type Migration, type MigrationStatus } from '@smalt/fleet-api';
import type { ResourceClient } from '@smalt/kube';
import type { MigrationRole, Observation } from '@smalt/migration-record';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startFleetBed, type FleetBed } from '../fixtures/fleet-bed.ts';
import { openHosts, type Hosts } from '../fixtures/open-hosts.ts';
import { writeRecord, type WriteOutcome } from './write-record.ts';

const FIRST_MS = Date.UTC(2026, 0, 1);
const PLACE = { namespace: 'default', toleranceMs: 5000 };

describe('a guest that moves on to a third host', () => {
  let bed: FleetBed;
  let hosts: Hosts;
  let all: ResourceClient<Migration>;
  let instance: string;

  beforeAll(async () => {
    bed = await startFleetBed();
    hosts = await openHosts(bed, ['a', 'b', 'c', 'd']);
    all = bed.client.resource(migrationKind);
  });
  afterAll(async () => {
    await hosts[Symbol.asyncDispose]();
    await bed[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    instance = crypto.randomUUID();
    await write(seen('origin', 'a', 0, 2));
    await write(seen('destination', 'b', 0.3, 1.5));
  });

  it('has the record of before put away by the host between them, for which the third one waits', async () => {
    const arrival = seen('destination', 'c', 60.3);

    const first = await write(arrival, { isPatient: true });
    await write(seen('origin', 'b', 60));
    const second = await write(arrival, { isPatient: true });

    expect([first.kind, second.kind]).toEqual(['unclear', 'written']);
    expect(await told()).toEqual(['id: 60 b-c', 'id-20260101000000: 0 a-b']);
  });

  it('is told beside the record of before, which is left alone, when that host is silent', async () => {
    const before = await all.get(instance, { namespace: 'default' });

    const first = await write(seen('destination', 'c', 60.3));
    await write({ ...seen('destination', 'c', 60.3), elapsedMs: 5000 }, { uid: uidOf(first) });

    expect(await told()).toEqual(['id: 0 a-b', 'id-20260101000100: 60.3 undefined-c']);
    expect((await all.get(instance, { namespace: 'default' })).metadata).toEqual(before.metadata);
  });

  it('has one record all the same when that host tells of it after all', async () => {
    const first = await write(seen('destination', 'c', 60.3));
    await write(seen('origin', 'b', 60));
    await write(seen('destination', 'c', 60.3, 4), { uid: uidOf(first) });
    await write(seen('origin', 'b', 60, 4.5), { uid: uidOf(first) });

    expect(await told()).toEqual(['id-20260101000000: 0 a-b', 'id-20260101000100: 60 b-c']);
  });

  it('has one record of what two hosts tell that have nothing to do with the one before', async () => {
    await write(seen('origin', 'c', 60));
    await write(seen('destination', 'd', 60.3));

    expect(await told()).toEqual(['id: 0 a-b', 'id-20260101000100: 60 c-d']);
  });

  it('takes the id of the guest again with the next migration once the record of before is gone', async () => {
    await write(seen('destination', 'c', 60.3, 4));
    await all.delete(instance, { namespace: 'default' });

    await write(seen('origin', 'c', 120, 4));

    expect(await told()).toEqual(['id: 120 c-undefined', 'id-20260101000100: 60.3 undefined-c']);
  });

  it('leaves a record alone that others have begun to move', async () => {
    await mark(instance, { 'smalt.dev/moves-to': `${instance}-elsewhere` });
    const arrival = seen('destination', 'c', 60.3);

    const first = await write(arrival, { isPatient: true });
    await write(arrival);

    expect(first.kind).toBe('unclear');
    expect(await told()).toEqual(['id: 0 a-b', 'id-20260101000100: 60.3 undefined-c']);
  });

  it('mixes no records of other hosts, whatever a record says where it goes', async () => {
    await all.create({ metadata: { name: `${instance}-of-others`, namespace: 'default' }, spec: {} });
    await tellAsAnother(`${instance}-of-others`, { origin: 'x', destination: 'y' });
    await mark(instance, { 'smalt.dev/moves-to': `${instance}-of-others` });

    await write(seen('origin', 'b', 60, 4));

    expect(await told()).toEqual(['id: 60 b-undefined', 'id-20260101000000000: 0 a-b', 'id-of-others: 0 x-y']);
  });

  it('is told beside a record in which another agent says that the origin is the destination, too', async () => {
    await write(seen('origin', 'b', 60));
    const first = await write(seen('destination', 'c', 60.3));
    // As the agent that existed before this one does while the guest is on its way.
    await tellAsAnother(instance, { origin: 'b', destination: 'b' });

    await write({ ...seen('destination', 'c', 60.3), elapsedMs: 5000 }, { uid: uidOf(first) });

    expect(await told()).toEqual(['id: 60 b-b', 'id-20260101000000: 0 a-b', 'id-20260101000100: 60.3 undefined-c']);
  });

  interface Circumstances {
    readonly isPatient?: boolean;
    readonly uid?: string | undefined;
  }

  async function write(
    observation: Observation,
    { isPatient = false, uid }: Circumstances = {},
  ): Promise<WriteOutcome> {
    const target = { ...PLACE, migrations: hosts.of(observation.host) };
    const written = { isPatient, uid, onAttempt: () => undefined };
    return await writeRecord(target, observation, written, AbortSignal.timeout(10_000));
  }

  /** What each record of the guest is called, and tells. */
  async function told(): Promise<readonly string[]> {
    const { items } = await all.list({ namespace: 'default' });
    return items
      .filter(({ metadata }) => metadata.name.startsWith(instance))
      .map(({ metadata, status }) => {
        const second = (Date.parse(status?.started ?? '') - FIRST_MS) / 1000;
        return `${metadata.name.replace(instance, 'id')}: ${second} ${status?.origin}-${status?.destination}`;
      });
  }

  async function mark(name: string, annotations: Readonly<Record<string, string>>): Promise<void> {
    await all.patch(name, 'merge', { metadata: { annotations } }, { namespace: 'default' });
  }

  async function tellAsAnother(name: string, status: Partial<MigrationStatus>): Promise<void> {
    const object = await all.get(name, { namespace: 'default' });
    const started = new Date(FIRST_MS).toISOString();
    await all.replaceStatus({ ...object, status: { started, ...object.status, ...status } });
  }

  // oxlint-disable-next-line max-params -- reads like a line of a table
  function seen(role: MigrationRole, host: string, second: number, lasted?: number): Observation {
    return {
      instance,
      role,
      host,
      startedAtMs: FIRST_MS + second * 1000,
      isEstimated: false,
      elapsedMs: (lasted ?? 0) * 1000,
      progress: {},
      ...(lasted !== undefined && { result: { kind: 'completed' } }),
    };
  }
});

function uidOf(outcome: WriteOutcome): string | undefined {
  return outcome.kind === 'written' ? outcome.object.metadata.uid : undefined;
}
