import { virtualMachineInstanceKind, WellKnownName } from '@smalt/vm-api';
import { isAttachmentPod, isFinalMigration, possibleNodes, type ObservedPod } from '@smalt/vm-lifecycle';

import { claimKeys } from '../instance/claim-names.ts';
import { choiceKeys } from '../virtual-machine/choice-keys.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { controllerOf } from './controller-of.ts';
import { IndexName, OPEN } from './index-names.ts';

/** Adds the indexes that the controllers share to the caches; once for each. */
export function addIndexes({ machines, instances, migrations, pods, replicaSets }: VirtControllerContext): void {
  machines.addIndex(IndexName.claim, ({ metadata, spec }) =>
    claimKeys(metadata.namespace, spec.template.spec?.volumes),
  );
  machines.addIndex(IndexName.choice, choiceKeys);
  machines.addIndex(IndexName.owner, (machine) => presentNames([controllerOf(machine)?.uid]));
  instances.addIndex(IndexName.claim, ({ metadata, spec }) => claimKeys(metadata.namespace, spec.volumes));
  instances.addIndex(IndexName.node, (instance) => [
    ...new Set([...possibleNodes(instance), ...presentNames([instance.status?.evacuationNodeName])]),
  ]);
  instances.addIndex(IndexName.owner, (instance) => presentNames([controllerOf(instance)?.uid]));
  instances.addIndex(IndexName.free, (instance) =>
    controllerOf(instance) === undefined ? [instance.metadata.namespace ?? ''] : [],
  );
  replicaSets.addIndex(IndexName.namespace, ({ metadata }) => [metadata.namespace ?? '']);
  migrations.addIndex(IndexName.instanceKey, ({ metadata, spec }) => [
    `${metadata.namespace ?? ''}/${spec.vmiName ?? ''}`,
  ]);
  migrations.addIndex(IndexName.uid, ({ metadata }) => presentNames([metadata.uid]));
  migrations.addIndex(IndexName.open, (migration) => (isFinalMigration(migration) ? [] : [OPEN]));
  pods.addIndex(IndexName.instance, (pod) => (isAttachmentPod(pod) ? [] : instancesOf(pod)));
  pods.addIndex(IndexName.attachment, (pod) => (isAttachmentPod(pod) ? instancesOf(pod) : []));
  pods.addIndex(IndexName.migration, ({ metadata }) =>
    presentNames([metadata.labels?.[WellKnownName.migrationJobLabel]]),
  );
}

/**
 * The instance that a pod belongs to, by `namespace/uid`. A label would not do: anybody who may make pods, in whatever
 * namespace, could have one taken for the launcher of somebody else's guest.
 */
export function instancesOf(pod: ObservedPod): readonly string[] {
  const { group, kind } = virtualMachineInstanceKind;
  const owner = controllerOf(pod);
  const isOwned = owner?.kind === kind && owner.apiVersion.startsWith(`${group}/`);
  return isOwned ? [`${pod.metadata.namespace ?? ''}/${owner.uid}`] : [];
}

function presentNames(names: readonly (string | undefined)[]): readonly string[] {
  return names.flatMap((name) => (name === undefined || name === '' ? [] : [name]));
}
