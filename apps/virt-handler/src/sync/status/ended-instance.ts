import {
  VirtualMachineInstanceConditionType as Type,
  VirtualMachineInstancePhase as Phase,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import { withCondition, withoutCondition, type Conditions } from '@smalt/vm-lifecycle';

import type { Verdict } from '../decide/verdict.ts';
import { withPhase } from './with-phase.ts';

/** What holds only while a guest runs. */
const OF_RUNNING_GUESTS = [Type.paused, Type.agentConnected, Type.synchronized];

/** The instance as it is to be written when its guest is gone for good. */
export function endedInstance(instance: VirtualMachineInstance, verdict: Verdict, now: number): VirtualMachineInstance {
  const { phase, reason, message } = verdict;
  const status = withPhase(instance.status ?? {}, phase, now);
  let conditions: Conditions = status.conditions ?? [];
  for (const type of OF_RUNNING_GUESTS) conditions = withoutCondition(conditions, type);
  conditions = withCondition(conditions, { type: Type.ready, status: 'False', reason, message }, now);
  const why = phase === Phase.failed ? { reason } : {};
  return { ...instance, status: { ...status, ...why, conditions } };
}
