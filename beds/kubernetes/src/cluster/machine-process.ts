import { untilReady, type Server } from '../until-ready.ts';

const STOP_TIMEOUT_MS = 10_000;

/** A program that runs on a node until it is disposed of, or the node is. */
export class MachineProcess implements Server, AsyncDisposable {
  readonly name: string;
  readonly logPath: string;
  readonly #started = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  #pid = 0;
  #isRunning = true;

  constructor(name: string, logPath: string) {
    this.name = name;
    this.logPath = logPath;
  }

  /** As seen from outside the node. */
  get pid(): number {
    return this.#pid;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** Resolves once `isReady` says so; fails with the program's last words when it ends or takes too long. */
  async whenReady(isReady: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    await untilReady(this, isReady, signal);
  }

  /** Resolves when it has ended, by whatever. */
  async whenEnded(): Promise<void> {
    await this.#exited.promise;
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    await this.#signal('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const timer = setTimeout(() => void this.#signal('SIGKILL'), STOP_TIMEOUT_MS);
    await this.#signal('SIGTERM');
    clearTimeout(timer);
  }

  begin(pid: number): void {
    this.#pid = pid;
    this.#started.resolve();
  }

  end(): void {
    this.#isRunning = false;
    this.#exited.resolve();
  }

  async #signal(name: NodeJS.Signals): Promise<void> {
    if (!this.#isRunning) return;
    if (this.#pid > 0) sendSignal(this.#pid, name);
    await this.#exited.promise;
  }
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended, and word of that is on its way.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
