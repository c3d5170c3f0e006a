import type { HostIdentity } from './compute-host.ts';
import type { InstanceState } from './compute-instance.ts';

/** An instance whose only purpose is to show that a host can run one. */
export interface TestInstance {
  readonly id: string;
  readonly name: string;
  readonly state: InstanceState;
  readonly fault: string | undefined;
  readonly createdAt: string | undefined;
  /** When it began to run. */
  readonly launchedAt: string | undefined;
}

export interface NewTestInstance {
  readonly name: string;
  readonly host: HostIdentity;
  readonly zone: string;
}

/** The test instances of all hosts; they live in a project of their own. */
export interface SmokeTests {
  /** The test instances whose names begin with this. */
  list(prefix: string, signal: AbortSignal): Promise<readonly TestInstance[]>;
  /** Starts one on exactly this host. What it is made of is a matter of settings. */
  start(instance: NewTestInstance, signal: AbortSignal): Promise<void>;
  /** The last lines that it wrote to its console. */
  console(id: string, lines: number, signal: AbortSignal): Promise<string>;
  /** One that is gone already is no failure. */
  delete(id: string, signal: AbortSignal): Promise<void>;
}
