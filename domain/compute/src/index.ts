export { ComputeError, isComputeError, type ComputeErrorCode } from './compute-error.ts';
export type { ComputeEvacuation, ComputeEvacuations, RebuildRules } from './compute-evacuation.ts';
export type {
  AggregateMembership,
  ComputeAggregate,
  ComputeAggregates,
  ComputeTraits,
  HostTraits,
} from './compute-grouping.ts';
export type { ComputeHost, ComputeHosts, Deregistration, FoundHost, HostIdentity, MoveTarget } from './compute-host.ts';
export { GuestState, InstanceState, type ComputeInstance, type ComputeInstances } from './compute-instance.ts';
export { MoveState, type ComputeMove, type ComputeMoves, type MoveProgress } from './compute-move.ts';
export type { Compute } from './compute.ts';
export { isSameHostName, shortHostName } from './host-name.ts';
export { reasonAsKept } from './reason-as-kept.ts';
export type { NewTestInstance, SmokeTests, TestInstance } from './smoke-test.ts';
