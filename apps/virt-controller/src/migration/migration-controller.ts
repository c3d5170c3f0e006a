import {
  AwaitedWrites,
  awaitWrite,
  done,
  keyOf,
  mappedSource,
  readSource,
  requeueAfter,
  source,
  type ControllerOptions,
  type ControllerSource,
  type ObjectKey,
  type Outcome,
} from '@smalt/controller-runtime';
import { isNotFound } from '@smalt/kube';
import {
  virtualMachineInstanceMigrationKind,
  WellKnownName,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';
import {
  decideMigration,
  forgettableMigrations,
  isFinalMigration,
  isLeftHandedOver,
  launcherName,
  MigrationSightings,
  type MigrationDecision,
  type MigrationFacts,
} from '@smalt/vm-lifecycle';

import { IndexName } from '../frame/index-names.ts';
import { isOvertaken } from '../frame/is-overtaken.ts';
import { problemOf } from '../frame/problem-of.ts';
import { writeStatus } from '../frame/write-status.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { actOnMigration, type MigrationActing } from './act-on-migration.ts';
import { instanceKeyOf } from './instance-key-of.ts';
import { migrationFacts } from './migration-facts.ts';
import { MigrationTurns } from './migration-turns.ts';

/** How often one that goes on is looked at though nothing happens, for its time limits. */
const LOOK_MS = 30_000;

/** Leads every migration from its target pod over the hand-over to its end, as many at a time as are allowed. */
export function createMigrationController(context: VirtControllerContext): ControllerOptions {
  const { migrations, instances, pods, clock, settings } = context;
  const turns = new MigrationTurns({ migrations, instances, pods, limits: settings.migrations });
  const sightings = new MigrationSightings();
  const acting: MigrationActing = {
    ...context,
    written: new AwaitedWrites(migrations, clock),
    writtenInstances: new AwaitedWrites(instances, clock),
    writtenPods: new AwaitedWrites(pods, clock),
  };
  return {
    name: 'virtual-machine-instance-migration',
    sources: migrationSources(context, turns),
    // One at a time: whose turn it is depends on all of them.
    concurrency: 1,
    reconcile: async (key, signal) => {
      const migration = migrations.cache.get(key);
      if (migration === undefined) {
        sightings.forget(key);
        return done;
      }
      if (isBehind(acting, migration)) return awaitWrite;
      return await carryOut(acting, migrationFacts(context, migration, { turns, sightings }), signal, () =>
        forget(context, migration, signal),
      );
    },
  };
}

function migrationSources(
  { migrations, instances, pods, policies }: VirtControllerContext,
  turns: MigrationTurns,
): readonly ControllerSource[] {
  return [
    source(migrations),
    // The end of one is the turn of another.
    mappedSource(migrations, ({ old, current }) => {
      const hasEnded = old !== undefined && isOpen(old) && (current === undefined || !isOpen(current));
      const next = hasEnded ? [...turns.chosen] : [];
      return next.flatMap((uid) => migrations.cache.byIndex(IndexName.uid, uid).map(keyOf));
    }),
    mappedSource(instances, ({ key, current }) =>
      migrations.cache
        .byIndex(IndexName.instanceKey, key)
        .filter((each) => isOpen(each) || isLeftHandedOver(each, current))
        .map(keyOf),
    ),
    mappedSource(pods, ({ old, current }) => {
      const uid = (current ?? old)?.metadata.labels?.[WellKnownName.migrationJobLabel];
      return uid === undefined ? [] : migrations.cache.byIndex(IndexName.uid, uid).map(keyOf);
    }),
    // One that begins before these are known would go by no policy.
    ...(policies === undefined ? [] : [readSource(policies.objects), readSource(policies.namespaces)]),
  ];
}

function isOpen(migration: VirtualMachineInstanceMigration): boolean {
  return !isFinalMigration(migration);
}

function isBehind(acting: MigrationActing, migration: VirtualMachineInstanceMigration): boolean {
  const { metadata, spec } = migration;
  const podKey: ObjectKey = `${metadata.namespace ?? ''}/${launcherName(spec.vmiName ?? '', metadata.uid ?? '')}`;
  return (
    acting.written.isBehind(keyOf(migration)) ||
    acting.writtenInstances.isBehind(instanceKeyOf(migration)) ||
    acting.writtenPods.isBehind(podKey)
  );
}

async function carryOut(
  acting: MigrationActing,
  facts: MigrationFacts,
  signal: AbortSignal,
  onEnd: () => Promise<void>,
): Promise<Outcome> {
  try {
    const decision = await pass(acting, facts, signal);
    if (isFinalMigration(facts.migration)) {
      await onEnd();
      return done;
    }
    return requeueAfter(Math.min(LOOK_MS, decision.requeueAfterMs ?? LOOK_MS));
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    acting.ignore(error, 'somebody else was faster; it is looked at again when that is seen');
    return awaitWrite;
  }
}

async function pass(acting: MigrationActing, facts: MigrationFacts, signal: AbortSignal): Promise<MigrationDecision> {
  const decision = decideMigration(facts);
  let migration: VirtualMachineInstanceMigration | undefined = facts.migration;
  try {
    for (const action of decision.actions) {
      migration = await actOnMigration(acting, { ...facts, migration }, action, signal);
      if (migration === undefined) return decision;
    }
  } catch (error) {
    const problem = problemOf(error, 'FailedCreate');
    if (problem === undefined || migration === undefined) throw error;
    void acting.recorder.record(migration, 'Warning', problem.reason, `Error creating pod: ${problem.message}`);
    const { status } = decideMigration({ ...facts, problem });
    await writeStatus(acting, virtualMachineInstanceMigrationKind, { object: migration, status }, signal);
    throw error;
  }
  await writeStatus(
    acting,
    virtualMachineInstanceMigrationKind,
    { object: migration, status: decision.status },
    signal,
  );
  const { event } = decision;
  if (event !== undefined) void acting.recorder.record(migration, event.type, event.reason, event.message);
  return decision;
}

/** Deletes ended migrations of an instance, but for the newest few that are kept to be looked at. */
async function forget(
  { client, migrations, ignore }: VirtControllerContext,
  migration: VirtualMachineInstanceMigration,
  signal: AbortSignal,
): Promise<void> {
  const all = migrations.cache.byIndex(IndexName.instanceKey, instanceKeyOf(migration));
  for (const { metadata } of forgettableMigrations(all)) {
    const { name, namespace, uid } = metadata;
    try {
      await client.resource(virtualMachineInstanceMigrationKind).delete(name, { namespace, uid, signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      ignore(error, 'a migration that is gone need not be deleted');
    }
  }
}
