import type { Connection } from '@smalt/libvirt';

/** The libvirt of a target that is being connected to before it is needed: who takes it then waits for less. */
export class ComingPeer implements AsyncDisposable {
  readonly peerUri: string;
  readonly #opened: Promise<Connection>;
  readonly #giveUp: AbortController = new AbortController();
  #isTaken = false;

  constructor(peerUri: string, open: (signal: AbortSignal) => Promise<Connection>) {
    this.peerUri = peerUri;
    this.#opened = open(this.#giveUp.signal);
    // Whoever takes it hears of it.
    this.#opened.catch(() => undefined);
  }

  /** Whether somebody has it already. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Hands it over, once: whoever takes it disposes of it. The signal gives it up. */
  async take(signal: AbortSignal): Promise<Connection> {
    this.#isTaken = true;
    const onAbort = (): void => this.#giveUp.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await this.#opened;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Closes it unless it was taken. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isTaken) return;
    this.#isTaken = true;
    this.#giveUp.abort(new Error('nobody needs the target any more'));
    const opened = await this.#opened.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  }
}
