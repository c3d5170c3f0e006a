import type { ConditionStatement } from '@smalt/controller-runtime';
import type { HypervisorStatus } from '@smalt/fleet-api';

/** What one part of the agent says about the hypervisor. What it said before and leaves out now goes. */
export interface StatusStatement {
  /** Fields of the status; no two parts may state the same one. */
  readonly fields?: Partial<Omit<HypervisorStatus, 'conditions'>> | undefined;
  readonly conditions?: readonly ConditionStatement[] | undefined;
}

/**
 * Where the parts of the agent put what they know. All statements together are one status, written soon after, in one
 * request, and only when it says something new.
 */
export interface StatusBoard {
  state(part: string, statement: StatusStatement): void;
}
