import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { startSystemd, type MachineOptions } from '@smalt/bed-systemd';
import { eventKind, findCondition } from '@smalt/controller-runtime';
import { evictionKind, type Eviction, type Hypervisor } from '@smalt/fleet-api';
import { follow } from '@smalt/kube';
import type { Condition } from '@smalt/kubernetes';
import { connect } from '@smalt/libvirt';
import { openSystemd, type Systemd } from '@smalt/systemd';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startFleetBed, type FleetBed } from '../fixtures/fleet-bed.ts';
import { runPartInBed } from '../part-bed.ts';
import { HostEvacuation, type EvacuationSettings } from './host-evacuation.ts';
import { EVICTION_REASON } from './own-eviction.ts';
import { createRebootPart } from './reboot-part.ts';

/** A reboot that leads nowhere: once it was let through, logind finds it over and calls it off. */
const NOWHERE = { 'reboot.target': '[Unit]\nDescription=Leads nowhere\n' };

let bed: FleetBed;
let daemon: TestDaemon;
let nodes = 0;
let node: string;

beforeAll(async () => {
  [bed, daemon] = await Promise.all([startFleetBed(), startTestDaemon()]);
});

afterAll(async () => {
  await Promise.all([bed[Symbol.asyncDispose](), daemon[Symbol.asyncDispose]()]);
});

beforeEach(async () => {
  nodes += 1;
  node = `reboot-${nodes}`;
});

