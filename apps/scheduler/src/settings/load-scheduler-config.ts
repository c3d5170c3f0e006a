import {
  configFields,
  loadConfig,
  logSettings,
  type ConfigField,
  type ConfigSchema,
  type ConfigSources,
  type LoadedConfig,
} from '@smalt/service-runtime';

import type { SchedulerConfig } from './scheduler-config.ts';

const SCHEDULER = {
  type: 'object',
  description:
    'Gives pods their nodes until Ctrl-C. A Kubernetes has a scheduler of its own and does not need this one.',
  properties: {
    kubeconfig: {
      type: 'string',
      default: '',
      description: 'how to reach the API server; else KUBECONFIG, ~/.kube/config, or the service account of the pod',
    },
    schedulerName: {
      type: 'string',
      minLength: 1,
      default: 'default-scheduler',
      description: 'pods that name another scheduler are left to that; pods that name none are for default-scheduler',
    },
    leaderElect: { type: 'boolean', default: false, description: 'let one of several schedulers work, by a Lease' },
    leaseNamespace: {
      type: 'string',
      default: '',
      description: 'where that Lease lives; else the namespace of the pod or of the kubeconfig',
    },
    listen: {
      type: 'string',
      default: '127.0.0.1:10251',
      description: 'address and port of /metrics, /healthz and /readyz; empty listens nowhere',
    },
    log: logSettings,
  },
  required: ['kubeconfig', 'schedulerName', 'leaderElect', 'leaseNamespace', 'listen', 'log'],
} as const satisfies ConfigSchema;

const VARIABLES = 'SMALT_SCHEDULER_';

/** Reads the settings of `smalt scheduler` from its flags, variables and file. */
export async function loadSchedulerConfig(
  sources: Pick<ConfigSources, 'arguments' | 'environment'>,
): Promise<LoadedConfig<SchedulerConfig>> {
  return await loadConfig(SCHEDULER, { ...sources, programName: 'smalt scheduler', environmentPrefix: VARIABLES });
}

/** All settings of `smalt scheduler`, with their flags and variables. */
export function schedulerFields(): readonly ConfigField[] {
  return configFields(SCHEDULER, VARIABLES);
}
