import { buildMessage } from '../src/fake-daemon/build-message.ts';
import type { EventIterator } from '../src/events/event-iterator.ts';
import {
  domainEvents,
  eventMessages,
  networkEvents,
  nodeDeviceEvents,
  secretEvents,
  storagePoolEvents,
  type DomainEvent,
} from '../src/generated/events.gen.ts';
import { procedures } from '../src/generated/procedures.gen.ts';
import { isLibvirtError } from '../src/libvirt-error.ts';
import type { EventMessage } from '../src/procedure.ts';
import type { AttackedConnection } from './attacked-connection.ts';
import { Finding } from './finding.ts';
import type { MadeCall, MemorySocket } from './memory-socket.ts';

/** An `event` no random payload is likely to hold: it tells the correct events from the others. */
export const CORRECT_EVENT = 0x5eed_5eed;

/** What the iterator that nobody reads may keep. The largest events nearly fill it. */
export const MAX_UNREAD_BYTES = 65_536;

/** Somebody at the client who waits for a message. */
export interface Listener {
  readonly message: EventMessage<unknown>;
  /** Absent where the message carries none. */
  readonly callbackID: number | undefined;
}

/** Waits for the events of every kind there is, and counts them. One more iterator is not read until the end. */
export class EventTally {
  readonly listeners: readonly Listener[];
  /** How many events arrived, as themselves or as a count of dropped ones. */
  arrived = 0;
  /** The details of the correct events, as they arrived. */
  readonly details: number[] = [];
  readonly #readers: readonly Promise<void>[];
  readonly #unread: EventIterator<DomainEvent>;

  private constructor(
    listeners: readonly Listener[],
    iterators: readonly EventIterator<{ readonly kind: string }>[],
    unread: EventIterator<DomainEvent>,
  ) {
    this.listeners = listeners;
    this.#readers = iterators.map((iterator) => read(iterator, (item) => this.#count(item)));
    this.#unread = unread;
  }

  /** Registers for everything, with a daemon that confirms each registration. */
  static async subscribe(connection: AttackedConnection, socket: MemorySocket): Promise<EventTally> {
    const subscriptions = Promise.all([
      connection.domainEvents(),
      connection.networkEvents(),
      connection.storagePoolEvents(),
      connection.nodeDeviceEvents(),
      connection.secretEvents(),
      connection.qemuMonitorEvents(),
      connection.hypervisorLostEvents(),
    ]);
    const listeners: Listener[] = [];
    // Calls leave at the end of the tick.
    await new Promise(setImmediate);
    for (const [index, call] of socket.takeCalls().entries()) {
      const listener = listenerFor(call, index);
      listeners.push(listener);
      const { program, procedure, serial } = call.header;
      const payload = Buffer.alloc(listener.callbackID === undefined ? 0 : 4);
      if (listener.callbackID !== undefined) payload.writeInt32BE(listener.callbackID);
      socket.receive(buildMessage({ program, procedure, serial, payload }));
    }
    const iterators = await subscriptions;
    // It shares the registration of the others, so nothing has to be confirmed.
    const unread = await connection.domainEvents({ kinds: ['lifecycle'], maxQueuedBytes: MAX_UNREAD_BYTES });
    return new EventTally(listeners, iterators, unread);
  }

  /** Resolves when every iterator has come to its end. */
  async ended(): Promise<void> {
    await Promise.all(this.#readers);
  }

  /** What had been kept for a reader who never came, measured by the names of the domains. */
  async unreadBytes(): Promise<number> {
    let bytes = 0;
    await read(this.#unread, (item) => {
      if ('domain' in item) bytes += Buffer.byteLength(item.domain.name);
    });
    return bytes;
  }

  #count(item: { readonly kind: string }): void {
    this.arrived += 'dropped' in item && typeof item.dropped === 'number' ? item.dropped : 1;
    const isCorrect = 'event' in item && item.event === CORRECT_EVENT;
    if (isCorrect && 'detail' in item && typeof item.detail === 'number') this.details.push(item.detail);
  }
}

async function read<Item>(items: AsyncIterable<Item>, take: (item: Item) => void): Promise<void> {
  try {
    for await (const item of items) take(item);
  } catch (error) {
    if (!isLibvirtError(error)) throw new Finding('an iterator of events failed', { cause: error });
  }
}

function listenerFor({ header, args }: MadeCall, callbackID: number): Listener {
  const message = { callbackID, message: messageFor(header.procedure, args) };
  return header.procedure === procedures.connectRegisterCloseCallback.number
    ? { ...message, callbackID: undefined }
    : message;
}

function messageFor(procedure: number, args: Buffer): EventMessage<unknown> {
  if (procedure === procedures.connectRegisterCloseCallback.number) return eventMessages.connectEventConnectionClosed;
  if (procedure === procedures.qemuConnectDomainMonitorEventRegister.number)
    return eventMessages.qemuDomainMonitorEvent;
  const eventID = args.readInt32BE(0);
  const found = kindsOf(procedure).find((kind) => kind.eventID === eventID);
  if (found === undefined) throw new Finding(`procedure ${procedure} registers for event ${eventID}`);
  return found.message;
}

function kindsOf(procedure: number): readonly { readonly eventID: number; readonly message: EventMessage<unknown> }[] {
  switch (procedure) {
    case procedures.connectDomainEventCallbackRegisterAny.number:
      return Object.values({ ...domainEvents });
    case procedures.connectNetworkEventRegisterAny.number:
      return Object.values({ ...networkEvents });
    case procedures.connectStoragePoolEventRegisterAny.number:
      return Object.values({ ...storagePoolEvents });
    case procedures.connectNodeDeviceEventRegisterAny.number:
      return Object.values({ ...nodeDeviceEvents });
    case procedures.connectSecretEventRegisterAny.number:
      return Object.values({ ...secretEvents });
    default:
      return [];
  }
}
