import type { JudgementSettings } from '../detection-settings.ts';
import { readSignal, type HostSignal, type SignalSource, type SignalState } from './host-signal.ts';
import { isReboot, type HostView } from './host-view.ts';
import type { Judgement } from './judgement.ts';

/**
 * Judges one host by its signals alone. Any sign of life acquits; independent signals that have agreed for a while
 * condemn; what no source can see is unknown, which is never death.
 */
export function judgeHost(
  host: Pick<HostView, 'signals' | 'boot' | 'isUnwatched'>,
  settings: JudgementSettings,
  now: number,
): Judgement {
  const dead: SignalSource[] = [];
  const blind: SignalSource[] = [];
  const groups = new Map<string, number>();
  let life: { readonly by: SignalSource; readonly at: number } | undefined;
  for (const { source, state } of signalStates(host, settings, now)) {
    const rule = settings.rules[source];
    if (state.kind === 'alive' && state.at > (life?.at ?? Number.NEGATIVE_INFINITY)) {
      life = { by: source, at: state.at };
    }
    if (state.kind === 'blind') blind.push(source);
    if (state.kind === 'dead') {
      dead.push(source);
      groups.set(rule.group, Math.min(state.since, groups.get(rule.group) ?? Number.POSITIVE_INFINITY));
    }
  }
  if (life !== undefined) {
    const isRebooted = isReboot(host.boot.previous, host.boot.latest);
    return { kind: 'alive', by: life.by, lastLifeAt: life.at, isRebooted };
  }
  const watch = host.isUnwatched === true ? ({ isUnwatched: true } as const) : undefined;
  if (blind.length === host.signals.length) return { kind: 'unknown', blind, ...watch };
  const agreement = agreedSince(dead, groups, settings);
  if (typeof agreement === 'number' && now - agreement >= settings.agreeMs) {
    return { kind: 'condemned', since: agreement, by: dead, ...watch };
  }
  const missing = typeof agreement === 'number' ? 'they have not agreed for long enough' : agreement;
  return { kind: 'suspect', since: lastLifeAt(host, settings), dead, missing, ...watch };
}

/** What each signal of a host says at one moment, as it counts in its judgement. */
export function signalStates(
  host: Pick<HostView, 'signals'>,
  settings: JudgementSettings,
  now: number,
): readonly SourceState[] {
  return host.signals.map((signal) => {
    const state = readSignal(signal, settings.rules[signal.source], now);
    return { source: signal.source, state: withoutOutlived(state, signal, host, settings) };
  });
}

export interface SourceState {
  readonly source: SignalSource;
  readonly state: SignalState;
}

/**
 * A source that has been silent about a host for long after another one saw it live has lost sight of it, as one has whose
 * kubelet was stopped for good. It can tell nothing until it shows life again.
 */
function withoutOutlived(
  state: SignalState,
  { source }: HostSignal,
  { signals }: Pick<HostView, 'signals'>,
  { rules, outlivedMs }: JudgementSettings,
): SignalState {
  if (state.kind !== 'dead' || rules[source].kind !== 'silence') return state;
  const { since } = state;
  const isOutlived = signals.some((other) => {
    return other.source !== source && rules[other.source].countsAsLife && (other.aliveAt ?? since) > since + outlivedMs;
  });
  return isOutlived ? { kind: 'blind' } : state;
}

/** When enough groups had come to agree, or a sentence about what is missing. */
function agreedSince(
  dead: readonly SignalSource[],
  groups: ReadonlyMap<string, number>,
  { signalsNeeded, requiredSources }: JudgementSettings,
): number | string {
  const absent = requiredSources.find((source) => !dead.includes(source));
  if (absent !== undefined) return `${absent} does not say that it is dead`;
  const since = [...groups.values()].toSorted((a, b) => a - b)[signalsNeeded - 1];
  return since ?? `${groups.size} of ${signalsNeeded} independent signals say that it is dead`;
}

/** Since when each source that has to agree would have seen the host live; undefined while one of them would not. */
export function watchedSince(
  { signals }: Pick<HostView, 'signals'>,
  { requiredSources }: JudgementSettings,
): number | undefined {
  let since = Number.NEGATIVE_INFINITY;
  for (const source of requiredSources) {
    const reachableSince = signals.find((signal) => signal.source === source)?.reachableSince;
    if (reachableSince === undefined) return undefined;
    since = Math.max(since, reachableSince);
  }
  return since;
}

/** When any source last saw the host alive, however long ago that is. */
export function lastLifeAt(host: Pick<HostView, 'signals'>, settings: JudgementSettings): number | undefined {
  let last: number | undefined;
  for (const { source, aliveAt } of host.signals) {
    if (aliveAt === undefined || !settings.rules[source].countsAsLife) continue;
    if (last === undefined || aliveAt > last) last = aliveAt;
  }
  return last;
}
