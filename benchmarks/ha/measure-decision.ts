import { defaultDetectionSettings, judgeFleet, type FleetView, type HostView } from '@smalt/failure-detection';

import { BenchmarkError } from '../src/benchmark-error.ts';
import { median } from '../src/sample-summary.ts';
import { hostNames } from './bench-agent.ts';
import type { DecisionPlan } from './ha-plan.ts';
import type { DecisionResult } from './ha-result.ts';

const NOW = 10_000_000;
const DEAD_EVERY = 1_000;

/** Measures how long it takes to judge a fleet in which a few hosts are dead. */
export function measureDecision({ hosts, warmUps, rounds }: DecisionPlan): DecisionResult {
  const view = fleetOf(hosts);
  const times: number[] = [];
  for (let round = -warmUps; round < rounds; round++) {
    // The clock goes on, so that nothing could be kept from the look before.
    const began = performance.now();
    const { judgements, verdicts } = judgeFleet(view, defaultDetectionSettings, NOW + round);
    const took = performance.now() - began;
    if (judgements.size !== hosts || verdicts.length !== Math.ceil(hosts / DEAD_EVERY)) {
      throw new BenchmarkError('unequal-work', `${judgements.size} hosts were judged, ${verdicts.length} condemned`);
    }
    if (round >= 0) times.push(took);
  }
  return { hosts, medianMs: median(times), worstMs: Math.max(...times) };
}

function fleetOf(count: number): FleetView {
  const hosts = hostNames(count).map((name, index) => hostOf(name, index % DEAD_EVERY === 0));
  const since = 0;
  const service = {
    startedAt: since,
    kubernetesSince: since,
    computeSince: since,
    storeSince: since,
    lastOpenedAt: undefined,
  };
  return { hosts, service, openIncidents: [] };
}

function hostOf(name: string, isDead: boolean): HostView {
  const aliveAt = isDead ? NOW - 900_000 : NOW - 5_000;
  const quiet = { deadSince: undefined, deadAt: undefined, reachableSince: 0 };
  const stated = isDead ? { deadSince: NOW - 800_000, deadAt: NOW - 1_000 } : {};
  return {
    name,
    failureDomain: name.slice(0, -2),
    signals: [
      { ...quiet, source: 'agent', aliveAt },
      { ...quiet, source: 'libvirt', aliveAt },
      { ...quiet, source: 'node-lease', aliveAt },
      { ...quiet, source: 'compute-service', aliveAt, ...stated },
      { ...quiet, source: 'storage', aliveAt },
    ],
    boot: {
      previous: { bootId: 'b', uptimeSeconds: 100 },
      latest: { bootId: 'b', uptimeSeconds: 110 },
    },
    maintenance: '',
    isHeld: false,
    isHighlyAvailable: true,
    isOnboarded: true,
    kdumpUntil: undefined,
    relevantInstances: 3,
  };
}
