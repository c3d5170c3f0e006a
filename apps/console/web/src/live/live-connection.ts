import { parseLiveMessages, type LiveMessage } from './live-message.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

export type ConnectionState = 'connecting' | 'open' | 'lost' | 'signedOut' | 'closed';

export interface LiveConnectionOptions {
  /** Opens a new socket to `/live`. */
  readonly open: () => WebSocket;
  readonly random: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
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
/** What browsers say of a connection that was not closed but lost. */
const LOST_CODE = 1006;
/** The server says something every 25 s, were it nothing: a way on which less is heard ends nowhere. */
const SILENCE_MS = 60_000;

/** The one connection to the server, which comes back by itself when it is lost. */
export class LiveConnection {
  readonly #options: LiveConnectionOptions;
  readonly #listeners = new Set<() => void>();
  #state: ConnectionState = 'connecting';
  #socket: WebSocket | undefined;
  #hasOpened = false;
  #failures = 0;
  #heardAtMs = 0;
  #callOff: () => void = () => undefined;
  #callOffSilence: () => void = () => undefined;

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
    const before = this.#socket;
    const socket = this.#options.open();
    this.#socket = socket;
    before?.close();
    this.#hasOpened = false;
    this.#heard(socket);
    socket.addEventListener('open', () => this.#opened(socket));
    socket.addEventListener('message', ({ data }) => this.#received(socket, data));
    socket.addEventListener('close', ({ code }) => this.#ended(socket, code));
  }

  /** Tries at once instead of waiting, such as when the browser is online again. */
  retryNow(): void {
    if (this.#state === 'lost') this.start();
  }

  /** Looks at what timers may have missed, such as when the page is seen again, or the computer has slept. */
  wake(): void {
    const socket = this.#socket;
    if (socket !== undefined && this.#options.now() - this.#heardAtMs >= SILENCE_MS) this.#drop(socket);
    if (this.#state === 'lost' && this.#socket === undefined) this.start();
  }

  send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#callOff();
    this.#callOffSilence();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#become('closed');
  }

  #opened(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#hasOpened = true;
    this.#heard(socket);
    this.#become('open');
    this.#options.onOpen();
  }

  #received(socket: WebSocket, data: unknown): void {
    if (socket !== this.#socket || typeof data !== 'string') return;
    this.#heard(socket);
    // Only words of the server show that the way is whole; an opened socket may be a proxy's.
    this.#failures = 0;
    const messages = parseLiveMessages(data);
    if (messages.some(({ kind }) => kind === 'signedOut')) this.#become('signedOut');
    this.#options.onMessages(messages);
  }

  #heard(socket: WebSocket): void {
    this.#heardAtMs = this.#options.now();
    this.#callOffSilence();
    this.#callOffSilence = this.#options.later(() => this.#drop(socket), SILENCE_MS);
  }

  /** That a way is broken is not told by a browser before its own time is over, which may be many minutes. */
  #drop(socket: WebSocket): void {
    socket.close();
    this.#ended(socket, LOST_CODE);
  }

  #ended(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.#callOffSilence();
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
