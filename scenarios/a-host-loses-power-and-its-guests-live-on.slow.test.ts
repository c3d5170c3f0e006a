import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { canRunOpenStack } from '@smalt/bed-openstack';
import { startPostgres, type PostgresBed } from '@smalt/bed-postgres';
import type { Migration } from '@smalt/openstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { GuestCounts } from './guest-counts.ts';
import { startHaBed, type HaBed } from './ha-bed.ts';
import type { HaHost } from './ha-host.ts';
import { killInEveryState } from './kill-in-every-state.ts';
import { OnCall, type ToldHost } from './on-call.ts';
import { startStorageExporter } from './storage-exporter.ts';
import { watchForcedDown, type ForcedDownWatch } from './watch-forced-down.ts';

const EVERY_STATE = ['detected', 'fencing', 'forcing-down', 'rebuilding'];
const SILENT_MS = 6_000;
/** Longer than it takes from the last sign of life of a host to the order that powers it off. */
const LONG_ENOUGH_MS = SILENT_MS + 3_000;
const POLL = { timeout: 60_000, interval: 200 };

// One fleet lives through all of it in this order: every story begins with what the one before left. Nothing can be tried again.
describe.runIf(await canRunOpenStack())('high availability', { timeout: 180_000, retry: 0 }, () => {
  const owned = new AsyncDisposableStack();
  let bed: HaBed;
  let postgres: PostgresBed;
  let onCall: OnCall;
  let counts: GuestCounts;

  beforeAll(async () => {
    const signal = AbortSignal.timeout(230_000);
    const starting = startHaBed({ config: CONFIG, signal });
    postgres = owned.use(await startPostgres());
    bed = owned.use(await starting);
    onCall = new OnCall(bed.service);
    counts = new GuestCounts(
      bed,
      await Promise.all([bed.boot('one', 'hv-a'), bed.boot('two', 'hv-a'), bed.boot('three', 'hv-b')]),
    );
    await counts.begin(signal);
  }, 240_000);

  afterAll(() => owned.disposeAsync());

  it('rebuilds all guests of a host that loses its power, whenever the service is killed', async () => {
    const lost = hostNamed('hv-a');
    const story = await watch(lost);

    await lost.losePower();
    const states = await killInEveryState({ ...story, kill: () => bed.service.kill() });

    expect(states).toEqual(EVERY_STATE);
    expect(await onCall.incidentOf('hv-a')).toMatchObject({ state: 'recovered' });
    expect(await hostsOf(['one', 'two'])).not.toContain('hv-a');
    await expectOrder(lost, story);
  });

  it('takes the host back when it was repaired and a person says so, and its guests run on elsewhere', async () => {
    await hostNamed('hv-a').powerOn();
    await onCall.release('hv-a');

    await expect
      .poll(() => bed.nova.compute.services.findCompute('hv-a'), POLL)
      .toMatchObject({ state: 'up', status: 'enabled', isForcedDown: false });
    await expect.poll(() => onCall.host('hv-a'), POLL).toMatchObject({ heldBy: null });
    await counts.goOn();
    expect(await hostsOf(['one', 'two'])).not.toContain('hv-a');
  });

  it('fences a host that is cut off before it rebuilds anything, whenever the service and its database are killed', async () => {
    await usePostgres();
    const lost = await hostWithGuests();
    const story = await watch(lost);

    await lost.cut();
    const states = await killInEveryState({ ...story, kill: killBoth });

    expect(states).toEqual(EVERY_STATE);
    expect(lost.fencedAt).toHaveLength(1);
    await expectOrder(lost, story);
  });

  it('stops and says so when the controller hangs or does nothing, until a person has seen the host off', async () => {
    await comeBack();
    const lost = await hostWithGuests();
    const story = await watch(lost);
    lost.bmc.faults = { hangs: 'all' };

    await lost.cut();
    const noProof = { state: 'fencing', needsPerson: true, wait: { reason: 'no-proof' } };
    await expect.poll(() => onCall.incidentOf(lost.name), POLL).toMatchObject(noProof);
    lost.bmc.faults = { isIgnoringResets: true };
    const twice = [{ method: 'bmc' }, { method: 'bmc', answer: 'the order was taken' }];
    await expect.poll(() => onCall.incidentOf(lost.name), POLL).toMatchObject({ ...noProof, fences: twice });
    await counts.goOn();

    const waiting = await onCall.incidentOf(lost.name);
    expect(waiting).toMatchObject(noProof);
    expect(await evacuationsOf(story)).toEqual([]);
    expect(story.forcedDown.isForcedDown).toBe(false);
    expect(lost.isOn).toBe(true);
    await expect(onCall.confirmOff(waiting?.id, 'another-host')).rejects.toThrow(/"status":4\d\d/);
    await lost.losePower();
    lost.bmc.faults = { hangs: 'all' };
    await onCall.confirmOff(waiting?.id, lost.name);
    await onCall.ends(lost.name, 'recovered');
  });

  it('believes no controller that lies while storage says that the guests of a host write on', async () => {
    await comeBack();
    const lying = await hostWithGuests();
    const story = await watch(lying);
    await using exporter = await startStorageExporter(bed);
    await bed.service.configure(askingStorage(bed, exporter.url));
    await expect.poll(() => heardOf(lying.name), POLL).toContain('storage');
    lying.bmc.faults = { says: 'Off', isIgnoringResets: true };

    await lying.cut();
    const byStorage = { judgement: { kind: 'alive', by: 'storage' } };
    await expect.poll(() => onCall.host(lying.name), POLL).toMatchObject(byStorage);
    await delay(LONG_ENOUGH_MS);
    await expect.poll(() => onCall.host(lying.name), POLL).toMatchObject(byStorage);
    exporter.isBroken = true;
    await expect
      .poll(() => onCall.host(lying.name), POLL)
      .toMatchObject({ judgement: { kind: 'suspect', missing: 'storage does not say that it is dead' } });
    await counts.goOn();

    expect(await onCall.incidentOf(lying.name).then((incident) => incident?.id)).toBe(story.before);
    expect(await evacuationsOf(story)).toEqual([]);
    expect(lying.isOn).toBe(true);
    await lying.heal();
    await bed.service.configure({ detection: CONFIG.detection, sources: bed.sources });
  });

  it('acts on no one when it is cut off from all, and says what it does not hear', async () => {
    await comeBack();
    await expect.poll(() => onCall.judged('alive'), POLL).toHaveLength(3);
    const orders = bed.hosts.map((each) => each.orders);

    await Promise.all(bed.hosts.map((each) => each.cut()));
    await expect.poll(() => onCall.judged('alive'), POLL).toEqual([]);
    await delay(LONG_ENOUGH_MS);

    expect(bed.hosts.map((each) => each.orders)).toEqual(orders);
    expect(bed.hosts.map((each) => each.isOn)).toEqual([true, true, true]);
    expect(await onCall.judged('condemned')).toEqual([]);
    expect(await onCall.silentSources()).toContain('agent');
    for (const { name } of bed.hosts) expect(doubtOf(await onCall.host(name))).toContain('agent');
    await Promise.all(bed.hosts.map((each) => each.heal()));
  });

  it('never had two of a guest', async () => {
    expect((await counts.boots()).every((each) => each.length > 0)).toBe(true);
  });

  interface Story {
    readonly onCall: OnCall;
    readonly host: string;
    /** The last incident of the host, and its last evacuations. */
    readonly before: string | undefined;
    readonly old: ReadonlySet<number>;
    readonly forcedDown: ForcedDownWatch;
    readonly restart: () => Promise<void>;
  }

  /** What is known of a host before anything happens to it. */
  async function watch({ name: host }: HaHost): Promise<Story> {
    const before = (await onCall.incidentOf(host))?.id;
    const old = new Set((await evacuationsFrom(host)).map(({ id }) => id));
    const forcedDown = owned.use(watchForcedDown(bed.nova, host));
    return { onCall, host, before, old, forcedDown, restart: () => bed.restartService() };
  }

  /** It was off, that was read, Nova was told, and each guest was evacuated once: in this order. */
  async function expectOrder(lost: HaHost, story: Story): Promise<void> {
    const evacuations = await evacuationsOf(story);
    const firstRead = lost.offReadAt[0] ?? Infinity;
    expect(firstRead).toBeGreaterThanOrEqual(lost.fencedAt[0] ?? 0);
    expect(story.forcedDown.lastFreeAt).toBeGreaterThan(firstRead);
    expect(evacuations.length).toBeGreaterThan(0);
    expect(new Set(evacuations.map(({ serverId }) => serverId)).size).toBe(evacuations.length);
    expect(Math.min(...evacuations.map(begunAt))).toBeGreaterThan(firstRead);
  }

  function hostNamed(name: string): HaHost {
    const found = bed.hosts.find((each) => each.name === name);
    if (found === undefined) throw new TypeError(`no host ${name}`);
    return found;
  }

  async function hostsOf(names: readonly string[]): Promise<readonly (string | undefined)[]> {
    const servers = await bed.nova.compute.servers.list({ isAllProjects: true }).all();
    expect(servers.map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE']);
    return servers.filter(({ name }) => names.includes(name ?? '')).map((server) => server.host);
  }

  async function hostWithGuests(): Promise<HaHost> {
    const [name] = await hostsOf(['one']);
    return hostNamed(name ?? '');
  }

  async function evacuationsFrom(sourceHost: string): Promise<readonly Migration[]> {
    const all = await bed.nova.compute.migrations.list({ sourceHost }).all();
    return all.filter(({ type }) => type === 'evacuation');
  }

  async function evacuationsOf({ host, old }: Story): Promise<readonly Migration[]> {
    return (await evacuationsFrom(host)).filter(({ id }) => !old.has(id));
  }

  /** A service with nothing in its store, which is PostgreSQL from now on. */
  async function usePostgres(): Promise<void> {
    const urlFile = join(bed.directory, 'postgres-url');
    await writeFile(urlFile, postgres.url);
    await bed.service.kill();
    await bed.service.configure({ store: { kind: 'postgres', urlFile } });
    await bed.restartService();
    // Who was never heard cannot be missed.
    for (const { name } of bed.hosts) await expect.poll(() => heardOf(name), POLL).toContain('agent');
  }

  async function heardOf(name: string): Promise<readonly string[]> {
    return (await onCall.host(name)).signals.map(({ source }) => source);
  }

  /** The service is without its database for a moment before it goes itself. */
  async function killBoth(): Promise<void> {
    await postgres.kill();
    await bed.service.kill();
    await postgres.restart();
  }

  /** Who was switched off is repaired and released; it returns by itself, while something else happens. */
  async function comeBack(): Promise<void> {
    for (const each of bed.hosts) {
      each.bmc.faults = {};
      if (each.isOn) continue;
      await each.powerOn();
      await onCall.release(each.name);
    }
  }
});

const CONFIG = {
  detection: {
    judgement: {
      rules: {
        agent: { freshMs: 3_000, deadAfterMs: SILENT_MS },
        'node-lease': { freshMs: 3_000, deadAfterMs: SILENT_MS },
        storage: { freshMs: 3_000, deadAfterMs: SILENT_MS },
        libvirt: { freshMs: 3_000, deadAfterMs: 3_000 },
        'compute-service': { freshMs: 4_000, deadAfterMs: 1_000 },
      },
      requiredSources: ['agent'],
      agreeMs: 500,
    },
    brakes: { warmUpMs: 1_000, sightMs: 500, maximumMissing: 1, maximumMissingShare: 0.34, intervalMs: 0 },
    recovery: {
      readIntervalMs: 300,
      slowReadIntervalMs: 1_000,
      readTimeoutMs: 2_500,
      proofValidMs: 6_000,
      fenceTimeoutMs: 3_000,
      attemptsPerLevel: 2,
    },
    hostReturn: { steadyMs: 1_000 },
  },
  pace: {
    lookIntervalMs: 300,
    refreshIntervalMs: 1_000,
    followIntervalMs: 300,
    serviceDownMs: 6_000,
    callTimeoutMs: 10_000,
  },
};

/** The service asks storage as well, and nobody is dead who writes. */
function askingStorage({ sources }: HaBed, url: string): Readonly<Record<string, unknown>> {
  const rule = { source: 'storage', value: 'idleSeconds', host: { from: 'host' }, meaning: { kind: 'age' } };
  const endpoint = { name: 'storage', url, format: 'json', intervalMs: 1_000, timeoutMs: 1_000, rules: [rule] };
  const judgement = { ...CONFIG.detection.judgement, requiredSources: ['agent', 'storage'] };
  return { detection: { ...CONFIG.detection, judgement }, sources: { ...sources, pull: [endpoint] } };
}

/** Why a host is not condemned: what is missing for that, or who cannot tell anything. */
function doubtOf({ judgement }: ToldHost): string {
  return judgement?.missing ?? judgement?.blind?.join(' ') ?? '';
}

/** The earliest moment: Nova tells times in whole seconds. */
function begunAt({ createdAt = '' }: Migration): number {
  return Date.parse(createdAt.replace(/Z?$/, 'Z'));
}
