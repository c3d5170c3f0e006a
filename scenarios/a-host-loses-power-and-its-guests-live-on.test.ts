import { setTimeout as delay } from 'node:timers/promises';

import { canRunOpenStack } from '@smalt/bed-openstack';
import { startPostgres, type PostgresBed } from '@smalt/bed-postgres';
import { leaseKind } from '@smalt/controller-runtime';
import type { Migration } from '@smalt/openstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readCounts, type CountedBoot } from './counting-guest.ts';
import { startHaBed, type HaBed } from './ha-bed.ts';
import type { HaHost } from './ha-host.ts';

const STEP_MS = 60_000;
/** Longer than it takes from the last sign of life of a host to the order that powers it off. */
const LONG_ENOUGH_MS = 15_000;

interface SeenIncident {
  readonly id: string;
  readonly host: string;
  readonly state: string;
  readonly needsPerson: boolean;
  readonly wait: { readonly reason: string; readonly message: string } | null;
  readonly outcome: string | null;
}

// One fleet lives through all of it in this order: every story begins with what the one before left. Nothing can be tried again.
describe.runIf(await canRunOpenStack())('high availability', { timeout: 120_000, retry: 0 }, () => {
  const owned = new AsyncDisposableStack();
  const guests: string[] = [];
  let bed: HaBed;
  let postgres: PostgresBed;

  beforeAll(async () => {
    postgres = owned.use(await startPostgres());
    bed = owned.use(
      await startHaBed({ postgresUrl: postgres.url, config: CONFIG, signal: AbortSignal.timeout(230_000) }),
    );
    guests.push(await bed.boot('one', 'hv-a'), await bed.boot('two', 'hv-a'), await bed.boot('three', 'hv-b'));
    while ((await fewestRecords()) < 3) await delay(500);
  }, 240_000);

  afterAll(() => owned.disposeAsync());

  it('rebuilds all guests of a host that loses its power elsewhere', async () => {
    await host('hv-a').losePower();

    await ends('hv-a', 'recovered');
    await runAgain();

    expect(await hostsOf(['one', 'two'])).not.toContain('hv-a');
    expect(await evacuationsFrom('hv-a')).toHaveLength(2);
    // A controller is told off although the host is: what it says of it may be old.
    expect(host('hv-a').orders).toBeGreaterThan(0);
  });

  it('takes the host back when it was repaired and a person says so', async () => {
    await host('hv-a').powerOn();
    await release('hv-a');

    await expect
      .poll(() => bed.nova.compute.services.findCompute('hv-a'), { timeout: STEP_MS, interval: 300 })
      .toMatchObject({ state: 'up', status: 'enabled', isForcedDown: false });
  });

  it('fences a host that is cut off before it rebuilds anything, whoever is killed meanwhile', async () => {
    const lost = await hostWithGuests();
    const before = await incidentOf(lost.name);
    const old = new Set((await evacuationsFrom(lost.name)).map(({ id }) => id));

    await lost.cut();
    const steps = await killAtEveryStep(lost.name, before?.id);
    await ends(lost.name, 'recovered');
    await runAgain();

    const evacuations = (await evacuationsFrom(lost.name)).filter(({ id }) => !old.has(id));
    expect(steps.length).toBeGreaterThanOrEqual(2);
    expect(lost.fencedAt).toHaveLength(1);
    expect(evacuations.length).toBeGreaterThan(0);
    expect(new Set(evacuations.map(({ serverId }) => serverId)).size).toBe(evacuations.length);
    expect(Math.min(...evacuations.map(latestBeginning))).toBeGreaterThan(lost.fencedAt[0] ?? Infinity);
  });

  it('stops and says so when the controller hangs or does nothing, until a person has seen the host off', async () => {
    await comeBack();
    const lost = await hostWithGuests();
    const known = (await evacuationsFrom(lost.name)).length;
    lost.bmc.faults = { hangs: 'all' };

    await lost.cut();
    await expect
      .poll(() => incidentOf(lost.name), { timeout: STEP_MS, interval: 300 })
      .toMatchObject({ state: 'fencing', needsPerson: true, wait: { reason: 'no-proof' } });
    lost.bmc.faults = { isIgnoringResets: true };
    const counted = await fewestRecords();
    await expect.poll(fewestRecords, { timeout: STEP_MS, interval: 500 }).toBeGreaterThan(counted + 3);

    const waiting = await incidentOf(lost.name);
    expect(waiting).toMatchObject({ state: 'fencing', needsPerson: true });
    expect(await evacuationsFrom(lost.name)).toHaveLength(known);
    expect(lost.isOn).toBe(true);
    await expect(confirm(waiting?.id, 'another-host')).rejects.toThrow(/ 4\d\d /);
    await lost.losePower();
    lost.bmc.faults = { hangs: 'all' };
    await confirm(waiting?.id, lost.name);
    await ends(lost.name, 'recovered');
    await runAgain();
  });

  it('acts on no one when it is cut off from all', async () => {
    await comeBack();
    const orders = bed.hosts.map((each) => each.orders);

    await Promise.all(bed.hosts.map((each) => each.cut()));
    await expect.poll(livingHosts, { timeout: STEP_MS, interval: 500 }).toEqual([]);
    await delay(LONG_ENOUGH_MS);

    expect(bed.hosts.map((each) => each.orders)).toEqual(orders);
    expect(bed.hosts.map((each) => each.isOn)).toEqual([true, true, true]);
    expect(await livingHosts()).toEqual([]);
    await Promise.all(bed.hosts.map((each) => each.heal()));
  });

  it('never had two of a guest', async () => {
    const boots = await bootsOf(guests);

    expect(boots.every((each) => each.length > 0)).toBe(true);
  });

  function host(name: string): HaHost {
    const found = bed.hosts.find((each) => each.name === name);
    if (found === undefined) throw new TypeError(`no host ${name}`);
    return found;
  }

  async function bootsOf(ids: readonly string[]): Promise<readonly (readonly CountedBoot[])[]> {
    return await Promise.all(ids.map((id) => readCounts(bed.diskOf(id))));
  }

  /** Of the guest that has written least, in its newest boot. */
  async function fewestRecords(): Promise<number> {
    const boots = await bootsOf(guests).catch(() => []);
    return boots.length === 0 ? 0 : Math.min(...boots.map((each) => each.at(-1)?.records ?? 0));
  }

  /** Waits until every guest counts on, those that were rebuilt in another boot; nobody else may have written. */
  async function runAgain(): Promise<void> {
    const moved = await bootsOf(guests);
    const isOn = async (): Promise<boolean> => {
      const now = await bootsOf(guests);
      return now.every((each, index) => total(each) > total(moved[index] ?? []) + 2);
    };
    await expect.poll(isOn, { timeout: STEP_MS, interval: 500 }).toBe(true);
    const servers = await bed.nova.compute.servers.list({ isAllProjects: true }).all();
    expect(servers.map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE']);
  }

  async function hostsOf(names: readonly string[]): Promise<readonly (string | undefined)[]> {
    const servers = await bed.nova.compute.servers.list({ isAllProjects: true }).all();
    return servers.filter(({ name }) => names.includes(name ?? '')).map((server) => server.host);
  }

  async function hostWithGuests(): Promise<HaHost> {
    const [name] = await hostsOf(['one']);
    return host(name ?? '');
  }

  async function evacuationsFrom(sourceHost: string): Promise<readonly Migration[]> {
    const all = await bed.nova.compute.migrations.list({ sourceHost }).all();
    return all.filter(({ type }) => type === 'evacuation');
  }

  async function incidentOf(name: string): Promise<SeenIncident | undefined> {
    const { items } = Object(await bed.service.ask('GET', `/api/v1/incidents?host=${name}&limit=1`));
    return items[0];
  }

  async function ends(name: string, state: string): Promise<void> {
    await expect
      .poll(() => incidentOf(name).catch(String), { timeout: STEP_MS, interval: 300 })
      .toMatchObject({ state });
  }

  async function release(name: string): Promise<void> {
    const incident = await incidentOf(name);
    await bed.service.ask('POST', `/api/v1/incidents/${incident?.id}/release`, { note: 'a new power supply' });
  }

  async function confirm(id: string | undefined, name: string): Promise<void> {
    const body = { host: name, incidentId: id, note: 'I pulled the plug' };
    await bed.service.ask('POST', `/api/v1/incidents/${id}/confirm-off`, body);
  }

  /** Kills the service whenever an incident has got further, and its database now and then. Tells at which steps. */
  async function killAtEveryStep(name: string, old: string | undefined): Promise<readonly string[]> {
    const seen = new Set<string>();
    const deadline = Date.now() + STEP_MS;
    while (Date.now() < deadline) {
      const incident = await incidentOf(name).catch(() => undefined);
      const isNew = incident !== undefined && incident.id !== old;
      if (isNew && incident.state === 'recovered') break;
      const step = `${incident?.state} ${incident?.wait?.reason}`;
      if (!isNew || incident.state === 'detected' || seen.has(step)) {
        await delay(20);
        continue;
      }
      seen.add(step);
      await bed.service.kill();
      if (seen.size % 2 === 0) await postgres.kill();
      if (!postgres.isRunning) await postgres.restart();
      // A lease that nobody holds is taken at once; until it runs out by itself takes a quarter of a minute.
      await bed.api.resource(leaseKind).delete('smalt-ha-service', { namespace: 'default' });
      await bed.service.restart();
    }
    return [...seen];
  }

  /** Those that the service takes for alive. */
  async function livingHosts(): Promise<readonly string[]> {
    const { items } = Object(await bed.service.ask('GET', '/api/v1/hosts?judgement=alive'));
    return items.map(({ name }: { readonly name: string }) => name);
  }

  async function serviceStates(): Promise<readonly unknown[]> {
    return await Promise.all(
      bed.hosts.map(async ({ name }) => {
        const service = await bed.nova.compute.services.findCompute(name);
        return [service?.state, service?.status, service?.isForcedDown];
      }),
    );
  }

  /** Everybody who was switched off or away is repaired, released and in use again. */
  async function comeBack(): Promise<void> {
    for (const each of bed.hosts) {
      each.bmc.faults = {};
      if (each.isOn) continue;
      await each.powerOn();
      await release(each.name);
    }
    const isInUse = ['up', 'enabled', false];
    await expect.poll(serviceStates, { timeout: STEP_MS, interval: 500 }).toEqual([isInUse, isInUse, isInUse]);
  }
});

const CONFIG = {
  detection: {
    judgement: {
      rules: {
        agent: { freshMs: 4_000, deadAfterMs: 9_000 },
        'node-lease': { freshMs: 4_000, deadAfterMs: 9_000 },
        libvirt: { freshMs: 3_000, deadAfterMs: 3_000 },
        'compute-service': { freshMs: 4_000, deadAfterMs: 1_000 },
      },
      requiredSources: ['node-lease'],
      agreeMs: 500,
    },
    brakes: { warmUpMs: 2_000, sightMs: 500, maximumMissing: 1, maximumMissingShare: 0.34, intervalMs: 0 },
    recovery: {
      readIntervalMs: 300,
      slowReadIntervalMs: 1_000,
      readTimeoutMs: 3_000,
      proofValidMs: 6_000,
      fenceTimeoutMs: 6_000,
      attemptsPerLevel: 1,
    },
    hostReturn: { steadyMs: 1_000 },
  },
  pace: { lookIntervalMs: 300, refreshIntervalMs: 1_000, serviceDownMs: 6_000, callTimeoutMs: 10_000 },
};

function total(boots: readonly CountedBoot[]): number {
  return boots.reduce((sum, { records }) => sum + records, 0);
}

/** Nova tells times in whole seconds. */
function latestBeginning({ createdAt = '' }: Migration): number {
  return Date.parse(createdAt.replace(/Z?$/, 'Z')) + 999;
}
