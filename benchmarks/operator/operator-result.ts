import type { OperatorName } from './operator-name.ts';

/** What it took to onboard many nodes that appeared at once. */
export interface OnboardingResult {
  readonly operator: OperatorName;
  readonly nodes: number;
  /** From the first create of a node until the last Hypervisor was onboarded. */
  readonly seconds: number;
  /** Until half of them were. */
  readonly halfSeconds: number;
  /** Until the last node was there. */
  readonly createdSeconds: number;
  /** Requests to the API server, without those before the first node. */
  readonly apiCalls: number;
  /** Requests to all services of OpenStack, likewise. */
  readonly cloudCalls: number;
  readonly cpuSeconds: number;
  /** What the API server and the simulated OpenStack took for their part. */
  readonly apiServerCpuSeconds: number;
  readonly cloudCpuSeconds: number;
  readonly residentBytes: number;
  readonly peakBytes: number;
}

/** What it took to empty one host. */
export interface DrainResult {
  /** How many moves were allowed at a time; undefined for what is so by default. */
  readonly limit: number | undefined;
  readonly servers: number;
  /** From the change of the spec until the host was empty and said to be so. */
  readonly seconds: number;
  /** The most moves that were under way at a time. */
  readonly mostMoves: number;
  readonly cloudCalls: number;
}
