import type { IssueRule } from './issue-rule.ts';

/** How patient the judgement is, and what it looks for. */
export interface HealthSettings {
  /** Bridges that must be there, beside those that OVN is configured to use. */
  readonly expectedBridges: readonly string[];
  /** Rules that are not applied. What a rule had found goes when it is switched off. */
  readonly disabledRules: readonly IssueRule[];
  /** How long a daemon that lives may be silent, or a bridge may not answer, before that is called a fault. */
  readonly silentMs: number;
  /** How long a bridge may be without its datapath: one that is new, or after the database was started anew. */
  readonly datapathMs: number;
  /** How long a bond or a network card may take to get going: one that is new, or when ovs-vswitchd is. */
  readonly settleMs: number;
  /** How long a bond or a network card must be well again to be trusted: twice as long with each relapse, up to a limit. */
  readonly recoveryMs: number;
  readonly longestRecoveryMs: number;
  /** How long ovs-vswitchd may answer and yet not apply what was asked of it. */
  readonly configurationMs: number;
  /** How long `not connected` must hold before ovn-controller is called disconnected. */
  readonly disconnectedMs: number;
  /** So many changes of `connected` within so long are flapping. */
  readonly flapChanges: number;
  readonly flapWindowMs: number;
  /** How long ovn-controller may lack OpenFlow connections, or a bridge its controllers. */
  readonly openFlowMs: number;
  /** How long the southbound database may be unreadable, lack our chassis, or be ahead of ovn-controller without any progress. */
  readonly southboundMs: number;
  /** How long flows may be without a working ovn-controller before they are called doubtful. */
  readonly unattendedFlowsMs: number;
  /** How long a port must look orphaned, because ports are plugged in several steps. */
  readonly orphanMs: number;
  /** How long a port that OVN has bound to another chassis may wait here: a guest may be on its way in. */
  readonly migrationMs: number;
  /** How far apart two scans must be that find the same stale flows. */
  readonly staleFlowsMs: number;
  /** How long a capture that is not running may leave its mirror. */
  readonly captureMs: number;
  /** How many issues are listed, in all and of one rule; the rest is counted. */
  readonly maximumIssues: number;
  readonly maximumIssuesPerRule: number;
}

export const defaultHealthSettings: HealthSettings = {
  expectedBridges: [],
  disabledRules: [],
  silentMs: 10_000,
  datapathMs: 10_000,
  settleMs: 10_000,
  recoveryMs: 5_000,
  longestRecoveryMs: 120_000,
  configurationMs: 60_000,
  disconnectedMs: 5_000,
  flapChanges: 3,
  flapWindowMs: 300_000,
  openFlowMs: 10_000,
  southboundMs: 30_000,
  unattendedFlowsMs: 60_000,
  orphanMs: 60_000,
  migrationMs: 900_000,
  staleFlowsMs: 60_000,
  captureMs: 60_000,
  maximumIssues: 50,
  maximumIssuesPerRule: 10,
};
