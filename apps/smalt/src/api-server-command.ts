import { resolve } from 'node:path';

import { startApiServer, type ApiServer } from '@smalt/apiserver';
import {
  createLogger,
  isLogLevel,
  loadConfig,
  runService,
  untilAborted,
  type ConfigSchema,
  type Logger,
} from '@smalt/service-runtime';

import type { CommandContext } from './command-context.ts';
import { explainStartFailure } from './explain-start-failure.ts';
import { parseAddress, type Address } from './parse-address.ts';

const CONFIG = {
  type: 'object',
  description:
    'Runs a Kubernetes-compatible API server until Ctrl-C. Once it is ready, it prints one line of JSON on its standard output: {"url":…,"kubeconfig":…}.',
  properties: {
    data: {
      type: 'string',
      minLength: 1,
      default: '/var/lib/smalt/apiserver',
      description: 'where the objects, the keys and the kubeconfig of the administrator live; one server at a time',
    },
    listen: {
      type: 'string',
      default: '127.0.0.1:6443',
      description: 'address and port, such as 127.0.0.1:6443 or [::1]:6443; port 0 takes any that is free',
    },
    names: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'further names and addresses under which clients reach the server',
    },
    log: {
      type: 'object',
      properties: {
        level: {
          type: 'string',
          enum: ['debug', 'info', 'warn', 'error', 'silent'],
          default: 'info',
          description: 'what is worth a line on the standard error',
        },
        format: {
          type: 'string',
          enum: ['json', 'pretty'],
          default: 'json',
          description: 'for programs or for people',
        },
      },
    },
  },
  required: ['data', 'listen', 'names', 'log'],
} as const satisfies ConfigSchema;

interface ServerSettings {
  readonly dataDirectory: string;
  readonly listen: Address;
  readonly names: readonly string[];
}

/** Runs an API server until SIGINT or SIGTERM. Returns the exit code; a wrong configuration is thrown. */
export async function apiServerCommand(context: CommandContext): Promise<number> {
  const loaded = await loadConfig(CONFIG, {
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
    context.onReady?.();
    await untilAborted(signal);
  });
  if (failure !== undefined) throw failure;
  return code;
}
