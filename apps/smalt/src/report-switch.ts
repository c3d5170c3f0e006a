import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { KubeClient, loadKubeConfig, type KubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import type { Logger } from '@smalt/service-runtime';

import { nodeName } from './node-name.ts';
import { pathExists } from './path-exists.ts';

const NAMESPACE = 'ovn-system';
const DIRECTORIES: readonly string[] = ['/var/run/openvswitch', '/run/openvswitch'];
const OVN_DIRECTORIES: readonly string[] = ['/run/ovn', '/var/run/ovn'];
const LOOK_MS = 2_000;

const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

export interface ReportSwitchOptions {
  readonly kubeconfig: string;
  /** Where Open vSwitch has its sockets. Left out: where it has them as a rule. */
  readonly switchDirectory?: string | undefined;
  readonly print: (line: string) => void;
  readonly log: Logger;
}

/** Reports on the Open vSwitch of this machine until the signal, from when there is one. Says nothing while there is none. */
export async function reportSwitch(options: ReportSwitchOptions, signal: AbortSignal): Promise<void> {
  const directories = options.switchDirectory === undefined ? DIRECTORIES : [options.switchDirectory];
  while (!(await isPresent(directories))) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
  const kubeConfig = await loadKubeConfig({ path: options.kubeconfig, environment: {} });
  await makeNamespace(kubeConfig, signal);
  // A machine without Open vSwitch need not load it.
  const { startOvsAgent } = await import('@smalt/ovs-agent');
  const name = nodeName(hostname());
  const runDirectories = [...directories, ...OVN_DIRECTORIES];
  const place = { nodeName: name, namespace: NAMESPACE, runDirectories, southbound: {} };
  await using agent = await startOvsAgent({ ...place, kubeConfig, logger: options.log }, signal);
  options.print(`reporting its Open vSwitch as the OVSNode ${NAMESPACE}/${name}`);
  await agent.ended;
}

async function isPresent(directories: readonly string[]): Promise<boolean> {
  const found = await Promise.all(directories.map((directory) => pathExists(join(directory, 'db.sock'))));
  return found.includes(true);
}

async function makeNamespace(config: KubeConfig, signal: AbortSignal): Promise<void> {
  await using client = new KubeClient({ config, userAgent: 'smalt/0.1' });
  await client.resource(namespaceKind).apply(NAMESPACE, {}, { force: true, signal });
}
