import { isOvsError, type OvsdbState } from '@smalt/ovs';
import type { SouthboundObstacle } from '@smalt/switch-health';

/** Why the southbound database is not read. */
export interface SouthboundTrouble {
  readonly why: string;
  readonly obstacle: SouthboundObstacle;
}

/** What the operating system says when somebody is there, and does not want us. */
const OF_THE_SERVER: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/**
 * Whose trouble it is that there is no session. Only a server that refuses, hangs up or does not answer is in trouble
 * itself; a socket that is not there or not for us, a certificate or a missing route are of this agent's place.
 */
export function whoseTrouble(state: OvsdbState['kind'], cause: unknown): SouthboundObstacle {
  if (state === 'silent' || isOvsError(cause, 'timeout', 'closed')) return 'server';
  const origin = isOvsError(cause) ? cause.cause : cause;
  return origin instanceof Error && 'code' in origin && OF_THE_SERVER.has(origin.code) ? 'server' : 'ours';
}
