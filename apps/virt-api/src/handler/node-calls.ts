import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';

import { messageOf } from '@smalt/service-runtime';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { ObjectReader } from '../cluster/cluster-objects.ts';
import type { SubresourceAnswer } from '../subresources/subresource-answer.ts';
import { isRefusal, refusal, statusOf } from '../virt-api-error.ts';
import { findHandler } from './find-handler.ts';
import { readHandlerAnswer } from './handler-answer.ts';
import type { FindHandlerCredentials } from './handler-credentials.ts';
import { openHandlerRequest } from './handler-request.ts';
import { instanceTarget } from './handler-target.ts';
import { statusOfHandler } from './status-of-handler.ts';

/** What a node is asked to do with one of its instances. */
export interface NodeCall {
  readonly method: 'GET' | 'PUT';
  readonly subresource: string;
  readonly body?: Readonly<Record<string, string>> | undefined;
}

/** Asks the handlers of nodes. */
export interface NodeCalls {
  call(instance: VirtualMachineInstance, call: NodeCall, signal: AbortSignal): Promise<SubresourceAnswer>;
}

export interface HandlerCallsDeps {
  readonly reader: Pick<ObjectReader, 'node'>;
  readonly credentials: FindHandlerCredentials;
}

/** A handler that is silent for so long counts as away. */
const ANSWER_MS = 10_000;

/** Asks handlers over HTTPS, where their nodes say that they listen. */
export class HandlerCalls implements NodeCalls {
  readonly #deps: HandlerCallsDeps;

  constructor(deps: HandlerCallsDeps) {
    this.#deps = deps;
  }

  async call(instance: VirtualMachineInstance, call: NodeCall, given: AbortSignal): Promise<SubresourceAnswer> {
    const target = instanceTarget(instance);
    const address = await findHandler(this.#deps.reader, target, given);
    const body = call.body === undefined ? '' : JSON.stringify(call.body);
    const sized = call.method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const headers = { accept: 'application/json', 'content-type': 'application/json', ...sized };
    const credentials = await this.#deps.credentials(address.nodeName, given);
    const request = openHandlerRequest(address, credentials, target, { ...call, headers });
    const timeout = AbortSignal.timeout(ANSWER_MS);
    try {
      return await answerTo(request.end(body), AbortSignal.any([given, timeout]));
    } catch (error) {
      given.throwIfAborted();
      if (isRefusal(error)) throw error;
      const why = timeout.aborted ? `it was silent for ${ANSWER_MS / 1_000} s` : messageOf(error);
      const message = `Unable to connect to virt-handler on ${address.nodeName}: ${why}: try again`;
      throw refusal(statusOf(503, message), { cause: error });
    } finally {
      request.destroy();
    }
  }
}

async function answerTo(request: ClientRequest, signal: AbortSignal): Promise<SubresourceAnswer> {
  const [response]: IncomingMessage[] = await once(request, 'response', { signal });
  if (response === undefined) throw new Error('there was no answer');
  const answer = await readHandlerAnswer(response, signal);
  if (answer.code >= 400) throw refusal(statusOfHandler(answer));
  return answer.body === undefined ? { code: answer.code } : { code: answer.code, body: answer.body };
}
