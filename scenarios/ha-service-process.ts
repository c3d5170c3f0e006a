import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { ServerProcess } from '@smalt/bed-kubernetes';
import { Agent, fetch } from 'undici';

import type { ServiceAccess } from './runbook-command.ts';

const REPOSITORY = resolve(import.meta.dirname, '..');
const START_TIMEOUT_MS = 60_000;
export const NODE: string = join(REPOSITORY, 'node_modules/.bin/node');
export const MAIN: string = join(REPOSITORY, 'apps/smalt/src/main.ts');

export interface HaServiceProcessOptions {
  readonly directory: string;
  /** Where it listens, such as `https://198.18.7.254:8443`. */
  readonly url: string;
  readonly authorityFile: string;
  /** The variables of OpenStack's clients. */
  readonly cloud: Readonly<Record<string, string>>;
  /** The configuration file but for `api.tokensFile`; JSON is YAML too. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** `smalt ha-service` in a process of its own, and a person who uses its API. */
export class HaServiceProcess implements AsyncDisposable {
  readonly logPath: string;
  readonly #command: readonly string[];
  readonly #options: HaServiceProcessOptions;
  readonly #token: string;
  readonly #agent: Agent;
  #config: Readonly<Record<string, unknown>>;
  #process: ServerProcess | undefined;

  private constructor(options: HaServiceProcessOptions, token: string, authority: string) {
    this.#options = options;
    this.#token = token;
    this.#config = options.config;
    this.#agent = new Agent({ connect: { ca: authority } });
    this.logPath = join(options.directory, 'ha-service.log');
    const variables = Object.entries(options.cloud).map(([name, value]) => `${name}=${value}`);
    const words = ['ha-service', '--config', join(options.directory, 'ha-service.yaml')];
    // It must not outlive a test that is killed.
    this.#command = ['setpriv', '--pdeathsig=KILL', '--', 'env', ...variables, NODE, MAIN, ...words];
  }

  /** Starts it and resolves when it is ready. */
  static async start(options: HaServiceProcessOptions): Promise<HaServiceProcess> {
    const token = randomUUID();
    const tokensFile = join(options.directory, 'tokens.yaml');
    const sha256 = createHash('sha256').update(token).digest('hex');
    await writeFile(tokensFile, JSON.stringify([{ name: 'ada', role: 'operator', sha256 }]));
    const api = { tokensFile, asksKubernetes: false, requestsPerSecond: 1000 };
    const service = new HaServiceProcess(options, token, await readFile(options.authorityFile, 'utf8'));
    await service.configure({ api });
    await service.restart();
    return service;
  }

  /** Changes sections of its configuration file, which it reads anew by itself. */
  async configure(sections: Readonly<Record<string, unknown>>): Promise<void> {
    this.#config = { ...this.#config, ...sections };
    const path = join(this.#options.directory, 'ha-service.yaml');
    await writeFile(`${path}.new`, JSON.stringify(this.#config));
    await rename(`${path}.new`, path);
  }

  /** What somebody needs who uses the API by other means. */
  get access(): ServiceAccess {
    const { url, authorityFile } = this.#options;
    return { url, authorityFile, token: this.#token };
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  /** Starts it, or once more after `kill`; resolves when it answers. */
  async restart(): Promise<void> {
    const process = ServerProcess.start('smalt ha-service', this.#command, this.logPath);
    this.#process = process;
    const isReady = (): Promise<boolean> =>
      this.ask('GET', '/api/v1/status').then(
        () => true,
        () => false,
      );
    await process.whenReady(isReady, AbortSignal.timeout(START_TIMEOUT_MS));
  }

  /** What the API answers; fails for anything but 2xx. */
  async ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${this.#options.url}${path}`, {
      method,
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  }

  /** The last lines of its log, for who wonders. */
  async logTail(lines: number): Promise<string> {
    return (await readFile(this.logPath, 'utf8')).split('\n').slice(-lines).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
    await this.#agent.destroy();
  }
}
