import { hostname } from 'node:os';

import { loadKubeConfig } from '@smalt/kube';
import {
  loadVirtHandlerConfig,
  plainMigrationWarning,
  startVirtHandler,
  virtHandlerSettings,
} from '@smalt/virt-handler';

import type { CommandContext } from './command-context.ts';
import { commandLogger } from './command-logger.ts';
import { serveAgent } from './serve-agent.ts';

/** Runs the handler of a node until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function virtHandlerCommand(context: CommandContext): Promise<number> {
  const { environment } = context;
  const loaded = await loadVirtHandlerConfig(context);
  if (loaded.kind === 'help') {
    context.output.write(loaded.text);
    return 0;
  }
  const { config } = loaded;
  const logger = commandLogger('virt-handler', config.log, context);
  const settings = virtHandlerSettings(config, { environment, hostname: hostname() });
  const warning = plainMigrationWarning(settings.migration ?? {});
  if (warning !== undefined) logger.warn({ setting: 'migration.uri' }, warning);
  const kubeConfig = await loadKubeConfig({ path: config.kubeconfig || undefined, environment });
  return await serveAgent(context, { listen: config.listen, logger }, async (registries, signal) => {
    const handler = await startVirtHandler({ ...settings, ...registries, kubeConfig, logger }, signal);
    logger.info({ node: settings.nodeName }, 'the handler has started');
    return handler;
  });
}
