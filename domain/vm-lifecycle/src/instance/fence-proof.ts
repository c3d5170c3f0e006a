import type { VirtualMachineInstance } from '@smalt/vm-api';

import { readTime } from '../conditions/conditions.ts';
import type { NodeHealth } from '../node/judge-heartbeat.ts';

/** The HA service's word that a node was without power at some moment. */
export interface FenceProof {
  readonly nodeName: string;
  /** Milliseconds since 1970. */
  readonly offAt: number;
}

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
 * was last heard of, and after the instance came there, does. While a migration is under way both ends may run it, so that
 * both have to be off.
 */
export function judgeLoss({ vmi, nodes, fenceProofs }: LossFacts): Loss {
  const candidates = possibleNodes(vmi);
  const [home] = candidates;
  if (home === undefined || nodes.get(home)?.kind === 'alive') return 'none';
  const arrivedAt = arrivalOf(vmi);
  const isOff = (name: string): boolean => {
    const heard = nodes.get(name)?.lastHeartbeat ?? Number.NEGATIVE_INFINITY;
    return fenceProofs.some(
      ({ nodeName, offAt }) => nodeName === name && offAt > heard && arrivedAt !== undefined && offAt > arrivedAt,
    );
  };
  return candidates.every((name) => nodes.get(name)?.kind !== 'alive' && isOff(name)) ? 'proven' : 'unproven';
}

/** The nodes on which an instance may run, its home first. */
export function possibleNodes({ status }: VirtualMachineInstance): readonly string[] {
  const { nodeName, migrationState } = status ?? {};
  if (nodeName === undefined || nodeName === '') return [];
  const isOpen = migrationState !== undefined && migrationState.completed !== true && migrationState.failed !== true;
  const target = isOpen ? migrationState.targetNode : undefined;
  return target === undefined || target === '' || target === nodeName ? [nodeName] : [nodeName, target];
}

/** When an instance came to where it is; undefined when that is not known, and then nothing is proven. */
function arrivalOf({ status }: VirtualMachineInstance): number | undefined {
  const times = [
    ...(status?.phaseTransitionTimestamps ?? []).map(({ phaseTransitionTimestamp }) => phaseTransitionTimestamp),
    status?.migrationState?.startTimestamp,
    status?.migrationState?.endTimestamp,
  ].flatMap((text) => readTime(text) ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}
