import type { ObjectChange } from '@smalt/controller-runtime';
import type { Node } from '@smalt/placement';
import { WellKnownName } from '@smalt/vm-api';
import { judgeHeartbeat } from '@smalt/vm-lifecycle';

import { listenTo, type ListeningContext } from '../node/listen-to.ts';

/** Whether a change of a node says something new about its instances: a heartbeat like the last one does not. */
export function concernsInstances(context: ListeningContext, { old, current }: ObjectChange<Node>): boolean {
  if (old === undefined || current === undefined) return true;
  if (noteOf(old) !== noteOf(current)) return true;
  const listening = listenTo(context, current);
  const isSame = heartbeatOf(old) === heartbeatOf(current);
  const before = isSame ? listening.heardAt : context.heartbeats.note(current, listening.now)?.beforeAt;
  return judgeHeartbeat(old, { ...listening, heardAt: before }).kind !== judgeHeartbeat(current, listening).kind;
}

function heartbeatOf({ metadata }: Node): string | undefined {
  return metadata.annotations?.[WellKnownName.heartbeatAnnotation];
}

function noteOf({ metadata: { annotations = {} }, status }: Node): string {
  const { fencedAtAnnotation, fencedBootAnnotation, fencedHeartbeatAnnotation } = WellKnownName;
  const note = [fencedAtAnnotation, fencedBootAnnotation, fencedHeartbeatAnnotation].map((key) => annotations[key]);
  return [...note, status?.nodeInfo?.bootID].join(' ');
}
