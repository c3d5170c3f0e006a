import type { OVSNodeCondition } from '@smalt/ovs-api';
import { expect, it } from 'vitest';

import { IssueRule } from '../issue-rule.ts';
import type { Finding } from '../rules/finding.ts';
import { stateCondition, type ConditionBasis } from './condition-statement.ts';

const rule = IssueRule.bondUnhealthy;
const blind = { why: 'nobody answers', reason: 'Silent' };

it('names what it fails by with the next step, and counts what is too much', () => {
  const findings = ['a', 'b', 'c', 'd', 'e'].map((subject) => finding(subject));

  expect(stateCondition(basis(findings, true))).toEqual({
    type: 'T',
    status: 'False',
    reason: 'BondUnhealthy',
    message:
      'Bond a is down. Is its cable in? Bond b is down. Is its cable in? Bond c is down. Is its cable in? And 2 more.',
  });
});

it('is False by what is seen, though it is blind for something else', () => {
  const half = basis([finding('a')], true);

  expect(stateCondition({ ...half, verdicts: half.verdicts.map((verdict) => ({ ...verdict, blind })) }).status).toBe(
    'False',
  );
});

it('is Unknown where nobody can see, though something was found before', () => {
  const { sightings, ...held } = basis([finding('a')], true);

  expect(stateCondition({ ...held, sightings, verdicts: [{ rule, findings: [], blind }] })).toEqual({
    type: 'T',
    status: 'Unknown',
    reason: 'Silent',
    message: 'Nothing can be said, because nobody answers.',
  });
});

it.each<[OVSNodeCondition['status'] | undefined, string]>([
  ['True', 'True Fine'],
  ['False', 'False Settling'],
  ['Unknown', 'Unknown Settling'],
  [undefined, 'Unknown Settling'],
])('that was %s stays so by what does not count yet', (before, words) => {
  const previous = before && { type: 'T', status: before, reason: 'Old' };

  const { status, reason } = stateCondition({ ...basis([finding('a')], false), previous });

  expect(`${status} ${reason}`).toBe(words);
});

function basis(findings: readonly Finding[], isRaised: boolean): ConditionBasis {
  return {
    type: 'T',
    verdicts: [{ rule, findings }],
    sightings: findings.map((each) => {
      return { finding: each, firstAt: 0, lastAt: 0, count: 1, detectedAt: isRaised ? 0 : undefined };
    }),
    previous: undefined,
    healthy: { reason: 'Fine', message: 'All is well.' },
  };
}

function finding(subject: string): Finding {
  return {
    rule,
    subject,
    severity: 'Critical',
    message: `Bond ${subject} is down`,
    advice: 'Is its cable in?',
    seenAt: 0,
    graceMs: 0,
  };
}
