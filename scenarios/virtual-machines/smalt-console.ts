import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const NODE = join(REPOSITORY, 'node_modules/.bin/node');
const MAIN = join(REPOSITORY, 'apps/smalt/src/main.ts');
const LEAVE = '\u001d';

/** `smalt console` in a process of its own, with somebody who types and reads. */
export class SmaltConsole implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #exited: Promise<unknown[]>;
  #printed = '';
  #told = '';
  #changed: () => void = () => undefined;

  constructor(machine: string, kubeconfig: string) {
    const words = [MAIN, 'console', machine, '--kubeconfig', kubeconfig];
    this.#child = spawn(NODE, words, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#exited = once(this.#child, 'exit');
    this.#child.stdout.on('data', (bytes: Buffer) => {
      this.#printed += bytes.toString();
      this.#changed();
    });
    this.#child.stderr.on('data', (bytes: Buffer) => {
      this.#told += bytes.toString();
      this.#changed();
    });
    void this.#exited.then(() => this.#changed());
  }

  get printed(): string {
    return this.#printed;
  }

  /** What it said beside the console. */
  get told(): string {
    return this.#told;
  }

  type(text: string): void {
    this.#child.stdin.write(text);
  }

  /** Resolves once this was printed; rejects when the command ends before. */
  async shows(text: string | RegExp): Promise<void> {
    const reached = Promise.withResolvers<void>();
    this.#changed = () => {
      if (typeof text === 'string' ? this.#printed.includes(text) : text.test(this.#printed)) return reached.resolve();
      if (this.#child.exitCode === null) return;
      reached.reject(new Error(`the console ended before ${String(text)}: ${this.#printed}${this.#told}`));
    };
    this.#changed();
    await reached.promise;
  }

  /** Leaves it as a person does, and gives the exit code. */
  async leave(): Promise<number | null> {
    this.type(LEAVE);
    await this.#exited;
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) this.#child.kill('SIGKILL');
    await this.#exited;
  }
}
