import { XdrReader } from '@smalt/xdr';

import type { LibvirtWarning } from '../libvirt-warning.ts';
import type { MessageHeader } from '../rpc/message.ts';

/** A connection has so few registrations under way at once that more than this means nobody will ask for them. */
const MAX_EARLY_EVENTS = 1024;
const CALLBACK_ID_BYTES = 4;

/** In place of a callback id: for a message that carries none, since a connection has only one registration for it. */
export const ANY_CALLBACK = -1;

/** Takes the bytes of one event. What it throws is reported as a warning. */
export type EventReceiver = (reader: XdrReader) => void;

interface Route {
  readonly receivers: Map<number, EventReceiver>;
  /** How many registrations wait for the daemon's reply. */
  waiting: number;
  /** Events of callbacks that are not known yet: the daemon may send one before its reply to the registration. */
  early: { readonly callbackID: number; readonly bytes: Buffer }[];
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
    if (route.waiting === 0) route.early = [];
  }

  /** Delivers the events of a callback, first of all those that came too early. */
  connect(
    message: { readonly program: number; readonly number: number },
    callbackID: number,
    receiver: EventReceiver,
  ): void {
    const route = this.#route(message.program, message.number);
    route.receivers.set(callbackID, receiver);
    const early = route.early.filter((event) => callbackID === ANY_CALLBACK || event.callbackID === callbackID);
    for (const event of early) this.#deliver(receiver, event.bytes);
  }

  disconnect(message: { readonly program: number; readonly number: number }, callbackID: number): void {
    this.#route(message.program, message.number).receivers.delete(callbackID);
  }

  receive(header: MessageHeader, reader: XdrReader): void {
    const route = this.#routes.get(keyOf(header.program, header.procedure));
    const bytes = reader.rest();
    if (route === undefined || bytes.length < CALLBACK_ID_BYTES) {
      this.#onWarning({ kind: 'unknown-event', message: `the daemon sent message ${header.procedure}, unasked` });
      return;
    }
    const callbackID = bytes.readInt32BE(0);
    const receiver = route.receivers.get(callbackID) ?? route.receivers.get(ANY_CALLBACK);
    if (receiver !== undefined) this.#deliver(receiver, bytes);
    else if (route.waiting > 0) this.#keepEarly(route, callbackID, bytes);
    // Else the event crossed the end of its registration on the wire.
  }

  #keepEarly(route: Route, callbackID: number, bytes: Buffer): void {
    if (route.early.length < MAX_EARLY_EVENTS) route.early.push({ callbackID, bytes });
    else this.#onWarning({ kind: 'unknown-event', message: `too many events for callback ${callbackID}, unasked` });
  }

  #deliver(receiver: EventReceiver, bytes: Buffer): void {
    try {
      receiver(new XdrReader(bytes));
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : String(cause);
      this.#onWarning({ kind: 'undecodable-event', message: `an event was lost: ${text}`, cause });
    }
  }

  #route(program: number, number: number): Route {
    const key = keyOf(program, number);
    const known = this.#routes.get(key);
    if (known !== undefined) return known;
    const route: Route = { receivers: new Map(), waiting: 0, early: [] };
    this.#routes.set(key, route);
    return route;
  }
}

function keyOf(program: number, number: number): string {
  return `${program}/${number}`;
}
