import type { MetricsRegistry } from '@smalt/service-runtime';
import {
  MigrationPhase,
  VirtualMachineInstancePhase,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';

import type { VirtControllerContext } from '../virt-controller-context.ts';
import { phaseChanges } from './phase-changes.ts';

type MetricsContext = Pick<VirtControllerContext, 'metrics' | 'machines' | 'instances' | 'migrations' | 'clock'>;

const BUCKETS = [0.5, 1, 2, 5, 10, 20, 30, 40, 50, 60, 90, 120, 180, 300, 600, 1_200, 1_800, 3_600];

/** Tells of machines, instances and migrations under the names that dashboards of KubeVirt know. */
export function addMachineMetrics(context: MetricsContext): void {
  const { metrics, machines, instances, migrations } = context;
  const counts = metrics.gauge({
    name: 'kubevirt_vmi_phase_count',
    help: 'Instances by phase and node.',
    labelNames: ['phase', 'node'],
  });
  const vms = metrics.gauge({
    name: 'kubevirt_number_of_vms',
    help: 'Virtual machines by namespace.',
    labelNames: ['namespace'],
  });
  const seen = { instances: new Set<string>(), machines: new Set<string>() };
  metrics.onCollect(() => {
    setCounts(counts, countBy(instances.cache.list(), phaseAndNode), seen.instances);
    setCounts(
      vms,
      countBy(machines.cache.list(), ({ metadata }) => metadata.namespace ?? ''),
      seen.machines,
    );
  });
  addMigrationMetrics(metrics, () => migrations.cache.list());
  observeTransitions(context);
}

function phaseAndNode({ status }: VirtualMachineInstance): string {
  return `${status?.phase ?? VirtualMachineInstancePhase.unset}\n${status?.nodeName ?? ''}`;
}

function countBy<T>(items: readonly T[], keyOfItem: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOfItem(item), (counts.get(keyOfItem(item)) ?? 0) + 1);
  return counts;
}

type GaugeFamily = ReturnType<MetricsRegistry['gauge']>;

/** What was counted before and is not there any more is told as 0. */
function setCounts(family: GaugeFamily, counts: ReadonlyMap<string, number>, seen: Set<string>): void {
  for (const key of counts.keys()) seen.add(key);
  for (const key of seen) family.cell(key.split('\n')).set(counts.get(key) ?? 0);
}

const PENDING: readonly string[] = [MigrationPhase.unset, MigrationPhase.pending];
const SCHEDULING: readonly string[] = [MigrationPhase.scheduling];
const ENDED: readonly string[] = [MigrationPhase.succeeded, MigrationPhase.failed];

function addMigrationMetrics(metrics: MetricsRegistry, list: () => readonly VirtualMachineInstanceMigration[]): void {
  const families = [
    ['kubevirt_vmi_migrations_in_pending_phase', 'Migrations that wait for their turn.', isIn(PENDING)],
    ['kubevirt_vmi_migrations_in_scheduling_phase', 'Migrations whose target has no node yet.', isIn(SCHEDULING)],
    [
      'kubevirt_vmi_migrations_in_running_phase',
      'Migrations that were handed to the nodes.',
      (each: VirtualMachineInstanceMigration) => !isIn([...PENDING, ...SCHEDULING, ...ENDED])(each),
    ],
    ['kubevirt_vmi_migration_succeeded', 'Migrations that succeeded.', isIn([MigrationPhase.succeeded])],
    ['kubevirt_vmi_migration_failed', 'Migrations that failed.', isIn([MigrationPhase.failed])],
  ] as const;
  for (const [name, help, isMeant] of families) {
    const cell = metrics.gauge({ name, help, labelNames: [] }).cell([]);
    metrics.onCollect(() => cell.set(list().filter(isMeant).length));
  }
}

function isIn(phases: readonly string[]): (migration: VirtualMachineInstanceMigration) => boolean {
  return ({ status }) => phases.includes(status?.phase ?? MigrationPhase.unset);
}

function observeTransitions({ metrics, instances, clock }: MetricsContext): void {
  const fromCreation = metrics.histogram({
    name: 'kubevirt_vmi_phase_transition_time_from_creation_seconds',
    help: 'How long after its creation an instance came into a phase.',
    labelNames: ['phase'],
    buckets: BUCKETS,
  });
  const fromLast = metrics.histogram({
    name: 'kubevirt_vmi_phase_transition_time_seconds',
    help: 'How long an instance took from one phase to the next.',
    labelNames: ['phase', 'last_phase'],
    buckets: BUCKETS,
  });
  const fromDeletion = metrics.histogram({
    name: 'kubevirt_vmi_phase_transition_time_from_deletion_seconds',
    help: 'How long after its deletion was asked for an instance came into a phase.',
    labelNames: ['phase'],
    buckets: BUCKETS,
  });
  instances.onChange(({ old, current }) => {
    for (const change of phaseChanges(old, current, clock.now())) {
      const { phase, lastPhase } = change;
      fromCreation.cell([phase]).observe(change.sinceCreationSeconds);
      if (change.sinceLastSeconds !== undefined) fromLast.cell([phase, lastPhase]).observe(change.sinceLastSeconds);
      if (change.sinceDeletionSeconds !== undefined) fromDeletion.cell([phase]).observe(change.sinceDeletionSeconds);
    }
  });
}
