import { IssueRule } from '../../issue-rule.ts';
import { oldNews } from '../../status/old-news.ts';
import type { DaemonFacts } from '../../switch-facts.ts';
import type { Finding, Verdict } from '../finding.ts';
import type { RuleView } from '../rule-view.ts';

/** The agent's own connection to ovsdb-server. */
export function databaseVerdict({ facts }: RuleView): Verdict {
  const rule = IssueRule.databaseUnreachable;
  const { state, since, why } = facts.database;
  if (state === 'connected') return { rule, findings: [] };
  const isServerAlive = facts.ovsdbServer.state === 'answering' || facts.ovsdbServer.state === 'silent';
  const finding: Finding = {
    rule,
    subject: 'ovsdb-server',
    severity: 'Critical',
    message:
      state === 'silent'
        ? 'ovsdb-server accepts connections and does not answer'
        : `The database of Open vSwitch cannot be reached${because(why)}`,
    advice: isServerAlive
      ? 'Look at the log of ovsdb-server: it runs, but cannot be used'
      : 'Start ovsdb-server: until then ovs-vswitchd takes no OpenFlow either',
    reason: state === 'silent' ? 'DatabaseSilent' : 'DatabaseDisconnected',
    seenAt: facts.at,
    since,
    graceMs: 0,
  };
  return { rule, findings: [finding] };
}

/** Whether ovs-vswitchd runs and answers. */
export function vswitchdVerdict({ facts, settings }: RuleView): Verdict {
  const rule = IssueRule.vswitchdDown;
  const trouble = daemonTrouble('ovs-vswitchd', facts.vswitchd);
  if (trouble === undefined) return { rule, findings: [] };
  const finding: Finding = {
    rule,
    subject: 'ovs-vswitchd',
    severity: 'Critical',
    message: trouble.message,
    advice: trouble.isAlive
      ? 'Look at its log for "Unreasonably long … poll interval" before anybody restarts it'
      : 'Start it (openvswitch-switch.service), and look at its log for why it ended',
    reason: `Vswitchd${trouble.word}`,
    seenAt: facts.at,
    since: facts.vswitchd.since,
    graceMs: trouble.isAlive ? settings.silentMs : 0,
  };
  return { rule, findings: [finding] };
}

/** Whether ovs-vswitchd, though it answers, applies what was asked of it. */
export function configurationVerdict({ facts, settings, histories }: RuleView): Verdict {
  const rule = IssueRule.configurationBehind;
  const blind = oldNews(facts);
  if (blind !== undefined) return { rule, findings: [], blind };
  const behindSince = histories.configuration?.behindSince;
  if (behindSince === undefined) return { rule, findings: [] };
  const finding: Finding = {
    rule,
    subject: 'ovs-vswitchd',
    severity: 'Critical',
    message: 'ovs-vswitchd answers, but does not apply its configuration: cur_cfg stays behind next_cfg',
    advice: 'Look at its log for what it does instead',
    seenAt: facts.at,
    since: behindSince,
    graceMs: settings.configurationMs,
  };
  return { rule, findings: [finding] };
}

/** What is wrong with a daemon, in a word that a reason can end with. */
export interface DaemonTrouble {
  readonly word: 'Silent' | 'Gone' | 'Absent';
  readonly message: string;
  readonly isAlive: boolean;
}

export function daemonTrouble(name: string, { state, why }: DaemonFacts): DaemonTrouble | undefined {
  switch (state) {
    case 'answering':
      return undefined;
    case 'silent':
      return { word: 'Silent', message: `${name} is alive and does not answer`, isAlive: true };
    case 'gone':
      return { word: 'Gone', message: `${name} has ended and left its traces${because(why)}`, isAlive: false };
    case 'absent':
      return { word: 'Absent', message: `${name} does not run${because(why)}`, isAlive: false };
  }
}

// The words of a system call may hold a number of a process or a time; an issue keeps its words while it lasts.
function because(why: string | undefined): string {
  return why === undefined || /\d/.test(why) ? '' : `: ${why}`;
}
