import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { ServerProcess } from '@smalt/bed-kubernetes';
import type { BedHost } from '@smalt/bed-libvirt';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const NODE = join(REPOSITORY, 'node_modules/.bin/node');
const MAIN = join(REPOSITORY, 'apps/smalt/src/main.ts');
const ENTER_MS = 5;
const NAMESPACES = ['--mount', '--uts', '--ipc', '--net', '--pid'];

export interface HostProcessOptions {
  readonly machine: BedHost;
  /** The command of smalt and its flags. */
  readonly words: readonly string[];
  readonly logPath: string;
}

/** A command of smalt that runs inside a host, and goes with it. */
export class HostProcess implements AsyncDisposable {
  readonly logPath: string;
  readonly #entered: ServerProcess;

  private constructor(entered: ServerProcess) {
    this.#entered = entered;
    this.logPath = entered.logPath;
  }

  static start({ machine, words, logPath }: HostProcessOptions): HostProcess {
    const target = ['--target', String(machine.daemon.namespacePid)];
    const command = ['nsenter', ...target, ...NAMESPACES, '--', NODE, MAIN, ...words];
    return new HostProcess(ServerProcess.start(`${words[0] ?? ''} of ${machine.name}`, command, logPath));
  }

  get isRunning(): boolean {
    return this.#entered.isRunning;
  }

  /** All that it said. */
  async log(): Promise<string> {
    return await readFile(this.logPath, 'utf8');
  }

  /** Ends it without a word. */
  async kill(): Promise<void> {
    await this.#signal('SIGKILL');
  }

  /** Resolves when it is gone, whoever ended it. */
  async whenEnded(): Promise<void> {
    await this.#entered.whenEnded();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#signal('SIGTERM');
  }

  /** Whoever enters a host waits outside for the process inside, and hands no signals on to it. */
  async #signal(signal: NodeJS.Signals): Promise<void> {
    const inside = await this.#inside();
    if (inside !== undefined && this.#entered.isRunning) process.kill(inside, signal);
    await this.#entered.whenEnded();
  }

  /** Its number as seen from here. It takes a moment to enter. */
  async #inside(): Promise<number | undefined> {
    const { pid } = this.#entered;
    while (this.#entered.isRunning) {
      const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).trim();
      if (children !== '') return Number(children);
      await delay(ENTER_MS);
    }
    return undefined;
  }
}
