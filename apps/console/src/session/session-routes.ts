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
import type { BegunSession } from './sessions.ts';

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
  const { begun, user } = await attempt(context, request, async (show) => {
    show(code);
    const reviewed = await redeem(context, code);
    return { user: reviewed.user, begun: begin(context, reviewed, isSecure) };
  });
  tellSignIn(context, request, user);
  response.writeHead(303, { ...DATA_HEADERS, location: '/', 'set-cookie': begun.cookie }).end();
}

async function redeem(context: ConsoleContext, code: string): Promise<{ token: string; user: ReviewedUser }> {
  const entry = context.sessions.entries.take(code);
  if (entry === undefined) {
    const next = 'ask for a new one: smalt open';
    throw new ConsoleError('signed-out', `this link was used, is older than 15 minutes, or never was: ${next}`);
  }
  try {
    return { token: entry.token, user: await review(context, entry.token) };
  } catch (error) {
    // "Try again" has to be true of a link, too.
    if (!isConsoleError(error, 'signed-out')) entry.putBack();
    throw error;
  }
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
  const { begun, user } = await attempt(context, request, async (show) => {
    const token = readToken(await readJsonBody(request, MOST_BODY_BYTES));
    show(token);
    const reviewed = await review(context, token);
    return { user: reviewed, begun: begin(context, { token, user: reviewed }, isSecure) };
  });
  tellSignIn(context, request, user);
  sendSession(context, call, { session: begun.session, user, cookie: begun.cookie });
}

/** Each session may be signed out of, and that has to be kept: nobody may have so many that there is no room for others. */
function begin(
  { sessions, begun, limits }: ConsoleContext,
  { token, user }: { readonly token: string; readonly user: ReviewedUser },
  isSecure: boolean,
): BegunSession {
  if (begun.take(user.name)) return sessions.begin(token, isSecure);
  const message = `${user.name} has begun ${limits.sessionsOfUser} sessions in 12 hours: use one of them, or wait`;
  throw new ConsoleError('too-many-requests', message);
}

function tellSignIn({ logger, proxies }: ConsoleContext, request: IncomingMessage, { name }: ReviewedUser): void {
  logger.info({ user: name, address: proxies.addressOf(request) }, 'a user has signed in');
}

async function signOut(context: ConsoleContext, { request, response, isSecure }: SessionCall): Promise<void> {
  // Who is not signed in has what they want. Whether others know of it already makes no difference.
  const session = context.sessions.find(request);
  // Also where it cannot be written down: this browser at least is signed out.
  response.setHeader('set-cookie', endedCookie(isSecure));
  if (session !== undefined) await context.sessions.end(session);
  response.writeHead(204, DATA_HEADERS).end();
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

/** Tries to sign in, after a while where that has failed too often; only failures count. `run` says what is shown. */
async function attempt<T>(
  { signIns, metrics, stopping, proxies }: ConsoleContext,
  request: IncomingMessage,
  run: (show: (secret: string) => void) => Promise<T>,
): Promise<T> {
  try {
    const tried = await signIns.begin(proxies.addressOf(request), stopping);
    const result = await run((secret) => tried.show(secret)).catch((error: unknown) => {
      // An API server that is away says nothing of who asks.
      if (isConsoleError(error, 'unavailable')) tried.forgive();
      throw error;
    });
    tried.forgive();
    metrics.signIns.cell(['good']).add();
    return result;
  } catch (error) {
    metrics.signIns.cell([isConsoleError(error, 'too-many-requests') ? 'too-many' : 'failed']).add();
    throw error;
  }
}

function requireMethod({ method = '' }: IncomingMessage, ...allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  throw new ConsoleError('wrong-method', `${method} is not for this path: use ${allowed.join(', ')}`);
}
