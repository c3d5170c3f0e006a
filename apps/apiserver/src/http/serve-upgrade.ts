import type { Logger } from '@smalt/service-runtime';

import { badRequestError, internalServerError, tooManyRequestsError } from '../errors/make-status-error.ts';
import { isStatusError } from '../errors/status-error.ts';
import type { ApiHandlerSteps, NotedRequest, Outcome } from './api-steps.ts';
import { auditIdOf } from './audit-id.ts';
import { parseRequestInfo, type RequestInfo } from './request-info.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { refuseUpgrade, type UpgradeCall } from './upgrade-handler.ts';

export interface UpgradeServing {
  readonly steps: ApiHandlerSteps;
  readonly metrics: RequestMetrics;
  readonly log: Logger;
  readonly isStopping: boolean;
}

/** A request to go on in another protocol, of which nothing is known yet. */
export type UnknownUpgrade = Omit<UpgradeCall, 'info' | 'user' | 'started'>;

const SWITCHING_PROTOCOLS = 101;
const RETRY_AFTER_SECONDS = 5;
const POD_STREAMS: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward']);

/** Takes a request to go on in another protocol through all the steps, until its connection has ended. */
export async function serveUpgrade(serving: UpgradeServing, call: UnknownUpgrade): Promise<void> {
  const { request, socket } = call;
  const info = parseRequestInfo(request.method ?? 'GET', request.url ?? '/');
  if (info === undefined) {
    return refuseUpgrade(socket, badRequestError('the path of the request cannot be read').status);
  }
  const { steps, metrics } = serving;
  const startedAt = performance.now();
  const run = new UpgradeRun(serving, call, info);
  const outcome = await run.serve();
  const durationSeconds = (performance.now() - startedAt) / 1000;
  const isKnown = info.isResourceRequest && steps.isKnown(info);
  metrics.count({ info: { ...info, verb: 'connect' }, isKnown, code: run.code, durationSeconds });
  steps.finished(run.noted, outcome);
}

class UpgradeRun {
  code: number = SWITCHING_PROTOCOLS;
  readonly noted: NotedRequest;
  readonly #serving: UpgradeServing;
  readonly #call: UnknownUpgrade;
  readonly #info: RequestInfo;
  #isAnswered = false;
  #outcome: Outcome = {
    requester: undefined,
    receivedAt: Date.now(),
    decision: undefined,
    failure: undefined,
    isPanic: false,
  };

  constructor(serving: UpgradeServing, call: UnknownUpgrade, info: RequestInfo) {
    this.#serving = serving;
    this.#call = call;
    this.#info = info;
    const { request } = call;
    const codeNow = (): number => this.code;
    this.noted = {
      info,
      auditId: auditIdOf(request.headers),
      exchange: {
        url: request.url ?? '/',
        request,
        get code() {
          return codeNow();
        },
        header: (name) => [request.headers[name]].flat()[0],
      },
    };
  }

  async serve(): Promise<Outcome> {
    const { steps, isStopping } = this.#serving;
    try {
      if (isStopping) throw stopping();
      const requester = steps.authenticate(this.#call.request);
      this.#outcome = { ...this.#outcome, requester };
      for (const asked of rightsFor(this.#info)) {
        const decision = steps.authorize(requester.actingAs, asked);
        this.#outcome = { ...this.#outcome, decision };
        if (!decision.allowed) throw steps.forbid(requester.actingAs, asked, decision);
      }
      const started = (code: number): void => this.#start(code);
      await steps.upgrade({ ...this.#call, info: this.#info, user: requester.actingAs, started });
      return this.#outcome;
    } catch (error) {
      return this.#fail(error);
    }
  }

  #start(code: number): void {
    this.code = code;
    this.#isAnswered = true;
    this.#serving.steps.started(this.noted, this.#outcome);
  }

  #fail(error: unknown): Outcome {
    const isPanic = !isStatusError(error);
    if (isPanic) this.#serving.log.error({ error, path: this.#info.path }, 'an upgraded request failed');
    const { status } = isPanic ? internalServerError('the stream failed') : error;
    if (this.#isAnswered) this.#call.socket.destroy();
    else {
      this.code = status.code ?? 500;
      refuseUpgrade(this.#call.socket, status);
    }
    return { ...this.#outcome, failure: status, isPanic };
  }
}

/** What the sender must be allowed to do. */
function rightsFor(info: RequestInfo): readonly RequestInfo[] {
  const { group, plural, subresource, verb } = info;
  const isPodStream = group === '' && plural === 'pods' && POD_STREAMS.has(subresource);
  // A WebSocket starts with GET, yet to run something in a pod is more than to read it.
  return isPodStream && verb !== 'create' ? [info, { ...info, verb: 'create' }] : [info];
}

function stopping(): Error {
  return tooManyRequestsError('The apiserver is shutting down, please try again later.', RETRY_AFTER_SECONDS);
}
