import { reconnectDelayMs } from './reconnect-delay.ts';
import { StreamLines } from './stream-lines.ts';
import type { Refusal } from './why-refused.ts';

/** How a stream is. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** It is tried again by itself; the message says what is known of why. */
  | { readonly kind: 'lost'; readonly message: string }
  /** It is not tried again; the message is the server's. */
  | { readonly kind: 'refused'; readonly message: string };

export interface OpenStreamOptions {
  readonly connect: () => WebSocket;
  /** Finds out why a stream was refused, which a browser does not tell of websockets. */
  readonly whyRefused: () => Promise<Refusal>;
  /** One message, which was one line of JSON. */
  readonly onMessage: (message: unknown) => void;
  /** A new stream begins: what it tells first may have been told before. */
  readonly onOpen: () => void;
  readonly onState: (state: StreamState) => void;
  readonly later: (run: () => void, delayMs: number) => () => void;
  readonly random: () => number;
}

/** Keeps a stream of JSON lines open until what it returns is called, or the server refuses it for good. */
export function openStream(options: OpenStreamOptions): () => void {
  const stream = new KeptStream(options);
  stream.open();
  return () => stream.close();
}

class KeptStream {
  readonly #options: OpenStreamOptions;
  #isWanted = true;
  #failures = 0;
  #attempts = 0;
  #callOff: (() => void) | undefined;
  #socket: WebSocket | undefined;

  constructor(options: OpenStreamOptions) {
    this.#options = options;
  }

  open(): void {
    // While it is tried again, why it was lost is worth more than that.
    if (this.#failures === 0) this.#options.onState({ kind: 'connecting' });
    this.#attempts += 1;
    const socket = this.#options.connect();
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    const lines = new StreamLines();
    let hasOpened = false;
    socket.addEventListener('open', () => {
      hasOpened = true;
      if (!this.#isWanted) return;
      this.#options.onOpen();
      this.#options.onState({ kind: 'open' });
    });
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      this.#failures = 0;
      for (const line of lines.take(data)) if (this.#isWanted) this.#options.onMessage(JSON.parse(line));
    });
    socket.addEventListener('close', ({ reason }) => void this.#lost(hasOpened, reason));
  }

  close(): void {
    this.#isWanted = false;
    this.#callOff?.();
    this.#socket?.close();
  }

  async #lost(hasOpened: boolean, reason: string): Promise<void> {
    if (!this.#isWanted) return;
    const attempt = this.#attempts;
    this.#callOff = this.#options.later(() => this.open(), reconnectDelayMs(this.#failures, this.#options.random()));
    this.#failures += 1;
    this.#options.onState({ kind: 'lost', message: reason });
    const { message, isFinal } = hasOpened ? { message: reason, isFinal: false } : await this.#options.whyRefused();
    // An answer that comes after the next attempt has begun says nothing of that one.
    if (!this.#isWanted || message === '' || attempt !== this.#attempts) return;
    if (isFinal) this.close();
    this.#options.onState({ kind: isFinal ? 'refused' : 'lost', message });
  }
}
