import { findCondition } from '@smalt/controller-runtime';
import {
  EvictionConditionReason,
  EvictionConditionType,
  HypervisorConditionReason,
  HypervisorConditionType,
  MaintenanceMode,
  type Eviction,
  type Hypervisor,
} from '@smalt/fleet-api';

import type { StatedCondition } from '../frame/owned-status.ts';
import type { HypervisorEvictions } from './hypervisor-evictions.ts';

const REASON = HypervisorConditionReason.Evicting;

export type EvictionAction =
  | { readonly kind: 'none' }
  | { readonly kind: 'create' }
  | { readonly kind: 'delete'; readonly eviction: Eviction };

/** What becomes of the Eviction of a hypervisor, and what its status says of evictions. */
export interface EvictionDecision {
  readonly action: EvictionAction;
  /** Undefined when nothing evicts it. */
  readonly condition: StatedCondition | undefined;
  readonly isEvicted: boolean;
}

/** Decides by the mode of maintenance and by the evictions there are. */
export function decideEviction(hypervisor: Hypervisor, evictions: HypervisorEvictions): EvictionDecision {
  const mode = hypervisor.spec?.maintenance ?? MaintenanceMode.unset;
  switch (mode) {
    case MaintenanceMode.manual:
    case MaintenanceMode.auto:
    case MaintenanceMode.termination:
      return evict(hypervisor.metadata.name, evictions);
    case MaintenanceMode.unset:
    case MaintenanceMode.ha:
      return standDown(evictions);
  }
}

function evict(name: string, { named }: HypervisorEvictions): EvictionDecision {
  if (named === undefined) return { action: { kind: 'create' }, ...running('Evicting') };
  const action = { kind: 'none' } as const;
  const other = named.spec?.hypervisor ?? '';
  if (other !== name) return { action, ...failed(`Eviction ${name} is for hypervisor "${other}": delete it`) };
  // One that is on its way out will not evict what comes now: another one is made when it is gone.
  if (isBeingDeleted(named)) return { action, ...running('Evicting') };
  return { action, ...progressOf([named]) };
}

function standDown({ own, foreign }: HypervisorEvictions): EvictionDecision {
  const action: EvictionAction =
    own === undefined || isBeingDeleted(own) ? { kind: 'none' } : { kind: 'delete', eviction: own };
  if (foreign.length > 0) return { action, ...progressOf(foreign) };
  const { condition, isEvicted }: Progress =
    own === undefined ? { condition: undefined, isEvicted: false } : progressOf([own]);
  // The host is in use again: that it was empty must not be believed when it is to be emptied the next time. What the
  // eviction has begun may not have ended, though.
  return { action, condition: isEvicted ? undefined : condition, isEvicted: false };
}

/** What is said while the host is not known to be closed: whatever an eviction says, there may be instances again. */
export function beforeClosed(decision: EvictionDecision): EvictionDecision {
  return decision.isEvicted ? { action: decision.action, ...running('Evicting') } : decision;
}

type Progress = Pick<EvictionDecision, 'condition' | 'isEvicted'>;

/** How several evictions of a host stand: as badly as the worst of them. */
function progressOf(evictions: readonly Eviction[]): Progress {
  const conditions = evictions.map(({ status }) => findCondition(status?.conditions, EvictionConditionType.evicting));
  if (conditions.some((condition) => condition?.status !== 'False')) return running('Evicting');
  const failure = conditions.find((condition) => condition?.reason !== EvictionConditionReason.Evicting.succeeded);
  if (failure !== undefined) return failed(failure.message);
  return { condition: evicting('False', REASON.succeeded, 'Evicted'), isEvicted: true };
}

function running(message: string): Progress {
  return { condition: evicting('True', REASON.running, message), isEvicted: false };
}

function failed(message: string): Progress {
  return { condition: { ...evicting('False', REASON.failed, message), isWarning: true }, isEvicted: false };
}

function evicting(status: 'True' | 'False', reason: string, message: string): StatedCondition {
  return { type: HypervisorConditionType.evicting, status, reason, message };
}

function isBeingDeleted({ metadata }: Eviction): boolean {
  return metadata.deletionTimestamp !== undefined;
}
