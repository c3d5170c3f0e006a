import { WellKnownName } from '@smalt/vm-api';
import { possibleNodes } from '@smalt/vm-lifecycle';

import { claimKeys } from '../instance/claim-names.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { controllerOf } from './controller-of.ts';
import { IndexName } from './index-names.ts';

/** Adds the indexes that the controllers share to the caches; once for each. */
export function addIndexes({ machines, instances, migrations, pods }: VirtControllerContext): void {
  machines.addIndex(IndexName.claim, ({ metadata, spec }) =>
    claimKeys(metadata.namespace, spec.template.spec?.volumes),
  );
  instances.addIndex(IndexName.claim, ({ metadata, spec }) => claimKeys(metadata.namespace, spec.volumes));
  instances.addIndex(IndexName.node, (instance) => [
    ...new Set([...possibleNodes(instance), ...presentNames([instance.status?.evacuationNodeName])]),
  ]);
  instances.addIndex(IndexName.owner, (instance) => presentNames([controllerOf(instance)?.uid]));
  migrations.addIndex(IndexName.instanceKey, ({ metadata, spec }) => [
    `${metadata.namespace ?? ''}/${spec.vmiName ?? ''}`,
  ]);
  migrations.addIndex(IndexName.uid, ({ metadata }) => presentNames([metadata.uid]));
  pods.addIndex(IndexName.instance, ({ metadata }) => presentNames([metadata.labels?.[WellKnownName.createdByLabel]]));
}

function presentNames(names: readonly (string | undefined)[]): readonly string[] {
  return names.flatMap((name) => (name === undefined || name === '' ? [] : [name]));
}
