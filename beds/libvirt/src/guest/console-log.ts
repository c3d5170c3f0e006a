import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { BedError } from '../error.ts';

const TIMEOUT_MS = 60_000;
/** inotify tells of every write; this is for file systems without it. */
const LOOK_MS = 500;

export interface WaitOptions {
  readonly timeoutMs?: number | undefined;
  /** Where in the text to begin, such as the length of what was read before. */
  readonly from?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a guest prints on a serial console that goes to a file. */
export class ConsoleLog {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** All that was printed so far; nothing while there is no file. */
  async text(): Promise<string> {
    return readFile(this.path, 'latin1').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
      throw error;
    });
  }

  /** Resolves with the first match once the guest has printed it, or fails with the last lines that came instead. */
  async waitFor(pattern: RegExp, options: WaitOptions = {}): Promise<RegExpExecArray> {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    using changes = watchDirectory(dirname(this.path), signal);
    while (true) {
      const match = new RegExp(pattern.source, pattern.flags.replace('g', '')).exec(
        (await this.text()).slice(options.from ?? 0),
      );
      if (match) return match;
      options.signal?.throwIfAborted();
      if (timeout.aborted) throw await this.#timeoutError(pattern);
      await changes.next();
    }
  }

  async #timeoutError(pattern: RegExp): Promise<BedError> {
    const tail = (await this.text()).trimEnd().split('\n').slice(-15).join('\n');
    return new BedError(
      'wait-timeout',
      `The guest did not print ${String(pattern)} in ${this.path}; it ended:\n${tail}`,
    );
  }
}

interface Changes extends Disposable {
  /** Resolves at the next change since the last call, or when the wait is given up. */
  next(): Promise<void>;
}

function watchDirectory(directory: string, signal: AbortSignal): Changes {
  let change = Promise.withResolvers<void>();
  const wake = (): void => change.resolve();
  const watcher = watch(directory, wake);
  const timer = setInterval(wake, LOOK_MS);
  signal.addEventListener('abort', wake);
  return {
    async next() {
      await change.promise;
      if (!signal.aborted) change = Promise.withResolvers<void>();
    },
    [Symbol.dispose]() {
      watcher.close();
      clearInterval(timer);
      signal.removeEventListener('abort', wake);
    },
  };
}
