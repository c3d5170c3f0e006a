import type { JsonObject } from '@smalt/json';

import { BmcError } from '../bmc-error.ts';
import type { RedfishConnection } from './redfish-connection.ts';
import { linkAt, objectAt, textAt } from './redfish-document.ts';

/** How long a session may take to be closed, and one that is being opened when the caller gives up to be there. */
const CLOSING_MS = 5000;

export interface SessionOptions {
  readonly user: string;
  readonly password: string;
  readonly ignore: (error: unknown, why: string) => void;
}

/**
 * Opens a session and makes the connection use it; disposing of it closes it. A session that comes too late is still
 * taken, so that it can be closed: controllers have few, and keep forgotten ones for half an hour.
 */
export async function openSession(
  connection: RedfishConnection,
  root: JsonObject,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<AsyncDisposable> {
  const link = linkAt(objectAt(root, 'Links'), 'Sessions') ?? '/redfish/v1/SessionService/Sessions';
  signal.throwIfAborted();
  const body = { UserName: options.user, Password: options.password };
  const patience = longerThan(signal);
  const path = connection.pathOf(link);
  const answer = await connection.request({ method: 'POST', path, body }, patience);
  const location = answer.location ?? textAt(answer.document, '@odata.id');
  if (answer.token === undefined || location === undefined) {
    const missing = answer.token === undefined ? 'X-Auth-Token' : 'Location';
    const next = 'set authentication to basic';
    throw new BmcError('bad-answer', `POST ${path}: the session came without ${missing}: ${next}`);
  }
  connection.authorize('x-auth-token', answer.token);
  return {
    [Symbol.asyncDispose]: () => closeSession(connection, connection.pathOf(location), options.ignore),
  };
}

async function closeSession(
  connection: RedfishConnection,
  path: string,
  ignore: SessionOptions['ignore'],
): Promise<void> {
  try {
    await connection.request({ method: 'DELETE', path }, AbortSignal.timeout(CLOSING_MS));
  } catch (error) {
    // The answer to the call is there and right; the controller ends idle sessions by itself.
    ignore(error, 'a Redfish session could not be closed');
  }
}

/** A signal that fires some time after the other. */
function longerThan(signal: AbortSignal): AbortSignal {
  const later = new AbortController();
  const onAbort = (): void => void setTimeout(() => later.abort(signal.reason), CLOSING_MS).unref();
  signal.addEventListener('abort', onAbort, { once: true });
  return later.signal;
}
