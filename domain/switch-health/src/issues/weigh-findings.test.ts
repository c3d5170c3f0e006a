import { describe, expect, it } from 'vitest';

import { IssueRule } from '../issue-rule.ts';
import type { Finding, Verdict } from '../rules/finding.ts';
import { nextDue, weighFindings, type Weighed } from './weigh-findings.ts';

const rule = IssueRule.portDeviceMissing;
const empty: Weighed = { sightings: new Map(), inherited: [] };

describe('weighFindings', () => {
  it.each<[string, Partial<Finding>, readonly number[], boolean]>([
    ['at once, without grace', {}, [0], true],
    ['not yet, within its grace', { graceMs: 10 }, [0, 9], false],
    ['after its grace', { graceMs: 10 }, [0, 10], true],
    ['not yet, seen too seldom', { sightings: 2 }, [0], false],
    ['not by the same look twice', { sightings: 2 }, [0, 0], false],
    ['seen often enough', { sightings: 2 }, [0, 1], true],
  ])('lets a finding count %s', (_when, part, times, isRaised) => {
    const weighed = times.reduce((memory, seenAt) => weighFindings([found({ ...part, seenAt })], memory), empty);

    expect([...weighed.sightings.values()]).toMatchObject([{ isRaised, firstAt: 0 }]);
  });

  it('counts from when the facts say that it began', () => {
    const weighed = weighFindings([found({ seenAt: 100, since: 90, graceMs: 10 })], empty);

    expect([...weighed.sightings.values()]).toMatchObject([{ isRaised: true, firstAt: 90 }]);
  });

  it('begins anew with what the facts say has begun anew, unless it counts already', () => {
    const pending = weighFindings([found({ seenAt: 5, since: 0, graceMs: 10 })], empty);
    const again = weighFindings([found({ seenAt: 12, since: 8, graceMs: 10 })], pending);
    const raised = weighFindings([found({ seenAt: 18, since: 8, graceMs: 10 })], again);
    const after = weighFindings([found({ seenAt: 30, since: 29, graceMs: 10 })], raised);

    expect([again, raised, after].map(({ sightings }) => [...sightings.values()][0])).toMatchObject([
      { isRaised: false, firstAt: 8 },
      { isRaised: true, firstAt: 8 },
      { isRaised: true, firstAt: 8 },
    ]);
  });

  it('forgets what is not found any more, and what no rule looks for', () => {
    const memory = weighFindings([found({})], empty);

    expect(weighFindings([{ rule, findings: [] }], memory)).toEqual(empty);
    expect(weighFindings([], memory)).toEqual(empty);
  });

  it('keeps what a rule is blind for, and that alone', () => {
    const memory = weighFindings([found({}), found({ subject: 'b' })], empty);
    const blind = { why: 'it does not answer', reason: 'Silent' };

    const all = weighFindings([{ rule, findings: [], blind }], memory);
    const some = weighFindings([{ rule, findings: [], blind: { ...blind, subjects: new Set(['b']) } }], memory);

    expect([...all.sightings.keys()]).toEqual([`${rule}/a`, `${rule}/b`]);
    expect([...some.sightings.keys()]).toEqual([`${rule}/b`]);
  });

  it('takes the words of the latest look, and the time of the first', () => {
    const memory = weighFindings([found({ message: 'one flow' })], empty);

    const weighed = weighFindings([found({ message: 'two flows', seenAt: 50 })], memory);

    expect([...weighed.sightings.values()]).toMatchObject([{ firstAt: 0, finding: { message: 'two flows' } }]);
  });
});

describe('an issue of an earlier run', () => {
  const issue = { rule: undefined, severity: 'Warning', message: 'm', detectedAt: -500 };
  const blind = { why: 'it does not answer', reason: 'Silent' };

  it('is found again by its words, and counts at once with its old time', () => {
    const weighed = weighFindings([found({ graceMs: 100 })], { ...empty, inherited: [issue] });

    expect([...weighed.sightings.values()]).toMatchObject([{ isRaised: true, firstAt: -500 }]);
    expect(weighed.inherited).toEqual([]);
  });

  it('that stood for many of one rule is found again by the rule', () => {
    const many = { ...issue, rule, message: 'and 3 more of this kind' };

    const weighed = weighFindings([found({ graceMs: 100 })], { ...empty, inherited: [many] });

    expect([...weighed.sightings.values()]).toMatchObject([{ isRaised: true, firstAt: -500 }]);
    expect(weighed.inherited).toEqual([]);
  });

  it('stays while nobody can see, and goes when somebody has looked', () => {
    const memory = { ...empty, inherited: [issue] };
    const witness = IssueRule.configurationBehind;

    expect(weighFindings([{ rule: witness, findings: [], blind }], memory).inherited).toEqual([issue]);
    expect(weighFindings([{ rule: witness, findings: [] }], memory).inherited).toEqual([]);
  });
});

describe('nextDue', () => {
  it('is when the first of those that do not count yet may, and soon where only evidence is missing', () => {
    const verdicts = [found({ graceMs: 10 }), found({ subject: 'b', graceMs: 5 }), found({ subject: 'c' })];
    const weighed = weighFindings(verdicts, empty);

    expect([0, 5, 10].map((at) => nextDue(weighed, verdicts, at))).toEqual([5, 10, 1_010]);
  });

  it('does not wait for what cannot be seen now', () => {
    const weighed = weighFindings([found({ graceMs: 10 })], empty);

    expect(nextDue(weighed, [{ rule, findings: [] }], 0)).toBeUndefined();
  });
});

function found(part: Partial<Finding>): Verdict {
  const finding: Finding = {
    rule,
    subject: 'a',
    severity: 'Warning',
    message: 'm',
    advice: 'do something',
    seenAt: 0,
    graceMs: 0,
    ...part,
  };
  return { rule, findings: [finding] };
}
