import type { LibvirtChoice } from './node-agent-options.ts';

export interface OpenedLibvirt extends AsyncDisposable {
  readonly uri: string;
  /** Of a managed daemon that runs, or ran last. */
  readonly pid?: number | undefined;
  /** Rejects when the daemon is given up; never for one that the host provides. */
  readonly ended: Promise<void>;
}

export interface OpenLibvirtOptions {
  readonly choice: LibvirtChoice;
  /** Told when a managed daemon died and is about to be started again. */
  readonly onDeath: (delayMs: number) => void;
}

/**
 * Makes sure that there is a daemon to talk to: one of the host is taken as it is, a managed one is adopted or
 * started, and started again while the agent lives. It outlives the agent.
 */
export async function openLibvirt(
  { choice, onDeath }: OpenLibvirtOptions,
  signal: AbortSignal,
): Promise<OpenedLibvirt> {
  if (choice.kind === 'host') {
    return { uri: choice.uri, ended: new Promise(() => undefined), [Symbol.asyncDispose]: async () => undefined };
  }
  // Most nodes have a daemon of their own, and never need this.
  const { keepRunning, openDetachedLibvirtd } = await import('@smalt/libvirt-daemon');
  const daemon = await openDetachedLibvirtd({ directory: choice.directory, signal });
  const stop = new AbortController();
  const ended = keepRunning(daemon, { onDeath }, AbortSignal.any([signal, stop.signal]));
  return {
    uri: daemon.uri,
    get pid() {
      return daemon.pid;
    },
    ended,
    // Guests outlive the agent that watches them, and the daemon with them.
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.allSettled([ended]);
    },
  };
}
