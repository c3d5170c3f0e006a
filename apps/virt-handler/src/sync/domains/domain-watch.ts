import { WakeUp, type Clock, type ObjectKey } from '@smalt/controller-runtime';
import {
  isNoDomain,
  isTimeout,
  type Domain,
  type DomainEvent,
  type LibvirtSession,
  type SessionState,
} from '@smalt/libvirt';
import type { Logger } from '@smalt/service-runtime';

import { DomainReads } from './domain-reads.ts';
import type { KnownDomain } from './known-domain.ts';
import { readKnownDomain } from './read-known-domain.ts';
import { SilentDomains, type Silence, type SilentDomain } from './silent-domains.ts';

/** What is told of an event that is worth more than another look at the domain. */
type DomainEventListener = (key: ObjectKey, event: DomainEvent) => void;

export interface DomainWatchOptions {
  readonly session: LibvirtSession;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Told that something about a domain of this instance has changed. */
  readonly onChange: (key: ObjectKey) => void;
  readonly onEvent: DomainEventListener;
  /** Told that all domains are known again after they were not. */
  readonly onCurrent: () => void;
}

const KINDS = [
  'lifecycle',
  'reboot',
  'watchdog',
  'io-error-reason',
  'control-error',
  'agent-lifecycle',
  'balloon-change',
  'device-added',
  'device-removed',
  'device-removal-failed',
  'job-completed',
  'memory-device-size-change',
  'pm-suspend',
  'pm-wakeup',
  'tray-change',
] as const;

/** A daemon that has not listed its domains, or registered for events, by then is asked anew. */
const LIST_TIMEOUT_MS = 60_000;
/** Nobody is held up for so long: see the patience of `DomainReads`. */
const READ_TIMEOUT_MS = 60_000;

/** `NAMESPACE_NAME`: other domains are somebody else's, and are not even looked at. */
const OUR_NAME = /^[^_]+_[^_]+$/u;

/**
 * The domains of one libvirt that belong to instances: listed once, and then kept current by its events. One that cannot
 * be read is kept as it was last known, and counts as silent until it can.
 */
export class DomainWatch {
  readonly session: LibvirtSession;
  readonly #options: DomainWatchOptions;
  readonly #domains = new Map<string, KnownDomain>();
  readonly #silent: SilentDomains;
  readonly #due: WakeUp;
  readonly #reads: DomainReads;
  /** The connection that the list was made on. */
  #listedOn: Date | undefined;
  #isFollowing = false;
  #signal: AbortSignal = AbortSignal.abort();

