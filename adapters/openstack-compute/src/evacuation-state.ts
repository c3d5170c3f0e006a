import type { ComputeEvacuation } from '@smalt/compute';
import type { Migration } from '@smalt/openstack';

type EvacuationState = ComputeEvacuation['state'];

const ENDED: ReadonlyMap<string, EvacuationState> = new Map([
  ['done', 'done'],
  ['completed', 'done'],
  ['failed', 'failed'],
  ['error', 'failed'],
  ['cancelled', 'failed'],
]);

/** How an evacuation stands. A word that is not known is one that is not over, because a second one would do harm. */
export function evacuationState({ status, destinationNode }: EvacuationRecord): EvacuationState {
  // A host that returns also closes those that never got as far as a target; one that was only wished for has no node.
  if (status === 'completed' && destinationNode === undefined) return 'failed';
  return ENDED.get(status) ?? 'open';
}

export type EvacuationRecord = Pick<Migration, 'status' | 'destinationNode'>;
