import { isJsonObject, parseJson, printJson, type JsonObject, type JsonValue } from '@smalt/json';

import { ConsoleError } from '../console-error.ts';
import type { FollowContext } from './follow-context.ts';
import { keepFollowing, requireRoom } from './keep-following.ts';
import { readServerEvents } from './read-server-events.ts';

/** Opens the HA service's stream of changes as the user. */
export type OpenChanges = (signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;

/** Tells a page of hosts, incidents, the journal and the status, until the signal fires or that can never be. */
export async function followHighAvailability(
  open: OpenChanges,
  context: FollowContext,
  signal: AbortSignal,
): Promise<void> {
  const attempt = async (onComplete: () => void, inner: AbortSignal): Promise<void> => {
    for await (const text of readServerEvents(await open(inner))) {
      await requireRoom(context, inner);
      if (take(readChanges(text), context)) onComplete();
    }
    throw new ConsoleError('unavailable', 'the HA service has ended its stream of changes');
  };
  await keepFollowing(context, attempt, signal);
}

/** Tells whether all there is was told. */
function take({ isReset, isComplete, put, gone }: Changes, { slot, outbox }: FollowContext): boolean {
  if (isReset) slot.reset();
  for (const object of put) slot.put(keyOf(object), printJson(object));
  for (const key of gone) slot.gone(key);
  if (isComplete) slot.complete();
  if (!slot.isEmpty) outbox.wake();
  return isComplete;
}

interface Changes {
  readonly isReset: boolean;
  readonly isComplete: boolean;
  readonly put: readonly JsonObject[];
  readonly gone: readonly string[];
}

function readChanges(text: string): Changes {
  const value = parseJson(text);
  const { isReset, isComplete, put, gone } = isJsonObject(value) ? value : {};
  if (!Array.isArray(put) || !Array.isArray(gone)) throw broken();
  return {
    isReset: isReset === true,
    isComplete: isComplete === true,
    put: put.filter((each: JsonValue) => isJsonObject(each)),
    gone: gone.filter((each: JsonValue) => typeof each === 'string'),
  };
}

/** There are objects of several kinds: each has a namespace of its own. */
function keyOf({ metadata }: JsonObject): string {
  const { namespace, name } = isJsonObject(metadata) ? metadata : {};
  if (typeof namespace !== 'string' || typeof name !== 'string') throw broken();
  return `${namespace}/${name}`;
}

function broken(): ConsoleError {
  return new ConsoleError('unavailable', 'the HA service has told of something that is no change');
}
