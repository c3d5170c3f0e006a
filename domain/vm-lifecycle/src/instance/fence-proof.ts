import type { VirtualMachineInstance } from '@smalt/vm-api';

import { readTime } from '../conditions/conditions.ts';
import { isStillOff, type FenceProof } from '../node/fence-note.ts';
import type { NodeHealth } from '../node/judge-heartbeat.ts';

export interface LossFacts {
  readonly vmi: VirtualMachineInstance;
  /** By the name of the node. */
  readonly nodes: ReadonlyMap<string, NodeHealth>;
  readonly fenceProofs: readonly FenceProof[];
}

/** Whether the nodes that may run an instance are silent, and whether it surely runs on none of them any more. */
export type Loss = 'none' | 'unproven' | 'proven';

/**
 * Judges whether an instance is lost with its node. A silent node proves nothing: only power that was off after the node
 * was last heard of, and after the instance came there, does. Once a migration has begun both ends may run it, so that both
 * have to be off; where the source alone is, the handler of the target decides by what it has.
 */
export function judgeLoss({ vmi, nodes, fenceProofs }: LossFacts): Loss {
  const [home, target] = possibleNodes(vmi);
  if (home === undefined || nodes.get(home)?.kind === 'alive') return 'none';
  const arrivedAt = arrivalOf(vmi);
  const isYounger = ({ boot, offAt }: FenceProof): boolean =>
    boot !== undefined || (arrivedAt !== undefined && offAt > arrivedAt);
  const isOff = (name: string): boolean => {
    const health = nodes.get(name) ?? { kind: 'silent', lastHeartbeat: undefined };
    const own = fenceProofs.filter(({ nodeName }) => nodeName === name);
    return health.kind !== 'alive' && own.some((proof) => isStillOff(proof, health) && isYounger(proof));
  };
  // A source says that it begins before it does, and one that is off says nothing any more.
  const isOffThere = target === undefined || !isBegun(vmi) || isOff(target);
  return isOff(home) && isOffThere ? 'proven' : 'unproven';
}

/** The nodes on which an instance may run, its home first. */
export function possibleNodes({ status }: VirtualMachineInstance): readonly string[] {
  const { nodeName, migrationState } = status ?? {};
  if (nodeName === undefined || nodeName === '') return [];
  const isOpen = migrationState !== undefined && migrationState.completed !== true && migrationState.failed !== true;
  const target = isOpen ? migrationState.targetNode : undefined;
  return target === undefined || target === '' || target === nodeName ? [nodeName] : [nodeName, target];
}

function isBegun({ status }: VirtualMachineInstance): boolean {
  return readTime(status?.migrationState?.startTimestamp) !== undefined;
}

/**
 * When an instance came to where it is; undefined when that is not known, and then nothing is proven. The end of a migration
 * that failed does not count: it stayed, and the target may have told so after the source was off.
 */
function arrivalOf({ status }: VirtualMachineInstance): number | undefined {
  const { startTimestamp, endTimestamp, failed } = status?.migrationState ?? {};
  const times = [
    ...(status?.phaseTransitionTimestamps ?? []).map(({ phaseTransitionTimestamp }) => phaseTransitionTimestamp),
    startTimestamp,
    failed === true ? undefined : endTimestamp,
  ].flatMap((text) => readTime(text) ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}
