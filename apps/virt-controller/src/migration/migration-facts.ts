import type { ObjectKey } from '@smalt/controller-runtime';
import { MigrationPhase, WellKnownName, type VirtualMachineInstanceMigration } from '@smalt/vm-api';
import {
  chooseMigrations,
  choosePolicy,
  currentPod,
  isFinalMigration,
  type ChosenSettings,
  type MigrationFacts,
} from '@smalt/vm-lifecycle';

import { IndexName } from '../frame/index-names.ts';
import { podsOf } from '../instance/instance-facts.ts';
import { policyOf } from '../kinds/migration-policy.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';

/** Gathers from the caches all that the decision about a migration goes by. */
export function migrationFacts(
  context: VirtControllerContext,
  migration: VirtualMachineInstanceMigration,
): MigrationFacts {
  const { instances, clock } = context;
  const vmi = instances.cache.get(instanceKeyOf(migration));
  const pods = vmi === undefined ? [] : podsOf(context, vmi);
  const { uid = '' } = migration.metadata;
  const targets = pods.filter(({ metadata }) => metadata.labels?.[WellKnownName.migrationJobLabel] === uid);
  return {
    migration,
    vmi,
    sourcePod: vmi === undefined ? undefined : currentPod({ vmi, pods: pods.filter((pod) => !targets.includes(pod)) }),
    targetPod: targets[0],
    hasRival: hasRival(context, migration),
    mayStart: mayStart(context, migration),
    chosen: chosenSettings(context, migration),
    now: clock.now(),
  };
}

export function instanceKeyOf({ metadata, spec }: VirtualMachineInstanceMigration): ObjectKey {
  return `${metadata.namespace ?? ''}/${spec.vmiName ?? ''}`;
}

function hasRival({ migrations }: VirtControllerContext, migration: VirtualMachineInstanceMigration): boolean {
  const all = migrations.cache.byIndex(IndexName.instanceKey, instanceKeyOf(migration));
  return all.some((other) => other !== migration && !isFinalMigration(other) && isEarlier(other, migration));
}

/** One that is under way already counts as earlier, however old it is. */
function isEarlier(left: VirtualMachineInstanceMigration, right: VirtualMachineInstanceMigration): boolean {
  if ((left.status?.phase ?? MigrationPhase.unset) !== MigrationPhase.unset) return true;
  const byAge = (left.metadata.creationTimestamp ?? '').localeCompare(right.metadata.creationTimestamp ?? '');
  return byAge === 0 ? left.metadata.name < right.metadata.name : byAge < 0;
}

function mayStart(context: VirtControllerContext, migration: VirtualMachineInstanceMigration): boolean {
  const { migrations, instances, pods, settings } = context;
  const open = migrations.cache.list().filter((each) => !isFinalMigration(each));
  const withTargets = new Set(
    pods.cache.list().flatMap(({ metadata }) => metadata.labels?.[WellKnownName.migrationJobLabel] ?? []),
  );
  const chosen = chooseMigrations({
    // One whose target pod is made is under way, though its phase does not say so yet.
    migrations: open.map((each) => (withTargets.has(each.metadata.uid ?? '') ? begun(each) : each)),
    sourceNodeOf: (each) => {
      const status = instances.cache.get(instanceKeyOf(each))?.status;
      return status?.migrationState?.completed === true
        ? status.nodeName
        : (status?.migrationState?.sourceNode ?? status?.nodeName);
    },
    limits: settings.migrations,
  });
  return chosen.has(migration.metadata.uid ?? '');
}

const WAITING: readonly string[] = [MigrationPhase.unset, MigrationPhase.pending];

function begun(migration: VirtualMachineInstanceMigration): VirtualMachineInstanceMigration {
  const isWaiting = WAITING.includes(migration.status?.phase ?? MigrationPhase.unset);
  return isWaiting ? { ...migration, status: { ...migration.status, phase: MigrationPhase.scheduling } } : migration;
}

function chosenSettings(
  { policies, instances, settings }: VirtControllerContext,
  migration: VirtualMachineInstanceMigration,
): ChosenSettings {
  const { namespace = '' } = migration.metadata;
  return choosePolicy({
    policies: (policies?.objects.cache.list() ?? []).map(policyOf),
    instanceLabels: instances.cache.get(instanceKeyOf(migration))?.metadata.labels ?? {},
    namespaceLabels: policies?.namespaces.cache.get(namespace)?.metadata.labels ?? {},
    configuration: settings.migrations,
  });
}
