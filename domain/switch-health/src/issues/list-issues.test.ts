import { describe, expect, it } from 'vitest';

import type { Sighting } from '../health-memory.ts';
import { IssueRule } from '../issue-rule.ts';
import type { Severity } from '../rules/finding.ts';
import { listIssues } from './list-issues.ts';

const limits = { maximumIssues: 50, maximumIssuesPerRule: 10 };

describe('listIssues', () => {
  it('lists what counts, the gravest first, then by rule and age', () => {
    const issues = listIssues(
      weighed([
        sighting({ subject: 'p1', severity: 'Info', rule: IssueRule.unmanagedPort }),
        sighting({ subject: 'p2', at: 5_000 }),
        sighting({ subject: 'p3', at: 1_000 }),
        sighting({ subject: 'p4', isRaised: false }),
        sighting({ subject: 'bond0', rule: IssueRule.bondUnhealthy }),
        sighting({ subject: 'vm1', severity: 'Critical', rule: IssueRule.duplicateInterfaceId }),
      ]),
      limits,
    );

    expect(issues.map(({ severity, subject }) => `${severity} ${subject}`)).toEqual([
      'Critical vm1',
      'Warning bond0',
      'Warning p3',
      'Warning p2',
      'Info p1',
    ]);
    expect(issues[2]).toEqual({
      severity: 'Warning',
      message: 'about p3',
      reason: 'PortDeviceMissing',
      subject: 'p3',
      detectedAt: '1970-01-01T00:00:01Z',
    });
  });

  it('counts those of one rule that are too many, below those it lists', () => {
    const many = Array.from({ length: 47 }, (_none, index) => sighting({ subject: `p${index}`, at: index * 1_000 }));

    const issues = listIssues(weighed(many), limits);

    expect(issues).toHaveLength(11);
    expect(issues.at(-1)).toEqual({
      severity: 'Warning',
      message: 'and 37 more of this kind: PortDeviceMissing',
      reason: 'PortDeviceMissing',
      detectedAt: '1970-01-01T00:00:10Z',
    });
  });

  it('counts what is too much in all', () => {
    const rules = Object.values(IssueRule);
    const many = rules.map((rule, index) => sighting({ rule, subject: 'x', at: index * 1_000 }));

    const issues = listIssues(weighed(many), { ...limits, maximumIssues: 5 });

    expect(issues).toHaveLength(5);
    expect(issues.at(-1)?.message).toBe(`and ${rules.length - 4} more issues`);
  });

  it('shows what an earlier run has found and nobody could look for yet', () => {
    const inherited = [{ rule: undefined, severity: 'Warning', message: 'old', detectedAt: 7_000 }];

    expect(listIssues({ sightings: new Map(), inherited }, limits)).toEqual([
      { severity: 'Warning', message: 'old', detectedAt: '1970-01-01T00:00:07Z' },
    ]);
  });
});

interface Told {
  readonly subject: string;
  readonly rule?: IssueRule;
  readonly severity?: Severity;
  readonly at?: number;
  readonly isRaised?: boolean;
}

function sighting({ subject, severity = 'Warning', at = 0, isRaised = true, ...told }: Told): Sighting {
  const rule = told.rule ?? IssueRule.portDeviceMissing;
  const finding = { rule, subject, severity, message: `about ${subject}`, advice: '', seenAt: at, graceMs: 0 };
  return { finding, firstAt: at, lastAt: at, count: 1, detectedAt: isRaised ? at : undefined };
}

function weighed(sightings: readonly Sighting[]) {
  return { sightings: new Map(sightings.map((each, index) => [String(index), each])), inherited: [] };
}
