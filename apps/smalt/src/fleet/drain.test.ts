import { evictionKind, hypervisorKind, type Eviction, type Hypervisor } from '@smalt/fleet-api';
import type { ResourceClient } from '@smalt/kube';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import type { WebSocketStream } from '@smalt/websocket';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exitCodeOf } from '../output/exit-code.ts';
import { startCliBed, type CliBed, type KeptProgram } from '../output/fixtures/cli-bed.ts';
import { paintFor } from '../output/live-screen.ts';
import { decideDrain, type DrainGoal } from './decide-drain.ts';
import { drainLines, type DrainState } from './drain-view.ts';
import { decideEviction } from './order-eviction.ts';
import { runEvict, runMaintenance } from './run-fleet-command.ts';
import { setMaintenance } from './set-maintenance.ts';

const WAIT = { wait: true, timeout: 20_000 };
const MOVE = {
  mode: 'PreCopy' as const,
  totalBytes: 1_000,
  processedBytes: 500,
  remainingBytes: 500,
  bytesPerSecond: 100,
  dirtyBytesPerSecond: 0,
  elapsedMs: 1,
  iteration: 1,
  throttlePercent: 0,
};

describe('drainLines', () => {
  it('has a line for the host and one for each machine', () => {
    const state: DrainState = {
      host: 'n1',
      hypervisor: hypervisor({ lifecycleState: 'Evicting', numInstances: 4 }),
      eviction: eviction('Running', {
        progress: { total: 4, moved: 1, moving: 1, left: 3, failed: 1, mibPerSecond: 300, secondsLeft: 75 },
        instances: [
          { id: 'default/c', state: 'Failed', attempts: 3, message: 'no room' },
          { id: '77', name: 'elsewhere', state: 'Moving', attempts: 1 },
        ],
      }),
      instances: [instance('a', 'n2'), instance('b', 'n1'), instance('c', 'n1'), instance('d', 'n1')],
      moves: new Map([['default/b', MOVE]]),
    };

    const lines = drainLines(state, paintFor({ output: { ...OUTPUT, isTerminal: false }, environment: {} }));

    expect(lines).toEqual([
      'n1  Evicting  █████░░░░░░░░░░░░░░░  1 of 4 have left, 1 on their way, 1 failed, 300 MiB/s, about 1 m 15 s left',
      '  default/a  runs on n2',
      '  default/b  ██████████░░░░░░░░░░  50 %  500 B left, 100 B/s, guest writes 0 B/s',
      '  default/c  could not be moved, 3 attempts: no room',
      '  default/d  waits for its turn',
      '  elsewhere  is on its way',
    ]);
  });
});

describe('decideDrain', () => {
  it.each<[DrainGoal, Hypervisor | undefined, Eviction | undefined, string]>([
    ['evicted', undefined, undefined, 'waiting'],
    ['evicted', undefined, eviction('Running'), 'waiting'],
    ['evicted', undefined, eviction('Succeeded'), 'done'],
    ['evicted', undefined, eviction('Failed'), 'failed'],
    ['in-maintenance', hypervisor({ evicted: true, numInstances: 0 }), undefined, 'done'],
    ['in-maintenance', hypervisor({ numInstances: 1 }), eviction('Running'), 'waiting'],
    ['in-maintenance', hypervisor({ numInstances: 1 }), eviction('Failed'), 'failed'],
    ['in-use', hypervisor({ lifecycleState: 'Active', numInstances: 0 }), undefined, 'done'],
    ['in-use', hypervisor({ lifecycleState: 'Maintenance', numInstances: 0 }), undefined, 'waiting'],
  ])('%s', (goal, host, order, kind) => {
    expect(decideDrain(goal, { hypervisor: host, eviction: order }).kind).toBe(kind);
  });
});

describe('decideEviction', () => {
  const going = { deletionTimestamp: '2026-01-02T03:04:05Z' };
  const owner = { ownerReferences: [{ apiVersion: 'v1', kind: 'Hypervisor', name: 'n1', uid: 'u' }] };

  it.each<[string, readonly Eviction[], string]>([
    ['none', [], 'create'],
    ['one of another host', [renamed(eviction('Running'), { name: 'n2' }, 'n2')], 'create'],
    ['one that runs', [eviction('Running')], 'follow'],
    ['one that runs under another name', [renamed(eviction('Running'), { name: 'x' })], 'follow'],
    ['one that is over', [eviction('Failed')], 'smalt evict n1 --undo removes it'],
    ['one of maintenance that is over', [renamed(eviction('Succeeded'), owner)], 'smalt maintenance n1 off'],
    ['one that is going', [renamed(eviction('Running'), going)], 'is being taken back'],
    ['one that is going and one that runs', [renamed(eviction('Failed'), going), eviction('Running')], 'follow'],
    ['one of its name for another host', [renamed(eviction('Running'), {}, 'n2')], 'is not one of this host'],
    ['an old one that runs and one that is over', [late(eviction('Failed')), eviction('Running')], 'follow'],
  ])('with %s', (_, evictions, what) => {
    const step = decideEviction(evictions, 'n1');

    expect(step.kind === 'refuse' ? step.text : step.kind).toContain(what);
  });
});

