import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createHaAgent, type HaAgentSettings, type HaNotice } from '@smalt/ha-agent';
import { openSession } from '@smalt/libvirt';
import { createIgnore, createLogger, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';

export interface RunOptions {
  readonly uri: string;
  readonly settings: HaAgentSettings;
  /** Where the queue is; a directory of its own otherwise. */
  readonly stateDirectory?: string;
}

/** One run of the HA agent against a real daemon. */
export interface RunningHaAgent extends AsyncDisposable {
  /** The conditions it stated, as `True/Reporting`, each once in a row. */
  readonly conditions: readonly string[];
  readonly messages: readonly string[];
  readonly notices: readonly HaNotice[];
  readonly log: readonly string[];
  metrics(): string;
  /** Waits until the last condition is this one. */
  condition(wanted: string): Promise<void>;
  /** Ends it as a signal to the process would. */
  stop(): Promise<void>;
}

/** Starts the agent for the node `n1`; from when it resolves no event is missed. */
export async function runHaAgent(options: RunOptions): Promise<RunningHaAgent> {
  await using cleanUp = new AsyncDisposableStack();
  const stateDirectory = options.stateDirectory ?? (await mkdtemp(join(tmpdir(), 'ha-agent-')));
  if (options.stateDirectory === undefined) cleanUp.defer(() => rm(stateDirectory, { recursive: true }));
  const session = cleanUp.use(openSession(options.uri, { backOff: { initialMs: 50, maxMs: 500 } }));
  const heard = new HeardFromAgent();
  const logger = createLogger({ name: 'ha-agent', destination: { write: (line) => heard.log.push(line) } });
  const [metrics, health] = [new MetricsRegistry(), new HealthRegistry()];
  const agent = createHaAgent({
    session,
    nodeName: 'n1',
    stateDirectory,
    settings: options.settings,
    logger,
    metrics,
    health,
    ignore: createIgnore(metrics, logger),
    now: () => new Date(),
    status: (condition) => heard.hear(condition),
    recorder: (notice) => heard.notices.push(notice),
  });
  const stopping = new AbortController();
  const running = agent.run(stopping.signal);
  running.catch((error: unknown) => heard.log.push(String(error)));
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  cleanUp.defer(stop);
  await untilReady(health);
  const owned = cleanUp.move();
  return Object.assign(heard, {
    metrics: () => metrics.expose(),
    stop,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  });
}

class HeardFromAgent {
  readonly conditions: string[] = [];
  readonly messages: string[] = [];
  readonly notices: HaNotice[] = [];
  readonly log: string[] = [];
  readonly #waiters = new Set<() => void>();

  hear({
    status,
    reason,
    message,
  }: {
    readonly status: string;
    readonly reason: string;
    readonly message: string;
  }): void {
    if (this.conditions.at(-1) !== `${status}/${reason}`) this.conditions.push(`${status}/${reason}`);
    this.messages.push(message);
    for (const wake of this.#waiters) wake();
  }

  async condition(wanted: string): Promise<void> {
    const deadline = AbortSignal.timeout(20_000);
    while (this.conditions.at(-1) !== wanted) {
      const next = Promise.withResolvers<void>();
      const wake = (): void => next.resolve();
      this.#waiters.add(wake);
      deadline.addEventListener('abort', wake, { once: true });
      await next.promise;
      this.#waiters.delete(wake);
      if (deadline.aborted) throw new Error(`no ${wanted}, but ${this.conditions.join(', ')}`);
    }
  }
}

async function untilReady(health: HealthRegistry): Promise<void> {
  const signal = AbortSignal.timeout(20_000);
  while (!(await health.run('readyz', { signal })).isHealthy) await delay(10, undefined, { signal });
}
