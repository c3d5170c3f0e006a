import { IssueRule } from '../../issue-rule.ts';
import { southboundRemote } from '../../status/ovn-controller.ts';
import type { OvnFacts } from '../../switch-facts.ts';
import { daemonTrouble } from '../switch/daemon-rules.ts';
import type { Blindness, Finding, Verdict } from '../finding.ts';
import type { RuleView } from '../rule-view.ts';

type FindingOf = Omit<Finding, 'rule' | 'subject' | 'seenAt'>;

const SUBJECT = 'ovn-controller';

/** That the southbound database was not read, in words that do not change with the reason. */
export const unreadSouthbound: Blindness = { why: 'the southbound database was not read', reason: 'NotAnswered' };
const unsurePause: Blindness = { why: 'ovn-controller does not tell whether it is paused', reason: 'NotAnswered' };

/** Whether ovn-controller runs and answers. */
export function controllerDownVerdict({ facts, settings }: RuleView): Verdict {
  const rule = IssueRule.controllerDown;
  const trouble = facts.ovn && daemonTrouble(SUBJECT, facts.ovn.controller);
  if (facts.ovn === undefined || trouble === undefined) return { rule, findings: [] };
  return verdict(rule, facts.at, {
    severity: 'Critical',
    message: trouble.message,
    advice: trouble.isAlive
      ? 'Look at its log; guests go on, but nothing that is changed in OVN arrives here'
      : 'Start it (ovn-controller.service); guests go on, but nothing that is changed in OVN arrives here',
    reason: `Controller${trouble.word}`,
    since: facts.ovn.controller.since,
    graceMs: trouble.isAlive ? settings.silentMs : 0,
  });
}

/** Whether ovn-controller has its connection to ovs-vswitchd, which no command of its own tells. */
export function controllerOnSwitchVerdict({ facts, settings }: RuleView): Verdict {
  const rule = IssueRule.controllerNotOnSwitch;
  const { ovn } = facts;
  if (ovn === undefined) return { rule, findings: [] };
  const blind = blindController(ovn);
  if (blind !== undefined) return { rule, findings: [], blind };
  const { openFlowConnections: connections } = ovn;
  if (connections.kind === 'unknown')
    return { rule, findings: [], blind: unknownBlind('ovs-vswitchd does not tell of its connections') };
  // One that is paused need not hold its connections; that it is paused is told elsewhere.
  if (connections.value > 0 || isPaused(facts)) return { rule, findings: [] };
  return verdict(rule, connections.at, {
    severity: 'Critical',
    message: 'ovn-controller runs, but has no OpenFlow connection to ovs-vswitchd',
    advice: 'Does external_ids:ovn-bridge name a bridge that works? The log of ovn-controller says',
    graceMs: settings.openFlowMs,
    sightings: 2,
  });
}

/** Whether somebody has paused ovn-controller. */
export function controllerPausedVerdict({ facts }: RuleView): Verdict {
  const rule = IssueRule.controllerPaused;
  const { ovn } = facts;
  if (ovn === undefined) return { rule, findings: [] };
  const blind = blindController(ovn) ?? (ovn.isPaused.kind === 'unknown' ? unsurePause : undefined);
  if (blind !== undefined) return { rule, findings: [], blind };
  if (ovn.isPaused.kind === 'unknown' || !ovn.isPaused.value) return { rule, findings: [] };
  return verdict(rule, facts.at, {
    severity: 'Warning',
    message: 'ovn-controller is paused: nothing that is changed in OVN arrives here',
    advice: 'Run "ovn-appctl -t ovn-controller debug/resume" when the investigation is over',
    graceMs: 0,
  });
}

/** Whether ovn-controller, though it seems well, is stuck behind the southbound database. */
export function controllerBehindVerdict({ facts, settings, histories }: RuleView): Verdict {
  const rule = IssueRule.controllerBehind;
  const { ovn } = facts;
  if (ovn?.southbound === undefined) return { rule, findings: [] };
  if (ovn.southbound.kind === 'unknown') return { rule, findings: [], blind: unreadSouthbound };
  const behindSince = histories.southbound?.behindSince;
  // Of one that is away or paused that is no news.
  if (behindSince === undefined || isPaused(facts) || ovn.controller.state !== 'answering')
    return { rule, findings: [] };
  return verdict(rule, facts.at, {
    severity: 'Warning',
    message: 'ovn-controller is behind the southbound database and makes no progress: flows may be stale',
    advice: `Its connection to ${southboundRemote(facts) ?? 'the southbound database'} may hang: look at its log`,
    since: behindSince,
    graceMs: settings.southboundMs,
  });
}

/** Why nothing can be said of what ovn-controller alone can tell. */
export function blindController({ controller }: OvnFacts): Blindness | undefined {
  const trouble = daemonTrouble(SUBJECT, controller);
  return trouble && { why: trouble.message, reason: `Controller${trouble.word}` };
}

/** Whether somebody is known to have paused ovn-controller. */
export function isPaused({ ovn }: RuleView['facts']): boolean {
  return ovn?.isPaused.kind === 'known' && ovn.isPaused.value;
}

export function unknownBlind(why: string): Blindness {
  return { why, reason: 'NotAnswered' };
}

export function verdict(rule: Finding['rule'], seenAt: number, finding: FindingOf): Verdict {
  return { rule, findings: [{ rule, subject: SUBJECT, seenAt, ...finding }] };
}
