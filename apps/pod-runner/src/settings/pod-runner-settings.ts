import { openImageStore } from '@smalt/image-store';
import { parseProcessors } from '@smalt/pod-sandbox';

import type { PodRunnerOptions } from '../pod-runner-options.ts';
import type { PodRunnerConfig } from './load-pod-runner-config.ts';

/** What the settings leave open is looked up here. */
export interface SettingsSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
}

/** Makes what a runner is told of a configuration and its surroundings. */
export function podRunnerSettings(
  config: PodRunnerConfig,
  { environment, hostname }: SettingsSurroundings,
): Omit<PodRunnerOptions, 'kubeConfig' | 'logger'> {
  const { NODE_NAME: variable = '' } = environment;
  // Names of nodes have small letters; those of hosts may have others.
  const fallback = variable === '' ? hostname.toLowerCase() : variable;
  return {
    nodeName: config.node === '' ? fallback : config.node,
    podsDirectory: config.pods,
    images: openImageStore(config.images),
    volumesDirectory: config.volumes,
    cgroupRoot: config.cgroupRoot,
    address: config.address === '' ? undefined : config.address,
    runsProcesses: config.runsProcesses,
    maxPods: config.maxPods,
    reservedMemoryMiB: config.reservedMemoryMiB,
    reservedProcessors: parseProcessors(config.reservedProcessors),
    environment,
  };
}
