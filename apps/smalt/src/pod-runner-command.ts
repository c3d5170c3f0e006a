import { hostname } from 'node:os';

import { loadKubeConfig } from '@smalt/kube';
import { loadPodRunnerConfig, podRunnerSettings, startPodRunner } from '@smalt/pod-runner';

import { commandLogger } from './command-logger.ts';
import type { CommandContext } from './command-context.ts';
import { ownCommand } from './own-command.ts';
import { serveAgent } from './serve-agent.ts';

/** Runs the pods of this machine until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function podRunnerCommand(context: CommandContext): Promise<number> {
  const { environment } = context;
  const loaded = await loadPodRunnerConfig(context);
  if (loaded.kind === 'help') {
    context.output.write(loaded.text);
    return 0;
  }
  const { config } = loaded;
  const logger = commandLogger('pod-runner', config.log, context);
  const { words: smaltCommand, environment: launcherEnvironment } = ownCommand();
  const settings = podRunnerSettings(config, { environment, hostname: hostname() });
  const kubeConfig = await loadKubeConfig({ path: config.kubeconfig || undefined, environment });
  return await serveAgent(context, { listen: config.listen, logger }, async (registries, signal) => {
    const options = { ...settings, ...registries, smaltCommand, launcherEnvironment, kubeConfig, logger };
    const runner = await startPodRunner(options, signal);
    logger.info({ node: settings.nodeName }, 'the pod runner has started');
    return runner;
  });
}
