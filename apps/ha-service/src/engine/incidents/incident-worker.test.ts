import type { Incident } from '@smalt/failure-detection';
import { hypervisorKind } from '@smalt/fleet-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ClusterPort } from '../../ports/cluster-port.ts';
import type { EnginePorts } from '../../ports/engine-ports.ts';
import type { IncidentStore } from '../../ports/incident-store.ts';
import { engineSettings, startEngineBed, type EngineBed } from '../fixtures/engine-bed.ts';
import { incident as anIncident } from '../fixtures/engine-builders.ts';
import { FleetWatch } from '../fleet/fleet-watch.ts';
import { SignalBook } from '../fleet/signal-book.ts';
import { runEngine } from '../run-engine.ts';
import { Background } from '../timing/background.ts';
import { IncidentWorker } from './incident-worker.ts';

const SOON = { timeout: 30_000, interval: 50 };
const SPARES = ['spare1', 'spare2', 'spare3', 'spare4'];

let bed: EngineBed;

beforeAll(async () => {
  bed = await startEngineBed(['slept', 'overtaken', 'doubted', 'taken', 'left', ...SPARES]);
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('an order to power off', () => {
  it('is not given by a machine that slept since it was decided, and costs no attempt', async () => {
    const seen: string[] = [];
    let sleptMs = 0;
    const clock = { ...bed.ports.clock, wallNow: () => Date.now() + sleptMs };
    await using _ = await leadAround('slept', { clock }, async (incident, save) => {
      const outcome = await save();
      if (incident.fences.length === 1 && sleptMs === 0) sleptMs = 60_000;
      seen.push(`${incident.state} ${incident.fences.length} ${bed.power.orders.length}`);
      return outcome;
    });

    await expect.poll(() => incidentOf('slept'), SOON).toMatchObject({ state: 'recovered', fences: [{ level: 0 }] });

    // It was written down, taken back because nobody gave it, and given when the service had watched for long enough.
    const ordered = seen.indexOf('fencing 1 0');
    expect(seen.slice(ordered, ordered + 2)).toEqual(['fencing 1 0', 'detected 0 0']);
    expect(bed.power.orders).toEqual(['slept']);
  }, 60_000);

  it('is not given by one whose lease is over, though nobody has taken the incident over yet: that one ends', async () => {
    let isLeading = true;
    const before = bed.power.orders.length;
    await using first = await leadAround('overtaken', { isLeading: () => isLeading }, async (incident, save) => {
      const outcome = await save();
      // The lease is over when the first order is written down.
      isLeading &&= incident.fences.length === 0;
      return outcome;
    });

    await expect(first.ended).rejects.toMatchObject({ code: 'lead-lost' });
    const left = await incidentOf('overtaken');
    const ordered = bed.power.orders.slice(before);
    await using _ = bed.lead();
    await expect.poll(() => incidentOf('overtaken'), SOON).toMatchObject({ state: 'recovered' });

    expect([left, ordered]).toMatchObject([{ state: 'fencing', fences: [{ level: 0 }] }, []]);
    expect(bed.power.orders.slice(before)).toEqual(['overtaken']);
  }, 60_000);

  it('is given once when it was stored and only the answer was lost', async () => {
    let isLost = false;
    const before = bed.power.orders.length;
    await using _ = await leadAround('doubted', {}, async (incident, save) => {
      const outcome = await save();
      if (incident.fences.length === 0 || isLost) return outcome;
      isLost = true;
      throw new Error('the answer of the store is lost');
    });

    await expect.poll(() => incidentOf('doubted'), SOON).toMatchObject({ state: 'recovered', fences: [{ level: 0 }] });

    expect(isLost).toBe(true);
    expect(bed.power.orders.slice(before)).toEqual(['doubted']);
  }, 60_000);
});

describe('an order to power off while the watch of Hypervisors hangs without a word', () => {
  it.each([
    {
      what: 'is in the hands of a person by now',
      host: 'taken',
      spec: { maintenance: 'manual', maintenanceReason: 'new disks' },
      why: 'is manual, which stays',
    },
    {
      what: 'is not highly available any more',
      host: 'left',
      spec: { highAvailability: false },
      why: 'has highAvailability: false',
    },
  ])(
    'is not given for a host that $what',
    async ({ host, spec, why }) => {
      await bed.client.resource(hypervisorKind).patch(host, 'merge', { spec });
      await using _ = await leadAround(host, { cluster: staleCluster(host) }, (_incident, save) => save());

      await expect
        .poll(() => incidentOf(host), SOON)
        .toMatchObject({ wait: { reason: 'brake', message: expect.stringContaining(why) } });

      expect(bed.power.orders).not.toContain(host);
      bed.revive(host);
    },
    60_000,
  );
});

describe('an incident that was taken over', () => {
  it('is not worked on before the first look: how its instances find a host is not known by then', async () => {
    const asked: string[] = [];
    const over = new AbortController();
    const { store, clock, logger, ignore } = bed.ports;
    const decisions: IncidentStore['decisions'] = (id) => {
      asked.push(id);
      return Promise.resolve([]);
    };
    const wait: typeof clock.wait = () => {
      over.abort(new Error('it sleeps'));
      return Promise.reject(over.signal.reason);
    };
    const ports = {
      ...bed.ports,
      clock: { ...clock, wait },
      store: { ...store, incidents: { ...store.incidents, decisions } },
    };
    const background = new Background({ logger, ignore, signal: over.signal, onLeadLost: () => undefined });
    const context = { ports, settings: engineSettings, background, book: new SignalBook() };
    const fleet = new FleetWatch(context);
    const worker = new IncidentWorker({ ...context, fleet, latestLook: () => undefined }, anIncident());

    await expect(worker.run(over.signal)).rejects.toThrow('it sleeps');

    expect(asked).toEqual([]);
  });
});

interface Led extends AsyncDisposable {
  readonly ended: Promise<void>;
}

type Around = (incident: Incident, save: () => ReturnType<IncidentStore['save']>) => ReturnType<IncidentStore['save']>;

/** Leads with a store whose answers about incidents somebody looks at, and lets a host die. */
async function leadAround(host: string, change: Partial<EnginePorts>, around: Around): Promise<Led> {
  bed.cloud.addServer(host, { name: `on-${host}` });
  const { store } = bed.ports;
  const incidents: IncidentStore = {
    ...store.incidents,
    save: (incident, lines, signal) => around(incident, () => store.incidents.save(incident, lines, signal)),
  };
  const stop = new AbortController();
  const ports = { ...bed.ports, store: { ...store, incidents }, ...change };
  const ended = runEngine(ports, engineSettings, stop.signal);
  // Whoever does not await it must not be hurt by how it ends.
  ended.catch(() => undefined);
  await expect.poll(() => bed.cluster.host(host)?.haEnabled?.status, SOON).toBe('True');
  await bed.ports.clock.wait(engineSettings().detection.brakes.warmUpMs, stop.signal);
  bed.die(host);
  return {
    ended,
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the test ends'));
      await Promise.allSettled([ended]);
    },
  };
}

/** The cluster as it is, but for one host, which seems to be marked for the service and to be looked after. */
function staleCluster(host: string): ClusterPort {
  const { cluster } = bed;
  const stale = { maintenance: 'ha', isHighlyAvailable: true };
  return {
    view: () => {
      const seen = cluster.view();
      return { ...seen, hosts: seen.hosts.map((each) => (each.name === host ? { ...each, ...stale } : each)) };
    },
    setMaintenance: (name, wanted, signal) => cluster.setMaintenance(name, wanted, signal),
    claim: (name, signal) => cluster.claim(name, signal),
    state: (name, conditions, signal) => cluster.state(name, conditions, signal),
  };
}

async function incidentOf(host: string): Promise<Incident | undefined> {
  return (await bed.store.incidents.list({ host, limit: 1 }, AbortSignal.timeout(10_000)))[0];
}
