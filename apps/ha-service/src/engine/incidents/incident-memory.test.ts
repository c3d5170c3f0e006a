import { describe, expect, it } from 'vitest';

import { incident, rebuild } from '../fixtures/engine-builders.ts';
import { IncidentMemory } from './incident-memory.ts';

const OFF = { level: 0, at: 3_000, session: 's1', power: 'off' } as const;
const ASKED = rebuild('web', { state: 'asked', attempts: 1, asks: 1 });
const NOT_DONE = { kind: 'not-done', message: 'busy' } as const;

describe('IncidentMemory', () => {
  it('recalls what was answered until a decision has taken it in', () => {
    const memory = new IncidentMemory();
    memory.hearReading(OFF);
    memory.hearFence('taken');
    memory.hearCleanUp(true, 'done');
    memory.hearEvacuation(ASKED, NOT_DONE);
    memory.hearPutOff('db', true, 'off');

    const heard = memory.recall(incident({ instances: [ASKED] }));
    memory.forget(heard);

    expect(heard).toEqual({
      readings: [OFF],
      fenceAnswer: 'taken',
      cleanUpAnswer: { isDone: true, message: 'done' },
      evacuationAnswers: new Map([['web', NOT_DONE]]),
      putOffAnswers: new Map([['db', { isDone: true, message: 'off' }]]),
    });
    expect(memory.recall(incident({ instances: [ASKED] }))).toEqual({
      readings: [],
      fenceAnswer: undefined,
      cleanUpAnswer: undefined,
      evacuationAnswers: new Map(),
      putOffAnswers: new Map(),
    });
  });

  it('keeps what came after the decision', () => {
    const memory = new IncidentMemory();
    memory.hearReading(OFF);
    const heard = memory.recall(incident());
    const later = { ...OFF, session: 's2' };
    memory.hearReading(later);

    memory.forget(heard);

    expect(memory.recall(incident()).readings).toEqual([later]);
  });

  it.each([{ asks: 2 }, { attempts: 2 }])('does not take the answer to an older request for one to %j', (next) => {
    const memory = new IncidentMemory();
    memory.hearEvacuation(ASKED, NOT_DONE);

    const heard = memory.recall(incident({ instances: [{ ...ASKED, ...next }] }));

    expect(heard.evacuationAnswers.size).toBe(0);
  });

  it('does not recall a reading that is in the record already', () => {
    const memory = new IncidentMemory();
    memory.hearReading(OFF);

    expect(memory.recall(incident({ readings: [OFF] })).readings).toEqual([]);
  });
});
