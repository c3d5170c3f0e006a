import { hostname } from 'node:os';

import { loadKubeConfig } from '@smalt/kube';
import { loadVirtControllerConfig, startVirtController, virtControllerSettingsOf } from '@smalt/virt-controller';

import { commandLogger } from './command-logger.ts';
import type { CommandContext } from './command-context.ts';
import { serveAgent } from './serve-agent.ts';

/** Runs the controllers of virtual machines until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function virtControllerCommand(context: CommandContext): Promise<number> {
  const { environment } = context;
  const loaded = await loadVirtControllerConfig(context);
  if (loaded.kind === 'help') {
    context.output.write(loaded.text);
    return 0;
  }
  const { config } = loaded;
  const logger = commandLogger('virt-controller', config.log, context);
  const settings = virtControllerSettingsOf(config);
  const kubeConfig = await loadKubeConfig({ path: config.kubeconfig || undefined, environment });
  const identity = `${hostname()}_${crypto.randomUUID()}`;
  const leaderElection = config.leaderElect
    ? { namespace: config.leaseNamespace || kubeConfig.namespace, identity }
    : undefined;
  return await serveAgent(context, { listen: config.listen, logger }, async (registries, signal) => {
    const options = { kubeConfig, logger, environment, settings, leaderElection, ...registries };
    const controller = await startVirtController(options, signal);
    logger.info({ leaseNamespace: leaderElection?.namespace }, 'the virt-controller has started');
    return controller;
  });
}
