import type { BootReport, HostSignal, SignalSource } from '@smalt/failure-detection';

import type { HostReport, SignalRecord } from '../../ports/telemetry-store.ts';

/** What one source has said of one host; whether the source is within reach is another matter. */
export type KnownSignal = Omit<HostSignal, 'reachableSince'>;

export interface KnownBoots {
  readonly previous: BootReport | undefined;
  readonly latest: BootReport | undefined;
}

const NO_BOOTS: KnownBoots = { previous: undefined, latest: undefined };
const NO_SIGNALS: ReadonlyMap<SignalSource, KnownSignal> = new Map();

/** The last word of every source about every host. Nothing in it ever goes back in time. */
export class SignalBook {
  readonly #signals = new Map<string, Map<SignalSource, KnownSignal>>();
  readonly #boots = new Map<string, KnownBoots>();
  readonly #newestLife = new Map<SignalSource, number>();

  signalsOf(host: string): ReadonlyMap<SignalSource, KnownSignal> {
    return this.#signals.get(host) ?? NO_SIGNALS;
  }

  bootsOf(host: string): KnownBoots {
    return this.#boots.get(host) ?? NO_BOOTS;
  }

  /** When a source last saw any host alive. */
  newestLifeBy(source: SignalSource): number | undefined {
    return this.#newestLife.get(source);
  }

  /** Takes in what the store has; its ages are as of `readAt`. */
  take(records: readonly SignalRecord[], reports: readonly HostReport[], readAt: number): void {
    for (const { host, source, aliveAgeMs, deadSinceAgeMs, deadAgeMs } of records) {
      const at = (ageMs: number | undefined) => (ageMs === undefined ? undefined : readAt - Math.max(0, ageMs));
      this.#put(host, { source, aliveAt: at(aliveAgeMs), deadSince: at(deadSinceAgeMs), deadAt: at(deadAgeMs) });
    }
    for (const { host, previousBoot, latestBoot } of reports) {
      this.#boots.set(host, { previous: previousBoot, latest: latestBoot });
    }
  }

  /** Notes a sign of life, which breaks a row of statements of death. `toldAt` is for what is told of the past. */
  alive(host: string, source: SignalSource, at: number, toldAt?: number): void {
    const known = this.signalsOf(host).get(source);
    if (known?.aliveAt !== undefined && known.aliveAt >= at) return;
    const isRow = known?.deadSince !== undefined && known.deadSince > at;
    const { deadSince, deadAt } = isRow ? known : { deadSince: undefined, deadAt: undefined };
    this.#put(host, { source, aliveAt: at, deadSince, deadAt, ...(toldAt !== undefined && { aliveToldAt: toldAt }) });
  }

  /** Notes a statement of death. */
  dead(host: string, source: SignalSource, at: number): void {
    const known = this.signalsOf(host).get(source);
    if (known?.deadAt !== undefined && known.deadAt >= at) return;
    this.#put(host, { source, aliveAt: known?.aliveAt, deadSince: known?.deadSince ?? at, deadAt: at });
  }

  /** Ends what a source has said, be it of death or of life in the past: it says nothing any more. */
  silent(host: string, source: SignalSource): void {
    const known = this.signalsOf(host).get(source);
    if (known === undefined || (known.deadSince === undefined && known.aliveToldAt === undefined)) return;
    this.#put(host, { source, aliveAt: known.aliveAt, deadSince: undefined, deadAt: undefined });
  }

  #put(host: string, signal: KnownSignal): void {
    let known = this.#signals.get(host);
    if (known === undefined) {
      known = new Map();
      this.#signals.set(host, known);
    }
    const aliveAt = later(known.get(signal.source)?.aliveAt, signal.aliveAt);
    known.set(signal.source, { ...signal, aliveAt });
    const newest = later(this.#newestLife.get(signal.source), aliveAt);
    if (newest !== undefined) this.#newestLife.set(signal.source, newest);
  }
}

function later(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.max(one, other);
}
