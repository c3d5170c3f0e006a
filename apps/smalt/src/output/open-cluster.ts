import { KubeClient, type KubeConfig } from '@smalt/kube';

import type { ClusterFlags } from './command-flags.ts';
import type { CommandProgram } from './command-program.ts';
import { findKubeConfig } from './find-kubeconfig.ts';

/** The cluster that a command is about. It has to be disposed of. */
export interface Cluster extends AsyncDisposable {
  readonly client: KubeClient;
  readonly config: KubeConfig;
  /** What `-n` says, else the namespace of the kubeconfig. */
  readonly namespace: string;
}

const USER_AGENT = 'smalt/0.1.0';

/** Opens the cluster that the flags name, as whoever the kubeconfig says. */
export async function openCluster(
  { environment }: Pick<CommandProgram, 'environment'>,
  flags: ClusterFlags,
): Promise<Cluster> {
  const config = await findKubeConfig(flags, environment);
  const client = new KubeClient({ config, userAgent: USER_AGENT, environment });
  return {
    client,
    config,
    namespace: flags.namespace ?? config.namespace,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}
