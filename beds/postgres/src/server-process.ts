import { spawn, type ChildProcess } from 'node:child_process';
import { open, readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { findProgram, SYSTEM_PATH } from '@smalt/libvirt-daemon';

import { PostgresBedError } from './error.ts';
import { asServerAccount } from './server-account.ts';
import { tieToOwner } from './tie-to-owner.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 20;
const LAST_LINES = 10;

/** One run of the server. It ends with the process that started it, also when that is killed. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #logPath: string;
  readonly #ended: Promise<void>;

  private constructor(child: ChildProcess, logPath: string) {
    this.#child = child;
    this.#logPath = logPath;
    this.#ended = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
  }

  /** Starts the server and waits until it takes connections. */
  static async start(command: readonly string[], logPath: string): Promise<ServerProcess> {
    const setpriv = await findProgram('setpriv', 'util-linux');
    await using log = await open(logPath, 'w', 0o600);
    // A change of the account clears the signal, so it is asked for after that.
    const [program = '', ...words] = asServerAccount(tieToOwner(process.pid, setpriv, command));
    const child = spawn(program === 'setpriv' ? setpriv : program, words, {
      stdio: ['ignore', log.fd, log.fd],
      env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
      cwd: '/',
      // Ctrl-C in a terminal is for the owner.
      detached: true,
    });
    const server = new ServerProcess(child, logPath);
    await server.#whenReady();
    return server;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Lets it finish what is on its way to disk, and closes all connections. */
  async stop(): Promise<void> {
    if (!this.isRunning) return;
    this.#child.kill('SIGINT');
    await this.#ended;
  }

  /** Ends the server and all processes of it at once, as a loss of power does. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    // While it stands still it starts no other process.
    this.#child.kill('SIGSTOP');
    const others = await childrenOf(this.pid);
    this.#child.kill('SIGKILL');
    for (const pid of others) killOne(pid);
    await this.#ended;
    while ((await Promise.all(others.map(isThere))).includes(true)) await delay(POLL_MS);
  }

  async #whenReady(): Promise<void> {
    const deadline = AbortSignal.timeout(START_TIMEOUT_MS);
    while (!(await this.#log()).includes('database system is ready to accept connections')) {
      if (!this.isRunning) throw await this.#failure('start-failed', 'ended');
      if (deadline.aborted) throw await this.#failure('start-timeout', 'was not ready in time');
      await delay(POLL_MS);
    }
  }

  async #failure(code: 'start-failed' | 'start-timeout', what: string): Promise<PostgresBedError> {
    const words = (await this.#log()).trimEnd().split('\n').slice(-LAST_LINES).join('\n');
    this.#child.kill('SIGKILL');
    return new PostgresBedError(code, `PostgreSQL ${what}: ${words}`);
  }

  async #log(): Promise<string> {
    return readFile(this.#logPath, 'utf8');
  }
}

async function childrenOf(parent: number): Promise<readonly number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(names.map(parentOf));
  return names.filter((_, index) => parents[index] === parent).map(Number);
}

async function parentOf(pid: string): Promise<number> {
  // Processes come and go while we look.
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^PPid:\s+(\d+)$/m.exec(text)?.[1]);
}

async function isThere(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return text !== '' && !/^State:\s+Z/m.test(text);
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
