import { pinningOf, type NodeCell, type PinningInput } from '@smalt/domain-xml';
import { isJsonObject, JsonError, parseJson } from '@smalt/json';
import type { PodSandbox } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance, VirtualMachineInstanceMigrationState } from '@smalt/vm-api';

import { VirtHandlerError } from '../virt-handler-error.ts';

type TargetProcessors = Pick<VirtualMachineInstanceMigrationState, 'targetCPUSet' | 'targetNodeTopology'>;

/** Whether each processor of the guest has one of its node to itself. */
export function hasOwnProcessors({ spec }: VirtualMachineInstance): boolean {
  return spec.domain.cpu?.dedicatedCpuPlacement === true;
}

/**
 * What the target tells the source of the processors that it has set aside; nothing for a guest that shares them. Throws a
 * `DomainXmlError` when its pod has too few.
 */
export function tellProcessors(
  instance: VirtualMachineInstance,
  { processors: dedicatedCpus = [] }: Pick<PodSandbox, 'processors'>,
  cells: readonly NodeCell[],
): TargetProcessors {
  if (!hasOwnProcessors(instance)) return {};
  pinningOf({ instance, context: { dedicatedCpus, node: { cells } } });
  return { targetCPUSet: dedicatedCpus, targetNodeTopology: JSON.stringify({ cells }) };
}

/** Reads what the target has told. Throws `unavailable` when it has not, or in other words than ours. */
export function readProcessors({ targetCPUSet, targetNodeTopology }: TargetProcessors): PinningInput['context'] {
  const cells = targetNodeTopology === undefined ? undefined : cellsIn(targetNodeTopology);
  if (targetCPUSet === undefined || !isCells(cells)) {
    const message = 'the target does not say which processors it has set aside; is its handler older than this one?';
    throw new VirtHandlerError('unavailable', message);
  }
  return { dedicatedCpus: targetCPUSet, node: { cells } };
}

function cellsIn(text: string): unknown {
  try {
    const topology = parseJson(text);
    return isJsonObject(topology) ? topology['cells'] : undefined;
  } catch (error) {
    // Who told it speaks another language.
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function isCells(cells: unknown): cells is readonly NodeCell[] {
  return Array.isArray(cells) && cells.every(isCell);
}

function isCell(cell: unknown): boolean {
  if (!isJsonObject(cell) || typeof cell['id'] !== 'number' || !Array.isArray(cell['cpus'])) return false;
  return cell['cpus'].every(
    (cpu) => isJsonObject(cpu) && typeof cpu['id'] === 'number' && Array.isArray(cpu['siblings']),
  );
}
