import {
  configFields,
  loadConfig,
  logSettings,
  type ConfigField,
  type ConfigSchema,
  type ConfigSources,
  type LoadedConfig,
} from '@smalt/service-runtime';

/** What `smalt pod-runner` is told. */
export interface PodRunnerConfig {
  readonly node: string;
  readonly kubeconfig: string;
  readonly pods: string;
  readonly images: string;
  readonly volumes: string;
  readonly cgroupRoot: string;
  readonly address: string;
  readonly runsProcesses: boolean;
  readonly maxPods: number;
  readonly reservedMemoryMiB: number;
  readonly reservedProcessors: string;
  readonly listen: string;
  readonly log: { readonly level: string; readonly format: string };
}

const PLACES = {
  type: 'object',
  properties: {
    pods: {
      type: 'string',
      pattern: '^/',
      default: '/var/lib/smalt/pods',
      description: 'where the files of pods lie; virt-handler looks there too',
    },
    images: {
      type: 'string',
      pattern: '^/',
      default: '/var/lib/smalt/images',
      description: 'where smalt image keeps disk images',
    },
    volumes: {
      type: 'string',
      pattern: '^(/.*)?$',
      default: '/var/lib/smalt/volumes',
      description: 'where claims of the class smalt-local lie; empty: others provide volumes',
    },
    cgroupRoot: {
      type: 'string',
      default: '',
      description: 'the cgroup that smalt/pods is made in, such as /system.slice; empty: the root',
    },
  },
  required: ['pods', 'images', 'volumes', 'cgroupRoot'],
} as const satisfies ConfigSchema;

const POD_RUNNER = {
  type: 'object',
  description: 'Registers this machine as a Node and runs launcher pods on it, without a kubelet, until Ctrl-C.',
  properties: {
    node: {
      type: 'string',
      default: '',
      description: 'the name of the node; else NODE_NAME, else the name of the host',
    },
    kubeconfig: {
      type: 'string',
      default: '',
      description: 'how to reach the API server; else KUBECONFIG, ~/.kube/config, or the service account of the pod',
    },
    ...PLACES.properties,
    address: { type: 'string', default: '', description: 'the address of the node; else the first of this machine' },
    runsProcesses: {
      type: 'boolean',
      default: true,
      description: 'false on nodes whose guests are no processes: pods are only recorded',
    },
    maxPods: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      default: 500,
      description: 'how many pods the node takes',
    },
    reservedMemoryMiB: {
      type: 'integer',
      minimum: 0,
      maximum: 1_048_576,
      default: 256,
      description: 'memory that is kept for the machine itself',
    },
    reservedProcessors: {
      type: 'string',
      pattern: '^(\\d+(-\\d+)?(,\\d+(-\\d+)?)*)?$',
      default: '',
      description:
        'processors for the machine and for pods that share, such as 0 or 0-1,8: the others can be had by one pod alone; empty: none can',
    },
    listen: {
      type: 'string',
      default: '127.0.0.1:9181',
      description: 'address and port of /metrics, /healthz and /readyz; empty listens nowhere',
    },
    log: logSettings,
  },
  required: [
    'node',
    'kubeconfig',
    ...PLACES.required,
    'address',
    'runsProcesses',
    'maxPods',
    'reservedMemoryMiB',
    'reservedProcessors',
    'listen',
    'log',
  ],
} as const satisfies ConfigSchema;

const PREFIX = 'SMALT_POD_RUNNER_';

/** Reads the settings from flags, variables and the file, or gives the text of the help. A wrong one is thrown. */
export async function loadPodRunnerConfig(
  sources: Pick<ConfigSources, 'arguments' | 'environment'>,
): Promise<LoadedConfig<PodRunnerConfig>> {
  const { arguments: words, environment } = sources;
  return await loadConfig(POD_RUNNER, {
    programName: 'smalt pod-runner',
    arguments: words,
    environment,
    environmentPrefix: PREFIX,
  });
}

/** Every setting, for the documentation. */
export function podRunnerFields(): readonly ConfigField[] {
  return configFields(POD_RUNNER, PREFIX);
}
