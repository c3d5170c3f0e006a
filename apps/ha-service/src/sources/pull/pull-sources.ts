import type { SignalSource } from '@smalt/failure-detection';
import { messageOf, type Ignore, type Logger } from '@smalt/service-runtime';

import type { ServiceClock } from '../../ports/service-clock.ts';
import type { SourceReach, SourcesPort } from '../../ports/sources-port.ts';
import type { SignalStore } from '../../ports/telemetry-store.ts';
import { askEndpoint } from './ask-endpoint.ts';
import { EndpointReader } from './endpoint-reader.ts';
import { firstDelayMs } from './first-delay.ts';
import type { PullEndpoint } from './pull-settings.ts';

const LOOK_MS = 250;
const MOST_AT_A_TIME = 8;
/** Beside them, of those whose last answer was not good: they may hang, and must not keep the others from being asked. */
const MOST_IN_TROUBLE = 4;
/** How much later than it should an answer may come before its endpoint is out of reach. */
const SLACK_MS = 2_000;

export interface PullSourcesDeps {
  readonly endpoints: () => readonly PullEndpoint[];
  readonly signals: Pick<SignalStore, 'state'>;
  /** Whether there is such a host: what is said of others is not kept. */
  readonly isHost: (name: string) => boolean;
  readonly clock: ServiceClock;
  /** For values that say when they were read, where the endpoint does not tell what its clock says. */
  readonly wallNow: () => number;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly onPull?: (endpoint: string, isGood: boolean) => void;
  /** An endpoint is not asked any more. */
  readonly onGone?: (endpoint: string) => void;
}

interface EndpointState {
  readonly endpoint: PullEndpoint;
  readonly reader: EndpointReader;
  nextAt: number;
  isBusy: boolean;
  /** Since when every answer was good, and when the last one came. */
  goodSince: number | undefined;
  goodAt: number;
  trouble: string;
}

/** Asks endpoints what they know of hosts. One that does not answer, or not clearly, makes its sources blind, and nothing else. */
export class PullSources implements SourcesPort {
  readonly #deps: PullSourcesDeps;
  readonly #states = new Map<string, EndpointState>();
  readonly #running = new Set<Promise<void>>();
  #inTrouble = 0;

  constructor(deps: PullSourcesDeps) {
    this.#deps = deps;
  }

  reachOf(source: SignalSource): SourceReach {
    const telling = this.#deps.endpoints().filter(({ rules }) => rules.some((rule) => rule.source === source));
    if (telling.length === 0) return { kind: 'pushed' };
    const since = telling.map((endpoint) => this.#reachableSince(endpoint));
    const known = since.filter((each) => each !== undefined);
    return { kind: 'pulled', since: known.length === since.length ? Math.max(...known) : undefined };
  }

  /** Asks all of them again and again, as the settings say at that moment, until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    while (!signal.aborted) {
      this.#follow(clock.now());
      // Who waits longest comes first, or the last ones would never be asked while the first ones take all the time.
      const inTurn = [...this.#states.values()].toSorted((one, other) => one.nextAt - other.nextAt);
      for (const state of inTurn) this.#poll(state, signal);
      await clock.wait(LOOK_MS, signal).catch(() => undefined);
    }
    await Promise.allSettled(this.#running);
    for (const { endpoint } of this.#states.values()) this.#deps.onGone?.(endpoint.name);
    this.#states.clear();
  }

  #reachableSince(endpoint: PullEndpoint): number | undefined {
    const state = this.#states.get(keyOf(endpoint));
    if (state?.goodSince === undefined) return undefined;
    const { intervalMs, timeoutMs } = endpoint;
    const isLate = this.#deps.clock.now() - state.goodAt > intervalMs + timeoutMs + SLACK_MS;
    return isLate ? undefined : state.goodSince;
  }

  /** An endpoint whose settings have changed is a new one, which has to prove itself. */
  #follow(now: number): void {
    const wanted = new Map(this.#deps.endpoints().map((endpoint) => [keyOf(endpoint), endpoint]));
    for (const [key, { endpoint }] of this.#states) {
      if (wanted.has(key)) continue;
      this.#states.delete(key);
      this.#deps.onGone?.(endpoint.name);
    }
    for (const [key, endpoint] of wanted) {
      if (this.#states.has(key)) continue;
      const nextAt = now + firstDelayMs(endpoint);
      const reader = new EndpointReader(endpoint);
      this.#states.set(key, { endpoint, reader, nextAt, isBusy: false, goodSince: undefined, goodAt: 0, trouble: '' });
    }
  }

  #poll(state: EndpointState, signal: AbortSignal): void {
    const now = this.#deps.clock.now();
    const isInTrouble = state.trouble !== '';
    if (state.isBusy || now < state.nextAt || !this.#hasRoom(isInTrouble)) return;
    state.isBusy = true;
    this.#inTrouble += Number(isInTrouble);
    // The beat stays the same, but what was missed is not made up for.
    state.nextAt = Math.max(state.nextAt + state.endpoint.intervalMs, now + state.endpoint.intervalMs / 2);
    const running = this.#ask(state, signal).finally(() => {
      state.isBusy = false;
      this.#inTrouble -= Number(isInTrouble);
      this.#running.delete(running);
    });
    this.#running.add(running);
  }

  #hasRoom(isInTrouble: boolean): boolean {
    if (isInTrouble) return this.#inTrouble < MOST_IN_TROUBLE;
    return this.#running.size - this.#inTrouble < MOST_AT_A_TIME;
  }

  async #ask(state: EndpointState, signal: AbortSignal): Promise<void> {
    const { clock, wallNow, signals, isHost, onPull } = this.#deps;
    const { endpoint, reader } = state;
    try {
      const askedAt = clock.now();
      const answer = await askEndpoint(endpoint, signal);
      const cameAt = clock.now();
      const times = { askedAt, cameAt, endpointNow: answer.endpointNow ?? wallNow() };
      await signals.state(
        reader.samples(answer, times).filter(({ host }) => isHost(host)),
        signal,
      );
      state.goodSince ??= cameAt;
      state.goodAt = cameAt;
      this.#tell(state, '');
      onPull?.(endpoint.name, true);
    } catch (error) {
      if (signal.aborted) return;
      state.goodSince = undefined;
      this.#deps.ignore(error, 'an endpoint that is asked for signals does not answer as it has to');
      this.#tell(state, messageOf(error));
      onPull?.(endpoint.name, false);
    }
  }

  /** The same trouble is told once. */
  #tell(state: EndpointState, trouble: string): void {
    const { logger } = this.#deps;
    const endpoint = state.endpoint.name;
    if (trouble !== '' && state.trouble !== trouble) {
      logger.warn({ endpoint, trouble }, 'an endpoint cannot be asked; its sources are blind until it can');
    }
    if (trouble === '' && state.trouble !== '') logger.info({ endpoint }, 'an endpoint can be asked again');
    state.trouble = trouble;
  }
}

function keyOf(endpoint: PullEndpoint): string {
  return JSON.stringify(endpoint);
}
