import { join, resolve } from 'node:path';

import { ServerProcess } from '@smalt/bed-kubernetes';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const NODE = join(REPOSITORY, 'node_modules/.bin/node');
const MAIN = join(REPOSITORY, 'apps/smalt/src/main.ts');

/** A part of the control plane in a process of its own, which can be killed and started again. */
export class ControlProcess implements AsyncDisposable {
  readonly name: string;
  readonly #command: readonly string[];
  readonly #logPath: string;
  #process: ServerProcess | undefined;

  constructor(name: string, kubeconfig: string, directory: string) {
    this.name = name;
    const words = [name, `--kubeconfig=${kubeconfig}`, '--listen='];
    // It must not outlive a test that is killed.
    this.#command = ['setpriv', '--pdeathsig=KILL', '--', NODE, MAIN, ...words];
    this.#logPath = join(directory, `${name}.log`);
  }

  get isRunning(): boolean {
    return this.#process?.isRunning === true;
  }

  start(): void {
    this.#process = ServerProcess.start(this.name, this.#command, this.#logPath);
  }

  /** Ends it without a word. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
  }
}
