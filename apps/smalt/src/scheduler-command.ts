import { hostname } from 'node:os';

import { loadKubeConfig } from '@smalt/kube';
import { loadSchedulerConfig, startScheduler } from '@smalt/scheduler';

import { commandLogger } from './command-logger.ts';
import type { CommandContext } from './command-context.ts';
import { serveAgent } from './serve-agent.ts';

/** Runs the scheduler until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function schedulerCommand(context: CommandContext): Promise<number> {
  const { environment } = context;
  const loaded = await loadSchedulerConfig(context);
  if (loaded.kind === 'help') {
    context.output.write(loaded.text);
    return 0;
  }
  const { config } = loaded;
  const { schedulerName, leaseNamespace } = config;
  const logger = commandLogger('scheduler', config.log, context);
  const kubeConfig = await loadKubeConfig({ path: config.kubeconfig || undefined, environment });
  const identity = `${hostname()}_${crypto.randomUUID()}`;
  const leaderElection = config.leaderElect
    ? { namespace: leaseNamespace || kubeConfig.namespace, identity }
    : undefined;
  return await serveAgent(context, { listen: config.listen, logger }, async (registries, signal) => {
    const options = { kubeConfig, logger, environment, schedulerName, leaderElection, ...registries };
    const scheduler = await startScheduler(options, signal);
    logger.info({ schedulerName, leaseNamespace: leaderElection?.namespace }, 'the scheduler has started');
    return scheduler;
  });
}
