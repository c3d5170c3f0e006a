import {
  isFinalPhase,
  RunStrategy,
  VirtualMachineInstancePhase as Phase,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineStartFailure,
} from '@smalt/vm-api';

import { startDelayLeftMs } from './start-failure.ts';
import { hasStartRequest, hasStopRequest, type StateChangeRequests } from './state-change-requests.ts';

/** What the run strategy and the orders of people ask for. */
export type RunStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'start' }
  /** A start that has to wait. */
  | { readonly kind: 'wait'; readonly delayMs: number }
  /** With `isRestart`, a start is to follow once it is gone. */
  | { readonly kind: 'stop'; readonly isRestart: boolean }
  /** Makes a machine that was halted run from now on. */
  | { readonly kind: 'unhalt' }
  | { readonly kind: 'problem'; readonly reason: string; readonly message: string };

export interface RunFacts {
  readonly vm: VirtualMachine;
  readonly vmi: VirtualMachineInstance | undefined;
  readonly strategy: RunStrategy | undefined;
  readonly requests: StateChangeRequests;
  readonly startFailure: VirtualMachineStartFailure | undefined;
  readonly now: number;
}

const NOTHING: RunStep = { kind: 'none' };

/** Decides whether a virtual machine is to be started or stopped now. */
export function decideRun(facts: RunFacts): RunStep {
  const { vm, vmi, strategy } = facts;
  if (strategy === undefined) return unknownStrategy(vm);
  // One at a time: a new instance has the same name, and comes when the old one is gone for good.
  if (vmi?.metadata.deletionTimestamp !== undefined) return NOTHING;
  return vmi === undefined ? withoutInstance(facts, strategy) : withInstance(facts, strategy, vmi);
}

function withoutInstance(facts: RunFacts, strategy: RunStrategy): RunStep {
  const { vm, requests } = facts;
  switch (strategy) {
    case RunStrategy.always:
      return startWhenDue(facts);
    case RunStrategy.rerunOnFailure:
      // Set anew, it starts; after that only a failure or a person starts it.
      return hasStartRequest(requests) || vm.status?.runStrategy !== strategy ? startWhenDue(facts) : NOTHING;
    case RunStrategy.manual:
      return hasStartRequest(requests) ? { kind: 'start' } : NOTHING;
    case RunStrategy.halted:
      return hasStartRequest(requests) ? { kind: 'unhalt' } : NOTHING;
    case RunStrategy.once:
      return { kind: 'start' };
    case RunStrategy.waitAsReceiver:
      return receiving();
  }
}

function withInstance(facts: RunFacts, strategy: RunStrategy, vmi: VirtualMachineInstance): RunStep {
  const isToStop = hasStopRequest(facts.requests, vmi);
  const isFinal = isFinalPhase(vmi.status?.phase);
  switch (strategy) {
    case RunStrategy.always:
      return isToStop || isFinal ? { kind: 'stop', isRestart: false } : NOTHING;
    case RunStrategy.rerunOnFailure: {
      const hasFailed = vmi.status?.phase === Phase.failed;
      return isToStop || isFinal ? { kind: 'stop', isRestart: hasFailed && !isToStop } : NOTHING;
    }
    case RunStrategy.manual:
      return isToStop ? { kind: 'stop', isRestart: false } : NOTHING;
    case RunStrategy.halted:
      return { kind: 'stop', isRestart: false };
    case RunStrategy.once:
      return NOTHING;
    case RunStrategy.waitAsReceiver:
      return receiving();
  }
}

function startWhenDue({ startFailure, now }: RunFacts): RunStep {
  const delayMs = startDelayLeftMs(startFailure, now);
  return delayMs > 0 ? { kind: 'wait', delayMs } : { kind: 'start' };
}

function receiving(): RunStep {
  const message =
    'runStrategy WaitAsReceiver needs migration between clusters, which is not available; use another one';
  return { kind: 'problem', reason: 'FailedCreate', message };
}

function unknownStrategy({ spec }: VirtualMachine): RunStep {
  const known = Object.values(RunStrategy).join(', ');
  const message =
    spec.runStrategy === undefined
      ? `spec.runStrategy is not set; use one of ${known}`
      : `spec.runStrategy: "${spec.runStrategy}" does not exist; use one of ${known}`;
  return { kind: 'problem', reason: 'FailedCreate', message };
}
