import { hostname } from 'node:os';

import { loadKubeConfig } from '@smalt/kube';
import { haAgentSettings, loadHaAgentConfig, startHaAgent } from '@smalt/node-agent';

import { commandLogger } from './command-logger.ts';
import type { CommandContext } from './command-context.ts';
import { pathExists } from './path-exists.ts';
import { serveAgent } from './serve-agent.ts';

/** Runs the HA agent of a node, without the rest of the node agent, until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function haAgentCommand(context: CommandContext): Promise<number> {
  const { environment } = context;
  const loaded = await loadHaAgentConfig(context);
  if (loaded.kind === 'help') {
    context.output.write(loaded.text);
    return 0;
  }
  const { config } = loaded;
  const logger = commandLogger('ha-agent', config.log, context);
  const settings = await haAgentSettings(config, { environment, hostname: hostname(), exists: pathExists });
  const path = config.kubeconfig;
  const kubeConfig = path === '' ? undefined : await loadKubeConfig({ path, environment });
  return await serveAgent(context, { listen: config.listen, logger }, async (registries, signal) => {
    const agent = await startHaAgent({ ...settings, ...registries, kubeConfig, logger }, signal);
    logger.info({ node: settings.nodeName }, 'the HA agent has started');
    return agent;
  });
}
