import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@smalt/json';

import { textIn, textMapIn } from './read-json.ts';
import { SimulatorError } from './simulator-error.ts';

const PROGRAM = join(import.meta.dirname, 'main.ts');
const START_TIMEOUT_MS = 30_000;

export interface SimulatorProcessOptions {
  readonly latencyMs?: number | undefined;
  readonly tokenSeconds?: number | undefined;
}

/** A simulated cloud in a process of its own, so that it shares no processor time with who measures something. */
export class SimulatorProcess implements AsyncDisposable {
  /** The variables that OpenStack's clients read. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #controlUrl: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, addresses: JsonObject) {
    this.#child = child;
    this.#controlUrl = textIn(addresses, 'controlUrl') ?? '';
    this.environment = textMapIn(addresses, 'environment');
  }

  static async start(options: SimulatorProcessOptions = {}): Promise<SimulatorProcess> {
    const words = [PROGRAM, JSON.stringify(options)];
    const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    const signal = AbortSignal.timeout(START_TIMEOUT_MS);
    const ended = once(child, 'exit', { signal }).then(() => ['{}']);
    const [line]: unknown[] = await Promise.race([once(createInterface(child.stdout), 'line', { signal }), ended]);
    const addresses = parseJson(String(line));
    if (isJsonObject(addresses) && 'controlUrl' in addresses) return new SimulatorProcess(child, addresses);
    throw new SimulatorError('control-failed', 'the simulated cloud ended before it was ready');
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Has the cloud do something; the README lists what. */
  async tell(method: string, path: string, body?: JsonValue): Promise<JsonValue> {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${this.#controlUrl}${path}`, { method, ...content });
    const text = await response.text();
    if (!response.ok) throw new SimulatorError('control-failed', `${method} ${path}: ${text}`);
    return parseJson(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await exited;
  }
}
