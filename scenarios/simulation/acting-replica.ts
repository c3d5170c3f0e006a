import type { Knowledge } from './knowledge.ts';
import type { ClusterWatch } from './simulated-kubernetes.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** One replica of the service, as the others on the stage see it. */
export interface ActingReplica {
  readonly name: string;
  readonly process: SimulatedProcess | undefined;
  /** What the engine that leads now can know at the latest. */
  readonly knowledge: Knowledge;
  readonly watch: ClusterWatch | undefined;
  readonly isLeading: boolean;
  /** Whether agents and monitors can hand something to it that is stored. */
  readonly isReceiving: boolean;
  /** When its engine began to lead, and when it last went on after it had stood still. */
  readonly leadsSince: number;
  readonly wokeAt: number | undefined;
  /** How far its wall clock is off at its next start. */
  clockErrorMs: number;
  start(): void;
  /** Kills it, and starts it again after a while. */
  kill(why: string, downMs: number): void;
  /** It stands still for a while, and goes on as if nothing had happened. */
  stall(forMs: number): void;
  /** Looks at the cluster again. */
  look(): void;
  /** Somebody sets the clock of its machine; whoever goes by it begins to watch anew. */
  setWallClock(errorMs: number): void;
}
