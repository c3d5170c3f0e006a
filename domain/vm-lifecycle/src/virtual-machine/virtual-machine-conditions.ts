import {
  VirtualMachineConditionType as Type,
  type VirtualMachineCondition,
  type VirtualMachineInstance,
} from '@smalt/vm-api';

import { findCondition, withCondition, withoutCondition, type Conditions } from '../conditions/conditions.ts';
import type { LiveUpdate } from './live-update.ts';

export interface VirtualMachineConditionFacts {
  readonly known: readonly VirtualMachineCondition[] | undefined;
  readonly vmi: VirtualMachineInstance | undefined;
  readonly problem: { readonly reason: string; readonly message: string } | undefined;
  readonly liveUpdate: LiveUpdate;
  readonly now: number;
}

const OWN: readonly string[] = Object.values(Type);

/** The virtual machine's own conditions, and those of its instance as they are there. */
export function virtualMachineConditions(facts: VirtualMachineConditionFacts): Conditions {
  const { known, vmi, problem, liveUpdate, now } = facts;
  const own = (known ?? []).filter(({ type }) => OWN.includes(type));
  const mirrored = (vmi?.status?.conditions ?? []).filter(({ type }) => !OWN.includes(type));
  let conditions = withReady(own, vmi, now);
  conditions =
    problem === undefined
      ? withoutCondition(conditions, Type.failure)
      : withCondition(conditions, { type: Type.failure, status: 'True', ...problem }, now);
  conditions =
    liveUpdate.kind === 'restart'
      ? withCondition(conditions, { type: Type.restartRequired, status: 'True', message: liveUpdate.message }, now)
      : withoutCondition(conditions, Type.restartRequired);
  return [...conditions, ...mirrored];
}

function withReady(own: Conditions, vmi: VirtualMachineInstance | undefined, now: number): Conditions {
  const notReady = (reason: string, message: string): Conditions =>
    withCondition(own, { type: Type.ready, status: 'False', reason, message }, now);
  if (vmi === undefined) return notReady('VMINotExists', 'VMI does not exist');
  const ready = findCondition(vmi.status?.conditions, Type.ready);
  if (ready === undefined) return notReady('VMIConditionMissing', 'VMI is missing the Ready condition');
  return [ready, ...own.filter(({ type }) => type !== Type.ready)];
}
