import { type Clock, OutageLog } from '@smalt/controller-runtime';
import type { LibvirtSession } from '@smalt/libvirt';
import type { Logger } from '@smalt/service-runtime';

export interface LibvirtOutageParts {
  readonly session: Pick<LibvirtSession, 'states'>;
  /** Without what is none of the log's business. */
  readonly uri: string;
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Says in the log when the libvirt daemon cannot be reached, why, and when it is back, until the signal fires. */
export async function tellLibvirtOutages(parts: LibvirtOutageParts, signal: AbortSignal): Promise<void> {
  const { session, uri, logger, clock } = parts;
  const log = new OutageLog(logger, clock);
  const states = session.states();
  signal.addEventListener('abort', () => void states.return(), { once: true });
  if (signal.aborted) return;
  for await (const state of states) {
    if (signal.aborted) return;
    if (state.kind === 'connected') log.end(`the libvirt daemon at ${uri} answers again`);
    if (state.kind !== 'waiting') continue;
    const { error } = state;
    // What to do about it stands in the message.
    log.fail({ key: error.message, error, text: `the libvirt daemon at ${uri} cannot be reached: ${error.message}` });
  }
}
