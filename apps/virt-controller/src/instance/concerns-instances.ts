import type { ObjectChange } from '@smalt/controller-runtime';
import type { Node } from '@smalt/placement';
import { WellKnownName } from '@smalt/vm-api';
import { judgeHeartbeat } from '@smalt/vm-lifecycle';

/** Whether a change of a node says something new about its instances: a heartbeat like the last one does not. */
export function concernsInstances({ old, current }: ObjectChange<Node>, now: number, timeoutMs: number): boolean {
  if (old === undefined || current === undefined) return true;
  return (
    noteOf(old) !== noteOf(current) ||
    judgeHeartbeat(old, now, timeoutMs).kind !== judgeHeartbeat(current, now, timeoutMs).kind
  );
}

function noteOf({ metadata: { annotations = {} }, status }: Node): string {
  const { fencedAtAnnotation, fencedBootAnnotation, fencedHeartbeatAnnotation } = WellKnownName;
  const note = [fencedAtAnnotation, fencedBootAnnotation, fencedHeartbeatAnnotation].map((key) => annotations[key]);
  return [...note, status?.nodeInfo?.bootID].join(' ');
}
