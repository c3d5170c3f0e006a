import { resolve } from 'node:path';

import { consoleSettings, loadConsoleConfig, startConsole } from '@smalt/console';
import { loadKubeConfig } from '@smalt/kube';

import { commandLogger } from './command-logger.ts';
import type { CommandContext } from './command-context.ts';
import { parseAddress } from './parse-address.ts';
import { serveAgent } from './serve-agent.ts';
import { pagesDirectory } from './up/pages-directory.ts';

/** Runs the web console until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function consoleServerCommand(context: CommandContext): Promise<number> {
  const { environment } = context;
  const loaded = await loadConsoleConfig(context);
  if (loaded.kind === 'help') {
    context.output.write(loaded.text);
    return 0;
  }
  const { config } = loaded;
  const logger = commandLogger('web-console', config.log, context);
  const settings = consoleSettings(config);
  const listen = parseAddress(config.serve.listen, '--serve-listen');
  const pages = config.pages === '' ? pagesDirectory() : resolve(config.pages);
  const apiServer = await loadKubeConfig({ path: config.kubeconfig || undefined, environment });
  return await serveAgent(context, { listen: config.listen, logger }, async (registries, signal) => {
    const options = { ...settings, ...registries, listen, apiServer, pagesDirectory: pages, logger };
    const server = await startConsole(options, signal);
    logger.info({ url: server.url, apiServer: apiServer.server }, 'the web console has started');
    return server;
  });
}
