import { startSimulatedOpenStack, type SimulatedOpenStack } from '@smalt/bed-openstack-simulator';
import type { ComputeHost } from '@smalt/compute';
import type { IncidentAction, ReturnStep } from '@smalt/failure-detection';
import type { RecoveryAction } from '@smalt/instance-recovery';
import { loadCloudConfig } from '@smalt/openstack';
import { defaultOpenStackComputeSettings, openOpenStackCompute } from '@smalt/openstack-compute';
import { createLogger } from '@smalt/service-runtime';
import { describe, expect, it } from 'vitest';

import type { EnginePorts, HaCompute } from '../ports/engine-ports.ts';
import { carryOutReturn } from './contract/carry-out-return.ts';
import { HeldMarks } from './contract/held-marks.ts';
import { engineSettings } from './fixtures/engine-bed.ts';
import { incident, rebuild } from './fixtures/engine-builders.ts';
import { ManualClock } from './fixtures/manual-clock.ts';
import type { ActionContext } from './incidents/action-context.ts';
import { carryOut } from './incidents/carry-out.ts';
import { IncidentMemory } from './incidents/incident-memory.ts';
import { carryOutRecovery } from './instances/carry-out-recovery.ts';
import { RecoveryDocuments } from './instances/recovery-documents.ts';
import { Moment } from './timing/moment.ts';

const LEASE_MS = 10_000;
const SIGNAL = new AbortController().signal;

/** Those of compute that are more than one request. */
const ASK_FIRST = new Set(['prepare-reserved', 'evacuate', 'put-off', 'restart', 'start', 'move']);

/** Every order that a leader gives. */
const orders: readonly Order[] = [
  action('power-off', () => ({ kind: 'power-off', method: 'switch', level: 0 })),
  action('clean-up', () => ({ kind: 'clean-up' })),
  action('force-down', () => ({ kind: 'force-down' })),
  action('disable', () => ({ kind: 'disable', reason: 'it is dead' })),
  action('prepare-reserved', () => ({ kind: 'prepare-reserved', host: 'n2', aggregates: ['blue'] })),
  action('note-unreserved', () => ({ kind: 'note-unreserved', host: 'n2' })),
  action('evacuate', ({ lost }) => ({ kind: 'evacuate', instanceId: lost, target: 'n2' })),
  action('put-off', ({ server }) => ({ kind: 'put-off', instanceId: server })),
  recovery({ kind: 'restart' }),
  recovery({ kind: 'start' }),
  recovery({ kind: 'move' }),
  recovery({ kind: 'confirm-move' }),
  step({ kind: 'clear-forced-down' }),
  step({ kind: 'enable' }),
  step({ kind: 'clear-maintenance' }),
  step({ kind: 'returned' }),
  {
    what: 'the record of a recovery',
    give: ({ context }) => new RecoveryDocuments(context).saveCursor('7', SIGNAL),
  },
];

describe('a leader', () => {
  it.each(orders)('sends $what while its Lease is its own', async ({ give }) => {
    await using bed = await startOrderBed();

    await give(bed);

    expect(bed.sent()).toBeGreaterThan(0);
  });

  it.each(orders)('sends nothing of $what once its Lease is over', async ({ give }) => {
    await using bed = await startOrderBed();
    bed.loseLease();

    const given = give(bed);

    await expect(given).rejects.toMatchObject({ code: 'lead-lost' });
    expect(bed.sent()).toBe(0);
  });

  it.each(orders.filter(({ asksFirst }) => asksFirst))(
    'that stands still between the questions of $what and its order until its Lease is over sends nothing of it',
    async ({ give }) => {
      await using bed = await startOrderBed();

      const given = give(bed);
      bed.loseLease();

      await expect(given).rejects.toMatchObject({ code: 'lead-lost' });
      expect(bed.sent()).toBe(0);
    },
  );
});

interface Order {
  readonly what: string;
  readonly asksFirst?: boolean;
  readonly give: (bed: OrderBed) => Promise<void>;
}

function action(what: string, toAction: (bed: OrderBed) => IncidentAction): Order {
  return { what, asksFirst: ASK_FIRST.has(what), give: (bed) => carryOut(bed.context, toAction(bed), SIGNAL) };
}

