import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { LauncherError } from '../launcher-error.ts';
import { SYSTEM_PATH } from './daemon-place.ts';

export interface KeptDaemonOptions {
  readonly name: string;
  readonly command: readonly string[];
  /** Resolves once it answers; rejects with the signal. */
  readonly untilServed: (signal: AbortSignal) => Promise<void>;
  readonly log: (message: string) => void;
}

const START_TIMEOUT_MS = 30_000;
const FIRST_DELAY_MS = 250;
/** A run that ends sooner counts as a quick death; one that lasts longer clears the count. */
const QUICK_MS = 60_000;
const MOST_QUICK_DEATHS = 5;

/** A daemon that is started again when it dies. Disposing of it ends it. */
export class KeptDaemon implements AsyncDisposable {
  readonly #options: KeptDaemonOptions;
  readonly #stop = new AbortController();
  #child: ChildProcess | undefined;
  #keeping: Promise<void> = Promise.resolve();

  constructor(options: KeptDaemonOptions) {
    this.#options = options;
  }

  get processId(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it and resolves once it answers. Throws `daemon-failed` when it does not. */
  async start(signal: AbortSignal): Promise<void> {
    const { name, untilServed } = this.#options;
    const child = await this.#spawn();
    const stop = new AbortController();
    const ended = once(child, 'exit').then(() => stop.abort());
    const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
    try {
      await untilServed(AbortSignal.any([signal, stop.signal, timeout]));
    } catch (cause) {
      signal.throwIfAborted();
      const how = timeout.aborted ? 'does not answer' : `ended with ${child.exitCode ?? child.signalCode ?? 'nothing'}`;
      throw new LauncherError('daemon-failed', `${name} ${how}; see the log of the launcher`, { cause });
    }
    void ended;
  }

  /** Starts it again whenever it dies, later each time. Rejects with `daemon-failed` when it keeps dying. */
  keep(): Promise<void> {
    this.#keeping = this.#keep();
    return this.#keeping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const child = this.#child;
    if (child !== undefined && !hasEnded(child) && child.kill('SIGTERM')) await once(child, 'exit');
    await Promise.allSettled([this.#keeping]);
  }

  async #keep(): Promise<void> {
    const { name, log } = this.#options;
    let deaths = 0;
    while (!this.#stop.signal.aborted) {
      const startedAt = performance.now();
      if (this.#child !== undefined && !hasEnded(this.#child)) await once(this.#child, 'exit');
      if (this.#stop.signal.aborted) return;
      deaths = performance.now() - startedAt < QUICK_MS ? deaths + 1 : 1;
      if (deaths >= MOST_QUICK_DEATHS)
        throw new LauncherError('daemon-failed', `${name} died ${deaths} times in a row`);
      log(`${name} has died; starting it again`);
      await delay(FIRST_DELAY_MS * 2 ** (deaths - 1), undefined, { signal: this.#stop.signal }).catch(() => undefined);
      if (!this.#stop.signal.aborted) await this.#spawn();
    }
  }

  async #spawn(): Promise<ChildProcess> {
    const { name, command } = this.#options;
    const [program = '', ...words] = command;
    const child = spawn(program, words, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
      cwd: '/',
    });
    this.#child = child;
    await once(child, 'spawn').catch((cause: unknown) => {
      throw new LauncherError('daemon-failed', `${name} cannot be started: ${String(cause)}`, { cause });
    });
    return child;
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
