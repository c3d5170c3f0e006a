import type { Clock } from '@smalt/controller-runtime';
import type { CallOptions } from '@smalt/libvirt';
import type { Logger } from '@smalt/service-runtime';

import type { RunningInstance } from '../../sync/running-instances.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import { requireRunning } from './require-running.ts';

/** A guest whose file systems stand still must not wait for a slow agent for ever. */
const THAW_MS = 30_000;

export interface FreezesDeps {
  readonly clock: Pick<Clock, 'wait'>;
  readonly logger: Logger;
  /** Fires when the handler stops: then nobody would thaw, so all are thawed at once. */
  readonly signal: AbortSignal;
}

/** Freezes file systems of guests, and thaws them in time when nobody asks for it. */
export class Freezes implements AsyncDisposable {
  readonly #deps: FreezesDeps;
  readonly #waiting = new Map<string, AbortController>();
  readonly #tasks = new Set<Promise<void>>();

  constructor(deps: FreezesDeps) {
    this.#deps = deps;
  }

  /** Frozen for this long at most; 0 for as long as the caller likes. */
  async freeze(running: RunningInstance, mostMs: number, options: CallOptions): Promise<void> {
    const { session, domain } = running;
    if ((await requireRunning(running, options)) === 'paused') throw new VirtHandlerError('conflict', 'VMI is paused');
    await session.domainFsfreeze({ domain }, options);
    this.#forget(domain.uuid);
    if (mostMs > 0) this.#thawLater(running, mostMs);
  }

  async thaw(running: RunningInstance, options: CallOptions): Promise<void> {
    const { session, domain } = running;
    if ((await requireRunning(running, options)) === 'paused') throw new VirtHandlerError('conflict', 'VMI is paused');
    await session.domainFsthaw({ domain }, options);
    this.#forget(domain.uuid);
  }

  /** Resolves when all that wait for it are thawed. The signal has to fire before. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#tasks);
  }

  #forget(uuid: string): void {
    this.#waiting.get(uuid)?.abort();
    this.#waiting.delete(uuid);
  }

  #thawLater(running: RunningInstance, mostMs: number): void {
    const done = new AbortController();
    this.#waiting.set(running.domain.uuid, done);
    const task = this.#thawAfter(running, mostMs, done.signal).finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
  }

  async #thawAfter({ session, domain, instance }: RunningInstance, ms: number, done: AbortSignal): Promise<void> {
    const { clock, logger, signal } = this.#deps;
    await clock.wait(ms, AbortSignal.any([done, signal])).catch(() => undefined);
    if (done.aborted) return;
    this.#forget(domain.uuid);
    const resource = `${instance.metadata.namespace}/${instance.metadata.name}`;
    try {
      await session.domainFsthaw({ domain }, { timeoutMs: THAW_MS });
      logger.info({ resource }, 'the file systems of the guest were thawed: its time was over');
    } catch (error) {
      logger.warn({ resource, error }, 'the file systems of the guest could not be thawed: ask for unfreeze');
    }
  }
}
