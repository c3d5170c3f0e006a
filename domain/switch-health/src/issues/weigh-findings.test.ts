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
  ])('lets a finding count %s', (_when, part, times, counts) => {
    const weighed = times.reduce((memory, seenAt) => weigh([found({ ...part, seenAt })], memory), empty);

    expect([...weighed.sightings.values()]).toMatchObject([{ detectedAt: counts ? 0 : undefined, firstAt: 0 }]);
  });

  it('counts from when the facts say that it began', () => {
    const weighed = weigh([found({ seenAt: 100, since: 90, graceMs: 10 })], empty);

    expect([...weighed.sightings.values()]).toMatchObject([{ detectedAt: 90, firstAt: 90 }]);
  });

  it('begins anew with what the facts say has begun anew, unless it counts already', () => {
    const pending = weigh([found({ seenAt: 5, since: 0, graceMs: 10 })], empty);
    const again = weigh([found({ seenAt: 12, since: 8, graceMs: 10 })], pending);
    const raised = weigh([found({ seenAt: 18, since: 8, graceMs: 10 })], again);
    const after = weigh([found({ seenAt: 30, since: 29, graceMs: 10 })], raised);

    expect([again, raised, after].map(({ sightings }) => [...sightings.values()][0])).toMatchObject([
      { detectedAt: undefined, firstAt: 8 },
      { detectedAt: 8, firstAt: 8 },
      { detectedAt: 8, firstAt: 8 },
    ]);
  });

  it('forgets what is not found any more, and what no rule looks for', () => {
    const memory = weigh([found({})], empty);

    expect(weigh([{ rule, findings: [] }], memory)).toEqual(empty);
    expect(weigh([], memory)).toEqual(empty);
  });

  it('keeps what a rule is blind for, and that alone', () => {
    const memory = weigh([found({}), found({ subject: 'b' })], empty);
    const blind = { why: 'it does not answer', reason: 'Silent' };

    const all = weigh([{ rule, findings: [], blind }], memory);
    const some = weigh([{ rule, findings: [], blind: { ...blind, subjects: new Set(['b']) } }], memory);

    expect([...all.sightings.keys()]).toEqual([`${rule}/a`, `${rule}/b`]);
    expect([...some.sightings.keys()]).toEqual([`${rule}/b`]);
  });

  it('gets its time from the clock on the wall as it is when it begins to count, and keeps that', () => {
    const pending = weighFindings([found({ seenAt: 5, graceMs: 10 })], empty, 0);
    const raised = weighFindings([found({ seenAt: 15, graceMs: 10 })], pending, -3_600_000);
    const after = weighFindings([found({ seenAt: 20, graceMs: 10 })], raised, 0);

    expect([pending, raised, after].map(({ sightings }) => [...sightings.values()][0]?.detectedAt)).toEqual([
      undefined,
      5 - 3_600_000,
      5 - 3_600_000,
    ]);
  });

  it('takes the words of the latest look, and the time of the first', () => {
    const memory = weigh([found({ message: 'one flow' })], empty);

    const weighed = weigh([found({ message: 'two flows', seenAt: 50 })], memory);

    expect([...weighed.sightings.values()]).toMatchObject([{ firstAt: 0, finding: { message: 'two flows' } }]);
  });
});

describe('an issue of an earlier run', () => {
  const issue = { rule: undefined, severity: 'Warning', message: 'm', detectedAt: -500 };
  const blind = { why: 'it does not answer', reason: 'Silent' };

  it('is found again by its words, and counts at once with its old time', () => {
    const weighed = weigh([found({ graceMs: 100 })], { ...empty, inherited: [issue] });

    expect([...weighed.sightings.values()]).toMatchObject([{ detectedAt: -500, firstAt: 0 }]);
    expect(weighed.inherited).toEqual([]);
  });

  it('that stood for many of one rule is found again by the rule', () => {
    const many = { ...issue, rule, message: 'and 3 more of this kind' };

    const weighed = weigh([found({ graceMs: 100 })], { ...empty, inherited: [many] });

    expect([...weighed.sightings.values()]).toMatchObject([{ detectedAt: -500, firstAt: 0 }]);
    expect(weighed.inherited).toEqual([]);
  });

  it('stays while nobody can see, and goes when somebody has looked', () => {
    const memory = { ...empty, inherited: [issue] };
    const witness = IssueRule.configurationBehind;

    expect(weigh([{ rule: witness, findings: [], blind }], memory).inherited).toEqual([issue]);
    expect(weigh([{ rule: witness, findings: [] }], memory).inherited).toEqual([]);
  });
});

describe('nextDue', () => {
  it('is when the first of those that do not count yet may, and soon where only evidence is missing', () => {
    const verdicts = [found({ graceMs: 10 }), found({ subject: 'b', graceMs: 5 }), found({ subject: 'c' })];
    const weighed = weigh(verdicts, empty);

    expect([0, 5, 10].map((at) => nextDue(weighed, verdicts, at))).toEqual([5, 10, 1_010]);
  });

  it('does not wait for what cannot be seen now', () => {
    const weighed = weigh([found({ graceMs: 10 })], empty);

    expect(nextDue(weighed, [{ rule, findings: [] }], 0)).toBeUndefined();
  });
});

function weigh(verdicts: readonly Verdict[], memory: Weighed): Weighed {
  return weighFindings(verdicts, memory, 0);
}

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
