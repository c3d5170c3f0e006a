import type { ServiceClock } from '../../ports/service-clock.ts';
import type { EngineSettings } from '../engine-settings.ts';

/** How far the wall clock may move against the steady one between two looks. */
const WALL_CLOCK_PLAY_MS = 5_000;
/** How much of the time that a host may be silent can pass between two looks. */
const SILENCE_SHARE = 0.75;

type StallSettings = Pick<EngineSettings, 'lookIntervalMs' | 'callTimeoutMs' | 'detection'>;

/**
 * Knows since when the service has watched without a break. One that stood still has missed signs of life, so it begins
 * anew, as after a start.
 */
export class StallWatch {
  readonly #clock: ServiceClock;
  #startedAt: number;
  #lastLookAt: number;
  #wallOffset: number | undefined;

  constructor(clock: ServiceClock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#lastLookAt = this.#startedAt;
    this.#wallOffset = this.#offset(this.#startedAt);
  }

  get startedAt(): number {
    return this.#startedAt;
  }

  /** Called at the beginning of each look; a sentence when the service begins anew because of what it finds. */
  look(now: number, settings: StallSettings): string | undefined {
    const reason = this.lookAgain(now, settings);
    this.#lastLookAt = now;
    return reason;
  }

  /** Called when a look has read everything and is about to judge: what befell it meanwhile must not be built upon. */
  lookAgain(now: number, settings: StallSettings): string | undefined {
    const pauseMs = now - this.#lastLookAt;
    const offset = this.#offset(now);
    const jumpMs = offset === undefined || this.#wallOffset === undefined ? 0 : Math.abs(offset - this.#wallOffset);
    this.#wallOffset = offset;
    // A look waits for the store twice at most, once to read and once to write.
    const mostMs = Math.min(
      5 * settings.lookIntervalMs + 2 * settings.callTimeoutMs,
      SILENCE_SHARE * shortestSilenceMs(settings),
    );
    const reason = reasonOf({ pauseMs, mostMs, jumpMs });
    if (reason !== undefined) this.#startedAt = now;
    return reason;
  }

  #offset(now: number): number | undefined {
    const wallNow = this.#clock.wallNow?.();
    return wallNow === undefined ? undefined : wallNow - now;
  }
}

/** Whoever has not looked for as long as a host may be silent would take living ones for dead. */
function shortestSilenceMs({ detection }: StallSettings): number {
  const rules = Object.values(detection.judgement.rules).filter(({ kind }) => kind === 'silence');
  return Math.min(...rules.map(({ deadAfterMs }) => deadAfterMs));
}

function reasonOf({ pauseMs, mostMs, jumpMs }: Record<'pauseMs' | 'mostMs' | 'jumpMs', number>): string | undefined {
  if (pauseMs > mostMs) return `the last look was ${pauseMs} ms ago, it may be ${mostMs} at most`;
  if (jumpMs > WALL_CLOCK_PLAY_MS) return `the wall clock has jumped by ${jumpMs} ms`;
  return undefined;
}
