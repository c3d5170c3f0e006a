import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { splitSeeds, type SeedRange } from './seed-range.ts';
import { addTotals, noTotals, type SeedTotals } from './seed-totals.ts';

const WORKER = fileURLToPath(new URL('worker-main.ts', import.meta.url));
const PART = 25;

export interface ProcessOptions {
  readonly jobs: number;
  /** How many seeds a process is handed at a time. */
  readonly partSize?: number;
  readonly progress: (totals: SeedTotals) => void;
  readonly signal: AbortSignal;
}

/** Plays seeds in several processes at once. What is told is the same, whatever their number. */
export async function playInProcesses(range: SeedRange, options: ProcessOptions): Promise<SeedTotals> {
  const parts = [...splitSeeds(range, options.partSize ?? PART)];
  let totals = noTotals;
  const runOne = async (): Promise<void> => {
    using worker = startWorker(options.signal);
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const played = await worker.play(part);
      // Not before the wait: the others add to it meanwhile.
      totals = addTotals(totals, played);
      options.progress(totals);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, runOne));
  return { ...totals, failures: totals.failures.toSorted((a, b) => a.seed - b.seed) };
}

interface Worker extends Disposable {
  play(range: SeedRange): Promise<SeedTotals>;
}

function startWorker(signal: AbortSignal): Worker {
  signal.throwIfAborted();
  const child = fork(WORKER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const stop = () => void child.kill();
  signal.addEventListener('abort', stop, { once: true });
  return {
    play: (range) => playIn(child, range, signal),
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', stop);
      child.kill();
    },
  };
}

async function playIn(child: ChildProcess, range: SeedRange, signal: AbortSignal): Promise<SeedTotals> {
  const { promise, resolve, reject } = Promise.withResolvers<SeedTotals>();
  const gone = (code: number | null) =>
    reject(
      signal.aborted ? signal.reason : new Error(`a worker ended with ${code} in seeds ${range.first}..${range.last}`),
    );
  child.once('exit', gone);
  child.once('message', (message: unknown) => {
    if (isTotals(message)) resolve(message);
    else reject(new TypeError('a worker sends totals, and nothing else'));
  });
  child.send(range);
  try {
    return await promise;
  } finally {
    child.removeListener('exit', gone);
  }
}

function isTotals(message: unknown): message is SeedTotals {
  return typeof message === 'object' && message !== null && 'failures' in message && 'fates' in message;
}
