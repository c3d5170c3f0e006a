import {
  ComputeError,
  isSameHostName,
  reasonAsKept,
  type ComputeHost,
  type ComputeHosts,
  type Deregistration,
  type FoundHost,
  type HostIdentity,
} from '@smalt/compute';
import type { Fields } from '@smalt/kube';
import { WellKnownName } from '@smalt/vm-api';
import type { Node } from '@smalt/placement';
import { fenceNote, noFenceNote } from '@smalt/vm-lifecycle';

import { bindingOf, launchersOn } from '../instances/bound-instances.ts';
import { ObjectName } from '../object-names.ts';
import { unlessGone } from '../to-compute-error.ts';
import type { VmApiAccess } from '../vm-api-access.ts';
import { isDeclaredDead, isHost, lifeSignOf, readHost } from './read-host.ts';

export interface VmHostsOptions {
  readonly api: VmApiAccess;
  /** Whether the handler of a node is heard of. */
  readonly isHeard: (node: Node) => boolean;
  /** Whether that it is heard of shows no life, because nobody has watched it for long enough. */
  readonly isUnwatched: (node: Node) => boolean;
  readonly now: () => number;
}

/** Hosts are the Nodes that a virt-handler looks after. */
export class VmHosts implements ComputeHosts {
  readonly #options: VmHostsOptions;

  constructor(options: VmHostsOptions) {
    this.#options = options;
  }

  async find(name: string, signal: AbortSignal): Promise<FoundHost | undefined> {
    const exact = await unlessGone('read', () => this.#options.api.nodes.get(name, { signal }));
    // No other one is meant, also while it is no host yet: then it is asked for again and again.
    if (exact) return isHost(exact) ? { ...this.#read(exact), isExact: true } : undefined;
    const alike = (await this.list(signal)).filter((host) => isSameHostName(host.name, name));
    const [first] = alike;
    if (alike.length > 1) {
      const names = alike.map((host) => host.name).join(', ');
      throw new ComputeError('refused', `the name ${name} stands for several nodes: ${names}; name one in full`);
    }
    return first && { ...first, isExact: false };
  }

  async get(host: HostIdentity, signal: AbortSignal): Promise<ComputeHost | undefined> {
    const node = await this.#options.api.nodeOf(host, signal);
    return node && isHost(node) ? this.#read(node) : undefined;
  }

  async list(signal: AbortSignal): Promise<readonly ComputeHost[]> {
    const nodes = await this.#options.api.all(this.#options.api.nodes, { signal });
    return nodes.filter(isHost).map((node) => this.#read(node));
  }

  /** Notes what is over with the node. One that is noted already, and was not heard of since, keeps the time of that. */
  async forceDown(host: HostIdentity & Pick<ComputeHost, 'lifeSign'>, signal: AbortSignal): Promise<void> {
    const node = await this.#options.api.requireNode(host, signal);
    if (host.lifeSign !== undefined && host.lifeSign !== lifeSignOf(node)) {
      const message = `node ${host.serviceId} shows another boot or heartbeat than before it was proved to be off`;
      throw new ComputeError('stale', message);
    }
    if (isDeclaredDead(node)) return;
    await this.#patch(host, { metadata: { annotations: fenceNote(node, this.#options.now()) } }, signal);
  }

  async clearForcedDown(host: HostIdentity, signal: AbortSignal): Promise<void> {
    await this.#patch(host, { metadata: { annotations: noFenceNote() } }, signal);
  }

  async enable(host: HostIdentity, signal: AbortSignal): Promise<void> {
    const annotations = { ...noFenceNote(), [ObjectName.disabledReasonAnnotation]: null };
    await this.#patch(host, { metadata: { annotations }, spec: { unschedulable: null } }, signal);
  }

  async disable(host: HostIdentity, reason: string, signal: AbortSignal): Promise<void> {
    const annotations = { [ObjectName.disabledReasonAnnotation]: reasonAsKept(reason) || null };
    await this.#patch(host, { metadata: { annotations }, spec: { unschedulable: true } }, signal);
  }

  /** The Node itself is the cluster's; what makes it a host of ours goes. A handler that still runs there brings it back. */
  async deregister(host: HostIdentity, signal: AbortSignal): Promise<Deregistration> {
    const { api } = this.#options;
    const node = await api.nodeOf(host, signal);
    if (!node || !isHost(node)) return { kind: 'done' };
    const left = await this.#instancesOn(host.serviceId, signal);
    if (left.length > 0) return { kind: 'blocked', message: stillThere(host.serviceId, left) };
    const annotations = { ...noFenceNote(), [WellKnownName.heartbeatAnnotation]: null };
    await this.#patch(
      host,
      { metadata: { annotations, labels: { [WellKnownName.schedulableNodeLabel]: null } } },
      signal,
    );
    return { kind: 'done' };
  }

  /** Those that may run there: also those that are on their way there. */
  async #instancesOn(nodeName: string, signal: AbortSignal): Promise<readonly string[]> {
    const { api } = this.#options;
    // Before the instances: what these say is newer then than that a launcher is there.
    const launchers = await launchersOn(api, nodeName, signal);
    const instances = await api.all(api.instances, { signal });
    return instances
      .filter((instance) => bindingOf(instance, nodeName, launchers) !== undefined)
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  }

  async #patch(host: HostIdentity, fields: Fields, signal: AbortSignal): Promise<void> {
    await this.#options.api.patchNode(host, fields, signal);
  }

  #read(node: Node): ComputeHost {
    const { isHeard, isUnwatched } = this.#options;
    return readHost(node, isHeard, isUnwatched);
  }
}

/** A launcher that is only bound there is found by its pod: its instance does not say yet where it is. */
function stillThere(node: string, left: readonly string[]): string {
  const some = left.slice(0, 3).join(', ');
  const homes = `kubectl get vmi -A -l ${WellKnownName.nodeNameLabel}=${node}`;
  const launchers = `kubectl get pods -A -l ${WellKnownName.appLabel}=virt-launcher --field-selector spec.nodeName=${node}`;
  return `node ${node} is being offboarded, but still has ${left.length} instances, such as ${some}: ${homes}; ${launchers}`;
}
