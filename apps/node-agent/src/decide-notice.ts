import { describeIdentity, type ConditionStatement, type Obstacle } from '@smalt/controller-runtime';
import type { Condition } from '@smalt/kubernetes';

export const CONFLICT_TYPE = 'NodeAgentConflict';
/** A notice this old may be that of an agent that was killed. One that still waits says it again. */
export const STALE_MS = 300_000;

export interface NoticeFacts {
  readonly obstacle: Obstacle | undefined;
  /** What stands on the Hypervisor now, whoever put it there. */
  readonly notice: Condition | undefined;
  /** Whether it was this agent. */
  readonly isStated: boolean;
  readonly nodeName: string;
  /** Who we are, as `printIdentity` says it. */
  readonly identity: string;
  readonly now: number;
}

export type NoticeStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'state'; readonly statement: ConditionStatement };

/**
 * Decides what an agent does about the notice. Of several that wait one speaks for all: what one has said satisfies the
 * others, or they would write over each other without end.
 */
export function decideNotice(facts: NoticeFacts): NoticeStep {
  const { obstacle, notice, isStated, nodeName, now } = facts;
  if (obstacle === undefined) {
    const isStale = notice !== undefined && now - Date.parse(notice.lastTransitionTime) >= STALE_MS;
    return { kind: isStated || isStale ? 'clear' : 'nothing' };
  }
  switch (obstacle.kind) {
    case 'rival': {
      const beginning = `Two agents run for ${nodeName}: ${describeIdentity(obstacle.identity)} reports,`;
      if (notice?.status === 'True' && notice.message.startsWith(beginning)) return { kind: 'nothing' };
      const message = `${beginning} ${describeIdentity(facts.identity)} waits. Stop one of them.`;
      const statement = { type: CONFLICT_TYPE, status: 'True', reason: 'AnotherAgentReports', message } as const;
      return { kind: 'state', statement };
    }
    case 'refused': {
      const { lease, reason } = obstacle;
      const message = `An agent for ${nodeName} does not report, because it may not keep the Lease ${lease}: ${reason}. Let it get, create and update Leases there.`;
      // One that knows of a rival knows more.
      if (notice?.status === 'True' || notice?.message === message) return { kind: 'nothing' };
      const statement = { type: CONFLICT_TYPE, status: 'Unknown', reason: 'LeaseRefused', message } as const;
      return { kind: 'state', statement };
    }
  }
}
