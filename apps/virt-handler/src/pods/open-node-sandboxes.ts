import { access } from 'node:fs/promises';
import { join } from 'node:path';

import type { Informers } from '@smalt/controller-runtime';
import { KUBELET_SOCKET } from '@smalt/device-plugin';
import { openKubeletSandboxes, openSandboxes } from '@smalt/pod-sandbox';
import type { Logger } from '@smalt/service-runtime';

import type { Sandboxes } from '../sync/sandboxes.ts';
import type { VirtHandlerOptions } from '../virt-handler-options.ts';
import { NodePods } from './node-pods.ts';
import type { PodKeeper } from './pod-keeper.ts';

/** What a kubelet leaves beside its socket, also while it starts again. */
const CHECKPOINT = 'kubelet_internal_checkpoint';

/** The sandboxes of a node, and who tells of changes to its pods. */
export interface NodeSandboxes {
  readonly sandboxes: Sandboxes;
  /** Undefined where the pod runner runs the pods: the instances tell of them. */
  readonly pods: NodePods | undefined;
}

type SandboxOptions = Pick<VirtHandlerOptions, 'nodeName' | 'sandboxes' | 'podsDirectory' | 'devicePlugins'> & {
  readonly logger: Logger;
};

/** Opens the sandboxes of the pods of this node, as whoever runs them makes them. */
export async function openNodeSandboxes(options: SandboxOptions, informers: Informers): Promise<NodeSandboxes> {
  const { nodeName, podsDirectory, logger } = options;
  const keeper = await findPodKeeper(options);
  logger.info({ sandboxes: keeper }, `the ${keeper} runs the pods of this node`);
  if (keeper === 'pod-runner') return { sandboxes: await openSandboxes(podsDirectory), pods: undefined };
  const pods = new NodePods(informers, nodeName);
  return { sandboxes: await openKubeletSandboxes(pods), pods };
}

/** Who runs the pods of this node. */
export async function findPodKeeper({
  sandboxes = 'auto',
  devicePlugins,
}: Pick<SandboxOptions, 'sandboxes' | 'devicePlugins'>): Promise<Exclude<PodKeeper, 'auto'>> {
  if (sandboxes !== 'auto') return sandboxes;
  if (devicePlugins === undefined) return 'pod-runner';
  for (const name of [KUBELET_SOCKET, CHECKPOINT]) if (await isThere(join(devicePlugins, name))) return 'kubelet';
  return 'pod-runner';
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
