import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Informers, systemClock, WakeUp } from '@smalt/controller-runtime';
import { KubeClient, loadKubeConfig } from '@smalt/kube';

import type { ClusterNode } from '../cluster/cluster-node.ts';
import { planFirewall, type PolicyState } from './plan-firewall.ts';
import { namespaceKind, networkPolicyKind, podKind } from './policy-objects.ts';

export interface FirewallOptions {
  readonly kubeconfig: string;
  /** Where what went wrong is written, in `network-policies.log`. */
  readonly directory: string;
  readonly nodes: readonly ClusterNode[];
}

/**
 * Has each node keep to the NetworkPolicies of the cluster, until it is disposed of. Resolves when those that are there hold; a change
 * holds some moments after it was made. Connections that are open stay so, as with most networks.
 */
export async function keepFirewalls(options: FirewallOptions, signal: AbortSignal): Promise<AsyncDisposable> {
  await using owner = new AsyncDisposableStack();
  const config = await loadKubeConfig({ path: options.kubeconfig, environment: {} });
  const client = owner.use(new KubeClient({ config, userAgent: 'bed-network-policies/1' }));
  const tell = (text: unknown): Promise<void> =>
    appendFile(join(options.directory, 'network-policies.log'), `${String(text)}\n`);
  const informers = new Informers(client, { onFailure: (error) => void tell(error) });
  const stopping = new AbortController();
  const changed = new WakeUp(systemClock);
  const sources = [informers.for(networkPolicyKind), informers.for(podKind), informers.for(namespaceKind)] as const;
  for (const source of sources) source.onChange(() => changed.ring());
  const [policies, pods, namespaces] = sources;
  const state = (): PolicyState => ({
    policies: policies.cache.list(),
    pods: pods.cache.list(),
    namespaces: namespaces.cache.list(),
  });
  const firewalls = options.nodes.map((node) => new Firewall(node));
  const watching = informers.run(stopping.signal);
  owner.defer(() => watching);
  owner.defer(() => stopping.abort());
  await informers.whenSynced(signal);
  for (const firewall of firewalls) await firewall.follow(state());
  const following = followChanges({ firewalls, changed, state, tell }, stopping.signal);
  const kept = owner.move();
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await following;
      await kept.disposeAsync();
    },
  };
}

interface Following {
  readonly firewalls: readonly Firewall[];
  readonly changed: WakeUp;
  readonly state: () => PolicyState;
  readonly tell: (error: unknown) => Promise<void>;
}

async function followChanges({ firewalls, changed, state, tell }: Following, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await changed.wait(Infinity, signal);
    if (signal.aborted) return;
    // A node that has lost its power has nothing to follow.
    for (const firewall of firewalls) await firewall.follow(state()).catch(tell);
  }
}

/** What one node was told last. */
class Firewall {
  readonly #node: ClusterNode;
  #told = '';

  constructor(node: ClusterNode) {
    this.#node = node;
  }

  async follow(state: PolicyState): Promise<void> {
    const rules = planFirewall(state, this.#node.name);
    if (rules === this.#told) return;
    await this.#node.run(['nft', '-f', '-'], { input: rules });
    this.#told = rules;
  }
}
