import { backOffMs, systemClock, type Clock } from '@smalt/controller-runtime';
import { findHypervisor, type Hypervisor } from '@smalt/hypervisors';
import { isLibvirtError, openSession, type LibvirtSession, type SessionState } from '@smalt/libvirt';
import type { Logger } from '@smalt/service-runtime';

import { VirtHandlerError } from '../virt-handler-error.ts';
import type { DriverTable } from './driver-settings.ts';
import { readHostCapabilities, type HostCapabilities } from './read-host-capabilities.ts';

/** A daemon that comes back is noticed this soon. */
const LONGEST_PAUSE_MS = 2_000;
/** How long libvirt may take to say what it can; it looks at every emulator the first time. */
const CAPABILITIES_TIMEOUT_MS = 60_000;

export interface HypervisorSessionsOptions {
  readonly drivers: DriverTable;
  readonly logger: Logger;
  /** That of the machine if not given. */
  readonly clock?: Clock | undefined;
}

/** One driver of this node with the session to its libvirt. */
export interface DriverSession {
  readonly hypervisor: Hypervisor;
  readonly session: LibvirtSession;
  /** Where the pid files of its guests are seen from here; undefined where guests are no processes. */
  readonly pidDirectory: string | undefined;
  /** What its libvirt said when it was connected last; undefined before that. */
  readonly capabilities: HostCapabilities | undefined;
}

/** A daemon of this node; several drivers may share one. */
interface Link {
  readonly session: LibvirtSession;
  capabilities: HostCapabilities | undefined;
  isUp: boolean;
}

/** The sessions to the hypervisors of this node: one per URI, kept open, connected again when they are lost. */
export class HypervisorSessions implements AsyncDisposable {
  readonly #options: HypervisorSessionsOptions;
  readonly #links = new Map<string, Link>();
  readonly #drivers = new Map<string, DriverSession>();
  readonly #listeners = new Set<() => void>();

  constructor(options: HypervisorSessionsOptions) {
    this.#options = options;
    for (const [name, { uri, pidDirectory }] of Object.entries(options.drivers)) {
      const hypervisor = findHypervisor(name);
      const link = this.#linkTo(uri ?? hypervisor.libvirt.uri, name);
      this.#drivers.set(name, {
        hypervisor,
        session: link.session,
        pidDirectory:
          hypervisor.libvirt.pidDirectory === undefined ? undefined : (pidDirectory ?? hypervisor.libvirt.pidDirectory),
        get capabilities() {
          return link.capabilities;
        },
      });
    }
  }

  /** The sessions, each once. */
  get sessions(): readonly LibvirtSession[] {
    return Array.from(this.#links.values(), ({ session }) => session);
  }

  /** The driver of that name, if this node offers it; whether it works now is another question. */
  find(driver: string): DriverSession | undefined {
    return this.#drivers.get(driver);
  }

  /** The names of the drivers whose libvirt answers now and can run their guests. */
  availableDrivers(): readonly string[] {
    const links = [...this.#links.values()];
    return [...this.#drivers.values()]
      .filter(({ hypervisor, session }) => {
        const link = links.find((each) => each.session === session);
        return link?.isUp === true && link.capabilities?.domainTypes.includes(hypervisor.domainType) === true;
      })
      .map(({ hypervisor }) => hypervisor.name);
  }

  /** Calls back whenever `availableDrivers` may have changed, until the result is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Keeps what is known of each daemon current until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from(this.#links.values(), (link) => this.#follow(link, signal)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.#links.values(), ({ session }) => session.close()));
  }

  #linkTo(uri: string, driver: string): Link {
    const known = this.#links.get(uri);
    if (known !== undefined) return known;
    const link = { session: open(uri, driver), capabilities: undefined, isUp: false };
    this.#links.set(uri, link);
    return link;
  }

  async #follow(link: Link, signal: AbortSignal): Promise<void> {
    const states = link.session.states();
    const onAbort = (): void => void states.return();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    let over = new AbortController();
    let asking: Promise<void> | undefined;
    try {
      for await (const state of states) {
        over.abort();
        await asking;
        over = new AbortController();
        if (state.kind === 'connected') asking = this.#askUntilTold(link, over.signal);
        else this.#miss(link, state);
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      over.abort();
      await asking;
    }
  }

  #miss(link: Link, state: SessionState): void {
    if (state.kind === 'waiting' && (link.isUp || state.attempt === 1)) {
      const { uri } = link.session;
      this.#options.logger.warn({ uri, error: state.error }, 'libvirt does not answer; is its daemon running?');
    }
    this.#tell(link, false);
  }

  /** Asks what a daemon can run, later each time, until it says so or the signal fires: its connection is over. */
  async #askUntilTold(link: Link, signal: AbortSignal): Promise<void> {
    const { clock = systemClock } = this.#options;
    for (let failures = 1; !(await this.#ask(link, signal)) && !signal.aborted; failures++) {
      await clock.wait(backOffMs(failures, Math.random()), signal).catch(() => undefined);
    }
  }

  /** Returns whether it was told. */
  async #ask(link: Link, signal: AbortSignal): Promise<boolean> {
    const { session } = link;
    try {
      const text = await session.connectGetCapabilities({ signal, timeoutMs: CAPABILITIES_TIMEOUT_MS });
      link.capabilities = readHostCapabilities(text);
      this.#options.logger.info({ uri: session.uri, types: link.capabilities.domainTypes }, 'connected to libvirt');
      this.#tell(link, true);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      this.#options.logger.warn({ uri: session.uri, error }, 'libvirt does not say what it can run; asking again');
      this.#tell(link, false);
      return false;
    }
  }

  #tell(link: Link, isUp: boolean): void {
    const hasChanged = link.isUp !== isUp;
    link.isUp = isUp;
    if (hasChanged) for (const listener of this.#listeners) listener();
  }
}

function open(uri: string, driver: string): LibvirtSession {
  try {
    // A pass that finds no daemon ends at once, says so, and comes again when there is one.
    return openSession(uri, { whenDown: 'fail', backOff: { maxMs: LONGEST_PAUSE_MS } });
  } catch (error) {
    if (!isLibvirtError(error, 'invalid-uri')) throw error;
    const message = `drivers.${driver}.uri: ${error.message}`;
    throw new VirtHandlerError('bad-setting', message, { cause: error, field: `drivers.${driver}.uri` });
  }
}
