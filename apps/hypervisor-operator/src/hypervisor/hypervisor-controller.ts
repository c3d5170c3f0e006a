import { catchUp, done, requeueAfter, source, type ControllerOptions, type Outcome } from '@smalt/controller-runtime';
import { hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import { isAlreadyExists, isConflict, isNotFound } from '@smalt/kube';

import { clusterNodeKind, type ClusterNode } from '../nodes/cluster-node.ts';
import { isNodeWorthALook } from '../nodes/is-node-worth-a-look.ts';
import type { OperatorContext } from '../operator-context.ts';
import { OwnedStatus, type StatedCondition, type Statement } from '../frame/owned-status.ts';
import { isWorthALook } from '../frame/slim-hypervisor.ts';
import { decideAgentPods } from './decide-agent-pods.ts';
import { decideHypervisorChange, newHypervisor } from './decide-hypervisor.ts';
import { currentAgentPods, decideAgentPodsQuestion, nodeStatement, ownedConditions } from './decide-node-status.ts';
import type { HypervisorSettings } from './hypervisor-settings.ts';
import { listAgentPods } from './list-agent-pods.ts';
import { isHypervisorNode } from './node-wishes.ts';

/** The name of the controller, which owns its fields under it. */
const NAME = 'hypervisor';

export type HypervisorContext = Pick<
  OperatorContext,
  'client' | 'hypervisors' | 'nodes' | 'recorder' | 'clock' | 'ignore'
>;

/** Makes a hypervisor of every node that runs virtual machines, and keeps it as the node says. */
export function createHypervisorController(
  context: HypervisorContext,
  settings: HypervisorSettings,
): ControllerOptions {
  const { nodes, hypervisors } = context;
  const mirror = new NodeMirror(context, settings);
  return {
    name: NAME,
    concurrency: settings.concurrency,
    sources: [source(nodes, isNodeWorthALook), source(hypervisors, isWorthALook)],
    reconcile: async (key, signal) => {
      const node = nodes.cache.get(key);
      const hypervisor = hypervisors.cache.get(key);
      if (hypervisor === undefined) {
        return node !== undefined && isHypervisorNode(node) ? await mirror.create(node, signal) : done;
      }
      if (hypervisor.metadata.deletionTimestamp !== undefined) return done;
      if (!mirror.hasSeen(hypervisor)) return catchUp;
      if (node === undefined) return await mirror.updateWithoutNode(hypervisor, signal);
      return await mirror.update(hypervisor, node, signal);
    },
  };
}

/** Writes to hypervisors what their nodes say. */
class NodeMirror {
  readonly #context: HypervisorContext;
  readonly #settings: HypervisorSettings;
  readonly #status: OwnedStatus<Hypervisor>;

  constructor(context: HypervisorContext, settings: HypervisorSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#status = new OwnedStatus({
      client: context.client.resource(hypervisorKind),
      informer: context.hypervisors,
      recorder: context.recorder,
      clock: context.clock,
      owner: NAME,
      conditionTypes: ownedConditions,
      fieldNames: ['internalIp'],
    });
  }

  hasSeen(hypervisor: Hypervisor): boolean {
    return this.#status.hasSeen(hypervisor);
  }

  async create(node: ClusterNode, signal: AbortSignal): Promise<Outcome> {
    const hypervisors = this.#context.client.resource(hypervisorKind);
    try {
      await hypervisors.create(newHypervisor(node, this.#settings), { fieldManager: NAME, signal });
      return done;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      this.#context.ignore(error, 'the hypervisor is there, but not in the cache yet');
    }
    return await this.#adopt(node, signal);
  }

  /** One that others made may lack the labels of this shard, and then no cache will ever have it. */
  async #adopt(node: ClusterNode, signal: AbortSignal): Promise<Outcome> {
    try {
      const live = await this.#context.client.resource(hypervisorKind).get(node.metadata.name, { signal });
      if (live.metadata.deletionTimestamp === undefined) await this.#change(live, node, signal);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#context.ignore(error, 'the hypervisor went away, so it can be made anew');
    }
    return requeueAfter(this.#settings.agentPodsPollMs);
  }

  async update(hypervisor: Hypervisor, node: ClusterNode, signal: AbortSignal): Promise<Outcome> {
    // Agents leave, and hosts are offboarded, whether or not the rest can be changed.
    const [change] = await Promise.allSettled([this.#change(hypervisor, node, signal)]);
    const outcome = await this.#tell(hypervisor, node, signal);
    if (change.status === 'rejected') throw change.reason;
    return change.value === 'outdated' ? catchUp : outcome;
  }

  /** Of a host without a node only this is known: no agent pods can run on it. */
  async updateWithoutNode(hypervisor: Hypervisor, signal: AbortSignal): Promise<Outcome> {
    const isOwned = hypervisor.metadata.ownerReferences?.some(({ kind }) => kind === clusterNodeKind.kind) ?? false;
    const said = currentAgentPods(hypervisor);
    const question = decideAgentPodsQuestion(hypervisor, undefined);
    // One that had a node goes with it.
    if (isOwned || question === 'keep') return done;
    if (question === 'ask' && (await this.#hasNode(hypervisor.metadata.name, signal))) return done;
    const agentPods = question === 'ask' ? decideAgentPods([]) : undefined;
    if (said !== undefined || agentPods !== undefined) {
      await this.#status.state(hypervisor, nodeStatement(hypervisor, undefined, agentPods), signal);
    }
    return done;
  }

  /** Brings spec, labels and annotations in line. `outdated` means that somebody else was quicker. */
  async #change(
    hypervisor: Hypervisor,
    node: ClusterNode,
    signal: AbortSignal,
  ): Promise<'changed' | 'same' | 'outdated'> {
    // A node that does not say what it is has no say in what its hypervisor is either; its host may leave all the same.
    if (!isHypervisorNode(node)) return 'same';
    const patch = decideHypervisorChange(node, hypervisor, this.#settings);
    if (patch === undefined) return 'same';
    const { name } = hypervisor.metadata;
    try {
      await this.#context.client.resource(hypervisorKind).patch(name, 'merge', patch, { fieldManager: NAME, signal });
      return 'changed';
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
      this.#context.ignore(error, 'the hypervisor has changed meanwhile, and is looked at again');
      return 'outdated';
    }
  }

  async #tell(hypervisor: Hypervisor, node: ClusterNode, signal: AbortSignal): Promise<Outcome> {
    const question = decideAgentPodsQuestion(hypervisor, node);
    const said = question === 'none' ? undefined : currentAgentPods(hypervisor);
    if (question !== 'ask') return await this.#state(hypervisor, nodeStatement(hypervisor, node, said), signal);
    let agentPods: StatedCondition | undefined;
    try {
      agentPods = decideAgentPods(
        await listAgentPods(this.#context.client, node.metadata.name, this.#settings, signal),
      );
    } finally {
      // What else is known does not wait for an answer about pods.
      await this.#state(hypervisor, nodeStatement(hypervisor, node, agentPods ?? said), signal);
    }
    return agentPods.status === 'True' ? done : requeueAfter(this.#settings.agentPodsPollMs);
  }

  async #state(hypervisor: Hypervisor, statement: Statement, signal: AbortSignal): Promise<Outcome> {
    const isWritten = await this.#status.state(hypervisor, statement, signal);
    // What another program wrote goes by a second write, once the cache has had the first.
    return isWritten && this.#status.hasMore(hypervisor, statement) ? catchUp : done;
  }

  /** Asks the server: the node may belong to another shard. */
  async #hasNode(name: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#context.client.resource(clusterNodeKind).get(name, { signal });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}
