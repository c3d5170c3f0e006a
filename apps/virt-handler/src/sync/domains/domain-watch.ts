import type { ObjectKey } from '@smalt/controller-runtime';
import { isNoDomain, type Domain, type DomainEvent, type LibvirtSession, type SessionState } from '@smalt/libvirt';
import type { Logger } from '@smalt/service-runtime';

import type { KnownDomain } from './known-domain.ts';
import { readKnownDomain } from './read-known-domain.ts';

/** What is told of an event that is worth more than another look at the domain. */
type DomainEventListener = (key: ObjectKey, event: DomainEvent) => void;

export interface DomainWatchOptions {
  readonly session: LibvirtSession;
  readonly logger: Logger;
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

/** `NAMESPACE_NAME`: other domains are somebody else's, and are not even looked at. */
const OUR_NAME = /^[^_]+_[^_]+$/u;

/** The domains of one libvirt that belong to instances: listed once, and then kept current by its events. */
export class DomainWatch {
  readonly session: LibvirtSession;
  readonly #options: DomainWatchOptions;
  readonly #domains = new Map<string, KnownDomain>();
  readonly #reading = new Map<string, Promise<void>>();
  /** The connection that the list was made on. */
  #listedOn: Date | undefined;

  constructor(options: DomainWatchOptions) {
    this.session = options.session;
    this.#options = options;
  }

  /** Whether what is known is all there is: it was listed on the connection that is up now. */
  get isCurrent(): boolean {
    return this.#listedOn !== undefined && connectedAt(this.session.state) === this.#listedOn;
  }

  find(key: ObjectKey): readonly KnownDomain[] {
    return this.list().filter((domain) => domain.key === key);
  }

  list(): readonly KnownDomain[] {
    return [...this.#domains.values()];
  }

  /** Follows the events of this libvirt until the signal fires or it cannot go on. */
  async run(signal: AbortSignal): Promise<void> {
    await this.session.connected({ signal, timeoutMs: Infinity });
    await using events = await this.session.domainEvents({ kinds: KINDS, skipUnsupported: true, signal });
    await this.listAll(signal);
    for await (const event of events) {
      // Events were missed there, nobody knows of which domains.
      if (event.kind === 'resubscribed' || event.kind === 'overflow') await this.#listAgain(signal);
      else if (OUR_NAME.test(event.domain.name)) this.#take(event, signal);
    }
  }

  /** Reads all domains, and forgets those that are gone. */
  async listAll(signal: AbortSignal): Promise<void> {
    const { session } = this;
    const startedOn = connectedAt(session.state);
    const before = [...this.#domains.keys()];
    const all = await session.connectListAllDomains({}, { signal });
    const ours = all.filter(({ name }) => OUR_NAME.test(name));
    await Promise.all(ours.map((domain) => this.refresh(domain, signal)));
    const present = new Set(ours.map(({ uuid }) => uuid));
    // One that came while they were listed is told by its event, and is not gone.
    for (const uuid of before) {
      const known = this.#domains.get(uuid);
      if (known === undefined || present.has(uuid) || this.#reading.has(uuid)) continue;
      this.#domains.delete(uuid);
      this.#options.onChange(known.key);
    }
    const isFirst = startedOn !== this.#listedOn;
    this.#listedOn = startedOn;
    if (isFirst) this.#options.onCurrent();
  }

  /** Reads one domain anew. Two who ask at once get an answer that is no older than either question. */
  async refresh(domain: Domain, signal: AbortSignal): Promise<void> {
    const { uuid } = domain;
    const before = this.#reading.get(uuid) ?? Promise.resolve();
    const reading = before.catch(() => undefined).then(() => this.#read(domain, signal));
    this.#reading.set(uuid, reading);
    try {
      await reading;
    } finally {
      if (this.#reading.get(uuid) === reading) this.#reading.delete(uuid);
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

  #take(event: DomainEvent, signal: AbortSignal): void {
    const { domain } = event;
    const told = async (): Promise<void> => {
      await this.refresh(domain, signal);
      const known = this.#domains.get(domain.uuid);
      if (known !== undefined) this.#options.onEvent(known.key, event);
    };
    told().catch((error: unknown) => {
      if (signal.aborted || !this.isCurrent) return;
      // The list is no longer what is there, and must not be acted on.
      this.#listedOn = undefined;
      this.#options.logger.warn({ domain: domain.name, error }, 'a domain could not be read; all are listed again');
      void this.#listAgain(signal).catch((again: unknown) =>
        this.#options.logger.warn({ uri: this.session.uri, error: again }, 'libvirt does not list its domains'),
      );
    });
  }

  async #read(domain: Domain, signal: AbortSignal): Promise<void> {
    const before = this.#domains.get(domain.uuid);
    const known = await this.#ask(domain, signal);
    if (known === undefined) this.#domains.delete(domain.uuid);
    else this.#domains.set(domain.uuid, known);
    if (isSame(before, known)) return;
    for (const key of new Set([before?.key, known?.key])) if (key !== undefined) this.#options.onChange(key);
  }

  async #ask(domain: Domain, signal: AbortSignal): Promise<KnownDomain | undefined> {
    try {
      const [text, state] = await Promise.all([
        this.session.domainGetXmlDesc({ domain }, { signal }),
        this.session.domainGetState({ domain }, { signal }),
      ]);
      return readKnownDomain({ session: this.session, domain, text, state });
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
