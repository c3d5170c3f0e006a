import {
  isFinalPhase,
  RunStrategy,
  VirtualMachineInstanceConditionType,
  WellKnownName,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineStatus,
} from '@smalt/vm-api';

import { hasCondition } from '../conditions/conditions.ts';
import { decideRun, type RunStep } from './decide-run.ts';
import { GENERATION_ANNOTATION, instanceOf } from './instance-of.ts';
import { judgeLiveUpdate, type LiveUpdate } from './live-update.ts';
import { printableStatus } from './printable-status.ts';
import { revisionName } from './revision-name.ts';
import { runStrategyOf } from './run-strategy.ts';
import { judgeStartFailure } from './start-failure.ts';
import { openRequests, type StateChangeRequests } from './state-change-requests.ts';
import { virtualMachineConditions } from './virtual-machine-conditions.ts';
import type { VirtualMachineAction, VirtualMachineDecision, VirtualMachineFacts } from './virtual-machine-facts.ts';

const FINALIZER = WellKnownName.virtualMachineFinalizer;

/** Decides what happens next to a virtual machine, and what its status says. */
export function decideVirtualMachine(facts: VirtualMachineFacts): VirtualMachineDecision {
  const { vm, vmi, now, random } = facts;
  const strategy = runStrategyOf(vm.spec);
  const requests = isHaltedAnew(vm, strategy) ? [] : openRequests(vm.status?.stateChangeRequests, vmi);
  const startFailure = judgeStartFailure({ known: vm.status?.startFailure, vmi, strategy, now, random });
  const step = stepOf(facts, decideRun({ vm, vmi, strategy, requests, startFailure, now }));
  const liveUpdate = liveUpdateOf(facts, step);
  const actions = [
    ...finalizerActions(vm, vmi),
    ...runActions(facts, step, requests),
    ...liveActions(vm, vmi, liveUpdate),
  ];
  const status = statusOf(facts, { step, requests, startFailure, liveUpdate });
  const afterStatus = instanceFinalizerActions(vmi);
  return { actions, status, afterStatus, ...(step.kind === 'wait' ? { requeueAfterMs: step.delayMs } : {}) };
}

/** Orders of before are void then: the start that a restart ends with would let it run again. */
function isHaltedAnew({ status }: VirtualMachine, strategy: RunStrategy | undefined): boolean {
  const before = status?.runStrategy;
  return strategy === RunStrategy.halted && before !== undefined && before !== strategy;
}

/** Deletion and storage come before the run strategy. */
function stepOf({ vm, vmi, storage, isTemplateKnown = true }: VirtualMachineFacts, wanted: RunStep): RunStep {
  if (vm.metadata.deletionTimestamp !== undefined) {
    const isOrphaning = vm.metadata.finalizers?.includes('orphan') === true;
    const isToDelete = vmi !== undefined && vmi.metadata.deletionTimestamp === undefined && !isOrphaning;
    return isToDelete ? { kind: 'stop', isRestart: false } : { kind: 'none' };
  }
  const isStorageReady = storage === undefined || storage.dataVolumes === 'ready';
  return wanted.kind === 'start' && !(isStorageReady && isTemplateKnown) ? { kind: 'none' } : wanted;
}

function liveUpdateOf(
  { vm, vmi, startedSpec, isTemplateKnown = true, rollout = 'LiveUpdate' }: VirtualMachineFacts,
  step: RunStep,
): LiveUpdate {
  const isGoing = vmi === undefined || vmi.metadata.deletionTimestamp !== undefined || step.kind === 'stop';
  const isMeasured = isTemplateKnown && vm.metadata.deletionTimestamp === undefined;
  if (isGoing || !isMeasured || isFinalPhase(vmi.status?.phase)) return { kind: 'same' };
  return judgeLiveUpdate({ vm, vmi, startedSpec, rollout });
}

function finalizerActions(
  { metadata }: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
): readonly VirtualMachineAction[] {
  const has = metadata.finalizers?.includes(FINALIZER) === true;
  if (metadata.deletionTimestamp === undefined) return has ? [] : [{ kind: 'add-finalizer', finalizer: FINALIZER }];
  const isFree = vmi === undefined || metadata.finalizers?.includes('orphan') === true;
  return has && isFree ? [{ kind: 'remove-finalizer', finalizer: FINALIZER }] : [];
}

