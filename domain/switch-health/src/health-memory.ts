import type { OVSNodeCondition } from '@smalt/ovs-api';

import type { ConnectionHistory } from './rules/histories/connection-history.ts';
import type { FlowScanHistory } from './rules/histories/flow-scan-history.ts';
import type { Finding } from './rules/finding.ts';
import type { Progress } from './rules/histories/progress.ts';
import type { Restarts } from './rules/histories/restarts.ts';
import type { Steadiness } from './rules/histories/steadiness.ts';

/** What one judgement leaves for the next. Data only; it never grows beyond what the facts name. */
export interface HealthMemory {
  /** What was found, by rule and subject, whether it counts yet or not. */
  readonly sightings: ReadonlyMap<string, Sighting>;
  /** Issues of an earlier run that could not be tied to a rule and a subject yet. */
  readonly inherited: readonly InheritedIssue[];
  readonly conditions: readonly OVSNodeCondition[];
  readonly connection: ConnectionHistory | undefined;
  readonly scans: FlowScanHistory | undefined;
  /** How ovs-vswitchd gets on with its configuration, and ovn-controller with the southbound database. */
  readonly configuration: Progress | undefined;
  readonly southbound: Progress | undefined;
  /** Which process ovs-vswitchd is. */
  readonly restarts: Restarts | undefined;
  /** How bonds, and network cards outside of bonds, have done of late; by name. */
  readonly bonds: ReadonlyMap<string, Steadiness>;
  readonly cards: ReadonlyMap<string, Steadiness>;
}

/** Something that was found, since when, and whether it has lasted long enough to be an issue. Times but one are of the clock of the facts. */
export interface Sighting {
  readonly finding: Finding;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
  /** Once it is an issue: when it began, by the clock on the wall of then. That was told, so it does not move. */
  readonly detectedAt: number | undefined;
}

/** An issue as it was told, with its time by the clock on the wall. */
export interface InheritedIssue {
  readonly rule: string | undefined;
  readonly severity: string;
  readonly message: string;
  readonly detectedAt: number;
}

/** Whether it is an issue, that is, it was seen for long and often enough. */
export function isRaised({ detectedAt }: Sighting): boolean {
  return detectedAt !== undefined;
}

/** The memory of a judge who has seen nothing yet. */
export const emptyMemory: HealthMemory = {
  sightings: new Map(),
  inherited: [],
  conditions: [],
  connection: undefined,
  scans: undefined,
  configuration: undefined,
  southbound: undefined,
  restarts: undefined,
  bonds: new Map(),
  cards: new Map(),
};
