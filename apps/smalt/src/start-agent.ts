import { hostname } from 'node:os';
import { join } from 'node:path';

import { loadKubeConfig } from '@smalt/kube';
import { startNodeAgent, type NodeAgent } from '@smalt/node-agent';
import type { Logger } from '@smalt/service-runtime';

import { nodeName } from './node-name.ts';

export interface StartAgentOptions {
  readonly stateDirectory: string;
  readonly kubeconfig: string;
  /** The libvirtd of this machine. */
  readonly uri: string;
  readonly print: (line: string) => void;
  readonly log: Logger;
}

/** Starts what reports on this machine: from then on `kubectl get hypervisors` shows it. */
export async function startAgent(options: StartAgentOptions, signal: AbortSignal): Promise<NodeAgent> {
  const { stateDirectory, kubeconfig, uri, print, log } = options;
  const name = nodeName(hostname());
  const agent = await startNodeAgent(
    {
      nodeName: name,
      kubeConfig: await loadKubeConfig({ path: kubeconfig, environment: {} }),
      libvirt: { kind: 'host', uri },
      stateDirectory: join(stateDirectory, 'node-agent'),
      logger: log,
      register: true,
      // The certificates of this libvirtd are made with it, and guard loopback alone.
      certificates: { install: false, directory: join(stateDirectory, 'pki') },
    },
    signal,
  );
  print(`reporting this machine as the Hypervisor ${name}`);
  return agent;
}
