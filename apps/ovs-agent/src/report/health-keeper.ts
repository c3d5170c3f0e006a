import { WakeUp, type Clock } from '@smalt/controller-runtime';
import type { OVSNodeStatus } from '@smalt/ovs-api';
import {
  emptyMemory,
  inheritStatus,
  judgeSwitch,
  type HealthMemory,
  type HealthSettings,
  type SwitchFacts,
} from '@smalt/switch-health';

/** Judging takes a while on a large node: at most half of the time is spent with it. */
const SHORTEST_PAUSE_MS = 5;

export interface KeeperParts {
  readonly facts: () => SwitchFacts;
  readonly onChange: (listener: () => void) => () => void;
  readonly settings: HealthSettings;
  readonly clock: Clock;
  /** Told of each judgement, whether it differs from the one before or not. */
  readonly onJudged: (facts: SwitchFacts, status: OVSNodeStatus) => void;
}

/** Judges what is known whenever that changes, and when something that was found begins or ceases to count. */
export class HealthKeeper {
  readonly #parts: KeeperParts;
  readonly #due: WakeUp;
  #memory: HealthMemory = emptyMemory;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#due = new WakeUp(parts.clock);
  }

  /** Takes over from another one: what it told keeps its times, what was seen here meanwhile is not forgotten. Judges at once. */
  inherit(status: OVSNodeStatus | undefined): void {
    this.#memory = inheritStatus(this.#memory, status);
    this.#judge();
    this.#due.ring();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { onChange, clock } = this.#parts;
    const stop = onChange(() => this.#due.ring());
    try {
      let reviewAt = clock.monotonic();
      while (!signal.aborted) {
        await this.#due.wait(Math.max(0, reviewAt - clock.monotonic()), signal);
        if (signal.aborted) return;
        const startedAt = clock.monotonic();
        reviewAt = startedAt + this.#judge();
        await clock.wait(Math.max(SHORTEST_PAUSE_MS, clock.monotonic() - startedAt), signal).catch(() => undefined);
      }
    } finally {
      stop();
    }
  }

  /** Returns in how many milliseconds to judge again even if nothing changes; `Infinity` for never. */
  #judge(): number {
    const { facts, settings, onJudged } = this.#parts;
    const seen = facts();
    const { status, memory, reviewAt } = judgeSwitch({ facts: seen, memory: this.#memory, settings });
    this.#memory = memory;
    onJudged(seen, status);
    return (reviewAt ?? Infinity) - seen.at;
  }
}
