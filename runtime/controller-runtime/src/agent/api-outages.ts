import { isExpired } from '@smalt/kube';
import type { Logger } from '@smalt/service-runtime';

import type { Clock } from '../clock.ts';
import { describeApiFailure } from './api-failure.ts';
import { OutageLog } from './outage-log.ts';

/** What the failures of many requests tell about the API server, told once. */
export class ApiOutages {
  readonly #server: string;
  readonly #away: OutageLog;
  readonly #refused: OutageLog;
  #reason: string | undefined;

  constructor(server: string, logger: Logger, clock: Pick<Clock, 'monotonic'>) {
    this.#server = server;
    this.#away = new OutageLog(logger, clock);
    this.#refused = new OutageLog(logger, clock);
  }

  /** Why nothing, or not all, can be had from the API; undefined when no request failed since it was all well. */
  get reason(): string | undefined {
    return this.#reason;
  }

  fail(error: unknown): void {
    // To have missed something of a watch is no failure.
    if (isExpired(error)) return;
    const { isAway, key, text } = describeApiFailure(error, this.#server);
    this.#reason = text;
    (isAway ? this.#away : this.#refused).fail({ key, error, text });
  }

  /** Takes the status of each answer, or that there was none, as the API client tells it. */
  observe({ code }: { readonly code: string }): void {
    const status = Number(code);
    const isAnswered = Number.isFinite(status) && status < 500 && status !== 401 && status !== 429;
    if (!isAnswered) return;
    if (status < 300) this.#reason = undefined;
    this.#away.end(`the API server ${this.#server} answers again`);
  }
}
