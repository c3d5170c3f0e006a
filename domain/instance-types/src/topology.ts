import type { VirtualMachinePreferenceSpec } from '@smalt/vm-api';

/** What processors become, in the words of preferences. */
export const Topology = {
  sockets: 'sockets',
  cores: 'cores',
  threads: 'threads',
  spread: 'spread',
  any: 'any',
} as const;
export type Topology = (typeof Topology)[keyof typeof Topology];

/** What processors are spread across. */
export const SpreadAcross = {
  socketsCores: 'SocketsCores',
  coresThreads: 'CoresThreads',
  socketsCoresThreads: 'SocketsCoresThreads',
} as const;
export type SpreadAcross = (typeof SpreadAcross)[keyof typeof SpreadAcross];

/** The words of before, and those that took their place. */
export const OLD_TOPOLOGIES: Readonly<Record<string, Topology>> = {
  preferSockets: Topology.sockets,
  preferCores: Topology.cores,
  preferThreads: Topology.threads,
  preferSpread: Topology.spread,
  preferAny: Topology.any,
};

const THREADS_PER_CORE = 2;
const USUAL_RATIO = 2;

/** A topology by its word of today or of before; undefined for a word that nobody knows. */
export function topologyCalled(word: string): Topology | undefined {
  const old = Object.hasOwn(OLD_TOPOLOGIES, word) ? OLD_TOPOLOGIES[word] : undefined;
  return old ?? Object.values(Topology).find((known) => known === word);
}

/** The topology that a preference wants: sockets, where it wants none or one that nobody knows. */
export function preferredTopology(preference: VirtualMachinePreferenceSpec | undefined): Topology {
  return topologyCalled(preference?.cpu?.preferredCPUTopology ?? Topology.sockets) ?? Topology.sockets;
}

export interface Spread {
  readonly ratio: number;
  readonly across: string;
}

/** How a preference spreads processors. */
export function spreadOf(preference: VirtualMachinePreferenceSpec | undefined): Spread {
  const { ratio, across } = preference?.cpu?.spreadOptions ?? {};
  const older = preference?.preferSpreadSocketToCoreRatio ?? 0;
  return { ratio: ratio ?? (older === 0 ? USUAL_RATIO : older), across: across ?? SpreadAcross.socketsCores };
}

/** Sockets, cores and threads. */
export interface Processors {
  readonly sockets: number;
  readonly cores: number;
  readonly threads: number;
}

/** Makes a number of processors into sockets, cores and threads as a preference wants it. */
export function processorsOf(count: number, preference: VirtualMachinePreferenceSpec | undefined): Processors {
  const single = { sockets: 1, cores: 1, threads: 1 };
  if (count === 1) return single;
  switch (preferredTopology(preference)) {
    case 'cores':
      return { ...single, cores: count };
    case 'threads':
      return { ...single, threads: count };
    case 'sockets':
    case 'any':
      return { ...single, sockets: count };
    case 'spread':
      return { ...single, ...spreadProcessors(count, spreadOf(preference)) };
  }
}

function spreadProcessors(count: number, { ratio, across }: Spread): Partial<Processors> {
  // A ratio of none is refused elsewhere; here it must not make infinitely many.
  const share = Math.max(1, ratio);
  if (across === SpreadAcross.coresThreads) return { threads: share, cores: Math.floor(count / share) };
  if (across === SpreadAcross.socketsCoresThreads) {
    return { threads: THREADS_PER_CORE, cores: share, sockets: Math.floor(count / THREADS_PER_CORE / share) };
  }
  return { cores: share, sockets: Math.floor(count / share) };
}

/** Why a number of processors cannot be spread as a preference wants it; undefined when it can, or need not. */
export function spreadProblem(count: number, preference: VirtualMachinePreferenceSpec | undefined): string | undefined {
  if (preferredTopology(preference) !== Topology.spread) return undefined;
  const { ratio, across } = spreadOf(preference);
  const provided = `${count} vCPUs provided by the instance type are not divisible by the`;
  const ofRatio = `Spec.PreferSpreadSocketToCoreRatio or Spec.CPU.PreferSpreadOptions.Ratio of ${ratio}`;
  if (across === SpreadAcross.coresThreads) {
    return isDivisible(count, ratio) ? undefined : `${provided} number of threads per core ${ratio}`;
  }
  if (across === SpreadAcross.socketsCoresThreads) {
    const isWhole = isDivisible(count, THREADS_PER_CORE) && isDivisible(count / THREADS_PER_CORE, ratio);
    return isWhole ? undefined : `${provided} number of threads per core ${THREADS_PER_CORE} and ${ofRatio}`;
  }
  return isDivisible(count, ratio) ? undefined : `${provided} ${ofRatio} provided by the preference`;
}

function isDivisible(count: number, by: number): boolean {
  return by > 0 && count % by === 0;
}
