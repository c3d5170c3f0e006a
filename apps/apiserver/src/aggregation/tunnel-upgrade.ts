import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';

import { networkProblem } from '../admission/network-problem.ts';
import { badRequestError, serviceUnavailableError } from '../errors/make-status-error.ts';
import type { UpgradeCall } from '../http/upgrade-handler.ts';
import { withoutWebSocketToken } from '../identity/bearer-token.ts';
import { endToEndHeaders } from './proxy-request.ts';
import { relayAnswer } from './relay-answer.ts';
import { tlsOptions, type TlsTarget } from './tls-target.ts';

export interface TunneledRequest {
  /** With its query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly target: TlsTarget;
  /** How long the other server may take to be reached and to answer. */
  readonly answerTimeoutMs?: number;
}

const ANSWER_TIMEOUT_MS = 30_000;
const MAX_HEAD_BYTES = 64 * 1024;
const SWITCHING_PROTOCOLS = 101;
/**
 * A body would have to be passed on before the other server has agreed to anything, so none is announced. And a client
 * could name headers of ours as those of its connection, for a proxy on the way to take them out.
 */
const NOT_PASSED_ON: ReadonlySet<string> = new Set(['connection', 'content-length', 'expect', 'transfer-encoding']);

/** What the other server said: yes, and a connection that is ours now, or something else. */
type Answer =
  | { readonly kind: 'switched'; readonly response: IncomingMessage; readonly other: Duplex; readonly head: Buffer }
  | { readonly kind: 'answered'; readonly response: IncomingMessage };

/**
 * Passes a request that goes on in another protocol to another server. Only when that server has agreed to switch do
 * bytes pass both ways, until one side closes; any other answer goes to the client and is the end of both connections.
 */
export async function tunnelUpgrade(call: UpgradeCall, request: TunneledRequest): Promise<void> {
  const answer = await ask(call, request);
  const { response } = answer;
  if (answer.kind === 'answered') return relayAnswer(call, response, request.answerTimeoutMs ?? ANSWER_TIMEOUT_MS);
  call.started?.(SWITCHING_PROTOCOLS);
  call.socket.write(switchHead(response), 'latin1');
  if (answer.head.length > 0) call.socket.write(answer.head);
  // What the client sent ahead is for the other server only now that both speak another protocol than HTTP.
  if (call.head.length > 0) answer.other.write(call.head);
  await joined(call.socket, answer.other, call.signal);
}

function ask({ request: { method = 'GET' }, signal }: UpgradeCall, tunneled: TunneledRequest): Promise<Answer> {
  const { path, target, answerTimeoutMs = ANSWER_TIMEOUT_MS } = tunneled;
  const headers = checkedHeaders(tunneled.headers);
  const options = { ...tlsOptions(target), method, path, headers, agent: false, maxHeaderSize: MAX_HEAD_BYTES };
  return new Promise((resolve, reject) => {
    const request = httpsRequest(options);
    const giveUp = (): void => void request.destroy(new Error('context deadline exceeded'));
    const timer = setTimeout(giveUp, answerTimeoutMs);
    const settle = (answer: Answer): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(answer);
    };
    request.on('upgrade', (response, other, head) => settle({ kind: 'switched', response, other, head }));
    request.on('response', (response) => settle({ kind: 'answered', response }));
    request.on('error', (error) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      reject(serviceUnavailableError(`error trying to reach service: ${networkProblem(error, signal)}`));
    });
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    request.end();
  });
}

function checkedHeaders(given: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const kept = Object.entries(given).flatMap(([name, value]): [string, string | string[]][] => {
    if (value === undefined || NOT_PASSED_ON.has(name.toLowerCase())) return [];
    return [[name, Array.isArray(value) ? value.map((each) => checked(name, each)) : checked(name, String(value))]];
  });
  return { ...Object.fromEntries(kept), connection: 'Upgrade' };
}

// The name of a user can be whatever stands in a certificate; a line break in it would start a header of its own.
function checked(name: string, value: string): string {
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) throw badRequestError(`the header ${name} cannot be passed on`);
  return name.toLowerCase() === 'sec-websocket-protocol' ? withoutWebSocketToken(value) : value;
}

function switchHead({ headers, statusMessage = '' }: IncomingMessage): string {
  const { connection = 'Upgrade', upgrade = '' } = headers;
  const all = Object.entries({ ...endToEndHeaders(headers), connection, upgrade });
  const lines = all.flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${String(each)}`));
  return `HTTP/1.1 ${SWITCHING_PROTOCOLS} ${statusMessage}\r\n${lines.join('\r\n')}\r\n\r\n`;
}

function joined(socket: Duplex, other: Duplex, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const close = (): void => {
      signal.removeEventListener('abort', close);
      socket.destroy();
      other.destroy();
      resolve();
    };
    signal.addEventListener('abort', close, { once: true });
    // An error of a stream is always followed by its end, which is what counts here.
    other.on('error', close);
    socket.on('error', close);
    other.once('close', close);
    socket.once('close', close);
    socket.pipe(other);
    other.pipe(socket);
    if (signal.aborted || socket.destroyed || other.destroyed) close();
  });
}
