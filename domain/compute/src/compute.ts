import type { ComputeEvacuations } from './compute-evacuation.ts';
import type { ComputeAggregates, ComputeTraits } from './compute-grouping.ts';
import type { ComputeHosts } from './compute-host.ts';
import type { ComputeInstances } from './compute-instance.ts';
import type { ComputeMoves } from './compute-move.ts';
import type { SmokeTests } from './smoke-test.ts';

/**
 * What runs the instances of a fleet. Maintenance, eviction, onboarding and high availability are written against this
 * and know no other. Everything that fails throws a `ComputeError`.
 */
export interface Compute {
  readonly hosts: ComputeHosts;
  readonly instances: ComputeInstances;
  readonly moves: ComputeMoves;
  readonly evacuations: ComputeEvacuations;
  readonly aggregates: ComputeAggregates;
  readonly traits: ComputeTraits;
  readonly smokeTests: SmokeTests;
}