  constructor(options: DomainWatchOptions) {
    const { session, clock } = options;
    this.session = session;
    this.#options = options;
    this.#silent = new SilentDomains(clock);
    this.#due = new WakeUp(clock);
    this.#reads = new DomainReads({
      clock,
      read: (domain) => this.#read(domain),
      onLate: (domain) => this.#fallSilent(domain, 'late', new Error('no answer yet')),
    });
  }

  /** Whether what is known is all there is: it was listed on the connection that is up now. */
  get isCurrent(): boolean {
    return this.#listedOn !== undefined && connectedAt(this.session.state) === this.#listedOn;
  }

  /** Whether a list made now would be kept current. */
  get isFollowing(): boolean {
    return this.#isFollowing && this.session.state.kind === 'connected';
  }

  find(key: ObjectKey): readonly KnownDomain[] {
    return this.list().filter((domain) => domain.key === key);
  }

  list(): readonly KnownDomain[] {
    return [...this.#domains.values()];
  }

  /** The domain of that instance that libvirt tells nothing about, if there is one. */
  findSilent(key: ObjectKey): SilentDomain | undefined {
    return this.#silent.find(key);
  }

  /** Follows the events of this libvirt until the signal fires or it cannot go on. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const timeoutMs = LIST_TIMEOUT_MS;
    try {
      await this.session.connected({ signal, timeoutMs: Infinity });
      await using events = await this.session.domainEvents({ kinds: KINDS, skipUnsupported: true, signal, timeoutMs });
      this.#isFollowing = true;
      await this.listAll(signal);
      for await (const event of events) {
        // Events were missed there, nobody knows of which domains.
        if (event.kind === 'resubscribed' || event.kind === 'overflow') await this.#listAgain(signal);
        else if (OUR_NAME.test(event.domain.name)) this.#take(event, signal);
      }
    } finally {
      // What happens from now on is not heard.
      this.#isFollowing = false;
      this.#listedOn = undefined;
    }
  }

  /** Asks those again that could not be read, later each time, until the signal fires. */
  async askSilent(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#due.wait(this.#silent.nextMs, signal);
      if (signal.aborted) return;
      for (const domain of this.#silent.takeDue()) this.#askInVain(domain, signal);
    }
  }

  /** Reads all domains, and forgets those that are gone. Those that cannot be read hold nobody up. */
  async listAll(signal: AbortSignal): Promise<void> {
    const { session } = this;
    const startedOn = connectedAt(session.state);
    const before = new Set([...this.#domains.keys(), ...this.#silent.ids]);
    const all = await session.connectListAllDomains({}, { signal, timeoutMs: LIST_TIMEOUT_MS });
    const ours = all.filter(({ name }) => OUR_NAME.test(name));
    await Promise.all(ours.map((domain) => this.#lookAt(domain, startedOn)));
    const present = new Set(ours.map(({ uuid }) => uuid));
    // One that came while they were listed is told by its event, and is not gone.
    for (const uuid of before) if (!present.has(uuid) && !this.#reads.isAwaited(uuid)) this.#keep(uuid, undefined);
    const isFirst = startedOn !== this.#listedOn;
    this.#listedOn = startedOn;
    if (isFirst) this.#options.onCurrent();
  }

  /** Reads one domain anew. Two who ask at once get an answer that is no older than either question. */
  async refresh(domain: Domain, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await Promise.race([this.#reads.ask(domain).done, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #listAgain(signal: AbortSignal): Promise<void> {
    try {
      await this.listAll(signal);
    } catch (error) {
      if (signal.aborted || this.session.state.kind === 'connected') throw error;
      // Lost again: another mark follows once it is back.
      this.#options.logger.debug({ uri: this.session.uri, error }, 'libvirt went away while it listed its domains');
    }
  }

  /** Resolves when the domain was read or is silent. */
  async #lookAt(domain: Domain, connectedOn: Date | undefined): Promise<void> {
    try {
      await this.#reads.ask(domain).soon;
    } catch (error) {
      const isLost = this.#signal.aborted || connectedAt(this.session.state) !== connectedOn;
      if (isLost || this.#silent.get(domain.uuid) === undefined) throw error;
    }
  }

  #take(event: DomainEvent, signal: AbortSignal): void {
    const { domain } = event;
    this.#askInVain(domain, signal, () => {
      const known = this.#domains.get(domain.uuid);
      if (known !== undefined) this.#options.onEvent(known.key, event);
    });
  }

  /** Reads a domain that may not answer: that is noted then, and it is asked again. */
  #askInVain(domain: Domain, signal: AbortSignal, onRead: () => void = () => undefined): void {
    const onFailure = (error: unknown): void => {
      if (!signal.aborted) this.#options.logger.debug({ domain: domain.name, error }, 'a domain could not be read');
    };
    this.refresh(domain, signal).catch(onFailure).then(onRead).catch(onFailure);
  }

  async #read(domain: Domain): Promise<void> {
    const askedOn = connectedAt(this.session.state);
    try {
      this.#keep(domain.uuid, await this.#ask(domain));
    } catch (error) {
      // One that was lost with its connection is listed once that is back.
      const isConnected = askedOn !== undefined && askedOn === connectedAt(this.session.state);
      if (isConnected && !this.#signal.aborted) this.#fallSilent(domain, isTimeout(error) ? 'timeout' : 'error', error);
      throw error;
    }
  }

  #keep(uuid: string, known: KnownDomain | undefined): void {
    const before = this.#domains.get(uuid);
    const silent = this.#silent.get(uuid);
    this.#silent.delete(uuid);
    if (known === undefined) this.#domains.delete(uuid);
    else this.#domains.set(uuid, known);
    if (silent === undefined && isSame(before, known)) return;
    const keys = new Set([before?.key, silent?.key, known?.key]);
    for (const key of keys) if (key !== undefined) this.#options.onChange(key);
  }

  #fallSilent(domain: Domain, silence: Silence, error: unknown): void {
    const { name, uuid } = domain;
    const key = this.#domains.get(uuid)?.key ?? name.replace('_', '/');
    const isNew = this.#silent.add(domain, key, silence);
    this.#due.ring();
    if (!isNew) return;
    const message = 'a domain cannot be read; nothing is decided about its instance until it can';
    this.#options.logger.warn({ domain: name, uri: this.session.uri, error }, message);
    this.#options.onChange(key);
  }

  /** One after the other: a domain that hangs takes one place of the daemon then, and not two. */
  async #ask(domain: Domain): Promise<KnownDomain | undefined> {
    const { session } = this;
    const options = { signal: this.#signal, timeoutMs: READ_TIMEOUT_MS };
    try {
      const state = await session.domainGetState({ domain }, options);
      const text = await session.domainGetXmlDesc({ domain }, options);
      return readKnownDomain({ session, domain, text, state });
    } catch (error) {
      if (isNoDomain(error)) return undefined;
      throw error;
    }
  }
}

function isSame(before: KnownDomain | undefined, after: KnownDomain | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  const { state, reason } = after.state;
  return before.text === after.text && before.state.state === state && before.state.reason === reason;
}

function connectedAt(state: SessionState): Date | undefined {
  return state.kind === 'connected' ? state.connectedAt : undefined;
}
