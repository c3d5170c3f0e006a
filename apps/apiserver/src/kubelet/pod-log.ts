import { request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';

import { networkProblem } from '../admission/network-problem.ts';
import { tlsOptions, type TlsTarget } from '../aggregation/tls-target.ts';
import { badRequestError, internalServerError, plainMethodNotAllowedError } from '../errors/make-status-error.ts';
import { StatusError, type StatusReason } from '../errors/status-error.ts';
import type { Exchange } from '../http/exchange.ts';
import { isTrue } from '../http/request-info.ts';
import type { HandlerAnswer, ResourceCall } from '../http/resource-handler.ts';
import { objectAt, textAt } from '../identity/object-fields.ts';
import type { KubeletAccess } from './kubelet-access.ts';
import { logQuery } from './log-query.ts';
import { chooseContainer } from './pod-container.ts';

const TEXT = 'text/plain';
const MAX_ERROR_BYTES = 10_000;
const REASONS: ReadonlyMap<number, StatusReason> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [503, 'ServiceUnavailable'],
]);

/** Serves the log of a container as the agent of its node gives it, as it comes. */
export async function serveLog(access: KubeletAccess, call: ResourceCall): Promise<HandlerAnswer> {
  const { info, exchange } = call;
  const { namespace, name, query } = info;
  if (info.verb !== 'get') throw plainMethodNotAllowedError();
  const wanted = logQuery(query, name);
  const pod = access.pod(namespace, name);
  const container = chooseContainer(pod, query.get('container') ?? '');
  // A pod that was given to no node has said nothing yet.
  if (textAt(objectAt(pod, 'spec'), 'nodeName') === '') {
    exchange.sendEmpty(204);
    return undefined;
  }
  const target = access.target(access.nodeOf(pod), isTrue(query.get('insecureSkipTLSVerifyBackend')));
  const path = `/containerLogs/${namespace}/${name}/${container}${wanted.size === 0 ? '' : `?${wanted.toString()}`}`;
  const response = await ask(exchange, target, path);
  const code = response.statusCode ?? 0;
  if (code < 200 || code >= 300) throw refusal(code, await readText(response));
  exchange.begin(200, { 'Content-Type': TEXT });
  const { response: own } = exchange;
  if ('flushHeaders' in own && typeof own.flushHeaders === 'function') own.flushHeaders();
  try {
    await pipeline(response, own, { signal: exchange.signal });
  } catch (error) {
    // The head is out, so all that is left to tell the client is that the log ends here.
    own.destroy(exchange.signal.aborted || !(error instanceof Error) ? undefined : error);
  }
  return undefined;
}

function ask({ signal }: Exchange, target: TlsTarget, path: string): Promise<IncomingMessage> {
  const host = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  return new Promise((resolve, reject) => {
    const request = httpsRequest({ ...tlsOptions(target), path, headers: { host }, signal, agent: false }, resolve);
    request.on('error', (error) => {
      if (signal.aborted) return reject(error);
      reject(internalServerError(`Get "https://${host}${path}": ${networkProblem(error, signal)}`, { cause: error }));
    });
    request.end();
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > MAX_ERROR_BYTES) break;
  }
  return text.slice(0, MAX_ERROR_BYTES).trim();
}

function refusal(code: number, text: string): StatusError {
  if (code === 400) return badRequestError(text);
  const reason = REASONS.get(code);
  if (reason !== undefined) return new StatusError({ code, reason, message: text });
  return internalServerError(text === '' ? `the kubelet answered with ${code}` : text);
}
