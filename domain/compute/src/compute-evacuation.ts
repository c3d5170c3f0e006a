import type { HostIdentity } from './compute-host.ts';
import type { InstanceState } from './compute-instance.ts';

/** How a compute system rebuilds the instances of a host that is dead. */
export interface RebuildRules {
  /**
   * Whether it begins with all of them by itself, at once and wherever there is room, as soon as the host is declared dead. Whoever
   * wants something done before has to do it before that.
   */
  readonly isAutomatic: boolean;
  /** The states in which an instance can be rebuilt. What is building or moving may still get into one of them by itself. */
  readonly states: ReadonlySet<InstanceState>;
}

/** The record of one evacuation: the only thing that tells how it ended. */
export interface ComputeEvacuation {
  readonly id: string;
  readonly instanceId: string;
  /**
   * `done` says that the instance is at its target, whatever its own state says. After `failed` that state may lag behind:
   * as long as the instance is `busy`, the failure is still being carried out.
   */
  readonly state: 'open' | 'done' | 'failed';
  /** The words of the compute system for it. */
  readonly stateText: string;
  readonly sourceName: string | undefined;
  /** undefined until a host has taken it on. */
  readonly targetName: string | undefined;
  /** Whether the dead host has come back since and cleared away what it had of the instance. */
  readonly isCleared: boolean;
  /** RFC 3339. */
  readonly startedAt: string | undefined;
}

/** Rebuilding instances of a host that is dead. */
export interface ComputeEvacuations {
  readonly rules: RebuildRules;
  /** Those away from a host that are open, whenever they began, and those that ended since then; the oldest first. */
  list(host: HostIdentity, since: Date, signal: AbortSignal): Promise<readonly ComputeEvacuation[]>;
  /**
   * Asks for one, at a version that lets what ran run again. It answers before it has begun, and is never repeated by
   * itself. A compute system may take a second one for the same instance, run it twice and wreck it: ask only for one of
   * which you have noted that you will, with none `open` in a list read since; see the README for what to do after an error.
   */
  start(instanceId: string, options: { readonly targetName?: string }, signal: AbortSignal): Promise<void>;
}
