import {
  catchUp,
  done,
  ownedSource,
  source,
  type ControllerOptions,
  type ControllerSource,
} from '@smalt/controller-runtime';
import { WellKnownName, type Hypervisor } from '@smalt/fleet-api';
import { isConflict, isNotFound } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';

import { applyDependent, type DependentWriter, type WantedDependent } from '../dependents/apply-dependent.ts';
import { clusterNodeKind, type ClusterNode, type Taint } from '../nodes/cluster-node.ts';
import { slimDependentObject, type DependentObject } from '../dependents/dependent-object.ts';
import { isNodeWorthALook } from '../nodes/is-node-worth-a-look.ts';
import type { OperatorContext } from '../operator-context.ts';
import { isWorthALook } from '../frame/slim-hypervisor.ts';
import { decideOffboardingTaint } from './decide-offboarding-taint.ts';
import { decideSignal, needsSignal } from './decide-signal.ts';
import type { NodeLifecycleSettings } from './node-lifecycle-settings.ts';
import { deploymentKind, podDisruptionBudgetKind } from './signal-kinds.ts';
import { signalBudget, signalDeployment } from './signal-objects.ts';

/** The name of the controller, which owns its fields under it. */
const NAME = 'maintenance';

export type NodeLifecycleContext = Pick<
  OperatorContext,
  'client' | 'informers' | 'nodes' | 'hypervisors' | 'recorder' | 'ignore'
>;

/**
 * Tells the cluster how far a host is: agents of the compute system are driven out once it is empty, and where machines
 * come and go by themselves a pod per node holds back its drain until it is offboarded.
 */
export function createNodeLifecycleController(
  context: NodeLifecycleContext,
  settings: NodeLifecycleSettings,
): ControllerOptions {
  const { nodes, hypervisors } = context;
  const signals = settings.when === 'never' ? undefined : new Signals(context, settings);
  return {
    name: NAME,
    concurrency: settings.concurrency,
    sources: [source(nodes, isNodeWorthALook), source(hypervisors, isWorthALook), ...(signals?.sources ?? [])],
    reconcile: async (key, signal) => {
      const node = nodes.cache.get(key);
      const hypervisor = hypervisors.cache.get(key);
      if (node === undefined || hypervisor === undefined) return done;
      if (hypervisor.metadata.deletionTimestamp !== undefined) return done;
      const isCurrent = await keepTaint(context, node, hypervisor, signal);
      await signals?.keep(node, hypervisor, signal);
      return isCurrent ? done : catchUp;
    },
  };
}

/** Sets or removes the offboarding taint. Returns false when the node has changed since it was read. */
async function keepTaint(
  { client, recorder, ignore }: NodeLifecycleContext,
  node: ClusterNode,
  hypervisor: Hypervisor,
  signal: AbortSignal,
): Promise<boolean> {
  const taints = decideOffboardingTaint(node, hypervisor);
  if (taints === undefined) return true;
  const { name, resourceVersion } = node.metadata;
  // Taints are one list with one owner at a time: the version keeps us from undoing what others do to it.
  const patch = { metadata: { resourceVersion }, spec: { taints: taints.length === 0 ? null : taints } };
  try {
    await client.resource(clusterNodeKind).patch(name, 'merge', patch, { fieldManager: NAME, signal });
    const event = taintEvent(node, taints);
    await recorder.record(node, 'Normal', event.reason, event.message);
    return true;
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
    ignore(error, 'the node has changed meanwhile, and is looked at again');
    return false;
  }
}

function taintEvent(
  node: ClusterNode,
  taints: readonly Taint[],
): { readonly reason: string; readonly message: string } {
  const { name } = node.metadata;
  return taints.length > (node.spec?.taints?.length ?? 0)
    ? { reason: 'OffboardingTaintAdded', message: `${name} is empty: the agents of the compute system leave it` }
    : { reason: 'OffboardingTaintRemoved', message: `${name} is not offboarded now: the agents may come back` };
}

/** The signal pods of all nodes, and the budgets that protect them. */
class Signals {
  readonly sources: readonly ControllerSource[];
  readonly #settings: NodeLifecycleSettings;
  readonly #budgets: DependentWriter;
  readonly #deployments: DependentWriter;

  constructor(context: NodeLifecycleContext, settings: NodeLifecycleSettings) {
    const follow = (kind: KindReference<DependentObject>): readonly [DependentWriter, ControllerSource] => {
      const label = { operator: 'exists', key: WellKnownName.maintenanceControllerLabel } as const;
      const select = { namespace: settings.namespace, labelSelector: { requirements: [label] } };
      const informer = context.informers.for(kind, { select, transform: slimDependentObject });
      const writer = { client: context.client.resource(kind), cache: informer.cache, fieldManager: NAME };
      return [writer, ownedSource(informer, clusterNodeKind)];
    };
    const [budgets, budgetSource] = follow(podDisruptionBudgetKind);
    const [deployments, deploymentSource] = follow(deploymentKind);
    this.#settings = settings;
    this.#budgets = budgets;
    this.#deployments = deployments;
    this.sources = [budgetSource, deploymentSource];
  }

  /** Makes the signals of a node say how far its hypervisor is. */
  async keep(node: ClusterNode, hypervisor: Hypervisor, signal: AbortSignal): Promise<void> {
    if (hypervisor.spec?.lifecycleEnabled !== true || !needsSignal(node, this.#settings)) return;
    const decision = decideSignal(node, hypervisor);
    const work: readonly (readonly [DependentWriter, WantedDependent])[] = [
      [this.#budgets, signalBudget(node, decision, this.#settings)],
      [this.#deployments, signalDeployment(node, decision, this.#settings)],
    ];
    const results = await Promise.allSettled(work.map(([writer, wanted]) => applyDependent(writer, wanted, signal)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}
