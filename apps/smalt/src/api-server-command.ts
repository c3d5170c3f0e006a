import { resolve } from 'node:path';

import { startApiServer, type ApiServer } from '@smalt/apiserver';
import {
  createLogger,
  isLogLevel,
  loadConfig,
  runService,
  untilAborted,
  type Logger,
  type ServiceProcess,
} from '@smalt/service-runtime';

import { apiServerConfig } from './api-server-config.ts';
import { explainStartFailure } from './explain-start-failure.ts';
import { parseAddress, type Address } from './parse-address.ts';

/** What the command needs of the process that it runs in. */
export interface CommandContext {
  /** The words after the command's name. */
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly process: ServiceProcess;
  readonly output: { write(text: string): unknown };
  readonly errors: { write(text: string): unknown };
}

interface ServerSettings {
  readonly dataDirectory: string;
  readonly listen: Address;
  readonly names: readonly string[];
}

/** Runs an API server until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function apiServerCommand(context: CommandContext): Promise<number> {
  const loaded = await loadConfig(apiServerConfig, {
    programName: 'smalt apiserver',
    arguments: context.arguments,
    environment: context.environment,
    environmentPrefix: 'SMALT_APISERVER_',
  });
  if (loaded.kind === 'help') {
    context.output.write(loaded.text);
    return 0;
  }
  const { data, listen, names, log } = loaded.config;
  const settings = { dataDirectory: resolve(data), listen: parseAddress(listen, '--listen'), names };
  const level = isLogLevel(log.level) ? log.level : 'info';
  const format = log.format === 'pretty' ? 'pretty' : 'json';
  const logger = createLogger({ name: 'apiserver', level, format, destination: context.errors });
  return serve(context, settings, logger);
}

async function serve(context: CommandContext, settings: ServerSettings, logger: Logger): Promise<number> {
  let failure: Error | undefined;
  const code = await runService({ process: context.process, logger }, async ({ signal, resources }) => {
    let server: ApiServer;
    try {
      server = await startApiServer({ ...settings, log: logger }, signal);
    } catch (error) {
      if (!signal.aborted) failure = explainStartFailure(error, settings);
      return;
    }
    resources.use(server);
    context.output.write(`${JSON.stringify({ url: server.url, kubeconfig: server.kubeconfig })}\n`);
    logger.info({ url: server.url, kubeconfig: server.kubeconfig }, 'ready');
    await untilAborted(signal);
  });
  if (failure !== undefined) throw failure;
  return code;
}
