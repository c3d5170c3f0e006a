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
import {
  procedures,
  type ConnectDomainEventCallbackRegisterAnyArgs,
  type ConnectNetworkEventRegisterAnyArgs,
  type ConnectNodeDeviceEventRegisterAnyArgs,
  type ConnectSecretEventRegisterAnyArgs,
  type ConnectStoragePoolEventRegisterAnyArgs,
} from '../generated/procedures.gen.ts';
import { RemoteProcedures } from '../generated/remote-procedures.gen.ts';
import type { Domain, Network, NodeDevice, Secret, StoragePool } from '../generated/structs.gen.ts';
import { LibvirtError } from '../libvirt-error.ts';
import type { ObjectEventMessage, Procedure } from '../procedure.ts';
import type { Channel } from '../rpc/channel.ts';
import type { EventHub, SubscribeOptions } from './event-hub.ts';
import type { EventIterator } from './event-iterator.ts';
import type { EventRegistration } from './event-registration.ts';
import { SharedRegistrations } from './shared-registrations.ts';
import { ANY_CALLBACK } from './event-routes.ts';

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
  readonly #shared = new SharedRegistrations();
  #isHypervisorWatched = false;

  /** Resolves when the daemon has confirmed the registration: from then on no event is missed. */
  domainEvents(options: DomainEventOptions = {}): Promise<EventIterator<DomainEvent>> {
    return this.#objectEvents(sources.domain, options, options.domain?.uuid, (eventID) => ({
      eventID,
      domain: options.domain,
    }));
  }

  /** Resolves when the daemon has confirmed the registration: from then on no event is missed. */
  networkEvents(options: NetworkEventOptions = {}): Promise<EventIterator<NetworkEvent>> {
    return this.#objectEvents(sources.network, options, options.network?.uuid, (eventID) => ({
      eventID,
      network: options.network,
    }));
  }

  /** Resolves when the daemon has confirmed the registration: from then on no event is missed. */
  storagePoolEvents(options: StoragePoolEventOptions = {}): Promise<EventIterator<StoragePoolEvent>> {
    return this.#objectEvents(sources.storagePool, options, options.pool?.uuid, (eventID) => ({
      eventID,
      pool: options.pool,
    }));
  }

  /** Resolves when the daemon has confirmed the registration: from then on no event is missed. */
  nodeDeviceEvents(options: NodeDeviceEventOptions = {}): Promise<EventIterator<NodeDeviceEvent>> {
    return this.#objectEvents(sources.nodeDevice, options, options.device?.name, (eventID) => ({
      eventID,
      device: options.device,
    }));
  }

  /** Resolves when the daemon has confirmed the registration: from then on no event is missed. */
  secretEvents(options: SecretEventOptions = {}): Promise<EventIterator<SecretEvent>> {
    return this.#objectEvents(sources.secret, options, options.secret?.uuid, (eventID) => ({
      eventID,
      secret: options.secret,
    }));
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
      deregister: (callbackID, callOptions) =>
        channel.call(procedures.qemuConnectDomainMonitorEventDeregister, { callbackID }, callOptions),
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
    const watch = (isWatched: boolean): void => {
      this.#isHypervisorWatched = isWatched;
    };
    const message = eventMessages.connectEventConnectionClosed;
    const registration: EventRegistration<HypervisorLostEvent> = {
      kind: 'hypervisor-lost',
      message,
      read: (reader) => ({ kind: 'hypervisor-lost', ...message.read(reader) }),
      register: (callOptions, onReply) => {
        watch(true);
        return channel
          .call(procedures.connectRegisterCloseCallback, undefined, callOptions, () => onReply(ANY_CALLBACK))
          .catch((error: unknown) => {
            watch(false);
            throw error;
          });
      },
      deregister: (_, callOptions) =>
        channel.call(procedures.connectUnregisterCloseCallback, undefined, callOptions).finally(() => watch(false)),
    };
    return this.events.subscribe([registration], options);
  }

  async #objectEvents<Event extends { readonly kind: string }, Args>(
    source: EventSource<Event, Args>,
    options: ObjectEventOptions<string>,
    object: string | undefined,
    argsFor: (eventID: number) => Args,
  ): Promise<EventIterator<Event>> {
    const { channel } = this;
    const registrations = source.choose(options.kinds).map(({ kind, eventID, message }) =>
      this.#shared.share<Event>(`${message.number} ${object ?? ''}`, {
        kind,
        eventID,
        message,
        read: (reader) => message.read(reader).payload,
        register: (callOptions, onReply) => channel.call(source.register, argsFor(eventID), callOptions, onReply),
        deregister: (callbackID, callOptions) => channel.call(source.deregister, { callbackID }, callOptions),
      }),
    );
    // Who asks for all kinds means all that there are.
    return this.events.subscribe(registrations, { skipUnsupported: options.kinds === undefined, ...options });
  }
}

/** The kinds of event of one kind of object, and the calls that begin and end a registration. */
interface EventSource<Event, Args> {
  readonly choose: (kinds: readonly string[] | undefined) => readonly ObjectEventMessage<string, Event>[];
  readonly register: Procedure<Args, number>;
  readonly deregister: Procedure<{ readonly callbackID: number }, void>;
}

interface EventSources {
  readonly domain: EventSource<DomainEvent, ConnectDomainEventCallbackRegisterAnyArgs>;
  readonly network: EventSource<NetworkEvent, ConnectNetworkEventRegisterAnyArgs>;
  readonly storagePool: EventSource<StoragePoolEvent, ConnectStoragePoolEventRegisterAnyArgs>;
  readonly nodeDevice: EventSource<NodeDeviceEvent, ConnectNodeDeviceEventRegisterAnyArgs>;
  readonly secret: EventSource<SecretEvent, ConnectSecretEventRegisterAnyArgs>;
}

const sources: EventSources = {
  domain: {
    choose: (kinds) => chosen(domainEvents, kinds),
    register: procedures.connectDomainEventCallbackRegisterAny,
    deregister: procedures.connectDomainEventCallbackDeregisterAny,
  },
  network: {
    choose: (kinds) => chosen(networkEvents, kinds),
    register: procedures.connectNetworkEventRegisterAny,
    deregister: procedures.connectNetworkEventDeregisterAny,
  },
  storagePool: {
    choose: (kinds) => chosen(storagePoolEvents, kinds),
    register: procedures.connectStoragePoolEventRegisterAny,
    deregister: procedures.connectStoragePoolEventDeregisterAny,
  },
  nodeDevice: {
    choose: (kinds) => chosen(nodeDeviceEvents, kinds),
    register: procedures.connectNodeDeviceEventRegisterAny,
    deregister: procedures.connectNodeDeviceEventDeregisterAny,
  },
  secret: {
    choose: (kinds) => chosen(secretEvents, kinds),
    register: procedures.connectSecretEventRegisterAny,
    deregister: procedures.connectSecretEventDeregisterAny,
  },
};

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