describe('with a cluster', () => {
  let bed: CliBed;

  beforeAll(async () => {
    bed = await startCliBed();
    await bed.admin.resource(hypervisorKind).create({ metadata: { name: 'n1' }, spec: SPEC });
    await bed.instance('web');
    bed.tell = async (stream) => {
      const machine = { namespace: 'default', name: 'web', migration: MOVE };
      await stream.writeText(`${JSON.stringify({ at: 'now', host: {}, machines: [machine] })}\n`);
      await untilLeft(stream);
    };
  });

  afterAll(() => bed[Symbol.asyncDispose]());

  it('evict follows every machine by what the node tells, until the host is empty', async () => {
    const program = bed.program({ columns: 100, rows: 30 });

    const done = runEvict(program, 'n1', { ...WAIT, reason: 'new disks' });
    await drawn(program, '  default/web  ██████████░░░░░░░░░░  50 %  500 B left');
    await setEviction('Succeeded');
    await done;

    const order = await bed.admin.resource(evictionKind).get('n1');
    expect(order.spec).toEqual({ hypervisor: 'n1', reason: 'new disks' });
    expect(program.printed().split('\n').at(-2)).toBe('n1 is empty');
  });

  it('evict does not order again what is over, and takes it back', async () => {
    const again = runEvict(bed.program(), 'n1', WAIT);
    await expect(again).rejects.toThrow('smalt evict n1 --undo removes it');

    await runEvict(bed.program(), 'n1', { ...WAIT, undo: true });
    const twice = runEvict(bed.program(), 'n1', { ...WAIT, undo: true });

    await expect(twice).rejects.toThrow('no eviction of n1 is under way');
  });

  it('evict follows what others ordered by any name, makes no second one, and takes it back', async () => {
    const evictions = bed.admin.resource(evictionKind);
    await evictions.create({ metadata: { name: 'by-hand' }, spec: { hypervisor: 'n1', reason: 'x' } });

    await runEvict(bed.program(), 'n1', { timeout: 20_000 });
    const during = (await evictions.list()).items.map(({ metadata }) => metadata.name);
    await runEvict(bed.program(), 'n1', { ...WAIT, undo: true });

    expect(during).toEqual(['by-hand']);
    expect((await evictions.list()).items).toEqual([]);
  });

  it('maintenance never writes over what the HA service has set in between', async () => {
    const hosts = bed.admin.resource(hypervisorKind);
    await hosts.create({ metadata: { name: 'n2' }, spec: SPEC });
    const inBetween = afterFirstLook(bed, { spec: { maintenance: 'ha' } });

    const failure = setMaintenance(inBetween, { host: 'n2', isOn: true, reason: 'x' }, AbortSignal.timeout(20_000));

    await expect(failure).rejects.toThrow('n2 is in maintenance by the HA service');
    expect((await hosts.get('n2')).spec?.maintenance).toBe('ha');
  });

  it('maintenance does not mind other changes in between', async () => {
    const hosts = bed.admin.resource(hypervisorKind);
    await hosts.create({ metadata: { name: 'n3' }, spec: SPEC });
    const inBetween = afterFirstLook(bed, { metadata: { labels: { rack: '7' } } });

    await setMaintenance(inBetween, { host: 'n3', isOn: true, reason: 'x' }, AbortSignal.timeout(20_000));

    expect((await hosts.get('n3')).spec?.maintenance).toBe('manual');
  });

  it('maintenance is set with its reason, and fails with what could not be moved', async () => {
    const program = bed.program();

    const failure = runMaintenance(program, { host: 'n1', isOn: true }, WAIT).catch((error: unknown) => error);
    await expect.poll(async () => (await hostOf()).spec?.maintenance).toBe('manual');
    await bed.admin
      .resource(evictionKind)
      .create({ metadata: { name: 'n1' }, spec: { hypervisor: 'n1', reason: 'x' } });
    await setEviction('Failed');

    expect(exitCodeOf(await failure)).toBe(1);
    expect(String(await failure)).toContain('n1 could not be emptied: told by the test\nkubectl describe evi n1');
    expect((await hostOf()).spec?.maintenanceReason).toBe('ordered by smalt');
  });

  it('maintenance off waits until the host is in use', async () => {
    const program = bed.program();

    const done = runMaintenance(program, { host: 'n1', isOn: false }, WAIT);
    await expect.poll(async () => (await hostOf()).spec?.maintenance).toBe('');
    await bed.admin
      .resource(hypervisorKind)
      .patch('n1', 'merge', { status: { lifecycleState: 'Active', numInstances: 0 } }, { subresource: 'status' });
    await done;

    expect(program.printed()).toContain('n1 takes machines again\n');
  });

  it.each([
    ['n9', 'there is no host n9: kubectl get hypervisors', 3],
    ['lost', 'lost is in maintenance by the HA service: smalt ha incidents shows why', 4],
  ])('maintenance of %s says %s', async (host, message, code) => {
    const spec = { ...SPEC, maintenance: 'ha' as const };
    if (host === 'lost') await bed.admin.resource(hypervisorKind).create({ metadata: { name: 'lost' }, spec });

    const failure = runMaintenance(bed.program(), { host, isOn: true }, WAIT);

    await expect(failure).rejects.toThrow(message);
    expect(exitCodeOf(await failure.catch((error: unknown) => error))).toBe(code);
  });

  async function hostOf(): Promise<Hypervisor> {
    return await bed.admin.resource(hypervisorKind).get('n1');
  }

  async function setEviction(reason: string): Promise<void> {
    const status = eviction(reason).status;
    await bed.admin.resource(evictionKind).patch('n1', 'merge', { status }, { subresource: 'status' });
  }
});

