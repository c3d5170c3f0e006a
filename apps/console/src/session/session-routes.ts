import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ConsoleContext } from '../console-context.ts';
import { ConsoleError, isConsoleError } from '../console-error.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { sendJson } from '../http/send-json.ts';
import { DATA_HEADERS } from '../http/security-headers.ts';
import { readToken } from './read-token.ts';
import { reviewUser, type ReviewedUser } from './reviewed-user.ts';
import { endedCookie } from './session-cookie.ts';
import type { Session } from './session.ts';

const MOST_BODY_BYTES = 16_384;
const REVIEW_MS = 10_000;

/** A request about who somebody is. */
export interface SessionCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** With the question mark. */
  readonly search: string;
  /** Whether the browser reaches us by TLS. */
  readonly isSecure: boolean;
}

/** `GET /enter?code=CODE`: a one-time link. */
export async function enter(context: ConsoleContext, call: SessionCall): Promise<void> {
  const { request, response, search, isSecure } = call;
  // A look ahead at a link, as chat programs take one, must not use it up.
  if (request.method === 'HEAD') return void response.writeHead(204, DATA_HEADERS).end();
  requireMethod(request, 'GET');
  const code = new URLSearchParams(search).get('code') ?? '';
  const { cookie } = await attempt(context, request, async () => {
    const token = context.sessions.entries.take(code);
    if (token === undefined) {
      const next = 'ask for a new one: smalt open';
      throw new ConsoleError('signed-out', `this link was used, is older than 15 minutes, or never was: ${next}`);
    }
    await review(context, token);
    return context.sessions.begin(token, isSecure);
  });
  response.writeHead(303, { ...DATA_HEADERS, location: '/', 'set-cookie': cookie }).end();
}

/** `POST /session` signs in, `GET` tells who is, `DELETE` signs out. */
export async function serveSession(context: ConsoleContext, call: SessionCall): Promise<void> {
  const { request } = call;
  requireMethod(request, 'GET', 'POST', 'DELETE');
  if (request.method === 'POST') return await signIn(context, call);
  if (request.method === 'DELETE') return await signOut(context, call);
  const session = context.sessions.require(request);
  sendSession(context, call, { session, user: await review(context, session.token) });
}

async function signIn(context: ConsoleContext, call: SessionCall): Promise<void> {
  const { request, isSecure } = call;
  const { begun, user } = await attempt(context, request, async () => {
    const token = readToken(await readJsonBody(request, MOST_BODY_BYTES));
    const reviewed = await review(context, token);
    return { user: reviewed, begun: context.sessions.begin(token, isSecure) };
  });
  context.logger.info({ user: user.name, address: request.socket.remoteAddress }, 'a user has signed in');
  sendSession(context, call, { session: begun.session, user, cookie: begun.cookie });
}

async function signOut(context: ConsoleContext, { request, response, isSecure }: SessionCall): Promise<void> {
  const ended = { ...DATA_HEADERS, 'set-cookie': endedCookie(isSecure) };
  try {
    await context.sessions.end(context.sessions.require(request));
  } catch (error) {
    // Who is not signed in has what they want.
    if (!isConsoleError(error, 'signed-out')) throw error;
  }
  response.writeHead(204, ended).end();
}

interface SignedIn {
  readonly session: Session;
  readonly user: ReviewedUser;
  readonly cookie?: string;
}

function sendSession(context: ConsoleContext, { response }: SessionCall, { session, user, cookie }: SignedIn): void {
  const value = {
    user,
    expiresAt: new Date(session.expiresAt).toISOString(),
    hasHighAvailability: context.highAvailability !== undefined,
  };
  sendJson(response, 200, value, cookie === undefined ? {} : { 'set-cookie': cookie });
}

async function review({ apiServer, stopping }: ConsoleContext, token: string): Promise<ReviewedUser> {
  return await reviewUser(apiServer, token, AbortSignal.any([stopping, AbortSignal.timeout(REVIEW_MS)]));
}

/** Tries to sign in, unless the address has failed too often; only failures count. */
async function attempt<T>(
  { signIns, metrics, limits }: ConsoleContext,
  { socket }: IncomingMessage,
  run: () => Promise<T>,
): Promise<T> {
  const address = socket.remoteAddress ?? '';
  if (!signIns.take(address)) {
    metrics.signIns.cell(['too-many']).add();
    const message = `more than ${limits.signInsPerMinute} failed attempts to sign in a minute: wait a moment`;
    throw new ConsoleError('too-many-requests', message);
  }
  try {
    const result = await run();
    metrics.signIns.cell(['good']).add();
    signIns.giveBack(address);
    return result;
  } catch (error) {
    metrics.signIns.cell(['failed']).add();
    // An API server that is away says nothing of who asks.
    if (isConsoleError(error, 'unavailable')) signIns.giveBack(address);
    throw error;
  }
}

function requireMethod({ method = '' }: IncomingMessage, ...allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  throw new ConsoleError('wrong-method', `${method} is not for this path: use ${allowed.join(', ')}`);
}
