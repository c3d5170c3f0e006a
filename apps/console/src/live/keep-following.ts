import { ConsoleError, isConsoleError } from '../console-error.ts';
import { decideRetry } from './decide-retry.ts';
import type { Attempt, FollowContext } from './follow-context.ts';

const TOO_SLOW = 'the browser takes nothing';

/** Makes one attempt after the other until the signal fires, or it can never be. The page is told what it has to know. */
export async function keepFollowing(context: FollowContext, attempt: Attempt, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await attempt(() => (failures = 0), signal);
    } catch (error) {
      if (signal.aborted) return;
      const isOver = await mend(context, error, failures, signal);
      if (isOver) return;
      failures++;
    }
  }
}

/** Waits for room; a browser that gives none for too long is the end of the attempt. */
export async function requireRoom({ outbox }: FollowContext, signal: AbortSignal): Promise<void> {
  if (!(await outbox.room(signal))) throw new ConsoleError('too-many-requests', TOO_SLOW);
}

/** Tells whether it is over. */
async function mend(context: FollowContext, error: unknown, failures: number, signal: AbortSignal): Promise<boolean> {
  const { slot, outbox, clock, random } = context;
  try {
    if (isConsoleError(error, 'too-many-requests')) {
      // Nothing of it is kept: once the browser is back it gets how things are then.
      slot.clear();
      context.onDropped();
      await outbox.drained(signal);
      return false;
    }
    const end = decideRetry(error, failures, random());
    switch (end.kind) {
      case 'refused':
        slot.notice(end);
        outbox.wake();
        return true;
      case 'anew':
        return false;
      case 'broken':
        if (end.isUserUnknown) context.onUserUnknown();
        slot.notice({ kind: end.kind, message: end.message });
        outbox.wake();
        await clock.wait(end.delayMs, signal);
        return false;
    }
  } catch (failure) {
    if (signal.aborted) return true;
    throw failure;
  }
}
