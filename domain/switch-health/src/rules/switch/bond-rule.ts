import { IssueRule } from '../../issue-rule.ts';
import { judgedBonds, type JudgedBond } from '../../status/bonds.ts';
import { vswitchdOldNews } from '../../status/old-news.ts';
import type { Finding, Verdict } from '../finding.ts';
import type { RuleView } from '../histories/histories.ts';

const rule = IssueRule.bondUnhealthy;

/** Bonds with members that carry no traffic. */
export function bondVerdict({ facts }: RuleView): Verdict {
  if (facts.configuration === undefined) {
    return {
      rule,
      findings: [],
      blind: { why: 'the database of Open vSwitch was not read yet', reason: 'NotReadYet' },
    };
  }
  const bonds = judgedBonds(facts);
  const findings = bonds.flatMap((bond) => bondFinding(bond, facts.at));
  const unknown = bonds.filter(({ state }) => state.kind === 'unknown');
  const [first] = unknown;
  if (first === undefined || first.state.kind === 'known') return { rule, findings };
  const subjects = new Set(unknown.map(({ port }) => port.name));
  const why = `nothing is known of ${first.port.name}: ${first.state.why}`;
  return { rule, findings, blind: vswitchdOldNews(facts) ?? { why, reason: 'BondUnknown', subjects } };
}

function bondFinding({ port, state }: JudgedBond, at: number): readonly Finding[] {
  if (state.kind === 'unknown' || state.word === 'Active') return [];
  const isDown = state.word === 'Down';
  return [
    {
      rule,
      subject: port.name,
      severity: isDown ? 'Critical' : 'Warning',
      message: `Bond ${port.name} is ${isDown ? 'down' : 'degraded'}: ${state.troubles.join('; ')}`,
      advice: 'Look at its cables, and at the ports and the LACP of the switch they lead to',
      reason: isDown ? 'BondDown' : 'BondDegraded',
      seenAt: at,
      graceMs: 0,
    },
  ];
}
