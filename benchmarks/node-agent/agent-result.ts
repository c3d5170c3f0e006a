import type { AgentName } from './agent-name.ts';

/** What was measured of one agent with one number of domains. */
export interface AgentResult {
  readonly agent: AgentName;
  readonly domains: number;
  readonly startMs: number;
  /** A while after the last event. */
  readonly residentBytes: number;
  /** The most it ever was. */
  readonly peakBytes: number;
  /** From each event until it showed. */
  readonly eventMs: readonly number[];
  /** Processor time per event, with all that it leads to. */
  readonly cpuMsPerEvent: number;
  /** libvirt calls per event, with all that it leads to. */
  readonly callsPerEvent: number;
  /** libvirt calls from the start until all domains showed and it came to rest. */
  readonly callsAtStart: number;
}

/** What was measured of many agents of ours on one machine. */
export interface SwarmResult {
  readonly agents: number;
  /** From the start of the first process until every Hypervisor was filled. */
  readonly filledMs: number;
  readonly residentBytes: number;
  readonly eventMs: readonly number[];
}