const OUTPUT = { isTerminal: true, size: { columns: 100, rows: 30 }, write: () => Promise.resolve() };
const SPEC = {
  aggregates: [],
  allowedProjects: [],
  createCertManagerCertificate: false,
  customTraits: [],
  evacuateOnReboot: true,
  highAvailability: true,
  installCertificate: true,
  lifecycleEnabled: true,
  reboot: false,
  skipTests: false,
};

function hypervisor(status: Hypervisor['status']): Hypervisor {
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Hypervisor',
    metadata: { name: 'n1' },
    spec: SPEC,
    ...(status && { status }),
  };
}

function eviction(reason: string, status: Eviction['status'] = {}): Eviction {
  const condition = {
    type: 'Evicting',
    status: reason === 'Running' ? ('True' as const) : ('False' as const),
    reason,
    message: 'told by the test',
    lastTransitionTime: '2026-01-02T03:04:05Z',
  };
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Eviction',
    metadata: { name: 'n1' },
    spec: { hypervisor: 'n1', reason: 'x' },
    status: { conditions: [condition], ...status },
  };
}

function renamed(order: Eviction, metadata: Partial<Eviction['metadata']>, hypervisorName = 'n1'): Eviction {
  return {
    ...order,
    metadata: { ...order.metadata, ...metadata },
    spec: { hypervisor: hypervisorName, reason: 'x' },
  };
}

function late(order: Eviction): Eviction {
  return renamed(order, { name: 'late', creationTimestamp: '2026-01-02T03:04:05Z' });
}

/** Hosts of the cluster, to which somebody else does this right after they were first looked at. */
function afterFirstLook(
  bed: CliBed,
  change: Readonly<Record<string, unknown>>,
): Pick<ResourceClient<Hypervisor>, 'get' | 'patch'> {
  const hosts = bed.admin.resource(hypervisorKind);
  let looks = 0;
  return {
    get: async (name, options) => {
      const seen = await hosts.get(name, options);
      looks += 1;
      if (looks === 1) await hosts.patch(name, 'merge', change);
      return seen;
    },
    patch: (...call) => hosts.patch(...call),
  };
}

function instance(name: string, nodeName: string): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: 'default' },
    spec: { domain: { devices: {} } },
    status: { phase: 'Running', nodeName },
  };
}

async function drawn(program: KeptProgram, text: string): Promise<void> {
  await expect.poll(program.printed, { timeout: 10_000, interval: 20 }).toContain(text);
}

async function untilLeft(stream: WebSocketStream): Promise<void> {
  for await (const bytes of stream) if (bytes.length > 0) throw new Error('nobody sends anything here');
}
