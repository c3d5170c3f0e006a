import {
  signalStates,
  type Judgement,
  type JudgementSettings,
  type SignalSource,
  type SignalState,
} from '@smalt/failure-detection';

import type { EngineView } from '../../ports/engine-view.ts';

const KEEP_MS = 24 * 3_600_000;
/** A signal that changes more often has its oldest changes forgotten before their time. */
const MOST_CHANGES = 128;

/** Since when something has been so, until the next change. */
interface Change<State extends string> {
  readonly at: number;
  readonly state: State;
}

/** What was thought of one host over time, the oldest first. */
export interface HostHistory {
  readonly judgements: readonly Change<Judgement['kind']>[];
  readonly signals: ReadonlyMap<SignalSource, readonly Change<SignalState['kind']>[]>;
}

interface Kept {
  judgements: readonly Change<Judgement['kind']>[];
  readonly signals: Map<SignalSource, readonly Change<SignalState['kind']>[]>;
  lastSeenAt: number;
}

/** Keeps what the leader thought, as changes, for a day. It begins anew when another replica leads. */
export class SignalHistory {
  readonly #hosts = new Map<string, Kept>();
  #since: number | undefined;

  /** When it began; undefined while this replica does not lead. */
  get since(): number | undefined {
    return this.#since;
  }

  of(host: string): HostHistory | undefined {
    return this.#hosts.get(host);
  }

  take({ at, judgements, signalsOf }: EngineView, settings: JudgementSettings): void {
    this.#since ??= at;
    for (const [host, { kind }] of judgements) {
      const kept = this.#hosts.get(host) ?? { judgements: [], signals: new Map(), lastSeenAt: at };
      this.#hosts.set(host, kept);
      kept.lastSeenAt = at;
      kept.judgements = withChange(kept.judgements, { at, state: kind });
      for (const { source, state } of signalStates({ signals: signalsOf(host) }, settings, at)) {
        kept.signals.set(source, withChange(kept.signals.get(source) ?? [], { at, state: state.kind }));
      }
    }
    for (const [host, { lastSeenAt }] of this.#hosts) if (lastSeenAt <= at - KEEP_MS) this.#hosts.delete(host);
  }

  clear(): void {
    this.#hosts.clear();
    this.#since = undefined;
  }
}

/** Adds a change if it is one, and forgets what ended too long ago. What was so at the edge of the day is kept. */
function withChange<State extends string>(
  known: readonly Change<State>[],
  change: Change<State>,
): readonly Change<State>[] {
  const isChange = known.at(-1)?.state !== change.state;
  const edge = change.at - KEEP_MS;
  const isOld = known[1] !== undefined && known[1].at <= edge;
  if (!isChange && !isOld) return known;
  const all = isChange ? [...known, change] : known;
  const first = all.findLastIndex(({ at }) => at <= edge);
  return all.slice(Math.max(first, 0, all.length - MOST_CHANGES));
}
