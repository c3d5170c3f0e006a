import {
  domainEvents,
  eventMessages,
  networkEvents,
  nodeDeviceEvents,
  secretEvents,
  storagePoolEvents,
  type ConnectEventConnectionClosedMessage,
  type DomainEvent,
  type DomainEventTable,
  type NetworkEvent,
  type NetworkEventTable,
  type NodeDeviceEvent,
  type NodeDeviceEventTable,
  type QemuDomainMonitorEventMessage,
  type SecretEvent,
  type SecretEventTable,
  type StoragePoolEvent,
  type StoragePoolEventTable,
} from '../generated/events.gen.ts';
import { procedures } from '../generated/procedures.gen.ts';
import { RemoteProcedures } from '../generated/remote-procedures.gen.ts';
import type { Domain, Network, NodeDevice, Secret, StoragePool } from '../generated/structs.gen.ts';
import { LibvirtError } from '../libvirt-error.ts';
import type { Channel } from '../rpc/channel.ts';
import type { EventHub, SubscribeOptions } from './event-hub.ts';
import type { EventIterator } from './event-iterator.ts';
import type { EventRegistration } from './event-registration.ts';
import { ANY_CALLBACK } from './event-routes.ts';
import { objectRegistrations } from './object-registrations.ts';

/** Which kinds to wait for. Without `kinds`: all that the daemon has. */
export interface ObjectEventOptions<Kind extends string> extends SubscribeOptions {
  readonly kinds?: readonly Kind[];
}

export interface DomainEventOptions extends ObjectEventOptions<keyof DomainEventTable> {
  /** Waits for the events of this domain only. */
  readonly domain?: Domain;
}

export interface NetworkEventOptions extends ObjectEventOptions<keyof NetworkEventTable> {
  readonly network?: Network;
}

export interface StoragePoolEventOptions extends ObjectEventOptions<keyof StoragePoolEventTable> {
  readonly pool?: StoragePool;
}

export interface NodeDeviceEventOptions extends ObjectEventOptions<keyof NodeDeviceEventTable> {
  readonly device?: NodeDevice;
}

export interface SecretEventOptions extends ObjectEventOptions<keyof SecretEventTable> {
  readonly secret?: Secret;
}

export interface MonitorEventOptions extends SubscribeOptions {
  readonly domain?: Domain;
  /** The name of the QEMU event, such as `POWERDOWN`; a pattern if `flags` says so. */
  readonly event?: string;
  /** 1: `event` is a regular expression; 2: its case does not matter. */
  readonly flags?: number;
}

/** A QEMU event as QEMU itself tells it. libvirt promises nothing about its contents. */
export interface MonitorEvent extends QemuDomainMonitorEventMessage {
  readonly kind: 'monitor';
}

/** The daemon lost its own connection to the hypervisor. */
export interface HypervisorLostEvent extends ConnectEventConnectionClosedMessage {
  readonly kind: 'hypervisor-lost';
}

/** The events of a connection, each kind of object with its own iterator. */
export abstract class ConnectionEvents extends RemoteProcedures {
  /** The channel that registrations go over, and the hub that brings the events back. */
  protected abstract readonly channel: Channel;
  protected abstract readonly events: EventHub;
  #isHypervisorWatched = false;

  /** Resolves when the daemon has confirmed the registration: from then on no event is missed. */
  async domainEvents(options: DomainEventOptions = {}): Promise<EventIterator<DomainEvent>> {
    const { channel } = this;
    const { domain } = options;
    const registrations = objectRegistrations<DomainEvent>(chosen(domainEvents, options.kinds), {
      register: (eventID, callOptions, onReply) =>
        channel.call(procedures.connectDomainEventCallbackRegisterAny, { eventID, domain }, callOptions, onReply),
      deregister: (callbackID) => channel.call(procedures.connectDomainEventCallbackDeregisterAny, { callbackID }),
    });
    return this.events.subscribe(registrations, withDefaults(options));
  }

  /** Resolves when the daemon has confirmed the registration: from then on no event is missed. */
  async networkEvents(options: NetworkEventOptions = {}): Promise<EventIterator<NetworkEvent>> {
    const { channel } = this;
    const { network } = options;
    const registrations = objectRegistrations<NetworkEvent>(chosen(networkEvents, options.kinds), {
      register: (eventID, callOptions, onReply) =>
        channel.call(procedures.connectNetworkEventRegisterAny, { eventID, network }, callOptions, onReply),
      deregister: (callbackID) => channel.call(procedures.connectNetworkEventDeregisterAny, { callbackID }),
    });
    return this.events.subscribe(registrations, withDefaults(options));
  }

