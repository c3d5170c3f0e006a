import { Brake, type SignalSource } from '@smalt/failure-detection';

import type { EngineView, ToldRefusal } from '../ports/engine-view.ts';
import { judgementWords, type HaMetrics } from './ha-metrics.ts';

/** What the leader thinks, as metrics. A replica that does not lead thinks nothing, and says nothing. */
export class EngineMetrics {
  readonly #metrics: HaMetrics;
  #refusals: ReadonlyMap<string, ToldRefusal> = new Map();
  readonly #sources = new Set<SignalSource>();

  constructor(metrics: HaMetrics) {
    this.#metrics = metrics;
  }

  /** Notes one look. Sources that have to be there are told even when they never were. */
  see(view: EngineView, requiredSources: readonly SignalSource[]): void {
    const { decisionSeconds, hosts } = this.#metrics;
    decisionSeconds.cell([]).observe(view.decisionMs / 1_000);
    const counts = countBy([...view.judgements.values()].map(({ kind }) => kind));
    for (const word of judgementWords) hosts.cell([word]).set(counts.get(word) ?? 0);
    this.#metrics.brakeUsedUp.cell([]).set(Number(view.isBrakeUsedUp));
    this.#seeRefusals(view.refusals);
    for (const source of [...requiredSources, ...view.sources.keys()]) this.#sources.add(source);
    for (const source of this.#sources) this.#metrics.sourceUp.cell([source]).set(Number(view.sources.has(source)));
  }

  /** Forgets what was thought: another replica leads. */
  clear(): void {
    for (const word of judgementWords) this.#metrics.hosts.remove([word]);
    for (const source of this.#sources) this.#metrics.sourceUp.remove([source]);
    for (const brake of Object.values(Brake)) this.#metrics.blockedHosts.remove([brake]);
    this.#metrics.brakeUsedUp.remove([]);
    this.#sources.clear();
    this.#refusals = new Map();
  }

  #seeRefusals(refusals: ReadonlyMap<string, ToldRefusal>): void {
    const { blocked, blockedHosts } = this.#metrics;
    const counts = countBy([...refusals.values()].map(({ brake }) => brake));
    for (const brake of Object.values(Brake)) blockedHosts.cell([brake]).set(counts.get(brake) ?? 0);
    for (const [host, { brake }] of refusals) {
      if (this.#refusals.get(host)?.brake !== brake) blocked.cell([brake]).add();
    }
    this.#refusals = refusals;
  }
}

function countBy(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
