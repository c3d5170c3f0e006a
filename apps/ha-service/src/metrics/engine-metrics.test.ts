import type { Brake, Judgement, SignalSource } from '@smalt/failure-detection';
import { MetricsRegistry } from '@smalt/service-runtime';
import { beforeEach, describe, expect, it } from 'vitest';

import type { EngineView, ToldRefusal } from '../ports/engine-view.ts';
import { EngineMetrics } from './engine-metrics.ts';
import { HaMetrics } from './ha-metrics.ts';

let registry: MetricsRegistry;
let metrics: EngineMetrics;

beforeEach(() => {
  registry = new MetricsRegistry();
  metrics = new EngineMetrics(new HaMetrics(registry));
});

describe('what the leader thinks', () => {
  it('is told as hosts by judgement, and the time that it took', () => {
    metrics.see(view({ hosts: { a: alive, b: alive, c: condemned } }), []);

    expect(lines('smalt_ha_hosts')).toEqual([
      'smalt_ha_hosts{judgement="alive"} 2',
      'smalt_ha_hosts{judgement="suspect"} 0',
      'smalt_ha_hosts{judgement="condemned"} 1',
      'smalt_ha_hosts{judgement="unknown"} 0',
    ]);
    expect(registry.expose()).toContain('smalt_ha_decision_seconds_sum 0.02');
  });

  it('counts a refusal once, and tells for how many hosts it holds', () => {
    metrics.see(view({ refusals: { a: 'blind', b: 'blind' } }), []);
    metrics.see(view({ refusals: { a: 'blind', b: 'mass-failure' } }), []);
    metrics.see(view({ refusals: { a: 'blind' } }), []);

    expect(registry.expose()).toContain('smalt_ha_blocked_total{reason="blind"} 2\n');
    expect(registry.expose()).toContain('smalt_ha_blocked_total{reason="mass-failure"} 1\n');
    expect(registry.expose()).toContain('smalt_ha_blocked_hosts{reason="blind"} 1\n');
    expect(registry.expose()).toContain('smalt_ha_blocked_hosts{reason="mass-failure"} 0\n');
  });

  it('says whether one more host that dies would be left alone', () => {
    metrics.see(view({ isBrakeUsedUp: true }), []);
    const usedUp = lines('smalt_ha_brake_used_up');
    metrics.see(view({}), []);
    const free = lines('smalt_ha_brake_used_up');

    expect([usedUp, free]).toEqual([['smalt_ha_brake_used_up 1'], ['smalt_ha_brake_used_up 0']]);
  });

  it('tells of sources that are there, were there, or have to be', () => {
    metrics.see(view({ sources: ['agent', 'node-lease'] }), ['storage']);
    metrics.see(view({ sources: ['agent'] }), ['storage']);

    expect(lines('smalt_ha_source_up').toSorted()).toEqual([
      'smalt_ha_source_up{source="agent"} 1',
      'smalt_ha_source_up{source="node-lease"} 0',
      'smalt_ha_source_up{source="storage"} 0',
    ]);
  });

  it('is not told any more when another one leads', () => {
    metrics.see(view({ hosts: { a: alive }, sources: ['agent'], refusals: { a: 'blind' }, isBrakeUsedUp: true }), []);

    metrics.clear();

    expect(
      ['hosts', 'source_up', 'blocked_hosts', 'brake_used_up'].flatMap((name) => lines(`smalt_ha_${name}`)),
    ).toEqual([]);
    expect(registry.expose()).toContain('smalt_ha_blocked_total{reason="blind"} 1\n');
  });
});

const alive: Judgement = { kind: 'alive', by: 'agent', lastLifeAt: 0, isRebooted: false };
const condemned: Judgement = { kind: 'condemned', since: 0, by: ['agent', 'bmc'] };

interface Shape {
  readonly hosts?: Readonly<Record<string, Judgement>>;
  readonly refusals?: Readonly<Record<string, Brake>>;
  readonly sources?: readonly SignalSource[];
  readonly isBrakeUsedUp?: boolean;
}

function view({ hosts = {}, refusals = {}, sources = [], isBrakeUsedUp = false }: Shape): EngineView {
  const since = { startedAt: 0, kubernetesSince: 0, computeSince: 0, storeSince: 0, lastOpenedAt: undefined };
  const told = Object.entries(refusals).map(([host, brake]): [string, ToldRefusal] => [
    host,
    { brake, message: '', at: 0 },
  ]);
  return {
    at: 0,
    decisionMs: 20,
    service: since,
    signalsOf: () => [],
    judgements: new Map(Object.entries(hosts)),
    refusals: new Map(told),
    isBrakeUsedUp,
    sources: new Map(sources.map((source) => [source, 0])),
    openIncidents: [],
  };
}

function lines(metric: string): readonly string[] {
  return registry
    .expose()
    .split('\n')
    .filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `));
}
