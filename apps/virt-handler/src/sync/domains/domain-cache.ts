import { runPart, type Clock, type ObjectKey, type PartSupervision } from '@smalt/controller-runtime';
import type { LibvirtSession } from '@smalt/libvirt';
import type { Logger } from '@smalt/service-runtime';

import { DomainWatch, type DomainWatchOptions } from './domain-watch.ts';
import type { KnownDomain } from './known-domain.ts';
import type { SilentDomain } from './silent-domains.ts';

/** How often everything is listed again, in case an event was lost that nobody knows of. */
const RESYNC_MS = 300_000;
/** A daemon that is restarted is back by then; only a longer absence is worth words. */
const AWAY_MS = 10_000;

export interface DomainCacheOptions extends Pick<DomainWatchOptions, 'onChange' | 'onEvent' | 'onCurrent'> {
  readonly sessions: readonly LibvirtSession[];
  readonly logger: Logger;
  readonly clock: Clock;
  readonly awayMs?: number | undefined;
  /** Told that a libvirt has been away for a while. */
  readonly onAway: () => void;
  readonly countFailure: (part: string) => void;
}

/** The domains of this node that belong to instances, of all its hypervisors. */
export class DomainCache {
  readonly #options: DomainCacheOptions;
  readonly #watches: ReadonlyMap<LibvirtSession, DomainWatch>;
  readonly #awaySince = new Map<LibvirtSession, number>();

  constructor(options: DomainCacheOptions) {
    this.#options = options;
    this.#watches = new Map(options.sessions.map((session) => [session, new DomainWatch({ ...options, session })]));
  }

  /** All domains of the instance `key`, or of one that had its name; with two hypervisors there may be two. */
  find(key: ObjectKey): readonly KnownDomain[] {
    return Array.from(this.#watches.values(), (watch) => watch.find(key)).flat();
  }

  list(): readonly KnownDomain[] {
    return Array.from(this.#watches.values(), (watch) => watch.list()).flat();
  }

  /** Whether all domains of that libvirt are known as they are now. */
  isCurrent(session: LibvirtSession): boolean {
    return this.#watches.get(session)?.isCurrent === true;
  }

  /** Whether the domains of every libvirt of this node are known. */
  get isComplete(): boolean {
    return [...this.#watches.values()].every(({ isCurrent }) => isCurrent);
  }

  /** Whether that libvirt has been away for so long that it is worth words: not merely for a restart. */
  isMissed(session: LibvirtSession): boolean {
    const since = this.#awaySince.get(session);
    return since !== undefined && this.#options.clock.monotonic() - since >= this.#awayMs;
  }

  /** The domain of that instance that its libvirt tells nothing about, if there is one: it may run. */
  findSilent(key: ObjectKey): SilentDomain | undefined {
    for (const watch of this.#watches.values()) {
      const silent = watch.findSilent(key);
      if (silent !== undefined) return silent;
    }
    return undefined;
  }

  /** After which time that is worth words. */
  untilMissedMs({ since }: SilentDomain): number {
    return Math.max(0, since + this.#awayMs - this.#options.clock.monotonic());
  }

  get #awayMs(): number {
    return this.#options.awayMs ?? AWAY_MS;
  }

  /** Reads one domain anew, after it was changed from here. */
  async refresh(known: Pick<KnownDomain, 'session' | 'domain'>, signal: AbortSignal): Promise<void> {
    await this.#watches.get(known.session)?.refresh(known.domain, signal);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { logger, clock, countFailure } = this.#options;
    const supervision: PartSupervision = { logger, clock, metrics: { countPartFailure: countFailure } };
    const watching = [...this.#watches.values()].flatMap((watch) => [
      runPart({ name: 'domains', run: (stopping) => watch.run(stopping) }, supervision, signal),
      watch.askSilent(signal),
      this.#measureAbsence(watch.session, signal),
    ]);
    await Promise.all([...watching, this.#resync(signal)]);
  }

  async #resync(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    for (;;) {
      await clock.wait(RESYNC_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      const followed = [...this.#watches.values()].filter(({ isFollowing }) => isFollowing);
      const onFailure = (error: unknown): void => logger.warn({ error }, 'libvirt does not list its domains');
      await Promise.all(followed.map((watch) => watch.listAll(signal).catch(onFailure)));
      this.#options.onCurrent();
    }
  }

  async #measureAbsence(session: LibvirtSession, signal: AbortSignal): Promise<void> {
    const { clock, onAway } = this.#options;
    const states = session.states();
    using stack = new DisposableStack();
    const onAbort = (): void => void states.return();
    signal.addEventListener('abort', onAbort, { once: true });
    stack.defer(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
    let cancel: (() => void) | undefined;
    stack.defer(() => cancel?.());
    for await (const { kind } of states) {
      if (kind === 'connected') {
        cancel?.();
        this.#awaySince.delete(session);
      } else if (!this.#awaySince.has(session)) {
        this.#awaySince.set(session, clock.monotonic());
        cancel = clock.later(this.#awayMs, onAway);
      }
    }
  }
}
