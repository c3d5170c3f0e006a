import type { Clock } from '@smalt/controller-runtime';
import { showBonds, type Unixctl } from '@smalt/ovs';
import type { Answer, BondFacts, SwitchConfiguration } from '@smalt/switch-health';

import { known, unknown } from './answer.ts';
import type { SourceMetrics } from './source-metrics.ts';

export interface BondWatchOptions {
  readonly unixctl: (signal: AbortSignal) => Promise<Unixctl>;
  readonly clock: Clock;
  readonly metrics: SourceMetrics;
}

/** What ovs-vswitchd says of its bonds. It is asked one question for all of them, and none where there are none. */
export class BondWatch {
  readonly #options: BondWatchOptions;
  #answers: ReadonlyMap<string, Answer<BondFacts | undefined>> = new Map();

  constructor(options: BondWatchOptions) {
    this.#options = options;
  }

  get answers(): ReadonlyMap<string, Answer<BondFacts | undefined>> {
    return this.#answers;
  }

  /** Says of all bonds that they are not known, because nobody can be asked. */
  giveUp(bonds: readonly string[], why: string): void {
    this.#answers = new Map(bonds.map((name) => [name, unknown(why, this.#answers.get(name), this.#options.clock)]));
  }

  async refresh(bonds: readonly string[], signal: AbortSignal): Promise<void> {
    if (bonds.length === 0) {
      this.#answers = new Map();
      return;
    }
    const { unixctl, clock, metrics } = this.#options;
    try {
      const reports = new Map((await showBonds(await unixctl(signal), { signal })).map((bond) => [bond.name, bond]));
      this.#answers = new Map(bonds.map((name) => [name, known(reports.get(name), clock)]));
    } catch (error) {
      signal.throwIfAborted();
      metrics.countFailure('bonds');
      this.#answers = new Map(bonds.map((name) => [name, unknown(error, this.#answers.get(name), clock)]));
    }
  }
}

/** The names of the ports that have several interfaces: real bonds. */
export function bondNames(configuration: SwitchConfiguration | undefined): readonly string[] {
  const ports = configuration?.bridges.flatMap((bridge) => bridge.ports) ?? [];
  return ports.filter(({ interfaces }) => interfaces.length > 1).map(({ name }) => name);
}
