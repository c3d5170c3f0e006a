import { ComputeError, type ComputeHost, type ComputeHosts, type ComputeInstances } from '@smalt/compute';
import type { TelemetryBatch } from '@smalt/ha-telemetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { EnginePorts } from '../../ports/engine-ports.ts';
import type { FleetLook } from '../fleet/fleet-look.ts';
import { FleetWatch } from '../fleet/fleet-watch.ts';
import { SignalBook } from '../fleet/signal-book.ts';
import { engineSettings, startEngineBed, type EngineBed } from '../fixtures/engine-bed.ts';
import { incident, rebuild } from '../fixtures/engine-builders.ts';
import { Background } from '../timing/background.ts';
import { askCompute, type ComputeAnswer } from './ask-compute.ts';

let bed: EngineBed;

beforeAll(async () => {
  bed = await startEngineBed(['dead', 'told', 'spare']);
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('the compute system, asked about a host', () => {
  it('tells its instances, and where there is room for them', async () => {
    const web = bed.cloud.addServer('dead', { name: 'web' });

    const { compute, computeGap } = await ask('dead');

    expect(compute).toMatchObject({ isForcedDown: false, instances: [{ id: web, isRelevant: true }] });
    expect(compute?.targets?.map(({ name }) => name)).toContain('spare');
    expect(computeGap).toBeUndefined();
    bed.cloud.removeServer(web);
  });

  it('is not believed while it lists less than it has, whoever has told of the rest', async () => {
    const web = bed.cloud.addServer('dead', { name: 'web' });
    const lost = bed.cloud.addServer('told', { name: 'lost' });
    const listsNothing = withInstances({ list: async () => [] });
    await accept(instancesOf('told', lost));

    const recorded = await ask('dead', { compute: listsNothing, known: [web] });
    const reported = await ask('told', { compute: listsNothing });
    bed.cloud.removeServer(web);
    bed.cloud.removeServer(lost);
    const gone = await ask('told', { compute: listsNothing });

    expect(recorded).toMatchObject({ compute: undefined, computeGap: short('dead', 'web') });
    expect(reported).toMatchObject({ compute: undefined, computeGap: short('told', 'lost') });
    expect(gone).toMatchObject({ compute: { instances: [] }, computeGap: undefined });
  });

  it('tells what becomes of those that have left its list only where it rebuilds by itself', async () => {
    const web = bed.cloud.addServer('spare', { name: 'web' });
    const known = [web, '8b1c9a3e-0000-4000-8000-00000000000f'];
    const { evacuations } = bed.ports.compute;
    const list: typeof evacuations.list = (host, since, inner) => evacuations.list(host, since, inner);
    const start: typeof evacuations.start = (id, options, inner) => evacuations.start(id, options, inner);
    const automatic = {
      ...bed.ports.compute,
      evacuations: { rules: { ...evacuations.rules, isAutomatic: true }, list, start },
    };

    const answers = [await ask('dead', { known }), await ask('dead', { known, compute: automatic })];
    bed.cloud.removeServer(web);

    expect(answers.map(({ compute }) => compute?.left)).toEqual([
      undefined,
      [
        expect.objectContaining({ id: web, name: 'web', fate: 'elsewhere', hostName: 'spare' }),
        expect.objectContaining({ id: known[1], fate: 'gone' }),
      ],
    ]);
  });

  it('does not take an instance for lost that is only on its way to the host', async () => {
    const web = bed.cloud.addServer('spare', { name: 'web' });
    const found = await bed.compute.instances.get(web, signal());
    const arriving = found === undefined ? [] : [{ ...found, isArriving: true } as const];

    const { compute } = await ask('dead', { compute: withInstances({ list: async () => arriving }) });

    expect(arriving).toHaveLength(1);
    expect(compute?.instances).toEqual([]);
    bed.cloud.removeServer(web);
  });

  it.each([
    { code: 'refused', kind: 'refused', says: /rights of an administrator/ },
    { code: 'not-found', kind: 'identity', says: /under the ids of its Hypervisor/ },
    { code: 'unavailable', kind: 'unreachable', says: /^the compute system cannot be reached$/ },
  ] as const)('has $kind for a reason when it answers $code', async ({ code, kind, says }) => {
    const compute = withInstances({ list: async () => Promise.reject(new ComputeError(code, `${code} (req-1)`)) });

    const { computeGap } = await ask('dead', { compute });

    expect(computeGap).toEqual({ kind, message: expect.stringMatching(says) });
  });

  it.each(['fencing', 'forcing-down'] as const)('tells the last sign of life of one that is %s', async (state) => {
    const hosts = bed.ports.compute.hosts;
    const own: Pick<ComputeHosts, 'get' | 'list'> = {
      get: async (host, inner) => {
        const found = await hosts.get(host, inner);
        return found && signed(found);
      },
      list: async (inner) => (await hosts.list(inner)).map(signed),
    };
    const others: EnginePorts['compute']['hosts'] = Object.create(hosts);

    const { lifeSign } = await ask('dead', {
      compute: { ...bed.ports.compute, hosts: Object.assign(others, own) },
      state,
    });

    expect(lifeSign).toBe('b1 10:00');
  });

  it('is not asked before the host is proved to be off, but which one it is is known', async () => {
    const compute = withInstances({ list: async () => Promise.reject(new Error('nobody asks')) });

    const answer = await ask('dead', { compute, state: 'fencing' });

    expect(answer).toMatchObject({
      compute: undefined,
      computeGap: undefined,
      identity: bed.cluster.host('dead')?.identity,
    });
  });
});

interface Asked {
  readonly compute?: EnginePorts['compute'];
  readonly known?: readonly string[];
  readonly state?: 'fencing' | 'forcing-down' | 'rebuilding';
}

async function ask(
  host: string,
  { compute = bed.ports.compute, known = [], state = 'rebuilding' }: Asked = {},
): Promise<ComputeAnswer> {
  const ports = { ...bed.ports, compute };
  const { logger, ignore } = ports;
  const background = new Background({ logger, ignore, signal: signal(), onLeadLost: () => undefined });
  const context = { ports, settings: engineSettings, background, book: new SignalBook() };
  const fleet = new FleetWatch(context);
  await fleet.refresh(signal());
  const look: FleetLook = await fleet.look([], signal());
  const instances = known.map((id) => rebuild(id));
  return await askCompute(
    { ...context, fleet, latestLook: () => look },
    incident({ host, state, instances }),
    signal(),
  );
}

/** The compute system, with other answers about instances. */
function withInstances({ list }: Pick<ComputeInstances, 'list'>): EnginePorts['compute'] {
  const { compute } = bed;
  const { instances } = compute;
  const get: ComputeInstances['get'] = (id, inner) => instances.get(id, inner);
  const targets: ComputeInstances['targets'] = (instance, inner) => instances.targets(instance, inner);
  const restart: ComputeInstances['restart'] = (id, inner) => instances.restart(id, inner);
  const stop: ComputeInstances['stop'] = (id, inner) => instances.stop(id, inner);
  return { ...compute, instances: { list, get, targets, restart, stop } };
}

function signed(host: ComputeHost): ComputeHost {
  return { ...host, lifeSign: 'b1 10:00' };
}

function short(host: string, name: string) {
  const message = `the compute system does not list instances that it has on ${host}: ${name}`;
  return { kind: 'unreachable', message };
}

function instancesOf(node: string, uuid: string): TelemetryBatch {
  const time = new Date().toISOString();
  const instances = [{ uuid, name: 'instance-00000001', state: 'running' }];
  const records = [{ kind: 'instances', instances, sequence: 1, time } as const];
  return { version: 1, node, epoch: 'e', agent: 'a', firstSequence: 1, lastSequence: 1, records };
}

async function accept(batch: TelemetryBatch): Promise<void> {
  await bed.store.telemetry.accept({ batch, arrivedAt: bed.ports.clock.now() }, signal());
}

function signal(): AbortSignal {
  return AbortSignal.timeout(10_000);
}
