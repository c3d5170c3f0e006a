import { defaultDetectionSettings, type ServiceView, type SignalSource } from '@smalt/failure-detection';
import { describe, expect, it } from 'vitest';

import type { ClusterView } from '../../ports/cluster-port.ts';
import type { SourceReach } from '../../ports/sources-port.ts';
import type { EngineContext } from '../engine-context.ts';
import { clusterHost } from '../fixtures/engine-builders.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { SignalBook } from './signal-book.ts';
import { SourceReaches } from './source-reaches.ts';

const { freshMs } = defaultDetectionSettings.judgement.rules.agent;

describe('SourceReaches', () => {
  it('has what agents push within reach since the first look that heard of any of them', async () => {
    const { clock, book, reaches, look } = bed();
    look();
    const before = reaches.of('agent');

    book.alive('n1', 'agent', clock.now());
    look();
    await clock.advance(10);
    book.alive('n2', 'agent', clock.now());
    look();

    expect(before).toBeUndefined();
    expect(reaches.of('agent')).toBe(clock.now() - 10);
  });

  it('loses a source that is silent about the whole fleet, and counts anew when it is back', async () => {
    const { clock, book, reaches, look } = bed();
    book.alive('n1', 'agent', clock.now());
    look();

    await clock.advance(freshMs + 1);
    look();
    const silent = reaches.of('agent');
    book.alive('n2', 'agent', clock.now());
    look();

    expect(silent).toBeUndefined();
    expect(reaches.of('agent')).toBe(clock.now());
  });

  it.each<{ case: string; service: Partial<ServiceView>; reach?: SourceReach; since: number | undefined }>([
    { case: 'the store is there', service: {}, since: 1_000_000 },
    { case: 'the store was away until a moment ago', service: { storeSince: 1_000_005 }, since: 1_000_005 },
    { case: 'the store is away', service: { storeSince: undefined }, since: undefined },
    { case: 'the service has just begun anew', service: { startedAt: 1_000_009 }, since: 1_000_009 },
    { case: 'it is pulled', service: {}, reach: { kind: 'pulled', since: 1_000_007 }, since: 1_000_007 },
    {
      case: 'it is pulled and does not answer',
      service: {},
      reach: { kind: 'pulled', since: undefined },
      since: undefined,
    },
  ])('has storage within reach since $since when $case', ({ service, reach, since }) => {
    const { clock, book, reaches, look } = bed(reach);
    book.alive('n1', 'storage', clock.now());

    look(service);

    expect(reaches.of('storage')).toBe(since);
  });

  it.each([
    { case: 'leases are renewed', leaseAliveAt: 999_999, reachableSince: 3, since: 1_000_000 },
    {
      case: 'the API server was away until a moment ago',
      leaseAliveAt: 999_999,
      reachableSince: 1_000_002,
      since: 1_000_002,
    },
    { case: 'the API server is away', leaseAliveAt: 999_999, reachableSince: undefined, since: undefined },
    { case: 'no lease was ever renewed', leaseAliveAt: 0, reachableSince: 3, since: undefined },
  ])('has leases within reach since $since when $case', ({ leaseAliveAt, reachableSince, since }) => {
    const { reaches, look } = bed();

    look({}, { hosts: [clusterHost('n1', { leaseAliveAt }), clusterHost('n2')], reachableSince });

    expect(reaches.of('node-lease')).toBe(since);
    expect(reaches.of('compute-service')).toBe(7);
  });

  it.each([
    { case: 'leases are renewed', leases: [999_999, 999_000], since: 1_000_000 },
    { case: 'no lease is renewed any more', leases: [900_000, 900_000], since: undefined },
    { case: 'nobody has a lease', leases: [undefined, undefined], since: 3 },
    { case: 'leases are there that were never seen to be renewed', leases: [0, 0], since: 3 },
    { case: 'the only lease is that of one that may be dead', leases: [900_000, undefined], since: 3 },
  ])('has seen the cluster since $since when $case', ({ leases, since }) => {
    const { reaches } = bed();
    const hosts = leases.map((leaseAliveAt, index) => clusterHost(`n${index}`, { leaseAliveAt }));

    expect(reaches.clusterSince({ hosts, reachableSince: 3 })).toBe(since);
    expect(reaches.clusterSince({ hosts, reachableSince: undefined })).toBeUndefined();
  });

  it('has lost sight of the cluster while its watch tells nothing, and counts anew when that goes on', async () => {
    const { clock, reaches } = bed();
    const began = clock.now();
    const before = reaches.clusterSince(renewedAt(began));
    await clock.advance(LEASE_FRESH_MS + 1);

    const during = reaches.clusterSince(renewedAt(began));
    const after = reaches.clusterSince(renewedAt(clock.now()));

    expect([before, during, after]).toEqual([began, undefined, clock.now()]);
  });
});

/** A cluster of two nodes whose leases were last seen to be renewed at that moment. */
function renewedAt(at: number): ClusterView {
  return { hosts: ['n1', 'n2'].map((name) => clusterHost(name, { leaseAliveAt: at })), reachableSince: 3 };
}

const LEASE_FRESH_MS = defaultDetectionSettings.judgement.rules['node-lease'].freshMs;

function bed(reach: SourceReach = { kind: 'pushed' }) {
  const clock = new ManualClock();
  const book = new SignalBook();
  const sources = { reachOf: (_source: SignalSource) => reach };
  const context = { ports: { clock, sources }, book, settings: () => ({ detection: defaultDetectionSettings }) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it asks for nothing else
  const reaches = new SourceReaches(context as unknown as EngineContext);
  const view = { startedAt: 1, kubernetesSince: 5, computeSince: 7, storeSince: 9, lastOpenedAt: undefined };
  const cluster = { hosts: [], reachableSince: 5 };
  const look = (service: Partial<ServiceView> = {}, seen: ClusterView = cluster): void =>
    reaches.look({ ...view, ...service }, seen);
  return { clock, book, reaches, look };
}
