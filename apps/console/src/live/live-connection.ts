import type { KubeClient } from '@smalt/kube';
import type { WebSocketStream } from '@smalt/websocket';

import type { ConsoleClock } from '../console-clock.ts';
import type { ConsoleLimits } from '../console-limits.ts';
import { isConsoleError } from '../console-error.ts';
import type { FollowContext } from './follow-context.ts';
import { followHighAvailability, type OpenChanges } from './follow-high-availability.ts';
import { followResource } from './follow-resource.ts';
import { readLiveRequest, type Followed } from './live-message.ts';
import { Outbox } from './outbox.ts';
import type { WaitingChanges } from './waiting-changes.ts';

/** Codes by which a page learns why the connection ends. */
const CloseCode = { goingAway: 1001, badRequest: 4400, signedOut: 4401 } as const;
const MOST_MESSAGE_BYTES = 16_384;
/** A browser that takes nothing for so long is gone. */
const STUCK_MS = 60_000;
const GOODBYE_MS = 800;
const BEAT_MS = 25_000;

export interface LiveDeps {
  /** Is the user. */
  readonly client: KubeClient;
  /** undefined where there is no HA service. */
  readonly openChanges: OpenChanges | undefined;
  readonly clock: ConsoleClock;
  readonly random: () => number;
  readonly limits: Pick<ConsoleLimits, 'mostFollows' | 'mostWaitingBytes' | 'patienceMs'>;
  /** Fires when the user has signed out, or the session is over. */
  readonly signedOut: AbortSignal;
  /** Fires when the console stops. */
  readonly stopping: AbortSignal;
  readonly onFollows: (change: 1 | -1) => void;
  readonly onDropped: () => void;
  /** Told when a follow was refused because the user is not known. */
  readonly onUserUnknown: () => void;
  /** Told of a fault of ours; the connection goes on. */
  readonly onFault: (error: unknown) => void;
}

interface Follow {
  readonly kind: Followed['kind'];
  readonly stop: AbortController;
  readonly slot: WaitingChanges;
}

/** One page, and all that it follows. */
export class LiveConnection {
  readonly #deps: LiveDeps;
  readonly #stream: WebSocketStream;
  readonly #over = new AbortController();
  readonly #outbox: Outbox;
  readonly #follows = new Map<number, Follow>();
  readonly #tasks = new Set<Promise<void>>();

  constructor(deps: LiveDeps, stream: WebSocketStream) {
    this.#deps = deps;
    this.#stream = stream;
    const { clock, limits } = deps;
    const send = (frame: string): Promise<void> => this.#send(frame);
    const onFailure = (): void => stream.destroy();
    this.#outbox = new Outbox({ send, clock, limits, signal: this.#over.signal, onFailure });
  }

  /** Serves the page until it goes, the user signs out, or the console stops. Rejects when the connection is lost. */
  async serve(): Promise<void> {
    const { signedOut, stopping } = this.#deps;
    const onSignedOut = (): void => void this.#signOut();
    const onStop = (): void => void this.#end(CloseCode.goingAway, 'the console stops');
    signedOut.addEventListener('abort', onSignedOut, { once: true });
    stopping.addEventListener('abort', onStop, { once: true });
    try {
      if (signedOut.aborted) onSignedOut();
      if (stopping.aborted) onStop();
      // It ends with the connection, which whoever reads is told of.
      void this.#beat().catch(() => undefined);
      for await (const text of this.#stream.messages(MOST_MESSAGE_BYTES)) this.#take(text);
    } finally {
      signedOut.removeEventListener('abort', onSignedOut);
      stopping.removeEventListener('abort', onStop);
      this.#over.abort(new Error('the page has gone'));
      for (const id of this.#follows.keys()) this.#forget(id);
      await Promise.allSettled(this.#tasks);
    }
  }

  #take(text: string): void {
    if (this.#over.signal.aborted) return;
    try {
      const request = readLiveRequest(text);
      if (request.kind === 'forget') return this.#forget(request.id);
      if (request.kind === 'follow') return this.#follow(request.id, request.followed);
      this.#refuse(request.id, 400, request.message);
    } catch (error) {
      if (!isConsoleError(error)) throw error;
      void this.#end(CloseCode.badRequest, error.message);
    }
  }

  #follow(id: number, followed: Followed): void {
    this.#forget(id);
    const { mostFollows } = this.#deps.limits;
    if (this.#follows.size >= mostFollows) {
      return this.#refuse(id, 429, `more than ${mostFollows} follows on one connection: forget some first`);
    }
    const { kind } = followed;
    // The HA service has few places for listeners, and all of them hear the same.
    if (kind === 'high-availability' && [...this.#follows.values()].some((each) => each.kind === kind)) {
      return this.#refuse(id, 429, 'this connection follows the HA service already: forget that first');
    }
    const stop = new AbortController();
    const slot = this.#outbox.open(id);
    this.#follows.set(id, { kind, stop, slot });
    this.#deps.onFollows(1);
    const signal = AbortSignal.any([stop.signal, this.#over.signal]);
    const task = this.#run(followed, slot, signal).catch((error: unknown) => this.#deps.onFault(error));
    this.#tasks.add(task);
    void task.finally(() => this.#tasks.delete(task));
  }

  async #run(followed: Followed, slot: WaitingChanges, signal: AbortSignal): Promise<void> {
    const { clock, random, client, openChanges, onDropped, onUserUnknown } = this.#deps;
    const context: FollowContext = { outbox: this.#outbox, slot, clock, random, onDropped, onUserUnknown };
    if (followed.kind === 'resource') return await followResource(client, followed, context, signal);
    if (openChanges !== undefined) return await followHighAvailability(openChanges, context, signal);
    slot.notice({ kind: 'refused', status: 404, message: 'there is no HA service behind this console' });
    this.#outbox.wake();
  }

  #forget(id: number): void {
    const follow = this.#follows.get(id);
    if (follow === undefined) return;
    this.#follows.delete(id);
    this.#deps.onFollows(-1);
    follow.stop.abort(new Error('it was forgotten'));
    this.#outbox.close(follow.slot);
  }

  #refuse(id: number, status: number, message: string): void {
    this.#outbox.tell(id, { kind: 'refused', status, message });
  }

  /** What stands between us and a browser ends connections on which nothing happens. */
  async #beat(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      await this.#deps.clock.wait(BEAT_MS, signal);
      await this.#send('[]');
    }
  }

  async #send(frame: string): Promise<void> {
    const stuck = setTimeout(() => this.#stream.destroy(), STUCK_MS);
    try {
      await this.#stream.writeText(frame);
    } finally {
      clearTimeout(stuck);
    }
  }

  async #signOut(): Promise<void> {
    await this.#end(CloseCode.signedOut, 'sign in again', '[{"kind":"signedOut"}]');
  }

  async #end(code: number, reason: string, lastWords?: string): Promise<void> {
    if (this.#over.signal.aborted) return;
    this.#over.abort(new Error(reason));
    const late = setTimeout(() => this.#stream.destroy(), GOODBYE_MS);
    // Who is gone already does not hear it.
    if (lastWords !== undefined) await this.#stream.writeText(lastWords).catch(() => undefined);
    await this.#stream.close(code, reason);
    clearTimeout(late);
  }
}
