import { setTimeout as delay } from 'node:timers/promises';

import { LibvirtDaemonError } from './error.ts';
import { explainFailure } from './explain-failure.ts';
import { socketPathIn } from './libvirtd-options.ts';
import type { Namespace, Run } from './namespace.ts';
import { fileSizes, readTail } from './read-tail.ts';
import { signalProcess } from './signal-process.ts';
import { waitUntilServed } from './wait-until-served.ts';

export interface LibvirtdAddress {
  readonly drivers: 'all' | 'test';
  readonly address: string;
  readonly port: number | undefined;
  readonly tlsPort: number | undefined;
}

const STOP_MS = 5_000;
const LOG_LINES = 40;

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
    this.#logStart = await fileSizes(this.#logFiles());
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
  async log(maxLines: number = LOG_LINES): Promise<string> {
    return this.#readLog(maxLines, []);
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

  #logFiles(): readonly string[] {
    return ['output.log', 'libvirtd.log'].map((name) => `${this.directory}/log/${name}`);
  }

  async #readLog(maxLines: number, from: readonly number[]): Promise<string> {
    const files = this.#logFiles();
    const texts = await Promise.all(files.map((file, index) => readTail(file, { maxLines, from: from[index] ?? 0 })));
    return texts.filter((text) => text !== '').join('\n');
  }

  async #startError(outcome: number | 'timeout' | 'aborted', signal?: AbortSignal): Promise<Error> {
    const log = await this.#readLog(LOG_LINES, this.#logStart);
    if (typeof outcome === 'number') return explainFailure(log, outcome);
    if (outcome === 'aborted') {
      return new LibvirtDaemonError('aborted', 'Starting libvirtd was given up', { cause: signal?.reason });
    }
    return new LibvirtDaemonError('start-timeout', `libvirtd did not serve within ${this.#startTimeoutMs} ms`, { log });
  }
}

function libvirtUri(where: LibvirtdAddress, socketPath: string): string {
  const [driver, path] = where.drivers === 'test' ? ['test', '/default'] : ['qemu', '/system'];
  const host = where.address.includes(':') ? `[${where.address}]` : where.address;
  if (where.port !== undefined) return `${driver}+tcp://${host}:${where.port}${path}`;
  if (where.tlsPort !== undefined) return `${driver}+tls://${host}:${where.tlsPort}${path}`;
  return `${driver}+unix://${path}?socket=${encodeURIComponent(socketPath)}`;
}
