import type { BrakeSettings } from '../detection-settings.ts';
import { Brake, refuse, type Refusal } from './check-brakes.ts';
import { MOST_NAMES, someOf } from './some-of.ts';

/** A host without a sign of life that nothing explains. */
export interface MissingHost {
  readonly name: string;
  readonly lastLifeAt: number;
}

type WindowSettings = Pick<BrakeSettings, 'maximumMissing' | 'maximumMissingShare' | 'missingWindowMs'>;

/**
 * The hosts that are missing, in the order in which they were lost. At once are those that were lost within one window of each
 * other, and for as long as they are missing: a mass failure does not become many single ones by lasting, and a host that died long
 * before another has died of something else.
 */
export class MissingHosts {
  readonly #missing: readonly MissingHost[];
  readonly #names: ReadonlySet<string>;
  readonly #hosts: number;
  readonly #most: number;
  readonly #windowMs: number;

  /** `hosts` is how many there are in all that are not left alone anyway. */
  constructor(missing: readonly MissingHost[], hosts: number, settings: WindowSettings) {
    this.#missing = missing.toSorted((one, other) => one.lastLifeAt - other.lastLifeAt);
    this.#names = new Set(missing.map(({ name }) => name));
    this.#hosts = hosts;
    this.#most = Math.min(settings.maximumMissing, Math.max(1, Math.floor(hosts * settings.maximumMissingShare)));
    this.#windowMs = settings.missingWindowMs;
  }

  /** Refuses to touch a host if it and those that were lost with it are too many, whether it is one of the list or not. */
  refusalFor({ name, lastLifeAt }: MissingHost): Refusal | undefined {
    const from = this.#firstAt(lastLifeAt - this.#windowMs);
    const to = this.#firstAt(lastLifeAt + this.#windowMs + 1);
    const own = this.#names.has(name) ? [] : [name];
    const count = to - from + own.length;
    if (count <= this.#most) return undefined;
    const what = `${count} of ${this.#hosts} hosts are missing at once, at most ${this.#most} may be`;
    const first = this.#missing.slice(from, Math.min(to, from + MOST_NAMES)).map((each) => each.name);
    return refuse(Brake.massFailure, `${what}: ${someOf([...own, ...first], count)}`);
  }

  /** Whether a host that is lost now would be one too many, because of those that have been missing for some time. */
  isUsedUp(now: number, settledMs: number): boolean {
    const settled = this.#firstAt(now - settledMs + 1) - this.#firstAt(now - this.#windowMs);
    return settled >= this.#most;
  }

  /** The place of the first that was lost at this time or later. */
  #firstAt(time: number): number {
    let [low, high] = [0, this.#missing.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#missing[middle]?.lastLifeAt ?? time) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
