/** Where a sign of life or death of a host comes from. */
export const SignalSource = {
  agent: 'agent',
  nodeLease: 'node-lease',
  computeService: 'compute-service',
  libvirt: 'libvirt',
  storage: 'storage',
  bmc: 'bmc',
} as const;
export type SignalSource = (typeof SignalSource)[keyof typeof SignalSource];

/**
 * What one source has told about one host. Times are milliseconds on the service's own clock, and `aliveAt` is when the
 * host lived, not when we heard of it.
 */
export interface HostSignal {
  readonly source: SignalSource;
  readonly aliveAt: number | undefined;
  /** Whether `aliveAt` says no more than that it lived once, long ago: nobody saw when. */
  readonly isUndated?: true | undefined;
  /** When a source that tells of the past has last said so, where it is such a one: until it says otherwise it means it. */
  readonly aliveToldAt?: number | undefined;
  /** The first and the last of an unbroken row of statements that it is dead. */
  readonly deadSince: number | undefined;
  readonly deadAt: number | undefined;
  /** Since when the source itself has been within reach; undefined while it is not. */
  readonly reachableSince: number | undefined;
}

/** How a source is understood. */
export interface SignalRule {
  /** `silence`: no sign of life means death. `statement`: only its word does, and only while it is repeated. */
  readonly kind: 'silence' | 'statement';
  /** Sources of the same group fail together, so they count as one. */
  readonly group: string;
  /** Whether it can show that a host is alive. Power that is on does not. */
  readonly countsAsLife: boolean;
  /** How long a sign of life is good for, and how long the last statement of death is. */
  readonly freshMs: number;
  /** How long silence, or a row of statements, has to last. */
  readonly deadAfterMs: number;
}

/** What one source says at one moment. `doubtful` is neither: it may yet become either. */
export type SignalState =
  | { readonly kind: 'alive'; readonly at: number }
  | { readonly kind: 'doubtful' }
  | { readonly kind: 'dead'; readonly since: number }
  | { readonly kind: 'blind' };

const BLIND: SignalState = { kind: 'blind' };
const DOUBTFUL: SignalState = { kind: 'doubtful' };

/** Reads one signal. A time in which the source was out of reach is never held against the host. */
export function readSignal(signal: HostSignal, rule: SignalRule, now: number): SignalState {
  const { aliveAt, reachableSince } = signal;
  // A sign of life counts even if its source has gone since: it can only make us more careful.
  if (rule.countsAsLife && aliveAt !== undefined && now - toldAt(signal, aliveAt) <= rule.freshMs) {
    return { kind: 'alive', at: aliveAt };
  }
  if (reachableSince === undefined) return BLIND;
  const began = rule.kind === 'silence' ? aliveAt : statementsBegan(signal, rule, now);
  if (began === undefined) return rule.kind === 'silence' || aliveAt === undefined ? BLIND : DOUBTFUL;
  const since = Math.max(began, reachableSince) + rule.deadAfterMs;
  return now >= since ? { kind: 'dead', since } : DOUBTFUL;
}

/** Until when its word that the host lives is to be reckoned from. A later word of death takes it back. */
function toldAt({ aliveToldAt, deadAt }: HostSignal, aliveAt: number): number {
  if (aliveToldAt === undefined || (deadAt !== undefined && deadAt >= aliveToldAt)) return aliveAt;
  return Math.max(aliveAt, aliveToldAt);
}

function statementsBegan(signal: HostSignal, rule: SignalRule, now: number): number | undefined {
  const { aliveAt, deadSince, deadAt } = signal;
  if (deadSince === undefined || deadAt === undefined) return undefined;
  if (aliveAt !== undefined && aliveAt >= deadSince) return undefined;
  return now - deadAt <= rule.freshMs ? deadSince : undefined;
}
