import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';

import { bearerToken } from '@smalt/kubernetes-callers';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { HaServiceError } from '../../ha-service-error.ts';
import { readBody } from '../../sources/push/read-body.ts';
import type { ApiContext } from '../api-context.ts';
import { callLeader, LeaderCallError } from './call-leader.ts';
import { decideAnswerer, type Answerer } from './decide-answerer.ts';

/** Says that a request comes from another replica, and from which. */
const PASSED_ON = 'smalt-passed-on';
/** Says that the lead was lost before the request was looked at. */
const NOT_LEADING = 'smalt-not-leading';
const PASSED_HEADERS = ['authorization', 'impersonate-user', 'impersonate-group', 'content-type', 'accept'];
/** Of this connection, and of no other. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding']);
/** For so long, and so far apart: a leader that stops in good order is followed by another one within this time. */
const REACH_MS = 3_000;
const PAUSE_MS = 500;
/** Streams say something every 15 s: one that is silent for so long comes from a leader that stands still. */
const SILENT_MS = 45_000;

export interface PassedRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly mostBodyBytes: number;
}

/** Who answers a request, as things are now. */
export function answererOf({ replica, settings }: ApiContext, { headers }: FastifyRequest): Answerer {
  const { isLeading, leader } = replica();
  return decideAnswerer({
    isLeading,
    leader,
    asksLeader: settings().api.asksLeader,
    isPassedOn: headers[PASSED_ON] !== undefined,
    hasToken: bearerToken(headers.authorization) !== undefined,
  });
}

/** Refuses a request that was passed on to one that does not lead: whoever passed it on may ask the next. */
export function refusePassedOn(reply: FastifyReply, why: string): never {
  reply.header(NOT_LEADING, '1');
  throw new HaServiceError('unavailable', why);
}

/**
 * Has the leader answer, with what the caller shows. A leader that is gone is waited for a moment, where nothing was sent or
 * nothing is changed by asking twice. False when it is not reached and nothing is to be changed: then this replica answers as
 * well as it can. Rejects with `unavailable` when there is no answer otherwise.
 */
export async function passOn(context: ApiContext, passed: PassedRequest, signal: AbortSignal): Promise<boolean> {
  const { request, reply } = passed;
  const over = new AbortController();
  reply.raw.once('close', () => over.abort(new Error('the caller has gone')));
  const until = AbortSignal.any([signal, over.signal]);
  const late = (): void => over.abort(request.until.reason);
  request.until.addEventListener('abort', late, { once: true });
  const answer = await askLeader(context, passed, until);
  if (answer === undefined) return false;
  const isStream = answer.headers['content-type'] === 'text/event-stream';
  // A stream has no end, so it has no time to end within.
  if (isStream) request.until.removeEventListener('abort', late);
  if (isStream) answer.setTimeout(SILENT_MS, () => over.abort(new Error('the leader stands still')));
  reply.hijack();
  reply.raw.writeHead(answer.statusCode ?? 502, answerHeaders(answer.headers));
  reply.raw.flushHeaders();
  if (isStream) reply.raw.socket?.setTimeout(0);
  try {
    await pipeline(answer, reply.raw, { signal: until });
  } catch (error) {
    context.ignore(error, 'what was passed on ended before its end');
    reply.raw.destroy();
  }
  return true;
}

/** undefined when the leader is not reached, and the request is one that this replica can answer too. */
async function askLeader(
  context: ApiContext,
  { request, mostBodyBytes }: PassedRequest,
  signal: AbortSignal,
): Promise<IncomingMessage | undefined> {
  const { method, raw, url: path } = request;
  const { clock, ignore, settings, certificates } = context;
  const isRead = method === 'GET' || method === 'HEAD';
  const body = isRead ? undefined : await bodyOf(raw, mostBodyBytes);
  const asked = { method, path, headers: passedHeaders(raw, context.replica().identity, body), body };
  const giveUpAt = clock.now() + Math.min(REACH_MS, settings().api.timeoutMs / 2);
  let problem: unknown;
  let refusal: IncomingMessage | undefined;
  while (clock.now() < giveUpAt) {
    const answerer = answererOf(context, request);
    if (answerer.kind !== 'leader') break;
    try {
      const reachWithinMs = Math.ceil(giveUpAt - clock.now());
      const call = { ...asked, url: answerer.url, certificates: certificates(), reachWithinMs };
      const answer = await callLeader(call, signal);
      refusal?.resume();
      if (answer.headers[NOT_LEADING] === undefined) return answer;
      refusal = answer;
    } catch (error) {
      problem = error;
      const next = afterFailure(error, { answerer, isRead, isLate: request.until.aborted });
      if (next instanceof HaServiceError) throw next;
      signal.throwIfAborted();
      if (next === 'here') break;
    }
    await clock.wait(PAUSE_MS, signal);
  }
  if (!isRead && refusal === undefined) throw noAnswer(answererOf(context, request), problem);
  if (!isRead) return refusal;
  refusal?.resume();
  ignore(problem, 'the replica that leads does not answer, so one that follows does');
  return undefined;
}

interface FailedCall {
  readonly answerer: Extract<Answerer, { kind: 'leader' }>;
  readonly isRead: boolean;
  /** Whether the time of the request is over. */
  readonly isLate: boolean;
}

/** What follows when a leader has not answered: it is asked again, this replica answers, or the caller hears why nobody does. */
function afterFailure(error: unknown, { answerer, isRead, isLate }: FailedCall): 'again' | 'here' | HaServiceError {
  const failure = error instanceof LeaderCallError ? error.failure : 'unanswered';
  // First, however it ended: it may have been done.
  if (failure === 'unanswered' && !isRead) return unknownOutcome(answerer, error);
  if (isLate) return noAnswer(answerer, error);
  if (failure !== 'stranger') return 'again';
  return isRead ? 'here' : notShown(answerer, error);
}

function noAnswer(answerer: Answerer, cause: unknown): HaServiceError {
  const who = answerer.kind === 'leader' ? nameOf(answerer) : 'the replica that led';
  return new HaServiceError('unavailable', `${who} does not answer: ask again in a moment`, { cause });
}

function notShown(answerer: FailedCall['answerer'], cause: unknown): HaServiceError {
  const message = `${nameOf(answerer)} does not show the certificate of this one, so it is not shown your token: ask it by itself, or give all replicas one certificate`;
  return new HaServiceError('unavailable', message, { cause });
}

function nameOf({ identity, url }: FailedCall['answerer']): string {
  return `the replica that leads, ${identity} at ${url},`;
}

function unknownOutcome({ identity }: FailedCall['answerer'], cause: unknown): HaServiceError {
  const message = `the replica that leads, ${identity}, was told, and has not answered: see whether it was done before you ask again`;
  return new HaServiceError('unavailable', message, { cause });
}

async function bodyOf(raw: IncomingMessage, mostBytes: number): Promise<string> {
  const body = await readBody(raw, mostBytes);
  if (body.kind === 'read') return body.text;
  const what = body.kind === 'too-large' ? `the body has more than ${mostBytes} bytes: say less` : 'the body broke off';
  throw new HaServiceError('invalid-request', what);
}

function passedHeaders(raw: IncomingMessage, identity: string, body: string | undefined): OutgoingHttpHeaders {
  const shown = PASSED_HEADERS.flatMap((name) => {
    const values = raw.headersDistinct[name];
    return values === undefined ? [] : [[name, values] as const];
  });
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return { ...Object.fromEntries(shown), ...length, [PASSED_ON]: identity };
}

function answerHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)));
}
