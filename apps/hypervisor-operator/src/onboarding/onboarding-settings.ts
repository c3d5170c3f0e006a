import { WellKnownName } from '@smalt/fleet-api';

/** How hosts are taken into use. */
export interface OnboardingSettings {
  /** How many hosts are worked on at a time. */
  readonly concurrency: number;
  /** How long one look at a host may take; longer than the compute system may keep a request waiting, tries included. */
  readonly timeoutMs: number;
  /** How often to look for what no watch tells of, and how long to wait after a failed test before the next one. */
  readonly pollMs: number;
  /** How often to look whether a host in use is still registered under its ids. */
  readonly resyncMs: number;
  /** How often to look at a test instance that is starting. */
  readonly startingPollMs: number;
  /** How long a test instance may take until it runs. */
  readonly buildTimeoutMs: number;
  /** How long a test instance that runs may take until its name is on its console. */
  readonly consoleTimeoutMs: number;
  /** How many of the last lines of the console are read. */
  readonly consoleLines: number;
  /** After how many failed test instances onboarding is aborted; 0 never gives up. */
  readonly attempts: number;
  /** What the names of test instances begin with. All operators of one cloud must agree on it. */
  readonly namePrefix: string;
  /** The aggregate that only tests may use; a host is in it until it has passed. */
  readonly testAggregate: string;
  /** Whether a host must have a node agent that reports. */
  readonly requireNodeAgent: boolean;
  /** The oldest version of libvirt that will do, such as `9.1.0`; empty takes any. */
  readonly minLibvirtVersion: string;
  /** Whether a host must have an OVSNode. */
  readonly requireOvsNode: boolean;
  /** The bridges that must be there, where there is an OVSNode. */
  readonly bridges: readonly string[];
}

export const defaultOnboardingSettings: OnboardingSettings = {
  concurrency: 32,
  timeoutMs: 300_000,
  pollMs: 60_000,
  resyncMs: 300_000,
  startingPollMs: 5_000,
  buildTimeoutMs: 600_000,
  consoleTimeoutMs: 300_000,
  consoleLines: 11,
  attempts: 5,
  namePrefix: 'ohooc-',
  testAggregate: WellKnownName.testAggregate,
  requireNodeAgent: false,
  minLibvirtVersion: '',
  requireOvsNode: false,
  bridges: ['br-int', 'br-ex'],
};
