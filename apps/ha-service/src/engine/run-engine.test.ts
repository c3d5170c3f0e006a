import { openIncident } from '@smalt/failure-detection';
import { hypervisorKind } from '@smalt/fleet-api';
import type { TelemetryBatch, TelemetryEvent } from '@smalt/ha-telemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CursorKind } from '../ports/ha-store.ts';
import { engineSettings, startEngineBed, type EngineBed } from './fixtures/engine-bed.ts';

const HOSTS = ['dead', 'hung', 'kept', 'killed', 'robbed', 'spare1', 'spare2', 'spare3'];
const SOON = { timeout: 20_000, interval: 50 };

let bed: EngineBed;

beforeAll(async () => {
  bed = await startEngineBed(HOSTS);
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('the engine', () => {
  it('recovers a dead host in the right order, holds it, and lets it return when a person says so', async () => {
    const web = bed.cloud.addServer('dead', { name: 'web' });
    await using _ = bed.lead();
    await untilReady('dead');

    bed.die('dead');
    await expect.poll(() => stateOf('dead'), SOON).toBe('recovered');

    const incident = await incidentOf('dead');
    expect(bed.power.orders).toContain('dead');
    expect(bed.power.cleaned).toContain('dead');
    expect(bed.cloud.server(web)?.host).not.toBe('dead');
    expect(await evacuationsOf(web)).toBe(1);
    expect(kindsOf(await journalOf('dead'))).toEqual(
      expect.arrayContaining(['incident-opened', 'fence', 'incident-step', 'rebuild', 'incident-over']),
    );
    await expect
      .poll(() => bed.cluster.host('dead'), SOON)
      .toMatchObject({
        maintenance: 'ha',
        haEnabled: { status: 'False', reason: 'Failed', message: expect.stringContaining('is held after incident') },
        hypervisorDisabled: { status: 'True', reason: 'Succeeded' },
      });

    bed.power.turnOn('dead');
    bed.revive('dead');
    await bed.store.incidents.addDecision(
      { kind: 'release', host: 'dead', incidentId: incident?.id ?? '', by: 'ann', note: '' },
      signal(),
    );

    await expect.poll(() => heldHosts(), SOON).not.toContain('dead');
    await expect
      .poll(() => bed.cluster.host('dead'), SOON)
      .toMatchObject({
        maintenance: '',
        haEnabled: { status: 'True' },
        hypervisorDisabled: undefined,
      });
    expect(await bed.ports.compute.hosts.find('dead', signal())).toMatchObject({
      isEnabled: true,
      isForcedDown: false,
    });
  }, 60_000);

  it('rebuilds nothing while a BMC hangs, says that it needs a person, and goes on by a person’s word', async () => {
    const web = bed.cloud.addServer('hung', { name: 'held-back' });
    bed.power.behave('hung', 'hangs');
    await using _ = bed.lead();
    await untilReady('hung');

    bed.die('hung');
    await expect
      .poll(async () => (await incidentOf('hung'))?.wait, SOON)
      .toMatchObject({ reason: 'no-proof', needsPerson: true });

    expect(bed.cloud.server(web)?.host).toBe('hung');
    expect(await bed.ports.compute.hosts.find('hung', signal())).toMatchObject({ isForcedDown: false });
    const { id = '' } = (await incidentOf('hung')) ?? {};
    await bed.store.incidents.addDecision(
      { kind: 'host-is-off', host: 'hung', incidentId: id, by: 'ann', note: 'unplugged' },
      signal(),
    );

    await expect.poll(() => stateOf('hung'), SOON).toBe('recovered');
    expect(bed.cloud.server(web)?.host).not.toBe('hung');
  }, 60_000);

  it('does nothing to a host in maintenance, and records why once', async () => {
    bed.cloud.addServer('kept', { name: 'stays' });
    await using _ = bed.lead();
    await untilReady('kept');
    await bed.client
      .resource(hypervisorKind)
      .patch('kept', 'merge', { spec: { maintenance: 'manual', maintenanceReason: 'new disks' } });
    await expect.poll(() => bed.cluster.host('kept')?.maintenance).toBe('manual');

    bed.die('kept');

    await expect.poll(async () => kindsOf(await journalOf('kept')), SOON).toEqual(['refusal']);
    expect((await journalOf('kept'))[0]?.message).toContain('(maintenance): kept is in maintenance: manual');
    expect(bed.power.orders).not.toContain('kept');
    bed.revive('kept');
  }, 60_000);

  it('goes on after a stop at every state, and evacuates no instance twice', async () => {
    const servers = ['one', 'two', 'three', 'four', 'five'].map((name) => bed.cloud.addServer('killed', { name }));
    const seen = new Set<string>();
    bed.die('killed');

    for (let run = 0; run < 40 && (await stateOf('killed')) !== 'recovered'; run++) {
      await using _ = bed.lead();
      const before = await revisionOf('killed');
      await expect
        .poll(async () => (await stateOf('killed')) === 'recovered' || (await revisionOf('killed')) > before + 3, SOON)
        .toBe(true);
      seen.add((await stateOf('killed')) ?? '');
    }

    expect(await stateOf('killed')).toBe('recovered');
    expect(seen.size).toBeGreaterThan(1);
    expect(await Promise.all(servers.map(evacuationsOf))).toEqual(servers.map(() => 1));
  }, 120_000);

  it('restarts an instance that crashed, once, where it is', async () => {
    const crashed = bed.cloud.addServer('spare1', { name: 'crashed' });
    await using _ = bed.lead();
    await untilReady('spare1');
    bed.cloud.stopGuest(crashed);

    await accept(crash('spare1', crashed));

    await expect.poll(() => restarts(crashed), SOON).toBe(1);
    await expect
      .poll(async () => (await journalOf('spare1')).map(({ kind, instanceId }) => [kind, instanceId]), SOON)
      .toContainEqual(['instance-recovery', crashed]);
    expect(bed.cloud.server(crashed)?.host).toBe('spare1');
    expect(restarts(crashed)).toBe(1);
  }, 60_000);

  it('restarts an instance whose guest agent is silent, once, where it is', async () => {
    const hung = bed.cloud.addServer('spare2', { name: 'hung' });
    await using _ = bed.lead();
    await untilReady('spare2');

    await accept(silence('spare2', hung));

    await expect.poll(() => restarts(hung), SOON).toBe(1);
    await expect
      .poll(async () => (await journalOf('spare2')).filter(({ instanceId }) => instanceId === hung), SOON)
      .toContainEqual(expect.objectContaining({ message: expect.stringContaining('missed 3 pings in a row') }));
    expect(bed.cloud.server(hung)?.host).toBe('spare2');
  }, 60_000);

  it('restarts what a host lost by a reboot that nobody condemned, and leaves off what its owner had stopped', async () => {
    const [lost, stopped] = [
      bed.cloud.addServer('spare3', { name: 'lost' }),
      bed.cloud.addServer('spare3', { name: 'off' }),
    ];
    await bed.compute.instances.stop(stopped, signal());
    await using _ = bed.lead();
    await untilReady('spare3');
    await accept(uptime('spare3', 'boot-1', 1));
    await expect
      .poll(async () => (await bed.store.documents.list('host-boot', signal())).map(({ key }) => key), SOON)
      .toContain('spare3');

    bed.cloud.stopGuest(lost);
    await accept(uptime('spare3', 'boot-2', 2));

    await expect.poll(() => restarts(lost), SOON).toBe(1);
    const journal = await journalOf('spare3');
    expect(kindsOf(journal)).toEqual(expect.arrayContaining(['host-reboot', 'instance-recovery']));
    expect(journal.filter(({ kind }) => kind === 'host-reboot')).toMatchObject([{ severity: 'warning' }]);
    // What stopped it, and nothing since.
    expect(restarts(stopped)).toBe(1);
  }, 60_000);

  it('reads on, and restarts nothing, while instance recovery is switched off', async () => {
    const crashed = bed.cloud.addServer('spare2', { name: 'left-alone' });
    const { instanceRecovery } = engineSettings();
    await using _ = bed.lead({ instanceRecovery: { ...instanceRecovery, isEnabled: false } });
    await untilReady('spare2');

    await accept(crash('spare2', crashed));

    const newest = (await bed.store.telemetry.events(undefined, 500, signal())).at(-1);
    await expect
      .poll(async () => (await bed.store.documents.get(CursorKind.events, 'telemetry', signal()))?.content, SOON)
      .toBe(JSON.stringify({ after: newest?.id }));
    expect(restarts(crashed)).toBe(0);
  }, 60_000);

  it('takes over an incident that another one has opened with its last words', async () => {
    await using _ = bed.lead();
    await untilReady('spare3');
    const now = bed.ports.clock.now();
    const late = openIncident(
      { id: 'late', host: 'spare3', bootId: undefined, condemnedBy: ['agent', 'bmc'], fenceMethods: ['switch'] },
      now,
    );

    await bed.store.incidents.open(late, [], signal());

    await expect.poll(() => stateOf('spare3'), SOON).toBe('acquitted');
    expect(bed.power.orders).not.toContain('spare3');
  }, 60_000);

  it('ends at once when another one has changed its incident', async () => {
    bed.cloud.addServer('robbed', { name: 'disputed' });
    bed.power.behave('robbed', 'ignores');
    await using leader = bed.lead();
    await untilReady('robbed');
    bed.die('robbed');
    await expect.poll(() => stateOf('robbed'), SOON).toBe('fencing');

    const stolen = await steal('robbed');

    await expect(leader.ended).rejects.toMatchObject({ code: 'lead-lost' });
    expect((await incidentOf('robbed'))?.revision).toBe(stolen);
  }, 60_000);
});

function restarts(instanceId: string): number {
  return bed.cloud.countOf(new RegExp(`^compute POST .*${instanceId}/action$`, 'u'));
}

function crash(node: string, uuid: string): TelemetryBatch {
  const domain = { uuid, name: 'crashed' };
  return batchOf(node, { kind: 'lifecycle', domain, event: 'stopped', detail: 'failed' });
}

function uptime(node: string, bootId: string, sequence: number): TelemetryBatch {
  const time = new Date(bed.ports.clock.now()).toISOString();
  const report = { kind: 'uptime', uptimeSeconds: 7, bootId, agentStartedAt: time, libvirt: 'connected' } as const;
  const records = [{ ...report, sequence, time }];
  return { version: 1, node, epoch: 'boots', agent: 'agent', firstSequence: sequence, lastSequence: sequence, records };
}

async function accept(batch: TelemetryBatch): Promise<void> {
  await bed.store.telemetry.accept({ batch, arrivedAt: bed.ports.clock.now() }, signal());
}

function silence(node: string, uuid: string): TelemetryBatch {
  const domain = { uuid, name: 'hung' };
  return batchOf(node, { kind: 'guest-ping', domain, state: 'silent', misses: 3, since: '2026-01-02T03:04:05.678Z' });
}

function batchOf(node: string, event: TelemetryEvent): TelemetryBatch {
  const time = new Date(bed.ports.clock.now()).toISOString();
  const records = [{ ...event, sequence: 1, time }];
  return { version: 1, node, epoch: 'epoch', agent: 'agent', firstSequence: 1, lastSequence: 1, records };
}

function signal(): AbortSignal {
  return AbortSignal.timeout(10_000);
}

/** Writes over the incident as another leader would, however quick the first one is. */
async function steal(host: string): Promise<number> {
  for (;;) {
    const found = await incidentOf(host);
    if (found === undefined) throw new Error(`${host} has no incident`);
    const revision = found.revision + 1;
    if ((await bed.store.incidents.save({ ...found, revision }, [], signal())) === 'stored') return revision;
  }
}

/** The engine has seen that the host lives, and has told so. */
async function untilReady(host: string): Promise<void> {
  await expect.poll(() => bed.cluster.host(host)?.haEnabled?.status, SOON).toBe('True');
  const { clock } = bed.ports;
  await clock.wait(engineSettings().detection.brakes.warmUpMs, signal());
}

async function incidentOf(host: string) {
  return (await bed.store.incidents.list({ host, limit: 1 }, signal()))[0];
}

async function stateOf(host: string): Promise<string | undefined> {
  return (await incidentOf(host))?.state;
}

async function revisionOf(host: string): Promise<number> {
  return (await incidentOf(host))?.revision ?? 0;
}

async function journalOf(host: string) {
  return await bed.store.journal.list(undefined, { host, limit: 200 }, signal());
}

function kindsOf(entries: Awaited<ReturnType<typeof journalOf>>): readonly string[] {
  return [...new Set(entries.map(({ kind }) => kind))];
}

async function heldHosts(): Promise<readonly string[]> {
  const records = await bed.store.hosts.list(signal());
  return records.filter(({ heldBy }) => heldBy !== undefined).map(({ name }) => name);
}

async function evacuationsOf(instanceId: string): Promise<number> {
  const hosts = await bed.ports.compute.hosts.list(signal());
  const lists = await Promise.all(hosts.map((host) => bed.ports.compute.evacuations.list(host, new Date(0), signal())));
  return lists.flat().filter((evacuation) => evacuation.instanceId === instanceId).length;
}
