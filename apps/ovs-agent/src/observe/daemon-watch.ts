import type { Clock } from '@smalt/controller-runtime';
import {
  findDaemon,
  isOvsError,
  openUnixctl,
  OvsError,
  readVersion,
  type DaemonSighting,
  type Unixctl,
} from '@smalt/ovs';
import { messageOf } from '@smalt/service-runtime';
import type { DaemonFacts } from '@smalt/switch-health';

import type { SwitchDaemon } from '../switch-access.ts';
import type { SourceMetrics } from './source-metrics.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface DaemonWatchOptions {
  readonly daemon: SwitchDaemon;
  readonly runDirectories: readonly string[];
  readonly proc: string;
  readonly answerMs: number;
  readonly clock: Clock;
  readonly metrics: SourceMetrics;
}

/** Told of a daemon that has died, was started, hangs, or answers again. */
export type DaemonListener = (facts: DaemonFacts) => void;

type Running = Extract<DaemonSighting, { kind: 'running' }>;

/**
 * One daemon and its control connection, which is kept while both live. What is found is `facts`; it is looked for anew
 * by `check`, which never rejects for what the daemon does.
 */
export class DaemonWatch implements AsyncDisposable {
  readonly #options: DaemonWatchOptions;
  readonly #closing = new AbortController();
  #unixctl: Unixctl | undefined;
  #sighting: Running | undefined;
  #facts: DaemonFacts;
  /** Whether the last connection was ended by the daemon, which may be another one by now. */
  #hasHungUp = false;
  #checking: Promise<DaemonFacts> | undefined;
  readonly #listeners = new Set<DaemonListener>();

  constructor(options: DaemonWatchOptions) {
    this.#options = options;
    this.#facts = { state: 'absent', since: options.clock.now() };
  }

  get facts(): DaemonFacts {
    return this.#facts;
  }

  /** Calls back at the moment another state or process is found, until the result is called. */
  onChange(listener: DaemonListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whether a look is due before the next refresh: the daemon is not there, does not answer, or has hung up. */
  get isInDoubt(): boolean {
    return this.#facts.state !== 'answering' || this.#unixctl === undefined || this.#unixctl.isClosed;
  }

  /** Looks for the daemon and asks it for a sign of life. Whoever asks meanwhile gets the same answer. */
  async check(signal: AbortSignal): Promise<DaemonFacts> {
    signal.throwIfAborted();
    // Not with the signal of one of those who wait for it: the others wait on.
    this.#checking ??= this.#check(this.#closing.signal).finally(() => (this.#checking = undefined));
    return await unlessAborted(this.#checking, signal);
  }

  /** The open connection, for one question. Looks for the daemon first where there is none. */
  async unixctl(signal: AbortSignal): Promise<Unixctl> {
    if (this.isInDoubt) await this.check(signal);
    const unixctl = this.#unixctl;
    if (unixctl !== undefined && !unixctl.isClosed) return unixctl;
    const { daemon } = this.#options;
    const { state, why = 'there is no trace of it' } = this.#facts;
    throw new OvsError(state === 'silent' ? 'timeout' : 'not-running', `${daemon} is ${state}: ${why}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    // A look that is under way may still open a connection, which would keep the process alive.
    await Promise.allSettled([this.#checking]);
    await this.#hangUp();
  }

  async #check(signal: AbortSignal): Promise<DaemonFacts> {
    const { daemon, runDirectories, proc } = this.#options;
    // One that answers on the connection we have is the one we know.
    if (this.#sighting !== undefined && this.#unixctl?.isClosed === false) {
      const facts = await this.#ask(this.#sighting, signal);
      if (facts.state === 'answering' || !this.#hasHungUp) return facts;
    }
    const sighting = await findDaemon({ name: daemon, directories: runDirectories, proc }, signal);
    switch (sighting.kind) {
      case 'absent':
        await this.#hangUp();
        return this.#state({ state: 'absent' });
      case 'gone':
        await this.#hangUp();
        return this.#state({ state: 'gone', why: sighting.why, ...idOf(sighting) });
      case 'running':
        return await this.#ask(sighting, signal);
    }
  }

  async #ask(sighting: Running, signal: AbortSignal): Promise<DaemonFacts> {
    const { processId } = sighting;
    try {
      const unixctl = await this.#connect(sighting);
      const isKnown = this.#facts.processId === processId && this.#facts.version !== undefined;
      const { version } = await readVersion(unixctl, { signal });
      return this.#state({ state: 'answering', processId, version: isKnown ? this.#facts.version : version });
    } catch (error) {
      signal.throwIfAborted();
      this.#hasHungUp = !isOvsError(error, 'timeout');
      await this.#hangUp();
      this.#options.metrics.countFailure(this.#options.daemon);
      return this.#state({ ...stateOf(error, sighting), why: messageOf(error), processId });
    }
  }

  async #connect(sighting: Running): Promise<Unixctl> {
    const open = this.#unixctl;
    if (open !== undefined && !open.isClosed && this.#sighting?.socket === sighting.socket) return open;
    await this.#hangUp();
    if (this.#sighting !== undefined) this.#options.metrics.countReconnect(this.#options.daemon);
    this.#sighting = sighting;
    this.#unixctl = openUnixctl({ socket: sighting.socket, requestTimeoutMs: this.#options.answerMs });
    return this.#unixctl;
  }

  async #hangUp(): Promise<void> {
    const open = this.#unixctl;
    this.#unixctl = undefined;
    await open?.[Symbol.asyncDispose]();
  }

  #state(next: Omit<DaemonFacts, 'since' | 'version'> & { readonly version?: string | undefined }): DaemonFacts {
    const old = this.#facts;
    const isSame = old.state === next.state && old.processId === next.processId;
    const { version, ...rest } = next;
    const kept = version ?? (old.processId === next.processId ? old.version : undefined);
    const since = isSame ? old.since : this.#options.clock.now();
    this.#facts = { ...rest, since, ...(kept !== undefined && { version: kept }) };
    if (!isSame) for (const listener of this.#listeners) listener(this.#facts);
    return this.#facts;
  }
}

function idOf({ processId }: { readonly processId?: number }): { readonly processId?: number } {
  return processId === undefined ? {} : { processId };
}

/** A process that lives and cannot be talked to is silent, whatever keeps it from it. */
function stateOf(error: unknown, { isProcessSeen }: Running): { readonly state: 'silent' | 'gone' } {
  const isRefused = isOvsError(error, 'unreachable', 'closed', 'not-running');
  return { state: isRefused && !isProcessSeen ? 'gone' : 'silent' };
}
