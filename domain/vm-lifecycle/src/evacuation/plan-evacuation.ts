import type { Node } from '@smalt/placement';
import {
  isFinalPhase,
  VirtualMachineInstanceConditionType,
  VirtualMachineInstancePhase,
  WellKnownName,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';

import { findCondition, hasCondition } from '../conditions/conditions.ts';
import { isFinalMigration } from '../migration/choose-migrations.ts';
import { evacuationDelayMs } from './evacuation-delay.ts';

export interface EvacuationFacts {
  readonly node: Node;
  /** The instances on the node, and those that were told to leave it. */
  readonly instances: readonly VirtualMachineInstance[];
  /** The migrations of these instances. */
  readonly migrations: readonly VirtualMachineInstanceMigration[];
  /** The taint that makes instances leave, from before there was the eviction API. */
  readonly drainTaintKey?: string;
  readonly now: number;
}

export type EvacuationAction =
  | { readonly kind: 'create-migration'; readonly migration: VirtualMachineInstanceMigration }
  /** It has left: it may be evacuated from where it is now another time. */
  | { readonly kind: 'clear-evacuation'; readonly namespace: string | undefined; readonly name: string };

export interface EvacuationPlan {
  readonly actions: readonly EvacuationAction[];
  /** Those that cannot leave, with what a person has to do about it. */
  readonly stuck: readonly {
    readonly namespace: string | undefined;
    readonly name: string;
    readonly message: string;
  }[];
  readonly requeueAfterMs?: number;
}

/** Decides which instances leave a node that is drained, each by one migration at a time. */
export function planEvacuation({ node, instances, migrations, drainTaintKey, now }: EvacuationFacts): EvacuationPlan {
  const nodeName = node.metadata.name;
  const hasTaint = (node.spec?.taints ?? []).some(
    ({ key, effect }) => key === drainTaintKey && effect === 'NoSchedule',
  );
  const actions: EvacuationAction[] = [];
  const stuck: EvacuationPlan['stuck'][number][] = [];
  const delays: number[] = [];
  for (const vmi of instances) {
    const { name, namespace } = vmi.metadata;
    const own = migrations.filter(({ metadata, spec }) => metadata.namespace === namespace && spec.vmiName === name);
    if (hasLeft(vmi, nodeName)) actions.push({ kind: 'clear-evacuation', namespace, name });
    if (!isToLeave(vmi, nodeName, hasTaint) || own.some((migration) => !isFinalMigration(migration))) continue;
    const objection = objectionTo(vmi);
    const delayMs = evacuationDelayMs(own, now);
    if (objection !== undefined) stuck.push({ namespace, name, message: objection });
    else if (delayMs > 0) delays.push(delayMs);
    else actions.push({ kind: 'create-migration', migration: evacuationOf(vmi, nodeName) });
  }
  return { actions, stuck, ...(delays.length === 0 ? {} : { requeueAfterMs: Math.min(...delays) }) };
}

function hasLeft({ status }: VirtualMachineInstance, nodeName: string): boolean {
  return status?.evacuationNodeName === nodeName && status.nodeName !== undefined && status.nodeName !== nodeName;
}

/** With the taint alone, only those leave that may be migrated by their own strategy. */
function isToLeave({ metadata, spec, status }: VirtualMachineInstance, nodeName: string, hasTaint: boolean): boolean {
  if (status?.nodeName !== nodeName || status.phase !== VirtualMachineInstancePhase.running) return false;
  if (metadata.deletionTimestamp !== undefined || isFinalPhase(status.phase)) return false;
  const strategy = spec.evictionStrategy ?? 'None';
  const isMigrated = strategy === 'LiveMigrate' || strategy === 'LiveMigrateIfPossible';
  // With the strategy External somebody else acts on the mark.
  if (strategy === 'External') return false;
  return status.evacuationNodeName === nodeName || (hasTaint && isMigrated);
}

function objectionTo({ metadata, status }: VirtualMachineInstance): string | undefined {
  const type = VirtualMachineInstanceConditionType.liveMigratable;
  if (hasCondition(status?.conditions, type, 'True')) return undefined;
  const condition = findCondition(status?.conditions, type);
  const why = condition?.message ?? 'its handler has not said whether it can be migrated';
  return `VMI ${metadata.name} is configured with an eviction strategy but is not live-migratable: ${why}; stop it, or change what keeps it from being migrated`;
}

function evacuationOf({ metadata }: VirtualMachineInstance, nodeName: string): VirtualMachineInstanceMigration {
  const isDescheduler = metadata.annotations?.['kubevirt.io/eviction-source'] === 'descheduler';
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: {
      name: '',
      generateName: 'kubevirt-evacuation-',
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      annotations: { [WellKnownName.evacuationMigrationAnnotation]: nodeName },
    },
    spec: { vmiName: metadata.name, priority: isDescheduler ? 'system-maintenance' : 'system-critical' },
  };
}
