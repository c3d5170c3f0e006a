import { parseLiveMessages, type LiveMessage } from './live-message.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

export type ConnectionState = 'connecting' | 'open' | 'lost' | 'signedOut' | 'closed';

export interface LiveConnectionOptions {
  /** Opens a new socket to `/live`. */
  readonly open: () => WebSocket;
  readonly random: () => number;
  /** Calls back after so many milliseconds; what it returns calls that off. */
  readonly later: (run: () => void, delayMs: number) => () => void;
  readonly onMessages: (messages: readonly LiveMessage[]) => void;
  /** A new connection knows nothing of what was followed on the one before. */
  readonly onOpen: () => void;
  /** An attempt ended before it was open. Browsers do not tell why: the session may be over, or the server away. */
  readonly onRefused: () => void;
}

/** The server closes with this code when the session has ended. */
const SIGNED_OUT_CODE = 4401;

/** The one connection to the server, which comes back by itself when it is lost. */
export class LiveConnection {
  readonly #options: LiveConnectionOptions;
  readonly #listeners = new Set<() => void>();
  #state: ConnectionState = 'connecting';
  #socket: WebSocket | undefined;
  #hasOpened = false;
  #failures = 0;
  #callOff: () => void = () => undefined;

  constructor(options: LiveConnectionOptions) {
    this.#options = options;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): void {
    this.#callOff();
    const socket = this.#options.open();
    this.#socket = socket;
    this.#hasOpened = false;
    socket.addEventListener('open', () => this.#opened(socket));
    socket.addEventListener('message', ({ data }) => this.#received(socket, data));
    socket.addEventListener('close', ({ code }) => this.#ended(socket, code));
  }

  /** Tries at once instead of waiting, such as when the browser is online again. */
  retryNow(): void {
    if (this.#state === 'lost') this.start();
  }

  send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#callOff();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#become('closed');
  }

  #opened(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#hasOpened = true;
    this.#become('open');
    this.#options.onOpen();
  }

  #received(socket: WebSocket, data: unknown): void {
    if (socket !== this.#socket || typeof data !== 'string') return;
    // Only words of the server show that the way is whole; an opened socket may be a proxy's.
    this.#failures = 0;
    const messages = parseLiveMessages(data);
    if (messages.some(({ kind }) => kind === 'signedOut')) this.#become('signedOut');
    this.#options.onMessages(messages);
  }

  #ended(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    if (code === SIGNED_OUT_CODE) this.#become('signedOut');
    if (this.#state === 'signedOut') return;
    this.#become('lost');
    const delayMs = reconnectDelayMs(this.#failures, this.#options.random());
    this.#failures += 1;
    this.#callOff = this.#options.later(() => this.start(), delayMs);
    if (!this.#hasOpened) this.#options.onRefused();
  }

  #become(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
