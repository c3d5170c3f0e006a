import { XdrReader } from '@smalt/xdr';

import type { LibvirtWarning } from '../libvirt-warning.ts';
import type { MessageHeader } from '../rpc/message.ts';

/** So many bytes may wait, for each kind of event, until it is known whose they are. */
const MAX_EARLY_BYTES = 1_048_576;
/** What it costs to keep an event besides its bytes. */
const EARLY_EVENT_BYTES = 128;
const CALLBACK_ID_BYTES = 4;

/** In place of a callback id: for a message that carries none, since a connection has only one registration for it. */
export const ANY_CALLBACK = -1;

/** One registration's end of a route. */
export interface EventReceiver {
  /** Takes one event of so many bytes. What it throws is reported as a warning, and the event counts as dropped. */
  readonly take: (reader: XdrReader, bytes: number) => void;
  /** So many events are missing here. */
  readonly drop: (count: number) => void;
}

interface Route {
  /** By callback id; iterators that share a registration each have a receiver. */
  readonly receivers: Map<number, Set<EventReceiver>>;
  /** How many registrations wait for the daemon's reply. */
  waiting: number;
  /** Events of callbacks that are not known yet: the daemon may send one before its reply to the registration. */
  early: { readonly callbackID: number; readonly bytes: Buffer }[];
  earlyBytes: number;
  /** How many more there were. Whose they are is not kept: each registration that waits may have lost them. */
  earlyDropped: number;
}

/** Which registration takes which event. Events are told apart by their message and callback id, never by serial. */
export class EventRoutes {
  readonly #routes = new Map<string, Route>();
  readonly #onWarning: (warning: LibvirtWarning) => void;

  constructor(onWarning: (warning: LibvirtWarning) => void) {
    this.#onWarning = onWarning;
  }

  /** From now on until `settle`, events of the message are kept even if their callback is not known. */
  expect(message: Pick<MessageHeader, 'program'> & { readonly number: number }): void {
    this.#route(message.program, message.number).waiting++;
  }

  /** The registration was answered: nothing is kept for it any more. */
  settle(message: { readonly program: number; readonly number: number }): void {
    const route = this.#route(message.program, message.number);
    route.waiting--;
    if (route.waiting === 0) Object.assign(route, nothingEarly());
  }

  /** Delivers the events of a callback, first of all those that came too early. */
  connect(
    message: { readonly program: number; readonly number: number },
    callbackID: number,
    receiver: EventReceiver,
  ): void {
    const route = this.#route(message.program, message.number);
    const receivers = route.receivers.get(callbackID) ?? new Set();
    route.receivers.set(callbackID, receivers.add(receiver));
    const early = route.early.filter((event) => callbackID === ANY_CALLBACK || event.callbackID === callbackID);
    for (const event of early) this.#deliver(receiver, event.bytes);
    if (route.earlyDropped > 0) receiver.drop(route.earlyDropped);
  }

  disconnect(
    message: { readonly program: number; readonly number: number },
    callbackID: number,
    receiver: EventReceiver,
  ): void {
    const { receivers } = this.#route(message.program, message.number);
    receivers.get(callbackID)?.delete(receiver);
    if (receivers.get(callbackID)?.size === 0) receivers.delete(callbackID);
  }

  receive(header: MessageHeader, reader: XdrReader): void {
    const route = this.#routes.get(keyOf(header.program, header.procedure));
    const bytes = reader.rest();
    const hasCallbackID = bytes.length >= CALLBACK_ID_BYTES;
    if (route === undefined || !(hasCallbackID || route.receivers.has(ANY_CALLBACK))) {
      this.#onWarning({ kind: 'unknown-event', message: `the daemon sent message ${header.procedure}, unasked` });
      return;
    }
    const callbackID = hasCallbackID ? bytes.readInt32BE(0) : ANY_CALLBACK;
    const receivers = route.receivers.get(callbackID) ?? route.receivers.get(ANY_CALLBACK);
    if (receivers !== undefined) for (const receiver of receivers) this.#deliver(receiver, bytes);
    else if (route.waiting > 0) this.#keepEarly(route, callbackID, bytes);
    // Else the event crossed the end of its registration on the wire.
  }

  #keepEarly(route: Route, callbackID: number, bytes: Buffer): void {
    const earlyBytes = route.earlyBytes + bytes.length + EARLY_EVENT_BYTES;
    if (earlyBytes > MAX_EARLY_BYTES) {
      route.earlyDropped++;
      this.#onWarning({ kind: 'unknown-event', message: `too many events for callback ${callbackID}, unasked` });
      return;
    }
    route.earlyBytes = earlyBytes;
    route.early.push({ callbackID, bytes });
  }

  #deliver(receiver: EventReceiver, bytes: Buffer): void {
    try {
      receiver.take(new XdrReader(bytes), bytes.length);
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : String(cause);
      this.#onWarning({ kind: 'undecodable-event', message: `an event was lost: ${text}`, cause });
      receiver.drop(1);
    }
  }

  #route(program: number, number: number): Route {
    const key = keyOf(program, number);
    const known = this.#routes.get(key);
    if (known !== undefined) return known;
    const route: Route = { receivers: new Map(), waiting: 0, ...nothingEarly() };
    this.#routes.set(key, route);
    return route;
  }
}

function nothingEarly(): Pick<Route, 'early' | 'earlyBytes' | 'earlyDropped'> {
  return { early: [], earlyBytes: 0, earlyDropped: 0 };
}

function keyOf(program: number, number: number): string {
  return `${program}/${number}`;
}
