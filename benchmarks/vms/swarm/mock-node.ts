import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { openImageStore } from '@smalt/image-store';
import type { KubeConfig } from '@smalt/kube';
import { startPodRunner, type PodRunner } from '@smalt/pod-runner';
import type { Logger } from '@smalt/service-runtime';
import { startVirtHandler, type VirtHandler } from '@smalt/virt-handler';

/** A node with libvirt's mock hypervisor: its guests are no processes, and neither are its pods. */
export interface MockNode {
  readonly name: string;
  /** Its libvirt. */
  readonly uri: string;
  /** Holds all that it keeps; short, for the sockets of guests. */
  readonly directory: string;
  readonly capacity: Readonly<Record<string, string>>;
  readonly logger: Logger;
}

/** Starts the pod runner of such a node: real, but pods are only recorded. */
export async function startMockRunner(
  { name, directory, capacity, logger }: MockNode,
  kubeConfig: KubeConfig,
  signal: AbortSignal,
): Promise<PodRunner> {
  await mkdir(directory, { recursive: true });
  const options = {
    nodeName: name,
    logger,
    kubeConfig,
    podsDirectory: join(directory, 'pods'),
    images: openImageStore(join(directory, 'images')),
    volumesDirectory: '',
    runsProcesses: false,
    address: '127.0.0.1',
    capacity,
  };
  return await startPodRunner(options, signal);
}

/** Starts the handler of such a node, which has to be in the API. */
export async function startMockHandler(
  { name, uri, directory, logger }: MockNode,
  kubeConfig: KubeConfig,
  signal: AbortSignal,
): Promise<VirtHandler> {
  const places = { podsDirectory: join(directory, 'pods'), stateDirectory: join(directory, 'vh') };
  return await startVirtHandler({ nodeName: name, logger, kubeConfig, ...places, drivers: { test: { uri } } }, signal);
}
