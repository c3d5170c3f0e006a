import {
  configFields,
  loadConfig,
  logSettings,
  type ConfigField,
  type ConfigSchema,
  type ConfigSources,
  type LoadedConfig,
} from '@smalt/service-runtime';

/** What `smalt web-console` is told. */
export interface ConsoleConfig {
  readonly kubeconfig: string;
  readonly listen: string;
  readonly pages: string;
  readonly serve: {
    readonly listen: string;
    readonly certificate: string;
    readonly key: string;
    readonly origins: readonly string[];
    readonly trustedProxies: readonly string[];
  };
  readonly sessions: { readonly keyFile: string; readonly signedOutFile: string; readonly signedOutConfigMap: string };
  readonly highAvailability: { readonly url: string; readonly authority: string; readonly tokenFile: string };
  readonly log: { readonly level: string; readonly format: string };
}

const SERVE = {
  type: 'object',
  properties: {
    listen: { type: 'string', minLength: 1, default: '127.0.0.1:8080', description: 'address and port of the console' },
    certificate: {
      type: 'string',
      default: '',
      description: 'the file of its TLS certificate, read anew when it changes; plain HTTP without one',
    },
    key: { type: 'string', default: '', description: 'the file of the key of that' },
    origins: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'where browsers open it if that is not where it listens, such as https://console.example',
    },
    trustedProxies: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'networks of proxies that are believed about where a sign-in comes from, such as 10.0.0.0/8',
    },
  },
  required: ['listen', 'certificate', 'key', 'origins', 'trustedProxies'],
} as const satisfies ConfigSchema;

const SESSIONS = {
  type: 'object',
  properties: {
    keyFile: {
      type: 'string',
      minLength: 1,
      default: '/var/lib/smalt/console/key',
      description: 'the file of the key that sessions are sealed with, made if it is not there; replicas share it',
    },
    signedOutFile: {
      type: 'string',
      default: '',
      description: 'the file that keeps in mind who signed out, across restarts; empty keeps it in memory alone',
    },
    signedOutConfigMap: {
      type: 'string',
      default: '',
      description:
        'NAMESPACE/NAME of a ConfigMap that does so for several replicas, with the account of the console itself',
    },
  },
  required: ['keyFile', 'signedOutFile', 'signedOutConfigMap'],
} as const satisfies ConfigSchema;

const HIGH_AVAILABILITY = {
  type: 'object',
  properties: {
    url: { type: 'string', default: '', description: 'the address of the HA service; empty where there is none' },
    authority: { type: 'string', default: '', description: 'the file of who signed its certificate' },
    tokenFile: {
      type: 'string',
      default: '',
      description: 'the file of the token that the console itself shows there, read at each call',
    },
  },
  required: ['url', 'authority', 'tokenFile'],
} as const satisfies ConfigSchema;

const CONSOLE = {
  type: 'object',
  description: 'Serves the web console in front of an API server, until Ctrl-C.',
  properties: {
    kubeconfig: {
      type: 'string',
      default: '',
      description: 'how to reach the API server; else KUBECONFIG, ~/.kube/config, or the service account of the pod',
    },
    listen: {
      type: 'string',
      default: '127.0.0.1:9187',
      description: 'address and port of /metrics, /healthz and /readyz; empty listens nowhere',
    },
    pages: { type: 'string', default: '', description: 'the directory of the built pages; else beside the program' },
    serve: SERVE,
    sessions: SESSIONS,
    highAvailability: HIGH_AVAILABILITY,
    log: logSettings,
  },
  required: ['kubeconfig', 'listen', 'pages', 'serve', 'sessions', 'highAvailability', 'log'],
} as const satisfies ConfigSchema;

const VARIABLES = 'SMALT_WEB_CONSOLE_';

/** Reads the settings of `smalt web-console` from its flags, variables and file. */
export async function loadConsoleConfig(
  sources: Pick<ConfigSources, 'arguments' | 'environment'>,
): Promise<LoadedConfig<ConsoleConfig>> {
  return await loadConfig(CONSOLE, { ...sources, programName: 'smalt web-console', environmentPrefix: VARIABLES });
}

/** All settings of `smalt web-console`, with their flags and variables. */
export function consoleFields(): readonly ConfigField[] {
  return configFields(CONSOLE, VARIABLES);
}
