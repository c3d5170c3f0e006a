import type { AgentContext } from './agent-context.ts';

/** An agent at work. Disposing of it stops its parts, gives the node up and closes what it opened. */
export interface NodeAgent extends AsyncDisposable {
  readonly context: AgentContext;
  /** Resolves when the agent has stopped, and rejects when it cannot go on, such as with a daemon that keeps dying. */
  readonly ended: Promise<void>;
}
