import type { LeaderPlace } from './leader-place.ts';

/** Who answers a request: this replica, the one that leads, or for now nobody. */
export type Answerer =
  | { readonly kind: 'here' }
  | { readonly kind: 'leader'; readonly identity: string; readonly url: string }
  | { readonly kind: 'nobody'; readonly why: string };

export interface AnswererFacts {
  readonly isLeading: boolean;
  /** undefined when nobody is known to lead. */
  readonly leader: LeaderPlace | undefined;
  /** Whether the settings want calls to be passed on. */
  readonly asksLeader: boolean;
  /** Whether another replica has passed the request on to this one. */
  readonly isPassedOn: boolean;
  /** Whether the caller shows something that can be shown again: a certificate cannot. */
  readonly hasToken: boolean;
}

/** Only the leader judges, so it is asked. What was passed on once is not passed on again: two would send it round and round. */
export function decideAnswerer({ isLeading, leader, asksLeader, isPassedOn, hasToken }: AnswererFacts): Answerer {
  if (isLeading) return { kind: 'here' };
  if (isPassedOn) return { kind: 'nobody', why: 'this replica does not lead any more: ask again in a moment' };
  const canPassOn = asksLeader && hasToken && leader?.url !== undefined;
  return canPassOn ? { kind: 'leader', identity: leader.identity, url: leader.url } : { kind: 'here' };
}
