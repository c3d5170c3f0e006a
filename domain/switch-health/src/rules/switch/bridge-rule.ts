import { IssueRule } from '../../issue-rule.ts';
import type { BridgeState } from '../../status/bridge-state.ts';
import { judgedBridges, type JudgedBridge } from '../../status/bridges.ts';
import { databaseOldNews, oldNews } from '../../status/old-news.ts';
import { missingBridges } from './expected-bridges.ts';
import type { Blindness, Finding, Verdict } from '../finding.ts';
import type { RuleView } from '../rule-view.ts';

const rule = IssueRule.bridgeUnhealthy;

/** Bridges that are missing or do not work. */
export function bridgeVerdict(view: RuleView): Verdict {
  const { facts, settings } = view;
  if (databaseOldNews(facts) !== undefined) return blindVerdict(databaseOldNews(facts));
  const missing = missingBridges(facts, settings).map((name): Finding => ({
    rule,
    subject: name,
    severity: 'Critical',
    message: `Bridge ${name} is missing`,
    advice: `Create ${name}, or take it out of what is expected here`,
    reason: 'BridgeMissing',
    seenAt: facts.at,
    graceMs: 0,
  }));
  const bridges = judgedBridges(facts);
  const broken = bridges.flatMap((judged) => brokenFinding(judged, view));
  const findings = [...missing, ...broken];
  const blind = oldNews(facts);
  if (blind !== undefined) return { rule, findings, blind: { ...blind, subjects: namesOf(bridges, 'Unknown') } };
  const pending = namesOf(bridges, 'Pending');
  if (pending.size === 0) return { rule, findings };
  const why = `the flows of ${[...pending].join(', ')} were not asked for yet`;
  return { rule, findings, blind: { why, reason: 'NotReadYet', subjects: pending, isMomentary: true } };
}

function namesOf(bridges: readonly JudgedBridge[], word: BridgeState['word']): ReadonlySet<string> {
  return new Set(bridges.filter(({ state }) => state.word === word).map(({ bridge }) => bridge.name));
}

function blindVerdict(blind: Blindness | undefined): Verdict {
  return blind === undefined ? { rule, findings: [] } : { rule, findings: [], blind };
}

function brokenFinding({ bridge, state }: JudgedBridge, { facts, settings }: RuleView): readonly Finding[] {
  if (state.trouble === undefined) return [];
  return [
    {
      rule,
      subject: bridge.name,
      severity: 'Critical',
      message: `Bridge ${bridge.name} does not work: ${state.trouble}`,
      advice: adviceFor(state),
      reason: `Bridge${state.word}`,
      seenAt: facts.at,
      ...(state.since !== undefined && { since: state.since }),
      graceMs: graceOf(state, settings),
    },
  ];
}

function graceOf({ word }: BridgeState, settings: RuleView['settings']): number {
  switch (word) {
    case 'NoDatapath':
    case 'Failed':
      return settings.datapathMs;
    case 'Silent':
      return settings.silentMs;
    case 'Disconnected':
      return settings.openFlowMs;
    case 'Active':
    case 'Pending':
    case 'Unknown':
      return 0;
  }
}

function adviceFor({ word }: BridgeState): string {
  switch (word) {
    case 'NoDatapath':
      return 'Is the module openvswitch loaded, or should its datapath_type be netdev? The log of ovs-vswitchd says';
    case 'Disconnected':
      return 'With fail_mode secure new traffic is dropped: look at the controller';
    case 'Failed':
    case 'Silent':
    case 'Active':
    case 'Pending':
    case 'Unknown':
      return 'Look at the log of ovs-vswitchd';
  }
}
