import { setTimeout as delay } from 'node:timers/promises';

import { daemonLogEnds, readDaemonLog } from './daemon-log.ts';
import { LibvirtDaemonError } from './error.ts';
import { explainFailure } from './explain-failure.ts';
import { socketPathIn } from './libvirtd-options.ts';
import { libvirtUri, type LibvirtdAddress } from './libvirt-uri.ts';
import type { Namespace, Run } from './namespace.ts';
import { signalProcess } from './signal-process.ts';
import { waitUntilServed } from './wait-until-served.ts';

const STOP_MS = 5_000;

/** A libvirtd that this process owns. It and its guests end with this process, however that ends. */
export class Libvirtd implements AsyncDisposable {
  readonly directory: string;
  /** The read-write socket, reachable from outside the daemon's namespaces. */
  readonly socketPath: string;
  readonly address: string;
  /** Where plain TCP listens, unless it is switched off. */
  readonly port: number | undefined;
  readonly tlsPort: number | undefined;
  /** What a libvirt client connects to: by TCP, else by TLS, else by the socket. */
  readonly uri: string;
  readonly #namespace: Namespace;
  readonly #startTimeoutMs: number;
  #run: Run | undefined;
  /** Where the log of the present run begins: what an earlier one complained of explains nothing. */
  #logStart: readonly number[] = [];

  constructor(namespace: Namespace, directory: string, where: LibvirtdAddress, startTimeoutMs: number) {
    this.#namespace = namespace;
    this.#startTimeoutMs = startTimeoutMs;
    this.directory = directory;
    this.socketPath = socketPathIn(directory);
    this.address = where.address;
    this.port = where.port;
    this.tlsPort = where.tlsPort;
    this.uri = libvirtUri(where, this.socketPath);
  }

  /** libvirtd's pid as seen from outside; undefined while it does not run. */
  get pid(): number | undefined {
    return this.#run?.pid;
  }

  /** Pid 1 of the daemon's namespaces as seen from outside: what `nsenter --target` takes. */
  get namespacePid(): number {
    return this.#namespace.pid;
  }

  /** Whether all is over: stopped, crashed or killed from outside. */
  get hasEnded(): boolean {
    return this.#namespace.isEnded;
  }

  /** Runs libvirtd and resolves once it answers calls. */
  async start(signal?: AbortSignal): Promise<void> {
    this.#logStart = await daemonLogEnds(this.directory);
    const run = await this.#namespace.start();
    this.#run = run;
    void this.#forget(run);
    const stopWaiting = new AbortController();
    const timeout = AbortSignal.timeout(this.#startTimeoutMs);
    const signals = [stopWaiting.signal, timeout, ...(signal ? [signal] : [])];
    const served = waitUntilServed(this.socketPath, AbortSignal.any(signals)).then(
      () => 'served' as const,
      () => (timeout.aborted ? ('timeout' as const) : ('aborted' as const)),
    );
    const outcome = await Promise.race([served, run.exited]);
    stopWaiting.abort();
    if (outcome === 'served') return;
    throw await this.#startError(outcome, signal);
  }

  /** Sends a signal to libvirtd alone; guests live on. After SIGKILL or SIGTERM, `restart` brings it back. */
  kill(signal: NodeJS.Signals): void {
    const pid = this.#run?.pid;
    if (pid === undefined) throw new LibvirtDaemonError('not-running', `No libvirtd to send ${signal} to`);
    signalProcess(pid, signal);
  }

  /** Resolves when the libvirtd that runs now has exited; guests may live on. */
  async exited(): Promise<void> {
    await this.#run?.exited;
  }

  /** Ends libvirtd, if it runs, and starts it again in the same namespaces and on the same ports; guests live on. */
  async restart(signal?: AbortSignal): Promise<void> {
    if (this.hasEnded) throw new LibvirtDaemonError('ended', 'The daemon has ended and cannot be restarted');
    await this.#terminate();
    await this.start(signal);
  }

  /** Ends libvirtd in good order, then kills what is left of it and every guest. */
  async stop(): Promise<void> {
    if (!this.hasEnded) await this.#terminate();
    await this.#namespace.kill();
  }

  /** Kills libvirtd and every guest at one blow, as a power loss would. */
  async crash(): Promise<void> {
    await this.#namespace.kill();
  }

  /** The last lines libvirtd wrote. */
  async log(maxLines?: number): Promise<string> {
    return await readDaemonLog(this.directory, { maxLines });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #terminate(): Promise<void> {
    const run = this.#run;
    if (!run) return;
    signalProcess(run.pid, 'SIGTERM');
    // A stopped or hung process never hears SIGTERM.
    const finished = new AbortController();
    const late = delay(STOP_MS, 'late' as const, { signal: finished.signal }).catch(() => undefined);
    if ((await Promise.race([run.exited, late])) === 'late') signalProcess(run.pid, 'SIGKILL');
    finished.abort();
    await run.exited;
  }

  async #forget(run: Run): Promise<void> {
    await run.exited;
    if (this.#run === run) this.#run = undefined;
  }

  async #startError(outcome: number | 'timeout' | 'aborted', signal?: AbortSignal): Promise<Error> {
    const log = await readDaemonLog(this.directory, { from: this.#logStart });
    if (typeof outcome === 'number') return explainFailure(log, outcome);
    if (outcome === 'aborted') {
      return new LibvirtDaemonError('aborted', 'Starting libvirtd was given up', { cause: signal?.reason });
    }
    return new LibvirtDaemonError('start-timeout', `libvirtd did not serve within ${this.#startTimeoutMs} ms`, { log });
  }
}
