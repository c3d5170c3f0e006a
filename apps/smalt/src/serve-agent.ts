import {
  addProcessMetrics,
  HealthRegistry,
  MetricsRegistry,
  runService,
  startObservabilityServer,
  type Logger,
} from '@smalt/service-runtime';

import type { CommandContext } from './command-context.ts';
import { parseAddress, printAddress, type Address } from './parse-address.ts';
import { SmaltError } from './smalt-error.ts';

export interface AgentService {
  /** Where metrics and health are told; empty for nowhere. */
  readonly listen: string;
  readonly logger: Logger;
}

interface Registries {
  readonly metrics: MetricsRegistry;
  readonly health: HealthRegistry;
}

interface StartedAgent extends AsyncDisposable {
  readonly ended: Promise<void>;
}

/** Runs an agent until SIGINT or SIGTERM, with its metrics and health told beside it. What keeps it from it is thrown. */
export async function serveAgent(
  context: CommandContext,
  { listen, logger }: AgentService,
  start: (registries: Registries, signal: AbortSignal) => Promise<StartedAgent>,
): Promise<number> {
  const address = listen === '' ? undefined : parseAddress(listen, '--listen');
  const registries = { metrics: new MetricsRegistry(), health: new HealthRegistry() };
  addProcessMetrics(registries.metrics);
  let failure: Error | undefined;
  const code = await runService({ process: context.process, logger }, async ({ signal, resources }) => {
    try {
      if (address !== undefined) resources.use(await observe(address, registries));
      const agent = resources.use(await start(registries, signal));
      context.onReady?.();
      await agent.ended;
    } catch (error) {
      if (!signal.aborted) failure = error instanceof Error ? error : new Error(String(error));
    }
  });
  if (failure !== undefined) throw failure;
  return code;
}

async function observe(address: Address, registries: Registries): Promise<AsyncDisposable> {
  try {
    return await startObservabilityServer({ ...address, ...registries });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `--listen: ${printAddress(address)} cannot be listened on (${reason}): give another address or port`;
    throw new SmaltError('start-failed', message, { cause: error });
  }
}