function runActions(
  facts: VirtualMachineFacts,
  step: RunStep,
  requests: StateChangeRequests,
): readonly VirtualMachineAction[] {
  const { vm, vmi } = facts;
  switch (step.kind) {
    case 'start': {
      const name = revisionName(vm.metadata.uid ?? '', vm.metadata.generation ?? 0);
      return [
        { kind: 'create-revision', name, spec: vm.spec },
        { kind: 'create-instance', instance: instanceOf(vm, requests) },
      ];
    }
    case 'stop':
      return vmi === undefined ? [] : [{ kind: 'delete-instance', name: vmi.metadata.name, uid: vmi.metadata.uid }];
    case 'unhalt': {
      const patch = vm.spec.running === undefined ? { runStrategy: RunStrategy.always } : ({ running: true } as const);
      return [{ kind: 'set-run-strategy', patch }];
    }
    case 'none':
    case 'wait':
    case 'problem':
      return [];
  }
}

/** The instance then names the revision that it was brought in line with: the next change is measured by that. */
function liveActions(
  { metadata, spec }: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  liveUpdate: LiveUpdate,
): readonly VirtualMachineAction[] {
  if (liveUpdate.kind !== 'live') return [];
  // What is still to follow has to be measured by the same revision.
  if (!liveUpdate.isComplete) return [{ kind: 'update-instance', changes: liveUpdate.changes }];
  const generation = metadata.generation ?? 0;
  const name = revisionName(metadata.uid ?? '', generation);
  const changes = [
    ...liveUpdate.changes,
    {
      path: `/metadata/annotations/${GENERATION_ANNOTATION.replace('/', '~1')}`,
      before: vmi?.metadata.annotations?.[GENERATION_ANNOTATION],
      value: String(generation),
    },
    { path: '/status/virtualMachineRevisionName', before: vmi?.status?.virtualMachineRevisionName, value: name },
  ];
  return [
    { kind: 'create-revision', name, spec },
    { kind: 'update-instance', changes },
  ];
}

/** Its failure is counted in the status: only then may it go. */
function instanceFinalizerActions(vmi: VirtualMachineInstance | undefined): readonly VirtualMachineAction[] {
  const isEnded = vmi !== undefined && isFinalPhase(vmi.status?.phase);
  if (!isEnded || vmi.metadata.finalizers?.includes(FINALIZER) !== true) return [];
  return [{ kind: 'remove-instance-finalizer', finalizer: FINALIZER }];
}

interface Outcome {
  readonly step: RunStep;
  readonly requests: StateChangeRequests;
  readonly startFailure: ReturnType<typeof judgeStartFailure>;
  readonly liveUpdate: LiveUpdate;
}

function statusOf(
  facts: VirtualMachineFacts,
  { step, requests, startFailure, liveUpdate }: Outcome,
): VirtualMachineStatus {
  const { vm, vmi, storage, now } = facts;
  const { stateChangeRequests: _requests, startFailure: _failure, ...kept } = vm.status ?? {};
  const problem = step.kind === 'problem' ? { reason: step.reason, message: step.message } : facts.problem;
  const left = step.kind === 'stop' && step.isRestart ? [...requests, { action: 'Start' }] : requests;
  const strategy = runStrategyOf(vm.spec);
  return {
    ...kept,
    created: vmi !== undefined,
    ready: hasCondition(vmi?.status?.conditions, VirtualMachineInstanceConditionType.ready, 'True'),
    ...generationsOf(vm, vmi),
    // Set with the first start: before that, a strategy that is set anew has to start it.
    ...(strategy !== undefined && (vmi !== undefined || kept.runStrategy !== undefined)
      ? { runStrategy: strategy }
      : {}),
    ...(left.length === 0 ? {} : { stateChangeRequests: left }),
    ...(startFailure === undefined ? {} : { startFailure }),
    conditions: virtualMachineConditions({ known: kept.conditions, vmi, problem, liveUpdate, now }),
    printableStatus: printableStatus({ vm, vmi, storage, startFailure, expected: expectedOf(step) }),
  };
}

function expectedOf({ kind }: RunStep): 'start' | 'stop' | undefined {
  return kind === 'start' || kind === 'stop' ? kind : undefined;
}

function generationsOf(
  { metadata }: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
): Partial<VirtualMachineStatus> {
  const observed = Number(vmi?.metadata.annotations?.[GENERATION_ANNOTATION]);
  return {
    ...(metadata.generation === undefined ? {} : { desiredGeneration: metadata.generation }),
    ...(Number.isInteger(observed) && observed > 0 ? { observedGeneration: observed } : {}),
  };
}
