import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

import { messageOf } from '@smalt/service-runtime';

import type { ConsoleContext } from '../console-context.ts';
import { ConsoleError, isConsoleError } from '../console-error.ts';
import type { Session } from '../session/session.ts';
import type { OpenChanges } from './follow-high-availability.ts';

/** The HA service says something every 15 s. */
const SILENCE_MS = 45_000;
/** Where the HA service tells of changes. */
export const CHANGES_PATH = '/api/v1/changes';

/** How the HA service's stream of changes is opened for a session; undefined where there is no HA service. */
export function openChanges(context: ConsoleContext, session: Session): OpenChanges | undefined {
  const { highAvailability, users, changes } = context;
  if (highAvailability === undefined) return undefined;
  return async (signal) => {
    const user = await users.of(session);
    using stack = new DisposableStack();
    stack.use(place(changes, user.name));
    const credentials = await highAvailability.credentials(user);
    const headers = { ...credentials, accept: 'text/event-stream' };
    const { upstream } = highAvailability;
    const request = await upstream.begin({ method: 'GET', path: CHANGES_PATH, headers, signal });
    request.setTimeout(SILENCE_MS, () => request.destroy(new Error(`nothing for ${SILENCE_MS} ms`)));
    request.end();
    const response = await answerOf(once(request, 'response'));
    // An error comes to who reads; one after that must not end the process.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    if (response.statusCode !== 200) {
      response.destroy();
      throw refusal(response.statusCode ?? 0);
    }
    const held = stack.move();
    response.once('close', () => held.dispose());
    if (response.closed) held.dispose();
    return response;
  };
}

function place(changes: ConsoleContext['changes'], user: string): Disposable {
  try {
    return changes.begin(user);
  } catch (error) {
    if (!isConsoleError(error, 'too-many-requests')) throw error;
    // It is tried again: a page that is closed makes room.
    throw new ConsoleError('unavailable', error.message, { cause: error });
  }
}

async function answerOf(answered: Promise<readonly IncomingMessage[]>): Promise<IncomingMessage> {
  try {
    const [response] = await answered;
    if (response !== undefined) return response;
  } catch (error) {
    throw new ConsoleError('unavailable', `the HA service cannot be reached: ${messageOf(error)}`, { cause: error });
  }
  throw new ConsoleError('unavailable', 'the HA service has not answered');
}

function refusal(status: number): ConsoleError {
  if (status === 403) return new ConsoleError('forbidden', 'you may not see what the HA service knows');
  if (status === 404) return new ConsoleError('not-found', 'this HA service tells of no changes: it is older');
  return new ConsoleError('unavailable', `the HA service has answered with ${status}`);
}
