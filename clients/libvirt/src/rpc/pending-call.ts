import type { XdrReader } from '@smalt/xdr';

import type { LibvirtError } from '../libvirt-error.ts';
import type { Procedure } from '../procedure.ts';

/** A call that waits for its reply, whatever the reply will hold. */
export interface PendingCall {
  readonly serial: number;
  readonly procedure: Procedure<never, unknown>;
  /** When the caller gives up, on the clock of the channel, and after how long that is. */
  readonly deadline: number;
  readonly timeoutMs: number;
  /** Runs when the daemon is done with the call: it has answered, it was never asked, or the connection is gone. */
  readonly onDone: (() => void) | undefined;
  /** Decodes the reply and gives it to the caller. Throws when it cannot be decoded. */
  accept(reader: XdrReader): void;
  /** The call has come to its end. */
  fail(error: LibvirtError): void;
  /** The caller waits no longer, the daemon may still be at it. */
  giveUp(error: LibvirtError): void;
}

/** A call and what becomes of it at the daemon. */
export interface FollowedCall<Result> {
  readonly reply: Promise<Result>;
  /** Resolves when the daemon is done with it, which may be long after the caller gave up. Never rejects. */
  readonly done: Promise<void>;
}

/** The caller's side of one call: its promise, its deadline, and the listener on its signal. */
export class Call<Result> implements PendingCall {
  readonly serial: number;
  readonly procedure: Procedure<never, Result>;
  readonly promise: Promise<Result>;
  deadline: number = Infinity;
  timeoutMs: number = Infinity;
  /** Runs while the reply is being taken from the socket, before anything behind it is looked at. */
  onReply: ((result: Result) => void) | undefined;
  onDone: (() => void) | undefined;
  readonly #resolve: (result: Result) => void;
  readonly #reject: (error: LibvirtError) => void;
  #signal: AbortSignal | undefined;
  #onAbort: (() => void) | undefined;

  constructor(serial: number, procedure: Procedure<never, Result>) {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.serial = serial;
    this.procedure = procedure;
    this.promise = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  accept(reader: XdrReader): void {
    const result = this.procedure.readResult(reader);
    reader.end();
    if (this.#onAbort !== undefined) this.#unlisten();
    this.onReply?.(result);
    this.#resolve(result);
    this.onDone?.();
  }

  fail(error: LibvirtError): void {
    this.giveUp(error);
    this.onDone?.();
  }

  giveUp(error: LibvirtError): void {
    this.#unlisten();
    this.#reject(error);
  }

  expireAfter(timeoutMs: number, now: number): void {
    this.timeoutMs = timeoutMs;
    this.deadline = now + timeoutMs;
  }

  /** Calls back when the signal fires before the call has ended. */
  listen(signal: AbortSignal, onAbort: () => void): void {
    this.#signal = signal;
    this.#onAbort = onAbort;
    signal.addEventListener('abort', onAbort, { once: true });
  }

  #unlisten(): void {
    if (this.#onAbort !== undefined) this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}
