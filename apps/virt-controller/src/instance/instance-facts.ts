import { keyOf } from '@smalt/controller-runtime';
import { VirtualMachineInstancePhase, type VirtualMachineInstance } from '@smalt/vm-api';
import { isFinalMigration, possibleNodes, type InstanceFacts, type ObservedPod } from '@smalt/vm-lifecycle';

import { nodeStates } from '../fence/node-states.ts';
import { IndexName } from '../frame/index-names.ts';
import { controllerOf } from '../frame/controller-of.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { readStorage } from './read-storage.ts';

type FactsContext = Pick<
  VirtControllerContext,
  'machines' | 'pods' | 'migrations' | 'claims' | 'nodes' | 'heartbeats' | 'hypervisors' | 'settings' | 'clock'
>;

/** Gathers from the caches all that the decision about an instance goes by. */
export function instanceFacts(context: FactsContext, vmi: VirtualMachineInstance): InstanceFacts {
  const { machines, migrations, claims, clock } = context;
  const key = keyOf(vmi);
  const own = migrations.cache.byIndex(IndexName.instanceKey, key);
  const owner = controllerOf(vmi);
  const pods = podsOf(context, vmi);
  return {
    vmi,
    pods,
    attachments: attachmentsOf(context, vmi),
    storage: readStorage(vmi, (claim) => claims.cache.get(claim)),
    hasOwner: owner?.kind === 'VirtualMachine' && machines.cache.get(key)?.metadata.uid === owner.uid,
    hasActiveMigration: own.some((migration) => !isFinalMigration(migration)),
    ...nodeStates(context, [...possibleNodes(vmi), ...awaitedNodes(vmi, pods)]),
    now: clock.now(),
  };
}

/** The nodes that an instance is on its way to: until it is there, its pods alone say where. */
function awaitedNodes({ status }: VirtualMachineInstance, pods: readonly ObservedPod[]): readonly string[] {
  if (status?.phase !== VirtualMachineInstancePhase.scheduling) return [];
  return pods.flatMap(({ spec }) => spec.nodeName ?? []);
}

/** All launcher pods of an instance, those of migrations too. */
export function podsOf(
  { pods }: Pick<VirtControllerContext, 'pods'>,
  { metadata }: VirtualMachineInstance,
): readonly ObservedPod[] {
  const { namespace = '', uid } = metadata;
  return uid === undefined ? [] : pods.cache.byIndex(IndexName.instance, `${namespace}/${uid}`);
}

/** All pods that hold claims for an instance. */
function attachmentsOf(
  { pods }: Pick<VirtControllerContext, 'pods'>,
  { metadata }: VirtualMachineInstance,
): readonly ObservedPod[] {
  const { namespace = '', uid } = metadata;
  return uid === undefined ? [] : pods.cache.byIndex(IndexName.attachment, `${namespace}/${uid}`);
}
