import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

import { BedKubernetesError } from './error.ts';
import { untilReady, type Server } from './until-ready.ts';

const STOP_TIMEOUT_MS = 10_000;
// Without it a server would outlive an owner that is killed.
const LIFELINE = ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--'] as const;

/** A server of the bed: a process of ours that writes to a log file and ends when it is disposed of. */
export class ServerProcess implements Server, AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  readonly logPath: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;

  private constructor(name: string, child: ChildProcess, pid: number, logPath: string) {
    this.name = name;
    this.pid = pid;
    this.logPath = logPath;
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
  }

  static start(name: string, command: readonly string[], logPath: string): ServerProcess {
    const [program, ...words] = [...LIFELINE, ...command];
    const log = openSync(logPath, 'a', 0o600);
    const child = spawn(program, words, { stdio: ['ignore', log, log], detached: false });
    closeSync(log);
    if (child.pid === undefined) {
      child.once('error', () => undefined);
      throw new BedKubernetesError(
        'missing-program',
        `${program} cannot be run: install the Debian package util-linux`,
      );
    }
    return new ServerProcess(name, child, child.pid, logPath);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves once `isReady` says so; fails with the server's last words when it ends or takes too long. */
  async whenReady(isReady: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    await untilReady(this, isReady, signal);
  }

  /** Resolves when the process has ended, by whatever. */
  async whenEnded(): Promise<void> {
    await this.#exited;
  }

  /** Ends the process as a power cut would. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isRunning) return;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.#exited;
    clearTimeout(timer);
  }
}
