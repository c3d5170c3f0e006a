import type { RebuildState, WaitReason } from '@smalt/failure-detection';
import { describe, expect, it } from 'vitest';

import { incidentCounts, type CountedIncident } from './incident-counts.ts';

const FENCE = { level: 0, askedAt: 1, answer: undefined };

describe('what is new in an incident', () => {
  it.each([
    { what: 'nothing', before: {}, after: {}, fences: [] },
    { what: 'an order', before: {}, after: { fences: [FENCE] }, fences: ['ordered'] },
    { what: 'a second order', before: { fences: [FENCE] }, after: { fences: [FENCE, FENCE] }, fences: ['ordered'] },
    { what: 'a proof', before: {}, after: { proof: readings() }, fences: ['proved'] },
    { what: 'the same proof', before: { proof: readings() }, after: { proof: readings() }, fences: [] },
    { what: 'the word of a person', before: {}, after: { proof: person() }, fences: ['confirmed'] },
    { what: 'no proof', before: {}, after: { wait: wait('no-proof') }, fences: ['failed'] },
    { what: 'still no proof', before: { wait: wait('no-proof') }, after: { wait: wait('no-proof') }, fences: [] },
    { what: 'no way to fence', before: {}, after: { wait: wait('no-fence-method') }, fences: ['failed'] },
    { what: 'a brake', before: {}, after: { wait: wait('brake') }, fences: [] },
  ] satisfies readonly Row[])('counts $what as $fences', ({ before, after, fences }) => {
    expect(incidentCounts(incident(before), incident(after)).fences).toEqual(fences);
  });

  it('counts each instance by how it went', () => {
    const before = incident({
      instances: [instance('a', 'pending', 0), instance('b', 'asked', 1), instance('c', 'asked', 1)],
    });
    const after = incident({
      instances: [
        instance('a', 'asked', 1),
        instance('b', 'rebuilt', 1),
        instance('c', 'asked', 2),
        instance('d', 'skipped', 0),
        instance('e', 'failed', 3),
      ],
    });

    const { evacuations } = incidentCounts(before, after);

    expect(evacuations.toSorted()).toEqual(
      ['asked', 'succeeded', 'asked', 'ignored', 'asked', 'asked', 'asked', 'failed'].toSorted(),
    );
  });
});

interface Row {
  readonly what: string;
  readonly before: Partial<CountedIncident>;
  readonly after: Partial<CountedIncident>;
  readonly fences: readonly string[];
}

function incident(change: Partial<CountedIncident>): CountedIncident {
  return { fences: [], proof: undefined, wait: undefined, instances: [], ...change };
}

function instance(id: string, state: RebuildState, attempts: number): CountedIncident['instances'][number] {
  return { id, state, attempts };
}

function wait(reason: WaitReason): NonNullable<CountedIncident['wait']> {
  return { reason, message: '', needsPerson: true };
}

function readings(): NonNullable<CountedIncident['proof']> {
  return { kind: 'readings', since: 1, readings: [] };
}

function person(): NonNullable<CountedIncident['proof']> {
  return { kind: 'person', since: 1, by: 'olga', note: 'off' };
}
