import {
  configFields,
  loadConfig,
  logSettings,
  type ConfigField,
  type ConfigSchema,
  type ConfigSources,
  type LoadedConfig,
} from '@smalt/service-runtime';
import { MIGRATION_DEFAULTS } from '@smalt/vm-lifecycle';

import type { VirtControllerConfig } from './virt-controller-config.ts';
import { defaultVirtControllerSettings } from './virt-controller-settings.ts';

const LAUNCHER = {
  type: 'object',
  properties: {
    image: {
      type: 'string',
      minLength: 1,
      default: defaultVirtControllerSettings.launcherImage,
      description: 'the image of launcher pods',
    },
    pullPolicy: {
      type: 'string',
      enum: ['', 'Always', 'IfNotPresent', 'Never'],
      default: '',
      description: 'when kubelets look for a newer one: Always, IfNotPresent or Never; empty is as Kubernetes has it',
    },
    pullSecrets: {
      type: 'array',
      items: { type: 'string', pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' },
      default: [],
      description: 'names of Secrets by which it is pulled; they have to be in each namespace with instances',
    },
    nodeSelector: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'labels that the nodes of all instances must have, each as KEY=VALUE',
    },
  },
  required: ['image', 'pullPolicy', 'pullSecrets', 'nodeSelector'],
} as const satisfies ConfigSchema;

const MIGRATIONS = {
  type: 'object',
  properties: {
    parallelPerCluster: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      default: MIGRATION_DEFAULTS.parallelMigrationsPerCluster,
      description: 'migrations at a time',
    },
    parallelOutboundPerNode: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000,
      default: MIGRATION_DEFAULTS.parallelOutboundMigrationsPerNode,
      description: 'migrations away from one node at a time',
    },
    bandwidth: {
      type: 'string',
      pattern: '^[0-9.]+([KMGTPE]i?|[kmunE])?$',
      default: String(MIGRATION_DEFAULTS.bandwidthPerMigration),
      description: 'bytes a second that one migration may take, such as 64Mi; 0 is no limit',
    },
    completionTimeoutPerGiB: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
      default: MIGRATION_DEFAULTS.completionTimeoutPerGiB,
      description: 'seconds that a migration may take for each GiB of the guest',
    },
    progressTimeout: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
      default: MIGRATION_DEFAULTS.progressTimeout,
      description: 'seconds after which a migration that gets no further is given up',
    },
    maxDowntimeMs: {
      type: 'integer',
      minimum: 1,
      maximum: 600_000,
      default: MIGRATION_DEFAULTS.maxDowntimeMs,
      description: 'how long, in ms, a guest may stand still when it goes over',
    },
    allowAutoConverge: {
      type: 'boolean',
      default: MIGRATION_DEFAULTS.allowAutoConverge,
      description: 'slow guests down that change memory faster than it can be sent',
    },
    allowPostCopy: {
      type: 'boolean',
      default: MIGRATION_DEFAULTS.allowPostCopy,
      description: 'let guests go on at the target before all memory is there; a failure then loses them',
    },
  },
  required: [
    'parallelPerCluster',
    'parallelOutboundPerNode',
    'bandwidth',
    'completionTimeoutPerGiB',
    'progressTimeout',
    'maxDowntimeMs',
    'allowAutoConverge',
    'allowPostCopy',
  ],
} as const satisfies ConfigSchema;

const VIRT_CONTROLLER = {
  type: 'object',
  description:
    'Runs virtual machines as their strategies say, gives instances their pods and leads migrations, until Ctrl-C.',
  properties: {
    kubeconfig: {
      type: 'string',
      default: '',
      description: 'how to reach the API server; else KUBECONFIG, ~/.kube/config, or the service account of the pod',
    },
    leaderElect: { type: 'boolean', default: false, description: 'let one of several controllers work, by a Lease' },
    leaseNamespace: {
      type: 'string',
      default: '',
      description: 'where that Lease lives; else the namespace of the pod or of the kubeconfig',
    },
    listen: {
      type: 'string',
      default: '127.0.0.1:9181',
      description: 'address and port of /metrics, /healthz and /readyz; empty listens nowhere',
    },
    launcher: LAUNCHER,
    cpuAllocationRatio: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000,
      default: defaultVirtControllerSettings.cpuAllocationRatio,
      description: 'how many virtual processors share one of the node',
    },
    memoryOvercommitPercent: {
      type: 'integer',
      minimum: 10,
      maximum: 10_000,
      default: defaultVirtControllerSettings.memoryOvercommitPercent,
      description: 'how much memory guests have for each hundred that is set aside',
    },
    rollout: {
      type: 'string',
      enum: ['LiveUpdate', 'Stage'],
      default: defaultVirtControllerSettings.rollout,
      description: 'whether changes of a virtual machine are carried into its running guest, or wait for a restart',
    },
    networkInterface: {
      type: 'string',
      enum: ['bridge', 'masquerade'],
      default: defaultVirtControllerSettings.defaultNetworkInterface,
      description: 'how machines without interfaces are connected; set it as for virt-api',
    },
    drainTaintKey: {
      type: 'string',
      minLength: 1,
      default: defaultVirtControllerSettings.drainTaintKey,
      description: 'the taint with effect NoSchedule that makes instances leave a node',
    },
    heartbeatTimeoutSeconds: {
      type: 'integer',
      minimum: 10,
      maximum: 86_400,
      default: defaultVirtControllerSettings.heartbeatTimeoutMs / 1000,
      description: 'after how long without a heartbeat the handler of a node counts as silent',
    },
    migrations: MIGRATIONS,
    log: logSettings,
  },
  required: [
    'kubeconfig',
    'leaderElect',
    'leaseNamespace',
    'listen',
    'launcher',
    'cpuAllocationRatio',
    'memoryOvercommitPercent',
    'rollout',
    'networkInterface',
    'drainTaintKey',
    'heartbeatTimeoutSeconds',
    'migrations',
    'log',
  ],
} as const satisfies ConfigSchema;

const VARIABLES = 'SMALT_VIRT_CONTROLLER_';

/** Reads the settings of `smalt virt-controller` from its flags, variables and file. */
export async function loadVirtControllerConfig(
  sources: Pick<ConfigSources, 'arguments' | 'environment'>,
): Promise<LoadedConfig<VirtControllerConfig>> {
  return await loadConfig(VIRT_CONTROLLER, {
    ...sources,
    programName: 'smalt virt-controller',
    environmentPrefix: VARIABLES,
  });
}

/** All settings of `smalt virt-controller`, with their flags and variables. */
export function virtControllerFields(): readonly ConfigField[] {
  return configFields(VIRT_CONTROLLER, VARIABLES);
}
