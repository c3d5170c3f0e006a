import { isConnectionLost, type LibvirtSession } from '@smalt/libvirt';
import { messageOf, untilAborted } from '@smalt/service-runtime';

import { printableText } from '../printable-text.ts';
import { eventText } from './event-text.ts';
import type { Print } from './fleet.ts';

export interface PrintEventsOptions {
  readonly session: Pick<LibvirtSession, 'domainEvents'>;
  readonly print: Print;
  readonly now: () => Date;
  /** Called when whatever happens from now on is printed. */
  readonly onWatching?: () => void;
}

/**
 * Prints a line for each event of the domains of a libvirt until the signal fires. The libvirt may be away, for as long as
 * it likes. What it cannot tell is said, and is no reason to stop.
 */
export async function printEvents(options: PrintEventsOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await printUntilLost(options, signal);
    } catch (error) {
      // It went while it was asked: the session has the next connection soon.
      if (signal.aborted || isConnectionLost(error)) continue;
      options.print(`what happens to domains is not told any more: ${printableText(messageOf(error))}`);
      await untilAborted(signal);
    }
  }
}

async function printUntilLost({ session, print, now, onWatching }: PrintEventsOptions, signal: AbortSignal) {
  await using events = await session.domainEvents({ signal, timeoutMs: Infinity });
  onWatching?.();
  for await (const event of events) print(eventText(event, now()));
}