  /** Resolves when the daemon has confirmed the registration: from then on no event is missed. */
  async storagePoolEvents(options: StoragePoolEventOptions = {}): Promise<EventIterator<StoragePoolEvent>> {
    const { channel } = this;
    const { pool } = options;
    const registrations = objectRegistrations<StoragePoolEvent>(chosen(storagePoolEvents, options.kinds), {
      register: (eventID, callOptions, onReply) =>
        channel.call(procedures.connectStoragePoolEventRegisterAny, { eventID, pool }, callOptions, onReply),
      deregister: (callbackID) => channel.call(procedures.connectStoragePoolEventDeregisterAny, { callbackID }),
    });
    return this.events.subscribe(registrations, withDefaults(options));
  }

  /** Resolves when the daemon has confirmed the registration: from then on no event is missed. */
  async nodeDeviceEvents(options: NodeDeviceEventOptions = {}): Promise<EventIterator<NodeDeviceEvent>> {
    const { channel } = this;
    const { device } = options;
    const registrations = objectRegistrations<NodeDeviceEvent>(chosen(nodeDeviceEvents, options.kinds), {
      register: (eventID, callOptions, onReply) =>
        channel.call(procedures.connectNodeDeviceEventRegisterAny, { eventID, device }, callOptions, onReply),
      deregister: (callbackID) => channel.call(procedures.connectNodeDeviceEventDeregisterAny, { callbackID }),
    });
    return this.events.subscribe(registrations, withDefaults(options));
  }

  /** Resolves when the daemon has confirmed the registration: from then on no event is missed. */
  async secretEvents(options: SecretEventOptions = {}): Promise<EventIterator<SecretEvent>> {
    const { channel } = this;
    const { secret } = options;
    const registrations = objectRegistrations<SecretEvent>(chosen(secretEvents, options.kinds), {
      register: (eventID, callOptions, onReply) =>
        channel.call(procedures.connectSecretEventRegisterAny, { eventID, secret }, callOptions, onReply),
      deregister: (callbackID) => channel.call(procedures.connectSecretEventDeregisterAny, { callbackID }),
    });
    return this.events.subscribe(registrations, withDefaults(options));
  }

  /** The raw events of QEMU's monitor. The daemon's domains must be QEMU's. */
  qemuMonitorEvents(options: MonitorEventOptions = {}): Promise<EventIterator<MonitorEvent>> {
    const { channel } = this;
    const { domain, event, flags } = options;
    const message = eventMessages.qemuDomainMonitorEvent;
    const registration: EventRegistration<MonitorEvent> = {
      kind: 'monitor',
      message,
      read: (reader) => ({ kind: 'monitor', ...message.read(reader).payload }),
      register: (callOptions, onReply) =>
        channel.call(procedures.qemuConnectDomainMonitorEventRegister, { domain, event, flags }, callOptions, onReply),
      deregister: (callbackID) => channel.call(procedures.qemuConnectDomainMonitorEventDeregister, { callbackID }),
    };
    return this.events.subscribe([registration], options);
  }

  /** Tells when the daemon, which stays connected itself, loses its hypervisor. One iterator at a time. */
  async hypervisorLostEvents(options: SubscribeOptions = {}): Promise<EventIterator<HypervisorLostEvent>> {
    const { channel } = this;
    // The message carries no callback id, so two iterators could not be told apart.
    if (this.#isHypervisorWatched) {
      throw new LibvirtError('operation-invalid', 'hypervisorLostEvents: there is an iterator for them already');
    }
    this.#isHypervisorWatched = true;
    const message = eventMessages.connectEventConnectionClosed;
    const registration: EventRegistration<HypervisorLostEvent> = {
      kind: 'hypervisor-lost',
      message,
      read: (reader) => ({ kind: 'hypervisor-lost', ...message.read(reader) }),
      register: (callOptions, onReply) =>
        channel.call(procedures.connectRegisterCloseCallback, undefined, callOptions, () => onReply(ANY_CALLBACK)),
      deregister: () => {
        this.#isHypervisorWatched = false;
        return channel.call(procedures.connectUnregisterCloseCallback, undefined);
      },
    };
    return this.events.subscribe([registration], options).catch((error: unknown) => {
      this.#isHypervisorWatched = false;
      throw error;
    });
  }
}

function chosen<Table extends object>(
  table: Table,
  kinds: readonly string[] | undefined,
): Table[Extract<keyof Table, string>][] {
  const unknown = kinds?.filter((kind) => !Object.hasOwn(table, kind)) ?? [];
  if (unknown.length > 0) throw new LibvirtError('invalid-arg', `kinds: there are no events of kind ${unknown.join()}`);
  if (kinds?.length === 0) throw new LibvirtError('invalid-arg', 'kinds: names no kind of event');
  const events: Table[Extract<keyof Table, string>][] = [];
  for (const kind in table) {
    if (kinds === undefined || kinds.includes(kind)) events.push(table[kind]);
  }
  return events;
}

/** Who asks for all kinds means all that there are. */
function withDefaults(options: ObjectEventOptions<string>): SubscribeOptions {
  return { skipUnsupported: options.kinds === undefined, ...options };
}