describe('a host that reboots', () => {
  it('waits until its Eviction has succeeded, and no guest runs that this left behind', async () => {
    await using own = await startTestDaemon();
    await using connection = await connect(own.uri);
    await using world = await startWorld({}, { uri: own.uri });
    await world.until('True', 'Armed');

    await world.machine.systemctl(['reboot']);
    const eviction = await untilEviction(() => true);
    await world.until('True', 'Evacuating');
    await conclude(eviction, 'Succeeded', 'all moved');
    const said = (): string => world.part.log.join('');
    await expect.poll(said).toContain('the Eviction has succeeded, but one guest still runs');
    const state = await world.machine.exec(['busctl', 'get-property', ...LOGIND, 'PreparingForShutdown']);
    await connection.domainDestroy({ domain: await connection.domainLookupByName({ name: 'test' }) });
    const end = await world.machine.ended;

    expect(eviction).toMatchObject({
      metadata: { name: node, ownerReferences: [{ kind: 'Hypervisor', name: node, controller: false }] },
      spec: { hypervisor: node, reason: EVICTION_REASON },
    });
    expect([state.trim(), end]).toEqual(['b true', 'rebooted']);
    expect(await eventsOf(node)).toEqual(['Normal EvacuationStarted', 'Normal EvacuationSucceeded']);
  });

  it('does not wait when nothing runs on it, and needs no Eviction then', async () => {
    await using empty = await startTestDaemon();
    await using connection = await connect(empty.uri);
    await connection.domainDestroy({ domain: await connection.domainLookupByName({ name: 'test' }) });
    await using world = await startWorld({}, { uri: empty.uri });
    await world.until('True', 'Armed');

    await world.machine.systemctl(['reboot']);

    expect(await world.machine.ended).toBe('rebooted');
    await expect(bed.client.resource(evictionKind).get(node)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('goes down as soon as its last guest is gone, whatever the Eviction says', async () => {
    await using own = await startTestDaemon();
    await using connection = await connect(own.uri);
    await using world = await startWorld({}, { uri: own.uri });
    await world.until('True', 'Armed');
    await world.machine.systemctl(['reboot']);
    await untilEviction(() => true);

    await connection.domainDestroy({ domain: await connection.domainLookupByName({ name: 'test' }) });

    expect(await world.machine.ended).toBe('rebooted');
  });

  it('goes down after a failed Eviction, and says so loudly', async () => {
    await using world = await startWorld({});
    await world.until('True', 'Armed');
    await world.machine.systemctl(['reboot']);

    await conclude(await untilEviction(() => true), 'Failed', 'no host has room');

    expect(await world.machine.ended).toBe('rebooted');
    expect(await eventsOf(node)).toEqual(['Normal EvacuationStarted', 'Warning EvacuationFailed']);
  });

  it('goes down when the time is up', async () => {
    await using world = await startWorld({}, { limitMs: 300 });
    await world.until('True', 'Armed');

    await world.machine.systemctl(['reboot']);

    expect(await world.machine.ended).toBe('rebooted');
    expect(world.part.log.some((line) => line.includes('one guest still runs after 0 s'))).toBe(true);
  });
});

it('warns of a logind that lets nobody hold a reboot back for long', async () => {
  await using world = await startWorld({ inhibitDelayMaxSeconds: 5 });

  const { message } = await world.until('True', 'Armed');

  expect(message).toContain('logind allows 5 s only; set InhibitDelayMaxSec=');
});

describe('a reboot that is called off', () => {
  it('takes its Eviction with it, and the next one is held back again', async () => {
    await using world = await startWorld({ units: NOWHERE }, { uri: AWAY });
    await world.until('True', 'Armed');
    await world.machine.systemctl(['reboot']);
    const first = await untilEviction(() => true);
    await conclude(first, 'Succeeded', 'all moved');
    await untilNoEviction(first);
    await world.until('True', 'Armed');

    await world.machine.systemctl(['reboot']);
    const second = await untilEviction(({ metadata }) => metadata.uid !== first.metadata.uid);
    await conclude(second, 'Succeeded', 'all moved');
    await untilNoEviction(second);

    expect((await world.until('True', 'Armed')).message).toBe(ARMED);
  });

  it('leaves an Eviction that somebody else made, and goes by it', async () => {
    await using world = await startWorld({ units: NOWHERE }, { uri: AWAY });
    await world.until('True', 'Armed');
    const spec = { hypervisor: node, reason: 'a person' };
    const eviction = await bed.client.resource(evictionKind).create({ metadata: { name: node }, spec });

    await world.machine.systemctl(['reboot']);
    await world.until('True', 'Evacuating');
    await conclude(eviction, 'Succeeded', 'all moved');
    await world.until('True', 'Armed');

    expect((await bed.client.resource(evictionKind).get(node)).metadata.uid).toBe(eviction.metadata.uid);
  });

  it('makes a new Eviction in place of an old one that is over', async () => {
    const spec = { hypervisor: node, reason: 'a person' };
    const old = await bed.client.resource(evictionKind).create({ metadata: { name: node }, spec });
    await conclude(old, 'Succeeded', 'long ago');
    await using world = await startWorld({ units: NOWHERE }, { uri: AWAY });
    await world.until('True', 'Armed');

    await world.machine.systemctl(['reboot']);
    const fresh = await untilEviction(({ metadata }) => metadata.uid !== old.metadata.uid);
    await conclude(fresh, 'Succeeded', 'all moved');

    expect(fresh.spec?.reason).toBe(EVICTION_REASON);
    expect((await world.until('True', 'Armed')).message).toBe(ARMED);
  });

  it('withdraws at its start what an earlier boot left behind', async () => {
    const spec = { hypervisor: node, reason: EVICTION_REASON };
    const old = await bed.client.resource(evictionKind).create({ metadata: { name: node }, spec });

    await using world = await startWorld({ units: NOWHERE });

    await untilNoEviction(old);

    expect((await world.until('True', 'Armed')).message).toBe(ARMED);
  });
});

describe('the wish of the Hypervisor', () => {
  it('counts at once, both ways, and ends an evacuation that is under way', async () => {
    await using world = await startWorld({ units: NOWHERE }, { wanted: false });
    await world.until('False', 'Off');
    expect(await world.locks()).not.toContain('smalt-node-agent');

    await wish(true);
    await world.until('True', 'Armed');
    expect(await world.locks()).toContain('smalt-node-agent');
    await world.machine.systemctl(['reboot']);
    const eviction = await untilEviction(() => true);
    await wish(false);
    await world.until('False', 'Off');
    await untilNoEviction(eviction);

    expect(await world.locks()).not.toContain('smalt-node-agent');
  });

  it('cannot be met without a bus, and the condition says so', async () => {
    await createHypervisor(true);
    await using _part = await runPartInBed({ bed, nodeName: node, libvirtUri: daemon.uri }, (context) =>
      createRebootPart(context, { systemd: undefined, evacuation: new HostEvacuation(context) }),
    );

    const { message } = await untilCondition('False', 'Unavailable');

    expect(message).toContain('there is no D-Bus');
  });

  it('cannot be met without logind, and is met once logind is back', async () => {
    let isThere = false;
    await using world = await startWorld(
      { units: NOWHERE },
      {
        wrap: (real) => ({
          ...real,
          delayShutdown: (reason, signal) =>
            isThere ? real.delayShutdown(reason, signal) : Promise.reject(new Error('no logind')),
        }),
      },
    );
    await world.until('False', 'Unavailable');

    isThere = true;

    expect((await world.until('True', 'Armed')).message).toBe(ARMED);
  });
});

it('lets the host go when the API server stays away, and says why', async () => {
  await using world = await startWorld({}, { patienceMs: 1_000 });
  await world.until('True', 'Armed');
  await bed.server.kill();

  await world.machine.systemctl(['reboot']);
  const end = await world.machine.ended;
  await bed.server.restart(AbortSignal.timeout(30_000));

  expect(end).toBe('rebooted');
  expect(world.part.log.some((line) => /was not emptied: no word for \d+ s/.test(line))).toBe(true);
});

const ARMED = 'A reboot of the host waits until its guests moved away';
/** A daemon that never says what runs, so that the Eviction alone counts. */
const AWAY = 'test+tcp://127.0.0.1:1/default';
const LOGIND = ['org.freedesktop.login1', '/org/freedesktop/login1', 'org.freedesktop.login1.Manager'] as const;

type Guarding = Pick<Systemd, 'watchShutdown' | 'delayShutdown' | 'shutdownDelayLimitMs'>;

interface WorldOptions extends EvacuationSettings {
  readonly wanted?: boolean;
  readonly uri?: string;
  readonly limitMs?: number;
  readonly wrap?: (systemd: Guarding) => Guarding;
}

async function startWorld(machineOptions: MachineOptions, options: WorldOptions = {}) {
  await using stack = new AsyncDisposableStack();
  await createHypervisor(options.wanted ?? true);
  const machine = stack.use(await startSystemd(machineOptions));
  const { busPath, inhibitCommand } = machine;
  const systemd = stack.use(await openSystemd({ busPath, inhibitCommand }));
  if (systemd === undefined) throw new Error('the machine has no bus');
  const { uri = daemon.uri, wrap = (real: Guarding) => real, limitMs, patienceMs } = options;
  const part = stack.use(
    await runPartInBed({ bed, nodeName: node, libvirtUri: uri }, (context) => {
      const evacuation = new HostEvacuation(context, { pollMs: 50, patienceMs });
      return createRebootPart(context, { systemd: wrap(systemd), evacuation, limitMs, retryMs: 50 });
    }),
  );
  const owned = stack.move();
  return {
    machine,
    part,
    until: untilCondition,
    locks: () => machine.exec(['systemd-inhibit', '--list']),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function createHypervisor(evacuateOnReboot: boolean): Promise<Hypervisor> {
  const spec = { evacuateOnReboot } as NonNullable<Hypervisor['spec']>;
  return await bed.hypervisors.create({ metadata: { name: node }, spec });
}

async function wish(evacuateOnReboot: boolean): Promise<void> {
  await bed.hypervisors.patch(node, 'merge', { spec: { evacuateOnReboot } });
}

async function untilCondition(status: string, reason: string): Promise<Condition> {
  const isWanted = (hypervisor: Hypervisor): boolean => {
    const condition = find(hypervisor);
    return condition?.status === status && condition.reason === reason;
  };
  const condition = find(await bed.until(node, isWanted));
  if (condition === undefined) throw new Error('no condition');
  return condition;
}

function find({ status }: Hypervisor): Condition | undefined {
  return findCondition(status?.conditions, 'EvacuateOnReboot');
}

async function untilEviction(isWanted: (eviction: Eviction) => boolean): Promise<Eviction> {
  const signal = AbortSignal.timeout(10_000);
  for await (const events of follow(bed.client.resource(evictionKind), { signal })) {
    for (const event of events) {
      const isThere = event.type === 'ADDED' || event.type === 'MODIFIED';
      if (isThere && event.object.metadata.name === node && isWanted(event.object)) return event.object;
    }
  }
  throw new Error('there is no such Eviction');
}

async function untilNoEviction({ metadata: { uid } }: Eviction): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  const evictions = bed.client.resource(evictionKind);
  const seen = await evictions.list({ signal });
  if (!seen.items.some(({ metadata }) => metadata.uid === uid)) return;
  const { resourceVersion } = seen.metadata;
  for await (const events of follow(evictions, { signal, resourceVersion })) {
    if (events.some((event) => event.type === 'DELETED' && event.object.metadata.uid === uid)) return;
  }
}

async function conclude(eviction: Eviction, reason: 'Succeeded' | 'Failed', message: string): Promise<void> {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const condition = { type: 'Evicting', status: 'False', reason, message, lastTransitionTime };
  const options = { fieldManager: 'operator', force: true };
  await bed.client.resource(evictionKind).applyStatus(eviction.metadata.name, { conditions: [condition] }, options);
}

async function eventsOf(name: string): Promise<readonly string[]> {
  const { items } = await bed.client.resource(eventKind).list({ namespace: 'default' });
  const own = items.filter(({ involvedObject }) => involvedObject['name'] === name);
  return own.map(({ type, reason }) => `${type} ${reason}`).toSorted();
}
