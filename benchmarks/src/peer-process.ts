import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { BenchmarkError } from './benchmark-error.ts';

const KEPT_STDERR_CHARACTERS = 2_000;

/**
 * A peer in a process of its own. It answers each command line with one line of JSON, and prints one such line when it
 * is ready, so that a harness can let several peers take turns.
 */
export class PeerProcess implements AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: AsyncIterator<string>;
  readonly #input: Interface;
  readonly #exitGraceMs: number;
  readonly #closed: Promise<void>;
  #stderr = '';

  constructor(name: string, command: readonly string[], exitGraceMs: number = 2_000) {
    const [program = '', ...words] = command;
    this.name = name;
    this.#exitGraceMs = exitGraceMs;
    this.#child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] });
    // A peer that cannot be started has no pid; reading its first line then tells why.
    this.pid = this.#child.pid ?? 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    this.#child.on('close', () => resolve());
    this.#child.on('error', (error) => this.#keepStderr(error.message));
    this.#child.stdin.on('error', (error) => this.#keepStderr(error.message));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => this.#keepStderr(text));
    this.#input = createInterface({ input: this.#child.stdout });
    this.#lines = this.#input[Symbol.asyncIterator]();
  }

  /** The next line the peer prints, as a JSON object. Throws `peer-failed` with the peer's own words when it has none. */
  async answer(signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const line = await untilAborted(this.#lines.next(), signal);
    if (line.done === true) {
      // Its last words may still be on their way.
      await untilAborted(this.#closed, signal);
      throw new BenchmarkError('peer-failed', `${this.name} ended: ${this.#stderr.trim() || 'it said nothing'}`);
    }
    const answer = parseObject(this.name, line.value);
    const error = answer['error'];
    if (error !== undefined)
      throw new BenchmarkError(
        'peer-failed',
        `${this.name}: ${typeof error === 'string' ? error : JSON.stringify(error)}`,
      );
    return answer;
  }

  /** Sends one command and waits for its answer. */
  ask(command: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    this.#child.stdin.write(`${command}\n`);
    return this.answer(signal);
  }

  /** Lets the peer end by itself, and kills it when it does not. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#input.close();
    const child = this.#child;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.stdin.end();
    const killing = setTimeout(() => child.kill('SIGKILL'), this.#exitGraceMs);
    await exited;
    clearTimeout(killing);
  }

  #keepStderr(text: string): void {
    this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR_CHARACTERS);
  }
}

function parseObject(name: string, line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch (error) {
    throw new BenchmarkError('peer-failed', `${name} printed no JSON: ${line}`, { cause: error });
  }
  throw new BenchmarkError('peer-failed', `${name} printed no JSON object: ${line}`);
}

async function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
