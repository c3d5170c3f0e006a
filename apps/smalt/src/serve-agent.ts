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
  /** What the setting is called that says so. */
  readonly listenFlag?: string | undefined;
  /** Where health is told besides, without metrics. */
  readonly probes?: { readonly flag: string; readonly listen: string } | undefined;
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
  { listen, listenFlag = '--listen', probes, logger }: AgentService,
  start: (registries: Registries, signal: AbortSignal) => Promise<StartedAgent>,
): Promise<number> {
  const registries = { metrics: new MetricsRegistry(), health: new HealthRegistry() };
  const places = [
    ...placesOf(listen, listenFlag, registries),
    ...placesOf(probes?.listen ?? '', probes?.flag ?? '', { ...registries, metrics: new MetricsRegistry() }),
  ];
  addProcessMetrics(registries.metrics);
  let failure: Error | undefined;
  const code = await runService({ process: context.process, logger }, async ({ signal, resources }) => {
    try {
      for (const place of places) resources.use(await observe(place));
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

interface Place extends Registries {
  readonly address: Address;
  readonly flag: string;
}

function placesOf(listen: string, flag: string, registries: Registries): readonly Place[] {
  return listen === '' ? [] : [{ address: parseAddress(listen, flag), flag, ...registries }];
}

async function observe({ address, flag, metrics, health }: Place): Promise<AsyncDisposable> {
  try {
    return await startObservabilityServer({ ...address, metrics, health });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${flag}: ${printAddress(address)} cannot be listened on (${reason}): give another address or port`;
    throw new SmaltError('start-failed', message, { cause: error });
  }
}
