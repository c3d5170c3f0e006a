import { readDaemonLog } from './daemon-log.ts';
import type { DaemonRecord } from './daemon-record.ts';
import { ensureDaemon } from './ensure-daemon.ts';
import type { EnsureDaemonOptions } from './ensure-daemon.ts';
import { checkOptions, socketPathIn } from './libvirtd-options.ts';
import { isRunning, untilGone } from './process-mark.ts';
import { signalProcess } from './signal-process.ts';

/** One that does not end by then is killed. */
const STOP_TIMEOUT_MS = 10_000;

export interface DetachedLibvirtdOptions extends EnsureDaemonOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gives the libvirtd of a directory: the one that runs there, else a new one, which finds the guests of a dead one again.
 * It belongs to nobody: it and its guests run on when this process ends, however that ends.
 */
export async function openDetachedLibvirtd(options: DetachedLibvirtdOptions): Promise<DetachedLibvirtd> {
  checkOptions(options);
  return new DetachedLibvirtd(options, await ensureDaemon(options, options.signal));
}

/** A libvirtd that lives on its own, reached by its socket alone. */
export class DetachedLibvirtd {
  readonly socketPath: string;
  /** Nothing but a reboot ends its guests, so there is always something to start it again for. */
  readonly hasEnded = false;
  readonly #options: DetachedLibvirtdOptions;
  #record: DaemonRecord;

  constructor(options: DetachedLibvirtdOptions, record: DaemonRecord) {
    this.#options = options;
    this.#record = record;
    this.socketPath = socketPathIn(options.directory);
  }

  get uri(): string {
    return this.#record.uri;
  }

  /** Of the libvirtd that runs, or ran last. */
  get pid(): number {
    return this.#record.pid;
  }

  /** Resolves when the libvirtd is gone, or when the signal fires. */
  async exited(signal: AbortSignal): Promise<void> {
    await untilGone(this.#record, signal);
  }

  /** Ends the libvirtd and waits until it is gone; guests run on. Whoever keeps it running has to stop that before. */
  async stop(signal?: AbortSignal): Promise<void> {
    const timeout = AbortSignal.timeout(STOP_TIMEOUT_MS);
    if (await isRunning(this.#record)) signalProcess(this.#record.pid, 'SIGTERM');
    await untilGone(this.#record, signal ? AbortSignal.any([signal, timeout]) : timeout);
    if (await isRunning(this.#record)) signalProcess(this.#record.pid, 'SIGKILL');
  }

  /** Starts a libvirtd that is gone again, or takes the one that somebody else started meanwhile. */
  async restart(signal?: AbortSignal): Promise<void> {
    this.#record = await ensureDaemon(this.#options, signal);
  }

  /** The last lines libvirtd wrote. */
  async log(maxLines?: number): Promise<string> {
    return await readDaemonLog(this.#options.directory, { maxLines });
  }
}
