import { join } from 'node:path';

import type { KubeClient } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';

import { inParallel } from '../../src/in-parallel.ts';
import { PeerProcess } from '../../src/peer-process.ts';
import { isSchedulable } from '../../vms/cluster/node-objects.ts';
import { ObjectCount } from '../measure/object-count.ts';
import type { ProcessGroup } from '../measure/process-costs.ts';
import type { HostPlace, HostsTask } from './hosts-task.ts';

/** A fleet that ends need not say goodbye. */
const STOP_TIMEOUT_MS = 1;
const REGISTERED_AT_ONCE = 16;
const MANAGER = 'smalt-benchmark';

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

/** By these the operator takes a node for a hypervisor whose life it owns; its tests are left out. */
const LABELS = {
  'nova.openstack.cloud.sap/virt-driver': 'smalt',
  'cobaltcore.cloud.sap/node-hypervisor-lifecycle': 'skip-tests',
  'topology.kubernetes.io/zone': 'local',
};

export interface FleetHostsOptions {
  readonly client: KubeClient;
  readonly task: Omit<HostsTask, 'hosts'>;
}

/** The hosts of a fleet, many to a process. More of them may be added. */
export class FleetHosts implements AsyncDisposable {
  readonly #options: FleetHostsOptions;
  readonly #processes: PeerProcess[] = [];
  #count = 0;

  constructor(options: FleetHostsOptions) {
    this.#options = options;
  }

  get group(): ProcessGroup {
    return { part: 'agents', name: 'agents', pids: this.#processes.map(({ pid }) => pid) };
  }

  /** Adds hosts in a process of their own, and resolves when the scheduler may use all of them. */
  async add(hosts: readonly HostPlace[], signal: AbortSignal): Promise<void> {
    const { client, task } = this.#options;
    await register(client, hosts, signal);
    await this.#startProcess(JSON.stringify({ ...task, hosts }), signal);
    this.#count += hosts.length;
    await using ready = new ObjectCount(client, nodeKind, isSchedulable);
    await ready.until(this.#count, signal);
  }

  async #startProcess(task: string, signal: AbortSignal): Promise<void> {
    const command = [process.execPath, join(import.meta.dirname, 'hosts-main.ts')];
    const agents = new PeerProcess(`agents ${this.#processes.length}`, command, STOP_TIMEOUT_MS);
    this.#processes.push(agents);
    await agents.ask(task, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#processes.map((agents) => agents[Symbol.asyncDispose]()));
  }
}

/** Makes the Nodes, with the labels that a fleet has; what else they say is up to their agents. */
async function register(client: KubeClient, hosts: readonly HostPlace[], signal: AbortSignal): Promise<void> {
  const nodes = client.resource(nodeKind);
  await inParallel(hosts, REGISTERED_AT_ONCE, signal, async ({ name }, until) => {
    await nodes.apply(name, { metadata: { labels: LABELS } }, { fieldManager: MANAGER, force: true, signal: until });
  });
}
