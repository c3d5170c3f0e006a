import { hypervisors } from '@smalt/hypervisors';
import {
  configFields,
  loadConfig,
  logSettings,
  type ConfigField,
  type ConfigSchema,
  type ConfigSources,
  type LoadedConfig,
} from '@smalt/service-runtime';
import { DEFAULT_CLUSTER_SETTINGS } from '@smalt/vm-admission';
import { EvictionStrategy } from '@smalt/vm-api';

import type { VirtApiConfig } from './virt-api-config.ts';

const { defaultHypervisor, cpuRequest, liveUpdate } = DEFAULT_CLUSTER_SETTINGS;
const NAMES = { type: 'array', items: { type: 'string', minLength: 1 }, default: [] } as const;

const SERVE = {
  type: 'object',
  properties: {
    listen: {
      type: 'string',
      minLength: 1,
      default: '0.0.0.0:8443',
      description: 'address and port of the webhooks and of the aggregated API',
    },
    certificate: {
      type: 'string',
      default: '',
      description: 'the file of its TLS certificate; without one the replicas make their own, in the Secret',
    },
    key: { type: 'string', default: '', description: 'the file of the key of that' },
    authority: {
      type: 'string',
      default: '',
      description: 'the file of who signed it, to be told to the API server; empty tells it nothing',
    },
    names: { ...NAMES, description: 'names and addresses that it is reached by, beside those of the Service' },
  },
  required: ['listen', 'certificate', 'key', 'authority', 'names'],
} as const satisfies ConfigSchema;

const HANDLERS = {
  type: 'object',
  properties: {
    audience: {
      type: 'string',
      default: '',
      description:
        'whom the tokens that handlers are shown are made for, {node} being the node; each handler gets one of its own',
    },
    account: {
      type: 'string',
      minLength: 1,
      default: 'smalt-virt-api',
      description: 'the account of virt-api, of which those tokens are made',
    },
    tokenFile: {
      type: 'string',
      default: '',
      description:
        'without an audience: the file of the token that handlers are shown; else the credentials of the kubeconfig',
    },
    mostStreams: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      default: 1_000,
      description: 'consoles, screens and forwarded ports at a time',
    },
  },
  required: ['audience', 'account', 'tokenFile', 'mostStreams'],
} as const satisfies ConfigSchema;

const CONTROL_PLANE = {
  type: 'object',
  properties: {
    api: { ...NAMES, description: 'the users that virt-api acts as; else service accounts of the namespace' },
    controller: { ...NAMES, description: 'the users that virt-controller acts as; else the same' },
    handler: { ...NAMES, description: 'the users that handlers act as; else the same' },
  },
  required: ['api', 'controller', 'handler'],
} as const satisfies ConfigSchema;

const MACHINES = {
  type: 'object',
  properties: {
    hypervisor: {
      type: 'string',
      enum: hypervisors.map(({ name }) => name),
      default: defaultHypervisor,
      description: 'the driver of machines that name none',
    },
    allowedHypervisors: {
      type: 'array',
      items: { type: 'string', enum: hypervisors.map(({ name }) => name) },
      default: [...DEFAULT_CLUSTER_SETTINGS.allowedHypervisors],
      description: 'the drivers that machines may have; with lxc, whoever makes machines can become root of a node',
    },
    featureGates: { ...NAMES, description: 'features that are turned on' },
    disabledFeatureGates: { ...NAMES, description: 'features that are turned off' },
    evictionStrategy: {
      type: 'string',
      enum: Object.values(EvictionStrategy),
      default: EvictionStrategy.none,
      description: 'what becomes of machines that do not say it when their node is drained',
    },
    networkInterface: {
      type: 'string',
      enum: ['bridge', 'masquerade'],
      default: DEFAULT_CLUSTER_SETTINGS.defaultNetworkInterface,
      description: 'how machines without interfaces are connected',
    },
    permitsBridgeOnPodNetwork: {
      type: 'boolean',
      default: true,
      description: 'whether a bridge may take the address of the pod',
    },
    rolloutStrategy: {
      type: 'string',
      enum: ['LiveUpdate', 'Stage'],
      default: DEFAULT_CLUSTER_SETTINGS.rolloutStrategy,
      description: 'whether changes reach guests while they run, or at their next start',
    },
    cpuModel: {
      type: 'string',
      default: '',
      description: 'the processor of machines that name none; else one like the host',
    },
    cpuRequest: {
      type: 'string',
      minLength: 1,
      default: cpuRequest,
      description: 'what machines without a request ask for',
    },
    maxHotplugRatio: {
      type: 'integer',
      minimum: 1,
      maximum: 64,
      default: liveUpdate.maxHotplugRatio,
      description: 'how many times its size a guest can grow to',
    },
  },
  required: [
    'hypervisor',
    'allowedHypervisors',
    'featureGates',
    'disabledFeatureGates',
    'evictionStrategy',
    'networkInterface',
    'permitsBridgeOnPodNetwork',
    'rolloutStrategy',
    'cpuModel',
    'cpuRequest',
    'maxHotplugRatio',
  ],
} as const satisfies ConfigSchema;

const VIRT_API = {
  type: 'object',
  description: 'Admits virtual machines and serves their subresources beside an API server, until Ctrl-C.',
  properties: {
    kubeconfig: {
      type: 'string',
      default: '',
      description: 'how to reach the API server; else KUBECONFIG, ~/.kube/config, or the service account of the pod',
    },
    namespace: { type: 'string', minLength: 1, default: 'smalt-system', description: 'where virt-api itself lives' },
    service: { type: 'string', minLength: 1, default: 'virt-api', description: 'the Service that it is reached by' },
    secret: {
      type: 'string',
      minLength: 1,
      default: 'smalt-virt-api-certificate',
      description: 'the Secret by which replicas share their certificate',
    },
    listen: {
      type: 'string',
      default: '127.0.0.1:9182',
      description: 'address and port of /metrics, /healthz and /readyz; empty listens nowhere',
    },
    serve: SERVE,
    handlers: HANDLERS,
    controlPlane: CONTROL_PLANE,
    machines: MACHINES,
    log: logSettings,
  },
  required: [
    'kubeconfig',
    'namespace',
    'service',
    'secret',
    'listen',
    'serve',
    'handlers',
    'controlPlane',
    'machines',
    'log',
  ],
} as const satisfies ConfigSchema;

const VARIABLES = 'SMALT_VIRT_API_';

/** Reads the settings of `smalt virt-api` from its flags, variables and file. */
export async function loadVirtApiConfig(
  sources: Pick<ConfigSources, 'arguments' | 'environment'>,
): Promise<LoadedConfig<VirtApiConfig>> {
  return await loadConfig(VIRT_API, { ...sources, programName: 'smalt virt-api', environmentPrefix: VARIABLES });
}

/** All settings of `smalt virt-api`, with their flags and variables. */
export function virtApiFields(): readonly ConfigField[] {
  return configFields(VIRT_API, VARIABLES);
}
