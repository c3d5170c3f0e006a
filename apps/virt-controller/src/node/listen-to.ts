import type { Node } from '@smalt/placement';
import type { Listening } from '@smalt/vm-lifecycle';

import type { VirtControllerContext } from '../virt-controller-context.ts';

export type ListeningContext = Pick<VirtControllerContext, 'heartbeats' | 'settings' | 'clock'>;

/** What the heartbeat of a node is judged by: when this controller saw it change, by its own steady clock. */
export function listenTo({ heartbeats, settings, clock }: ListeningContext, node: Node | undefined): Listening {
  const now = clock.monotonic();
  const heardAt = node === undefined ? undefined : heartbeats.note(node, now)?.at;
  return { heardAt, now, timeoutMs: settings.heartbeatTimeoutMs };
}