function recovery(wanted: RecoveryAction): Order {
  return {
    what: wanted.kind,
    asksFirst: ASK_FIRST.has(wanted.kind),
    give: ({ context, server }) => carryOutRecovery(context, server, wanted, SIGNAL),
  };
}

function step(wanted: ReturnStep): Order {
  return {
    what: `${wanted.kind} of a return`,
    give: ({ context, host }) =>
      carryOutReturn({ ...context, marks: new HeldMarks(context) }, wanted, { host, name: 'n1' }, SIGNAL),
  };
}

interface OrderBed extends AsyncDisposable {
  readonly context: ActionContext;
  readonly host: ComputeHost;
  /** One that runs, and one whose host is down. */
  readonly server: string;
  readonly lost: string;
  loseLease(): void;
  /** How much was sent that changes something. */
  sent(): number;
}

/** A leader beside a simulated cloud, whose Lease is good for a while by its own clock. */
async function startOrderBed(): Promise<OrderBed> {
  await using stack = new AsyncDisposableStack();
  const cloud = stack.use(await startSimulatedOpenStack({ hosts: ['n1', 'n2', 'n3'] }));
  cloud.addAggregate('blue', { hosts: ['n1'] });
  const [server, lost] = [cloud.addServer('n1', { name: 'web' }), cloud.addServer('n3', { name: 'lost' })];
  cloud.changeHost('n3', { isUp: false });
  const config = await loadCloudConfig({ environment: cloud.environment() });
  const settings = { ...defaultOpenStackComputeSettings, listingMs: 0 };
  const compute = stack.use(openOpenStackCompute({ config, userAgent: 'test/1', settings }));
  const host = await compute.hosts.find('n1', SIGNAL);
  if (host === undefined) throw new Error('the cloud has no n1');
  cloud.forgetCalls();
  const clock = new ManualClock();
  const written: string[] = [];
  const owned = stack.move();
  return {
    context: contextOf({ clock, compute, written }, { host, lost }),
    host,
    server,
    lost,
    loseLease: () => {
      clock.wallOffsetMs = LEASE_MS + 1;
    },
    sent: () => written.length + writesTo(cloud),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function writesTo(cloud: SimulatedOpenStack): number {
  return cloud.countOf(/^(compute|placement) (POST|PUT|PATCH|DELETE) /u);
}

interface Outside {
  readonly clock: ManualClock;
  readonly compute: HaCompute;
  /** What came to any other port. */
  readonly written: string[];
}

/** Ports but that of compute note what reaches them; they heed no signal, so nothing may reach them that is too late. */
function contextOf(
  { clock, compute, written }: Outside,
  { host, lost }: { readonly host: ComputeHost; readonly lost: string },
): ActionContext {
  const renewed = new Moment(clock);
  const write = <T>(what: string, answer: T) => {
    written.push(what);
    return Promise.resolve(answer);
  };
  const documents = {
    get: () => Promise.resolve(undefined),
    save: (kind: string) => write(kind, 'stored'),
    delete: (kind: string) => write(kind, undefined),
  };
  const ports = {
    clock,
    compute,
    power: {
      powerOff: () => write('power-off', undefined),
      cleanUp: () => write('clean-up', undefined),
      release: () => write('release', undefined),
    },
    cluster: { setMaintenance: () => write('maintenance', undefined) },
    store: { documents, hosts: { hold: () => write('hold', undefined) } },
    isLeading: () => renewed.ageMs() < LEASE_MS,
    logger: createLogger({ name: 'test', destination: { write: () => undefined } }),
    ignore: () => undefined,
  } as unknown as EnginePorts;
  const { detection, ...rest } = engineSettings();
  const patient = { ...detection, recovery: { ...detection.recovery, fenceTimeoutMs: 60_000, graceMs: 120_000 } };
  const settings = () => ({ ...rest, callTimeoutMs: 60_000, detection: patient });
  const asked = incident({ instances: [rebuild(lost, { state: 'asked', asks: 1, attempts: 1 })] });
  const own = { incident: asked, memory: new IncidentMemory(), onAnswer: () => undefined, identity: host };
  return { ports, settings, ...own } as unknown as ActionContext;
}
