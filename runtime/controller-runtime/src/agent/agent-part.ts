/**
 * One concern of the agent, such as the migrations. Parts share what is in the agent's context and know nothing of each
 * other. A part that throws is started again after a while; the others go on.
 */
export interface AgentPart {
  /** A word for logs and metrics. */
  readonly name: string;
  /** Works until the signal fires, and returns then. Throws what it cannot get over by itself. */
  run(signal: AbortSignal): Promise<void>;
}
