import { IssueRule } from '../../issue-rule.ts';
import { judgedBonds, type JudgedBond } from '../../status/bonds.ts';
import { vswitchdOldNews } from '../../status/old-news.ts';
import type { Finding, Verdict } from '../finding.ts';
import type { RuleView } from '../rule-view.ts';
import type { Fault } from '../histories/steadiness.ts';
import { steadinessFinding } from './steadiness-finding.ts';

const rule = IssueRule.bondUnhealthy;
const advice = 'Look at its cables, and at the ports and the LACP of the switch they lead to';

/** Bonds with members that carry no traffic. */
export function bondVerdict(view: RuleView): Verdict {
  const { facts } = view;
  if (facts.configuration === undefined) {
    return {
      rule,
      findings: [],
      blind: { why: 'the database of Open vSwitch was not read yet', reason: 'NotReadYet' },
    };
  }
  const bonds = judgedBonds(facts);
  const unknown = bonds.filter(({ state }) => state.kind === 'unknown');
  const findings = bonds.filter((bond) => !unknown.includes(bond)).flatMap((bond) => bondFinding(bond, view));
  if (unknown.length === 0) return { rule, findings };
  const names = unknown.map(({ port }) => port.name);
  // One that is new will be asked about in a moment.
  const isMomentary = names.every((name) => !facts.bonds.has(name));
  const why = `ovs-vswitchd does not tell of ${names.join(', ')}`;
  const blind = { why, reason: 'BondUnknown', subjects: new Set(names), isMomentary };
  return { rule, findings, blind: vswitchdOldNews(facts) ?? blind };
}

/** What is wrong with a bond now; `unseen` where nobody tells. */
export function bondFault({ state }: JudgedBond): Fault | 'unseen' | undefined {
  if (state.kind === 'unknown') return 'unseen';
  if (state.word === 'Active') return undefined;
  const isDown = state.word === 'Down';
  return {
    severity: isDown ? 'Critical' : 'Warning',
    word: isDown ? 'down' : 'degraded',
    troubles: state.troubles.join('; '),
  };
}

function bondFinding(bond: JudgedBond, { facts, histories, settings }: RuleView): readonly Finding[] {
  const { name } = bond.port;
  const fault = bondFault(bond);
  const present = fault === 'unseen' ? undefined : fault;
  const steadiness = histories.bonds.get(name);
  const word = (steadiness?.told ?? present)?.word;
  return steadinessFinding(
    { name: `Bond ${name}`, steadiness, present, at: facts.at, settings },
    { rule, subject: name, advice },
  ).map((finding) => ({ ...finding, reason: word === 'down' ? 'BondDown' : 'BondDegraded' }));
}
