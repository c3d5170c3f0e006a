import { hostname } from 'node:os';

import { loadKubeConfig } from '@smalt/kube';
import { loadOvsAgentConfig, ovsAgentSettings, startOvsAgent } from '@smalt/ovs-agent';

import { commandLogger } from './command-logger.ts';
import type { CommandContext } from './command-context.ts';
import { serveAgent } from './serve-agent.ts';

/** Runs the agent of a node's Open vSwitch until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function ovsAgentCommand(context: CommandContext): Promise<number> {
  const { environment } = context;
  const loaded = await loadOvsAgentConfig(context);
  if (loaded.kind === 'help') {
    context.output.write(loaded.text);
    return 0;
  }
  const { config } = loaded;
  const logger = commandLogger('ovs-agent', config.log, context);
  const settings = ovsAgentSettings(config, { environment, hostname: hostname() });
  const kubeConfig = await loadKubeConfig({ path: config.kubeconfig || undefined, environment });
  return await serveAgent(context, { listen: config.listen, logger }, async (registries, signal) => {
    const agent = await startOvsAgent({ ...settings, ...registries, kubeConfig, logger }, signal);
    logger.info({ node: settings.nodeName, namespace: settings.namespace }, 'the OVS agent has started');
    return agent;
  });
}
