import type { OVSNodeStatus } from '@smalt/ovs-api';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { allSources, arbitraryFacts, blinded, type FactsAt, type Source } from './fixtures/arbitrary-facts.ts';
import { judgeSeries } from './fixtures/judge-series.ts';
import {
  defaultHealthSettings as settings,
  judgeSwitch,
  memoryFromStatus,
  type Judgement,
  type SwitchFacts,
} from './index.ts';

const LOOK_MS = 45_000;
const series = fc.array(arbitraryFacts, { minLength: 1, maxLength: 8 }).map((all) => timed(all));
/** The same trouble for a while, so that it comes to count. */
const lasting = fc.tuple(series, arbitraryFacts).map(([before, last]) => {
  const from = before.length * LOOK_MS;
  return [...before, last(from), last(from + LOOK_MS), last(from + 2 * LOOK_MS)];
});

it('says the same of the same facts, however often it is asked', () => {
  fc.assert(
    fc.property(lasting, (looks) => {
      const once = judgeSeries(looks).at(-1);
      const twice = judgeSeries(looks.flatMap((facts) => [facts, facts])).at(-1);

      expect(twice).toEqual(once);
    }),
  );
});

it('never moves the time of an issue while it lasts', () => {
  fc.assert(
    fc.property(lasting, (looks) => {
      const told = judgeSeries(looks).map(({ status }) => timesOf(status));

      const moved = told.slice(1).flatMap((times, index) =>
        [...times].filter(([key, time]) => {
          const before = told[index]?.get(key);
          return before !== undefined && before !== time;
        }),
      );

      expect(moved).toEqual([]);
    }),
  );
});

it('judges the same however the clock on the wall is set, and asks to be called again at the same time', () => {
  const steps = fc.array(fc.integer({ min: -86_400_000, max: 86_400_000 }), { minLength: 11, maxLength: 11 });
  fc.assert(
    fc.property(lasting, steps, (looks, aheads) => {
      const set = looks.map((facts, index) => ({ ...facts, wallAheadMs: aheads[index] ?? 0 }));

      expect(judgeSeries(set).map(withoutTimes)).toEqual(judgeSeries(looks).map(withoutTimes));
    }),
  );
});

it('never moves the time of an issue that lasts, or of a condition that stays, when the clock on the wall is set', () => {
  fc.assert(
    fc.property(lasting, fc.integer({ min: -86_400_000, max: 86_400_000 }), (looks, wallAheadMs) => {
      const [last, before] = [looks.at(-1), judgeSeries(looks).at(-1)];
      if (last === undefined || before === undefined) return;

      const after = judgeSwitch({ facts: { ...last, wallAheadMs }, memory: before.memory, settings });

      expect(after.status).toEqual(before.status);
    }),
  );
});

it('mends nothing by what is not known', () => {
  fc.assert(
    fc.property(lasting, fc.subarray<Source>([...allSources]), (looks, sources) => {
      const [last, before] = [looks.at(-1), judgeSeries(looks).at(-1)];
      if (last === undefined || before === undefined) return;
      const facts = blinded(last, sources);

      const after = judgeSwitch({ facts, memory: before.memory, settings });

      const keys = timesOf(after.status);
      expect([...timesOf(before.status).keys()].filter((key) => !keys.has(key))).toEqual([]);
      expect(healed(before.status, after.status)).toEqual([]);
    }),
  );
});

it('keeps every issue and its time over a restart', () => {
  fc.assert(
    fc.property(lasting, (looks) => {
      const [last, before] = [looks.at(-1), judgeSeries(looks).at(-1)];
      if (last === undefined || before === undefined) return;

      const after = judgeSwitch({ facts: last, memory: memoryFromStatus(before.status), settings });

      const times = timesOf(after.status);
      const lost = [...timesOf(before.status)].filter(([key, time]) => times.get(key) !== time);
      expect(lost).toEqual([]);
    }),
  );
});

it('asks to be called again only in the time to come', () => {
  fc.assert(
    fc.property(lasting, (looks) => {
      const late = judgeSeries(looks).filter(
        ({ reviewAt }, index) => (reviewAt ?? Infinity) <= (looks[index]?.at ?? 0),
      );

      expect(late).toEqual([]);
    }),
  );
});

function timed(all: readonly FactsAt[]): readonly SwitchFacts[] {
  return all.map((facts, index) => facts(index * LOOK_MS));
}

function timesOf({ issues = [] }: OVSNodeStatus): ReadonlyMap<string, string | undefined> {
  return new Map(issues.map(({ reason, subject, detectedAt }) => [`${reason}/${subject}`, detectedAt]));
}

/** All that does not say when something was told. */
function withoutTimes({ status, reviewAt }: Judgement) {
  const issues = status.issues?.map(({ detectedAt: _at, ...issue }) => JSON.stringify(issue)).toSorted();
  const conditions = status.conditions?.map(({ lastTransitionTime: _at, ...condition }) => condition);
  return { ...status, issues, conditions, reviewAt };
}

function healed(before: OVSNodeStatus, after: OVSNodeStatus): readonly string[] {
  const wasTrue = new Set(before.conditions?.filter(({ status }) => status === 'True').map(({ type }) => type));
  return (after.conditions ?? [])
    .filter(({ type, status }) => status === 'True' && !wasTrue.has(type))
    .map(({ type }) => type);
}
