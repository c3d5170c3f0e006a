import type { IncomingMessage, ServerResponse } from 'node:http';

import { telemetryLimits } from '@smalt/ha-telemetry';
import { RateLimit } from '@smalt/kubernetes-callers';
import { messageOf, type Logger } from '@smalt/service-runtime';
import { isStoreError } from '@smalt/store';

import type { ServiceClock } from '../../ports/service-clock.ts';
import type { TelemetryStore } from '../../ports/telemetry-store.ts';
import type { TelemetryEndpoint } from '../../start/telemetry-endpoint.ts';
import { acknowledge, refuse, type Answer, type Refusal } from './answer.ts';
import { Deadlines } from './deadlines.ts';
import { Intake } from './intake.ts';
import type { NodeIdentifier } from './node-identifier.ts';
import type { PushResult } from './push-result.ts';
import type { PushSettings } from './push-settings.ts';
import { readBatch } from './read-batch.ts';
import { readBody } from './read-body.ts';
import { sendAnswer } from './send-answer.ts';
import { nodeOfPath } from './telemetry-path.ts';

/** A record that is alone in its batch may be larger than a batch of many. */
const MOST_BYTES = telemetryLimits.recordBytes + telemetryLimits.batchBytes;
const STORE_MS = 20_000;
const AWAY_SECONDS = 5;
const WARN_EVERY_MS = 10_000;

export interface TelemetryPushDeps {
  readonly store: Pick<TelemetryStore, 'accept'>;
  readonly identifier: NodeIdentifier;
  readonly settings: () => PushSettings;
  readonly clock: Pick<ServiceClock, 'now'>;
  readonly logger: Logger;
  /** Counts what became of a batch. */
  readonly count: (result: PushResult) => void;
}

/** Takes what agents push: from a node that has proved to be the one it speaks for, each number once. */
export class TelemetryPush implements TelemetryEndpoint {
  readonly #deps: TelemetryPushDeps;
  readonly #limit: RateLimit;
  readonly #intake = new Intake();
  readonly #deadlines = new Deadlines(STORE_MS);
  #warnAfter = -Infinity;

  constructor(deps: TelemetryPushDeps) {
    this.#deps = deps;
    this.#limit = new RateLimit(deps.clock);
  }

  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const path = nodeOfPath(request.url ?? '');
    if (path === undefined) return false;
    const arrivedAt = this.#deps.clock.now();
    void this.#answer(request, response, { node: path.node, arrivedAt });
    return true;
  }

  async #answer(request: IncomingMessage, response: ServerResponse, arrival: Arrival): Promise<void> {
    try {
      const { answer, result } = await this.#serve(request, arrival);
      this.#deps.count(result);
      sendAnswer(request, response, answer);
    } catch (error) {
      this.#warn(error, 'a batch could not be answered');
      response.destroy();
    }
  }

  async #serve(request: IncomingMessage, arrival: Arrival): Promise<Served> {
    if (request.method !== 'POST') return refused('refused', { status: 405, error: 'telemetry is posted' });
    const stop = this.#deadlines.at(arrival.arrivedAt);
    try {
      const known = await this.#deps.identifier.identify(request, stop);
      return (
        this.#objection(known, arrival.node) ?? (await this.#admit(request, arrival.node ?? '', { arrival, stop }))
      );
    } catch (error) {
      if (request.destroyed && !request.complete) return broken();
      this.#warn(error, 'telemetry cannot be taken now; nodes send it again');
      return away(`it cannot be stored now (${messageOf(error)}): send it again`);
    }
  }

  #objection(known: readonly string[] | undefined, node: string | undefined): Served | undefined {
    if (known === undefined) {
      const error = 'the request shows no certificate or token of a node that is known here';
      return refused('unauthorized', { status: 401, error });
    }
    if (node === undefined || !known.includes(node)) {
      const own = encodeURIComponent(known[0] ?? '');
      const error = `${known.join(', ')} may not speak for another node: post to /api/v1/nodes/${own}/telemetry`;
      return refused('unauthorized', { status: 403, error });
    }
    const { requestsPerSecond, requestsPerSecondInAll } = this.#deps.settings();
    if (!this.#limit.take(node, requestsPerSecond)) {
      return tooMany(`${node} sends more than ${requestsPerSecond} batches in a second: send more records at a time`);
    }
    // No node has an empty name.
    if (!this.#limit.take('', requestsPerSecondInAll)) return tooMany('all nodes together send too many batches');
    return undefined;
  }

  /** Reads the body and stores it, if there is room for it. */
  async #admit(request: IncomingMessage, node: string, { arrival, stop }: Taking): Promise<Served> {
    const announced = Number(request.headers['content-length'] ?? MOST_BYTES);
    if (!(announced <= MOST_BYTES)) return tooLarge();
    const admission = this.#intake.admit(node, announced, this.#deps.settings().mostWaiting);
    if (admission === 'node-busy') return tooMany(`${node} sends several batches at a time: send one after the other`);
    if (admission === 'full') return away('too much waits for the store: send it again later');
    try {
      const body = await readBody(request, MOST_BYTES);
      if (body.kind === 'broken') return broken();
      return body.kind === 'too-large' ? tooLarge() : await this.#take(body.text, node, { arrival, stop });
    } finally {
      this.#intake.leave(node, announced);
    }
  }

  async #take(text: string, node: string, { arrival, stop }: Taking): Promise<Served> {
    const read = readBatch(text);
    if (read.kind === 'refused') return refused('refused', read.refusal);
    const { batch } = read;
    if (batch.node !== node) {
      return refused('unauthorized', { status: 403, error: `node must be ${node}, whose identity the request shows` });
    }
    try {
      const { acknowledged } = await this.#deps.store.accept({ batch, arrivedAt: arrival.arrivedAt }, stop);
      return { result: 'taken', answer: acknowledge(batch.epoch, acknowledged) };
    } catch (error) {
      // What can never be stored is refused for good, or the node would send it for ever.
      if (!isStoreError(error, 'invalid-value')) throw error;
      return refused('refused', { status: 422, error: messageOf(error), epoch: batch.epoch });
    }
  }

  /** Ten thousand nodes have the same trouble at once: it is told now and then. */
  #warn(error: unknown, message: string): void {
    const now = this.#deps.clock.now();
    if (now < this.#warnAfter) return;
    this.#warnAfter = now + WARN_EVERY_MS;
    this.#deps.logger.warn({ error }, message);
  }
}

interface Arrival {
  readonly node: string | undefined;
  readonly arrivedAt: number;
}

interface Taking {
  readonly arrival: Arrival;
  readonly stop: AbortSignal;
}

interface Served {
  readonly result: PushResult;
  readonly answer: Answer;
}

function refused(result: PushResult, refusal: Refusal): Served {
  return { result, answer: refuse(refusal) };
}

function away(error: string): Served {
  return refused('unavailable', { status: 503, error, retryAfterSeconds: AWAY_SECONDS });
}

function tooMany(error: string): Served {
  return refused('too-many', { status: 429, error, retryAfterSeconds: 1 });
}

function broken(): Served {
  return refused('broken', { status: 400, error: 'the request ended too soon' });
}

function tooLarge(): Served {
  return refused('too-large', { status: 413, error: `a batch has at most ${MOST_BYTES} bytes` });
}
