import { hypervisorKind } from '@smalt/fleet-api';
import { createLogger } from '@smalt/service-runtime';
import { defaultRecoveryPolicy } from '@smalt/recovery-policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { EnginePorts } from '../../ports/engine-ports.ts';
import { line } from '../../store/fixtures/contract-case.ts';
import { Background } from '../timing/background.ts';
import { ContractKeeper } from '../contract/contract-keeper.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineSettings } from '../engine-settings.ts';
import { engineSettings, startEngineBed, type EngineBed } from '../fixtures/engine-bed.ts';
import { incident } from '../fixtures/engine-builders.ts';
import { FleetWatch } from './fleet-watch.ts';
import { SignalBook } from './signal-book.ts';

const HOSTS = ['plain', 'lab', 'held', 'liar', 'copied', 'original'];

let bed: EngineBed;

beforeAll(async () => {
  bed = await startEngineBed(HOSTS);
  bed.cloud.addAggregate('lab-hosts', { hosts: ['lab'] });
  await claim('liar', 'plain');
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('FleetWatch', () => {
  it('knows nothing of registered hosts before the compute system was asked, and all after', async () => {
    const { fleet } = engine();

    const before = await fleet.look([], signal());
    await fleet.refresh(signal());
    const after = await fleet.look([], signal());

    expect(before.hosts.get('original')?.view.isOnboarded).toBe(false);
    expect(before.service.computeSince).toBeUndefined();
    expect(after.hosts.get('original')?.view.isOnboarded).toBe(true);
    expect(after.service.computeSince).toBeDefined();
    expect([...after.hosts.keys()].toSorted()).toEqual(HOSTS.toSorted());
  });

  it('does not believe an object with the ids of another host, nor whom it has them from', async () => {
    const { fleet } = engine();
    await fleet.refresh(signal());

    const { hosts } = await fleet.look([], signal());

    const identityOf = (name: string) => {
      const cluster = hosts.get(name)?.cluster;
      return cluster && fleet.identityOf(cluster);
    };
    expect(hosts.get('liar')?.view.isOnboarded).toBe(false);
    expect(hosts.get('plain')?.view.isOnboarded).toBe(false);
    expect([identityOf('liar'), identityOf('plain')]).toEqual([undefined, undefined]);
    expect(identityOf('original')).toEqual(bed.cluster.host('original')?.identity);
  });

  it('calls a host alive whose compute service is up, though its agent is silent', async () => {
    const { detection } = engineSettings();
    const { rules } = detection.judgement;
    // No agent is ever young enough by this.
    const judgement = { ...detection.judgement, rules: { ...rules, agent: { ...rules.agent, freshMs: -1 } } };
    const { fleet } = engine({ detection: { ...detection, judgement } });
    await fleet.refresh(signal());

    const look = await fleet.look([], signal());

    expect(look.judgement.judgements.get('original')).toMatchObject({ kind: 'alive', by: 'compute-service' });
  });

  it.each([
    ['an aggregate that is excluded', { excludeAggregates: ['lab-hosts'] }, 'lab', 'plain'],
    ['an aggregate that is not included', { includeAggregates: ['lab-hosts'] }, 'plain', 'lab'],
  ])('knows that the policy leaves a host alone because of %s', async (_what, change, excluded, covered) => {
    const { fleet } = engine({ policy: { ...defaultRecoveryPolicy, ...change } });
    const unknown = await fleet.look([], signal());
    await fleet.refresh(signal());

    const { hosts } = await fleet.look([], signal());

    expect(unknown.hosts.get(excluded)?.view.policyObjection).toContain('not known which aggregates');
    expect(hosts.get(excluded)?.view.policyObjection).toContain('aggregate');
    expect(hosts.get(covered)?.view.policyObjection).toBeUndefined();
  });

  it('passes on what persons have switched, and rejects while the store does not answer', async () => {
    const { fleet } = engine();
    await bed.store.setSwitches({ isPaused: true }, line('paused'), signal());

    const { settings } = await fleet.look([], signal());

    await bed.store.setSwitches({ isPaused: false }, line('resumed'), signal());
    expect(settings.detection.brakes).toMatchObject({ isPaused: true, isDryRun: false });
    await expect(fleet.look([], AbortSignal.abort(new Error('away')))).rejects.toThrow('away');
  });
});

describe('SuspectWatch', () => {
  it('knows what a suspect has when both questions were answered, and asks again at once for what was not', async () => {
    let isAway = true;
    const { compute } = bed.ports;
    const list: typeof compute.instances.list = async (host, inner) => {
      if (isAway) throw new Error('the compute system is away');
      return await compute.instances.list(host, inner);
    };
    const ports = { ...bed.ports, compute: { ...compute, instances: { ...compute.instances, list } } };
    const { background, fleet } = engine({}, ports);
    const cluster = bed.cluster.host('original');
    if (cluster?.identity === undefined) throw new Error('original has no ids');
    const suspect = { cluster: { ...cluster, identity: cluster.identity }, isBeingRead: true };
    bed.cloud.addServer('original', { name: 'web' });

    fleet.suspects.attend([suspect]);
    await background.idle();
    const before = fleet.suspects.factsOf('original');
    isAway = false;
    fleet.suspects.attend([suspect]);
    await background.idle();

    expect(before).toBeUndefined();
    expect(fleet.suspects.factsOf('original')).toEqual({ relevantInstances: 1, exclusion: undefined });
  });

  it('counts what is on its way to a suspect as a reason to recover it, but does not take it for lost', async () => {
    const { compute } = bed.ports;
    const web = bed.cloud.addServer('plain', { name: 'arriving' });
    const found = await compute.instances.get(web, signal());
    if (found === undefined) throw new Error('there is no such instance');
    const list: typeof compute.instances.list = async () => [{ ...found, isArriving: true }];
    const ports = { ...bed.ports, compute: { ...compute, instances: { ...compute.instances, list } } };
    const { background, fleet } = engine({}, ports);
    const cluster = bed.cluster.host('original');
    if (cluster?.identity === undefined) throw new Error('original has no ids');

    fleet.suspects.attend([{ cluster: { ...cluster, identity: cluster.identity }, isBeingRead: true }]);
    await background.idle();

    expect(fleet.suspects.factsOf('original')).toMatchObject({ relevantInstances: 1 });
    expect([...fleet.suspects.everSeenOn('original')]).toEqual([]);
  });
});

describe('ContractKeeper', () => {
  it('states on each object what the policy and the power switches say, and marks a host that is held', async () => {
    const context = engine({ policy: { ...defaultRecoveryPolicy, excludeAggregates: ['lab-hosts'] } });
    const { fleet, stop } = context;
    const over = incident({
      host: 'held',
      state: 'recovered',
      closedAt: 1,
      fences: [{ level: 0, askedAt: 1, answer: '' }],
    });
    await bed.store.hosts.hold('held', over.id, signal());
    const keeper = new ContractKeeper(context, {
      openIncident: () => undefined,
      heldIncident: (host) => (host === 'held' ? over : undefined),
      isMarked: () => false,
      coverageOf: (host) => fleet.places.coverageOf(host),
    });
    await fleet.refresh(signal());

    await expect
      .poll(
        async () => {
          keeper.take(await fleet.look([], signal()));
          return ['original', 'lab', 'held']
            .map((name) => bed.cluster.host(name))
            .map((host) => [host?.haEnabled?.status, host?.maintenance, host?.hypervisorDisabled?.status]);
        },
        { timeout: 10_000 },
      )
      .toEqual([
        ['True', '', undefined],
        ['False', '', undefined],
        ['False', 'ha', 'True'],
      ]);

    expect(bed.cluster.host('lab')?.haEnabled?.message).toContain('lab is in aggregate lab-hosts, which is excluded');
    await stop();
  });
});

/** The parts of an engine that look, without those that act. */
function engine(change: Partial<EngineSettings> = {}, ports: EnginePorts = bed.ports) {
  const over = new AbortController();
  const logger = createLogger({ name: 'engine', destination: { write: () => undefined } });
  const background = new Background({
    logger,
    ignore: () => undefined,
    signal: over.signal,
    onLeadLost: () => undefined,
  });
  const settings = { ...engineSettings(), ...change };
  const context: EngineContext = { ports, settings: () => settings, background, book: new SignalBook() };
  const stop = async (): Promise<void> => {
    over.abort(new Error('the test ends'));
    await background.idle();
  };
  return { ...context, fleet: new FleetWatch(context), stop };
}

/** Gives the object of one host the ids of another. */
async function claim(name: string, other: string): Promise<void> {
  const { hypervisorId, serviceId } = bed.cluster.host(other)?.identity ?? {};
  await bed.client
    .resource(hypervisorKind)
    .patch(name, 'merge', { status: { hypervisorId, serviceId } }, { subresource: 'status' });
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    if (bed.cluster.host(name)?.identity?.serviceId === serviceId) resolve();
  }, 20);
  await promise;
  clearInterval(timer);
}

function signal(): AbortSignal {
  return AbortSignal.timeout(10_000);
}
