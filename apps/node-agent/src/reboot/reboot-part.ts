import { systemClock, type Clock, type AgentPart, WakeUp } from '@smalt/controller-runtime';
import type { Systemd } from '@smalt/systemd';

import type { AgentContext } from '../agent-context.ts';
import { rebootCondition, type RebootState } from './evacuation-condition.ts';
import type { HostEvacuation } from './host-evacuation.ts';
import { guardShutdowns } from './shutdown-guard.ts';

const NAME = 'reboot';
const LIMIT_MS = 1_800_000;
const RETRY_MS = 10_000;
const WITHDRAW_RETRY_MS = 5_000;

export interface RebootSettings {
  /** Nothing where there is no D-Bus. */
  readonly systemd: Pick<Systemd, 'watchShutdown' | 'delayShutdown' | 'shutdownDelayLimitMs'> | undefined;
  readonly evacuation: Pick<HostEvacuation, 'evacuate' | 'withdraw'>;
  /** How long a shutdown is held back at most, 30 minutes unless told; not longer than logind allows. */
  readonly limitMs?: number | undefined;
  /** How long to wait before logind is asked again. */
  readonly retryMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

type RebootSystemd = NonNullable<RebootSettings['systemd']>;

type RebootContext = Pick<AgentContext, 'nodeName' | 'hypervisor' | 'board' | 'logger' | 'ignore'>;

/** Holds a reboot of the host back until its guests have moved away, while the Hypervisor wants that. */
export function createRebootPart(context: RebootContext, settings: RebootSettings): AgentPart {
  return { name: NAME, run: (signal) => new RebootWatch(context, settings).run(signal) };
}

class RebootWatch {
  readonly #context: RebootContext;
  readonly #settings: RebootSettings;
  readonly #clock: Clock;
  readonly #changed: WakeUp;
  /** Fires when the Hypervisor wants something else than when it was made. */
  #wish = new AbortController();
  #why: string | undefined;

  constructor(context: RebootContext, settings: RebootSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#clock = settings.clock ?? systemClock;
    this.#changed = new WakeUp(this.#clock);
  }

  async run(signal: AbortSignal): Promise<void> {
    let wish = this.#isWanted();
    const stop = this.#context.hypervisor.onChange(() => {
      if (this.#isWanted() === wish) return;
      wish = this.#isWanted();
      this.#wish.abort();
      this.#changed.ring();
    });
    try {
      while (!signal.aborted) {
        this.#wish = new AbortController();
        const wanted = this.#wish;
        await this.#pass(AbortSignal.any([signal, wanted.signal]));
        // What it began must not go on beside the next.
        wanted.abort();
      }
    } finally {
      stop();
    }
  }

  /** Does what is wanted until that changes. */
  async #pass(signal: AbortSignal): Promise<void> {
    const { systemd, retryMs = RETRY_MS } = this.#settings;
    const isWanted = this.#isWanted();
    if (isWanted === undefined) return await this.#changed.wait(Infinity, signal);
    if (!isWanted) {
      this.#tell({ kind: 'off' });
      void this.#withdraw(signal);
      return await this.#changed.wait(Infinity, signal);
    }
    if (systemd === undefined) {
      this.#unavailable('there is no D-Bus to ask logind by');
      return await this.#changed.wait(Infinity, signal);
    }
    try {
      await this.#guard(systemd, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#unavailable(error instanceof Error ? error.message : String(error));
      await this.#changed.wait(retryMs, signal);
    }
  }

  async #guard(systemd: RebootSystemd, signal: AbortSignal): Promise<void> {
    const { evacuation, limitMs = LIMIT_MS } = this.#settings;
    await guardShutdowns(
      {
        nodeName: this.#context.nodeName,
        systemd,
        readLimitMs: (until) => this.#readLimitMs(systemd, until),
        evacuate: (allowedMs = limitMs, until) => evacuation.evacuate(Math.min(limitMs, allowedMs), until),
        withdraw: () => void this.#withdraw(signal),
        tell: (state) => this.#tell(state),
      },
      signal,
    );
  }

  async #readLimitMs(systemd: RebootSystemd, signal: AbortSignal): Promise<number | undefined> {
    try {
      return await systemd.shutdownDelayLimitMs(signal);
    } catch (error) {
      if (!signal.aborted) this.#context.ignore(error, 'the limit of our own counts');
      return undefined;
    }
  }

  /** Tries until it is done: an Eviction that nobody needs any more would empty a host that stays. */
  async #withdraw(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        return await this.#settings.evacuation.withdraw(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#context.ignore(error, 'the Eviction is withdrawn later');
        await this.#clock.wait(WITHDRAW_RETRY_MS, signal).catch(() => undefined);
      }
    }
  }

  #unavailable(why: string): void {
    if (this.#why !== why) this.#context.logger.warn({ step: NAME, why }, 'a reboot cannot be held back');
    this.#tell({ kind: 'unavailable', why });
    this.#why = why;
  }

  #tell(state: RebootState): void {
    if (state.kind !== 'unavailable') this.#why = undefined;
    this.#context.board.state(NAME, { conditions: [rebootCondition(state)] });
  }

  /** Nothing while there is no Hypervisor, or none that is known. */
  #isWanted(): boolean | undefined {
    const { current } = this.#context.hypervisor;
    return current && current.spec?.evacuateOnReboot === true;
  }
}
