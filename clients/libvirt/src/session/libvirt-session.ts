import type { Clock } from '../clock.ts';
import type { CloseOptions } from '../close-options.ts';
import type { Connection } from '../connection.ts';
import type {
  DomainEventOptions,
  HypervisorLostEvent,
  MonitorEvent,
  MonitorEventOptions,
  NetworkEventOptions,
  NodeDeviceEventOptions,
  SecretEventOptions,
  StoragePoolEventOptions,
} from '../events/connection-events.ts';
import type { SubscribeOptions } from '../events/event-hub.ts';
import type { EventIterator } from '../events/event-iterator.ts';
import type {
  DomainEvent,
  NetworkEvent,
  NodeDeviceEvent,
  SecretEvent,
  StoragePoolEvent,
} from '../generated/events.gen.ts';
import { RemoteProcedures } from '../generated/remote-procedures.gen.ts';
import { LibvirtError } from '../libvirt-error.ts';
import type { OpenedStream } from '../libvirt-stream.ts';
import type { CallOptions, Procedure, StreamProcedure } from '../procedure.ts';
import type { ConnectionKeeper } from './connection-keeper.ts';
import { type SessionEventIterator, Subscription } from './session-event-iterator.ts';
import type { SessionState } from './session-state.ts';
import type { FeedReader } from './state-feed.ts';

/** What a session is made of. */
export interface SessionParts {
  readonly uri: string;
  readonly keeper: ConnectionKeeper<Connection>;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly whenDown: 'wait' | 'fail';
  readonly reconnectGraceMs: number;
}

/**
 * A connection that comes back by itself, with a method for every call. A call that is under way when the connection
 * breaks fails with `connection-lost` and is never repeated: the daemon may have carried it out. A call made while
 * there is no connection waits for the next one.
 */
export class LibvirtSession extends RemoteProcedures implements AsyncDisposable {
  /** What is connected to. */
  readonly uri: string;
  readonly #parts: SessionParts;
  readonly #keeper: ConnectionKeeper<Connection>;

  constructor(parts: SessionParts) {
    super();
    this.uri = parts.uri;
    this.#parts = parts;
    this.#keeper = parts.keeper;
  }

  get state(): SessionState {
    return this.#keeper.state;
  }

  /** The state as it is now, and every change. A reader that falls far behind misses the oldest changes. */
  states(): FeedReader<SessionState> {
    return this.#keeper.states();
  }

  /** Resolves when there is a connection, at once if there is one now. */
  async connected(options: CallOptions = {}): Promise<void> {
    await this.#keeper.nextLink(options);
  }

  /** Calls any procedure; the methods are what one usually wants. */
  // Not an async function: a connected session adds no promise to a call.
  override call<Args, Result>(procedure: Procedure<Args, Result>, args: Args, options?: CallOptions): Promise<Result> {
    const link = this.#keeper.link;
    if (link !== undefined) return link.connection.call(procedure, args, options);
    return this.#whenUp(procedure.name, options, (connection, rest) => connection.call(procedure, args, rest));
  }

  /** Calls any procedure that opens a stream. The stream ends with the connection it was opened on. */
  override openStream<Args, Result>(
    procedure: StreamProcedure<Args, Result>,
    args: Args,
    options?: CallOptions,
  ): Promise<OpenedStream<Result>> {
    return this.#whenUp(procedure.name, options, (connection, rest) => connection.openStream(procedure, args, rest));
  }

  /** Resolves when the daemon has confirmed the registration. Goes on over reconnects, see `Resubscribed`. */
  domainEvents(options: DomainEventOptions = {}): Promise<SessionEventIterator<DomainEvent>> {
    return this.#subscribe(options, (connection, each) => connection.domainEvents(each));
  }

  /** Resolves when the daemon has confirmed the registration. Goes on over reconnects, see `Resubscribed`. */
  networkEvents(options: NetworkEventOptions = {}): Promise<SessionEventIterator<NetworkEvent>> {
    return this.#subscribe(options, (connection, each) => connection.networkEvents(each));
  }

  /** Resolves when the daemon has confirmed the registration. Goes on over reconnects, see `Resubscribed`. */
  storagePoolEvents(options: StoragePoolEventOptions = {}): Promise<SessionEventIterator<StoragePoolEvent>> {
    return this.#subscribe(options, (connection, each) => connection.storagePoolEvents(each));
  }

  /** Resolves when the daemon has confirmed the registration. Goes on over reconnects, see `Resubscribed`. */
  nodeDeviceEvents(options: NodeDeviceEventOptions = {}): Promise<SessionEventIterator<NodeDeviceEvent>> {
    return this.#subscribe(options, (connection, each) => connection.nodeDeviceEvents(each));
  }

  /** Resolves when the daemon has confirmed the registration. Goes on over reconnects, see `Resubscribed`. */
  secretEvents(options: SecretEventOptions = {}): Promise<SessionEventIterator<SecretEvent>> {
    return this.#subscribe(options, (connection, each) => connection.secretEvents(each));
  }

  /** The raw events of QEMU's monitor. Goes on over reconnects, see `Resubscribed`. */
  qemuMonitorEvents(options: MonitorEventOptions = {}): Promise<SessionEventIterator<MonitorEvent>> {
    return this.#subscribe(options, (connection, each) => connection.qemuMonitorEvents(each));
  }

  /** Tells when the daemon loses its hypervisor. Goes on over reconnects, see `Resubscribed`. */
  hypervisorLostEvents(options: SubscribeOptions = {}): Promise<SessionEventIterator<HypervisorLostEvent>> {
    return this.#subscribe(options, (connection, each) => connection.hypervisorLostEvents(each));
  }

  /** Ends the session: calls under way may finish within the time limit, those that wait for a connection fail. */
  async close(options: CloseOptions = {}): Promise<void> {
    await this.#keeper.close(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #subscribe<Options extends SubscribeOptions, Event extends { readonly kind: string }>(
    options: Options,
    subscribe: (connection: Connection, options: Options) => Promise<EventIterator<Event>>,
  ): Promise<SessionEventIterator<Event>> {
    const { now } = this.#parts;
    const link = await this.#nextLink('subscribe', options);
    return Subscription.start({ keeper: this.#keeper, now, options, subscribe }, link);
  }

  async #whenUp<Result>(
    procedure: string,
    options: CallOptions = {},
    run: (connection: Connection, options: CallOptions) => Promise<Result>,
  ): Promise<Result> {
    const { clock } = this.#parts;
    const startedAt = clock.now();
    const { connection } = await this.#nextLink(procedure, options);
    if (options.timeoutMs === undefined) return run(connection, options);
    const leftMs = Math.max(1, options.timeoutMs - (clock.now() - startedAt));
    return run(connection, { ...options, timeoutMs: leftMs });
  }

  #nextLink(procedure: string, options: CallOptions): ReturnType<ConnectionKeeper<Connection>['nextLink']> {
    const { whenDown, reconnectGraceMs } = this.#parts;
    const { end, lastError, link } = this.#keeper;
    if (whenDown === 'fail' && link === undefined && end === undefined) {
      return Promise.reject(notConnected(procedure, lastError));
    }
    const timeoutMs = options.timeoutMs ?? reconnectGraceMs;
    return this.#keeper.nextLink({ ...options, timeoutMs, procedure });
  }
}

function notConnected(procedure: string, cause: LibvirtError | undefined): LibvirtError {
  const trouble = cause === undefined ? '' : `: ${cause.message}`;
  return new LibvirtError('connection-lost', `${procedure}: there is no connection${trouble}`, { cause, procedure });
}
