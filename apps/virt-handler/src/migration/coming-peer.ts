import type { Connection } from '@smalt/libvirt';

/** The libvirt of a target that is being connected to before it is needed: who takes it then waits for less. */
export class ComingPeer implements AsyncDisposable {
  readonly peerUri: string;
  readonly #open: (signal: AbortSignal) => Promise<Connection>;
  readonly #opened: Promise<Connection | undefined>;
  readonly #giveUp: AbortController = new AbortController();
  #isTaken = false;

  constructor(peerUri: string, open: (signal: AbortSignal) => Promise<Connection>) {
    this.peerUri = peerUri;
    this.#open = open;
    // Why it did not come is no matter: whoever takes it tries again, and hears of that.
    this.#opened = open(this.#giveUp.signal).catch(() => undefined);
  }

  /** Whether somebody has it already. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /**
   * Hands it over, once: whoever takes it disposes of it. What did not come, or is closed again by now, is opened anew. The
   * signal gives it up.
   */
  async take(signal: AbortSignal): Promise<Connection> {
    this.#isTaken = true;
    const onAbort = (): void => this.#giveUp.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const peer = await this.#opened;
    signal.removeEventListener('abort', onAbort);
    if (peer !== undefined && peer.reason === undefined) return peer;
    await peer?.[Symbol.asyncDispose]();
    signal.throwIfAborted();
    return await this.#open(signal);
  }

  /** Closes it unless it was taken. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isTaken) return;
    this.#isTaken = true;
    this.#giveUp.abort(new Error('nobody needs the target any more'));
    const opened = await this.#opened;
    await opened?.[Symbol.asyncDispose]();
  }
}
