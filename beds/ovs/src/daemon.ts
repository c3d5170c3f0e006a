import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { tieToOwner } from '@smalt/bed-postgres';
import { findProgram, SYSTEM_PATH } from '@smalt/libvirt-daemon';

import type { DaemonPlace } from './daemon-place.ts';
import { OvsBedError } from './error.ts';
import { runOvsProgram } from './run-ovs-program.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 5;
const LAST_LINES = 10;

export interface DaemonOptions {
  readonly place: DaemonPlace;
  /** Of the pid file and the control socket. */
  readonly name: string;
  readonly program: string;
  readonly debianPackage: string;
  readonly parameters: readonly string[];
  /** Where the control socket is, for a daemon whose program has another name than it; by the pid otherwise. */
  readonly controlSocket?: string;
  /** The process whose network it shares, or `nobody`; ours otherwise. */
  readonly networkOf?: number | 'nobody' | undefined;
}

/** A daemon that may be stopped, killed and started again. It ends with the process that started it, also when that is killed. */
export class Daemon implements AsyncDisposable {
  readonly name: string;
  readonly #options: DaemonOptions;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: DaemonOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.isRunning ? this.#child?.pid : undefined;
  }

  get isRunning(): boolean {
    return this.#child?.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get controlSocket(): string {
    const { place, program, controlSocket } = this.#options;
    return controlSocket ?? join(place.runDirectory, `${program}.${String(this.#child?.pid)}.ctl`);
  }

  /** Starts it and waits until it answers on its control socket. */
  async start(): Promise<void> {
    if (this.isRunning) throw new OvsBedError('invalid-option', `${this.name} runs already`);
    await this.#spawn();
    const deadline = AbortSignal.timeout(START_TIMEOUT_MS);
    while (!(await isListening(this.controlSocket))) {
      if (!this.isRunning) throw await this.#failure('start-failed', 'ended');
      if (deadline.aborted) throw await this.#failure('start-timeout', 'was not ready in time');
      await delay(POLL_MS);
    }
    await this.control('version');
  }

  /** Sends a signal. After one that ends it, waits until it is gone; after SIGSTOP, until it stands still. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { pid } = this;
    if (pid === undefined) throw new OvsBedError('not-running', `${this.name} does not run`);
    this.#child?.kill(signal);
    if (signal === 'SIGKILL' || signal === 'SIGTERM') await this.#ended;
    if (signal === 'SIGSTOP') await standsStill(pid);
  }

  /** Ends it if it runs, in good order, and starts it. */
  async restart(): Promise<void> {
    if (this.isRunning) await this.kill('SIGTERM');
    await this.start();
  }

  /** Runs a command of its control socket and gives what it answered. */
  async control(command: string, ...parameters: readonly string[]): Promise<string> {
    const { environment } = this.#options.place;
    return runOvsProgram('ovs-appctl', ['--target', this.controlSocket, command, ...parameters], { environment });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isRunning) await this.kill();
  }

  async #spawn(): Promise<void> {
    const { place, name, networkOf } = this.#options;
    const program = await findProgram(this.#options.program, this.#options.debianPackage);
    const setpriv = await findProgram('setpriv', 'util-linux');
    const pidFile = `--pidfile=${join(place.runDirectory, `${name}.pid`)}`;
    const logFile = `--log-file=${join(place.logDirectory, `${name}.log`)}`;
    const command = [program, ...this.#options.parameters, pidFile, logFile, '--no-chdir', '-vconsole:off'];
    const [first = '', ...words] = tieToOwner(process.pid, setpriv, [...entering(networkOf), ...command]);
    await using output = await open(this.#outputFile, 'w', 0o600);
    const child = spawn(first, words, {
      stdio: ['ignore', output.fd, output.fd],
      env: { ...place.environment, PATH: SYSTEM_PATH, LC_ALL: 'C' },
      cwd: '/',
      // Ctrl-C in a terminal is for the owner.
      detached: true,
    });
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
  }

  get #outputFile(): string {
    return join(this.#options.place.logDirectory, `${this.name}.out`);
  }

  async #failure(code: 'start-failed' | 'start-timeout', what: string): Promise<OvsBedError> {
    const words = (await readFile(this.#outputFile, 'utf8')).trimEnd().split('\n').slice(-LAST_LINES).join('\n');
    this.#child?.kill('SIGKILL');
    await this.#ended;
    return new OvsBedError(code, `${this.name} ${what}: ${words}`);
  }
}

function entering(networkOf: DaemonOptions['networkOf']): readonly string[] {
  if (networkOf === undefined) return [];
  return networkOf === 'nobody' ? ['unshare', '--net'] : ['nsenter', '--target', String(networkOf), '--net'];
}

/** A socket of the run before may lie there, and one that is bound does not listen yet. */
async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function standsStill(pid: number): Promise<void> {
  while (!/^State:\s+T/m.test(await readFile(`/proc/${pid}/status`, 'utf8'))) await delay(POLL_MS);
}
