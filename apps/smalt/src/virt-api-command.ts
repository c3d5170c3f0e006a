import { loadKubeConfig } from '@smalt/kube';
import { loadVirtApiConfig, startVirtApi, virtApiSettings } from '@smalt/virt-api';

import { commandLogger } from './command-logger.ts';
import type { CommandContext } from './command-context.ts';
import { serveAgent } from './serve-agent.ts';

/** Runs virt-api beside an API server until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function virtApiCommand(context: CommandContext): Promise<number> {
  const loaded = await loadVirtApiConfig(context);
  if (loaded.kind === 'help') {
    context.output.write(loaded.text);
    return 0;
  }
  const { config } = loaded;
  const logger = commandLogger('virt-api', config.log, context);
  const settings = virtApiSettings(config);
  const kubeConfig = await loadKubeConfig({ path: config.kubeconfig || undefined, environment: context.environment });
  return await serveAgent(context, { listen: config.listen, logger }, async (registries, signal) => {
    const service = await startVirtApi({ ...settings, ...registries, kubeConfig, logger }, signal);
    logger.info({ port: service.port, namespace: settings.namespace }, 'virt-api has started');
    return service;
  });
}
