import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { NOT_RUNNING, type SubresourceDecision } from './decision.ts';
import { isRunning } from './instance-facts.ts';
import { badRequest, conflict } from './refusal.ts';

/** The body of a migrate request. */
export interface MigrateOptions {
  readonly addedNodeSelector?: Readonly<Record<string, string>>;
  readonly dryRun?: readonly string[];
}

/** The body of a request to give an evacuation up. */
export interface EvacuateCancelOptions {
  /** The node that the instance was to leave. */
  readonly evacuationNodeName?: string;
  readonly dryRun?: readonly string[];
}

/** What a request to move a virtual machine leads to. `instance` is its instance, if it has one. */
export function decideMigrate(
  machine: VirtualMachine,
  instance: VirtualMachineInstance | undefined,
  { addedNodeSelector }: MigrateOptions = {},
): SubresourceDecision {
  const { name } = machine.metadata;
  if (instance === undefined) {
    return { kind: 'refuse', code: 404, resource: 'virtualmachineinstance', name, message: NOT_RUNNING.instance };
  }
  if (!isRunning(instance)) return conflict(machine, NOT_RUNNING.machine);
  const spec = addedNodeSelector === undefined ? { vmiName: name } : { vmiName: name, addedNodeSelector };
  return { kind: 'create-migration', spec };
}

/** What a request to have an instance stay after all leads to. `isDraining` is whether its node is marked as to be emptied. */
export function decideEvacuateCancel(
  instance: VirtualMachineInstance,
  { evacuationNodeName = '' }: EvacuateCancelOptions,
  isDraining: boolean,
): SubresourceDecision {
  const { evacuationNodeName: marked = '', nodeName = '' } = instance.status ?? {};
  if (isDraining) {
    const node = marked === '' ? nodeName : marked;
    return badRequest(`Node "${node}" has NodeDrainTaintKey "kubevirt.io/drain:NoSchedule"`);
  }
  if (marked === '') return { kind: 'nothing' };
  const path = '/status/evacuationNodeName';
  return {
    kind: 'patch',
    patches: [
      {
        target: 'instance',
        operations: [
          { op: 'test', path, value: evacuationNodeName },
          { op: 'remove', path },
        ],
      },
    ],
  };
}
