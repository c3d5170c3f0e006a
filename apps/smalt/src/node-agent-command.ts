import { hostname } from 'node:os';

import { loadKubeConfig } from '@smalt/kube';
import { agentSettings, loadNodeAgentConfig, startNodeAgent } from '@smalt/node-agent';

import { commandLogger } from './command-logger.ts';
import type { CommandContext } from './command-context.ts';
import { pathExists } from './path-exists.ts';
import { serveAgent } from './serve-agent.ts';

/** Runs the agent of a node until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function nodeAgentCommand(context: CommandContext): Promise<number> {
  const { environment } = context;
  const loaded = await loadNodeAgentConfig(context);
  if (loaded.kind === 'help') {
    context.output.write(loaded.text);
    return 0;
  }
  const { config } = loaded;
  const logger = commandLogger('node-agent', config.log, context);
  const settings = await agentSettings(config, { environment, hostname: hostname(), exists: pathExists });
  const kubeConfig = await loadKubeConfig({ path: config.kubeconfig || undefined, environment });
  return await serveAgent(context, { listen: config.listen, logger }, async (registries, signal) => {
    const agent = await startNodeAgent({ ...settings, ...registries, kubeConfig, logger }, signal);
    logger.info({ node: settings.nodeName, libvirt: agent.context.session.uri }, 'the agent has started');
    return agent;
  });
}
