import { keyOf } from '@smalt/controller-runtime';
import { MigrationPhase, WellKnownName, type VirtualMachineInstanceMigration } from '@smalt/vm-api';
import {
  choosePolicy,
  currentPod,
  isFinalMigration,
  type ChosenSettings,
  type MigrationFacts,
  type MigrationSightings,
} from '@smalt/vm-lifecycle';

import { IndexName } from '../frame/index-names.ts';
import { podsOf } from '../instance/instance-facts.ts';
import { policyOf } from '../kinds/migration-policy.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { instanceKeyOf } from './instance-key-of.ts';
import type { MigrationTurns } from './migration-turns.ts';

/** What this controller keeps in mind of all migrations. */
export interface MigrationMemory {
  readonly turns: Pick<MigrationTurns, 'chosen'>;
  readonly sightings: Pick<MigrationSightings, 'note'>;
}

/** Gathers from the caches all that the decision about a migration goes by. */
export function migrationFacts(
  context: VirtControllerContext,
  migration: VirtualMachineInstanceMigration,
  { turns, sightings }: MigrationMemory,
): MigrationFacts {
  const { instances, clock } = context;
  const vmi = instances.cache.get(instanceKeyOf(migration));
  const pods = vmi === undefined ? [] : podsOf(context, vmi);
  const { uid = '' } = migration.metadata;
  const targets = pods.filter(({ metadata }) => metadata.labels?.[WellKnownName.migrationJobLabel] === uid);
  const [targetPod] = targets;
  return {
    migration,
    vmi,
    sourcePod: vmi === undefined ? undefined : currentPod({ vmi, pods: pods.filter((pod) => !targets.includes(pod)) }),
    targetPod,
    hasRival: hasRival(context, migration),
    mayStart: turns.chosen.has(uid),
    chosen: chosenSettings(context, migration),
    seen: sightings.note(keyOf(migration), migration, targetPod, clock.monotonic()),
    now: clock.now(),
  };
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
