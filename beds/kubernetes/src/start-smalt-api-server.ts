import { access, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { ask } from './ask.ts';
import { freePorts } from './free-ports.ts';
import { keepAuditLog } from './keep-audit-log.ts';
import { ServerProcess } from './server-process.ts';
import type { TestApiServer } from './test-api-server.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const NODE = join(REPOSITORY, 'node_modules/.bin/node');
const PROGRAMS: Readonly<Record<SmaltProgram, string>> = {
  sources: join(REPOSITORY, 'apps/smalt/src/main.ts'),
  bundle: join(REPOSITORY, '.cache/bundle/smalt.mjs'),
};
const START_TIMEOUT_MS = 30_000;

export type SmaltProgram = 'sources' | 'bundle';

export interface SmaltApiServerOptions {
  /** Where its data lives, and stays. Left out: a directory of its own that goes with the server. */
  readonly directory?: string | undefined;
  /** Left out: any that is free. */
  readonly port?: number | undefined;
  /** Further flags of `smalt apiserver`. */
  readonly flags?: readonly string[] | undefined;
  /** Further flags of Node, such as `--cpu-prof`. */
  readonly nodeFlags?: readonly string[] | undefined;
  /** What runs: the sources as they are, or the bundle that `npm start` and `npm run bench` make of them. */
  readonly program?: SmaltProgram | undefined;
  readonly signal: AbortSignal;
}

/** A server of ours in a process of its own. */
export interface SmaltApiServer extends TestApiServer {
  /** The process that serves now; another one after `restart`. */
  readonly process: ServerProcess;
}

/** Starts `smalt apiserver` on loopback and resolves when it is ready. Disposing of it stops it in good order. */
export async function startSmaltApiServer(options: SmaltApiServerOptions): Promise<SmaltApiServer> {
  await using owner = new AsyncDisposableStack();
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'smalt-apiserver-')));
  if (options.directory === undefined) owner.defer(() => rm(directory, { recursive: true, force: true }));
  await mkdir(directory, { recursive: true });
  owner.defer(() => keepAuditLog(directory));
  const port = options.port ?? (await freePorts(1))[0] ?? 0;
  const run = await SmaltRun.start({ ...options, directory, port }, options.signal);
  owner.use(run);
  const identity = join(directory, 'identity');
  const [authority, token] = await Promise.all([
    readFile(join(identity, 'ca.crt')),
    readFile(join(identity, 'admin.token'), 'utf8'),
  ]);
  const kept = owner.move();
  return {
    url: run.url,
    token: token.trim(),
    authority,
    directory,
    kubeconfig: join(identity, 'admin.kubeconfig'),
    get process() {
      return run.process;
    },
    get processes() {
      return [run.process];
    },
    startMs: run.startMs,
    kill: () => run.process.kill(),
    restart: (signal) => run.restart(signal),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

interface RunOptions extends SmaltApiServerOptions {
  readonly directory: string;
  readonly port: number;
}

class SmaltRun implements AsyncDisposable {
  readonly url: string;
  readonly #options: RunOptions;
  #process: ServerProcess;
  #startMs = 0;

  private constructor(options: RunOptions) {
    this.#options = options;
    this.url = `https://127.0.0.1:${options.port}`;
    this.#process = this.#spawn();
  }

  static async start(options: RunOptions, signal: AbortSignal): Promise<SmaltRun> {
    const startedAt = performance.now();
    const run = new SmaltRun(options);
    await run.#becomeReady(startedAt, signal);
    return run;
  }

  get process(): ServerProcess {
    return this.#process;
  }

  get startMs(): number {
    return this.#startMs;
  }

  async restart(signal: AbortSignal): Promise<number> {
    await this.#process[Symbol.asyncDispose]();
    const startedAt = performance.now();
    this.#process = this.#spawn();
    await this.#becomeReady(startedAt, signal);
    return this.#startMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }

  #spawn(): ServerProcess {
    const { directory, port, flags = [], nodeFlags = [], program = 'sources' } = this.#options;
    const words = ['apiserver', '--data', directory, '--listen', `127.0.0.1:${port}`, ...flags];
    const command = [NODE, ...nodeFlags, PROGRAMS[program], ...words];
    return ServerProcess.start('smalt apiserver', command, join(directory, 'smalt.log'));
  }

  async #becomeReady(startedAt: number, signal: AbortSignal): Promise<void> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
    try {
      await this.#process.whenReady(() => isReady(this.url, this.#options.directory), deadline);
    } catch (error) {
      await this.#process[Symbol.asyncDispose]();
      throw error;
    }
    this.#startMs = performance.now() - startedAt;
  }
}

async function isReady(url: string, directory: string): Promise<boolean> {
  try {
    // The authority is made at the first start; before that nobody can know whom to trust.
    const authority = await readFile(join(directory, 'identity/ca.crt'));
    // Written once the port is known, which may be a moment after it answers.
    await access(join(directory, 'identity/admin.kubeconfig'));
    return (await ask(`${url}/readyz`, { token: '', authority })).status === 200;
  } catch {
    return false;
  }
}
