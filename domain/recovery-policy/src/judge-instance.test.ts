import { InstanceState } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

import { defaultRecoveryPolicy, judgeInstance, type InstanceRules, type JudgedInstance } from './index.ts';

const { instances: rules } = defaultRecoveryPolicy;
const marked: InstanceRules = { ...rules, mode: 'marked' };

describe('judgeInstance', () => {
  it.each<[string, Notes, boolean, boolean]>([
    ['no mark', {}, true, false],
    ['a mark of its owner', { metadata: { HA_Enabled: 'True' } }, true, true],
    ['a mark of its owner against it', { metadata: { HA_Enabled: 'false' } }, false, false],
    ['a mark of its flavor', { flavor: { HA_Enabled: 'yes' } }, true, true],
    ['a mark of an aggregate', { aggregates: [{ HA_Enabled: '1' }] }, true, true],
    ['an owner against its flavor', { metadata: { HA_Enabled: 'no' }, flavor: { HA_Enabled: 'yes' } }, false, false],
    [
      'a flavor against an aggregate',
      { flavor: { HA_Enabled: 'off' }, aggregates: [{ HA_Enabled: 'on' }] },
      false,
      false,
    ],
    ['aggregates that disagree', { aggregates: [{ HA_Enabled: 'off' }, { HA_Enabled: 'on' }] }, true, true],
    [
      'an unreadable mark and a flavor',
      { metadata: { HA_Enabled: 'maybe' }, flavor: { HA_Enabled: '0' } },
      false,
      false,
    ],
    ['an unreadable mark alone', { metadata: { HA_Enabled: '' } }, true, false],
    ['a mark under another key', { metadata: { ha_enabled: 'false' } }, true, false],
  ])('with %s', (_what, notes, ofAll, ofMarked) => {
    expect(judge(notes, rules).isRelevant).toBe(ofAll);
    expect(judge(notes, marked).isRelevant).toBe(ofMarked);
  });

  it.each<[string, Notes, number]>([
    ['none', {}, 0],
    ['its own', { metadata: { HA_Priority: '7' }, flavor: { HA_Priority: '9' } }, 7],
    ['that of its flavor', { flavor: { HA_Priority: ' -3 ' } }, -3],
    ['the highest of its aggregates', { aggregates: [{ HA_Priority: '1' }, { HA_Priority: '5' }] }, 5],
    ['one that is not a number, so the next', { metadata: { HA_Priority: 'high' }, flavor: { HA_Priority: '2' } }, 2],
    ['one that would beat all for ever', { metadata: { HA_Priority: '999999999' } }, 1_000],
    ['one that is too long to be meant', { metadata: { HA_Priority: '9'.repeat(400) } }, 0],
  ])('has the priority %s', (_what, notes, priority) => {
    expect(judge(notes, rules).priority).toBe(priority);
  });

  it('asks only those whom the settings name, in their order', () => {
    const notes = { metadata: { HA_Enabled: 'false' }, flavor: { HA_Enabled: 'true' } };

    expect(judge(notes, { ...rules, sources: ['flavor', 'metadata'] }).isRelevant).toBe(true);
    expect(judge(notes, { ...rules, sources: ['aggregate'] }).isRelevant).toBe(true);
    expect(judge(notes, { ...marked, sources: ['aggregate'] }).isRelevant).toBe(false);
  });

  it.each(Object.values(InstanceState))('knows whether one that is %s can be rebuilt at all', (state) => {
    const notes = { metadata: { HA_Enabled: 'true' } };

    expect(judge(notes, rules, { state }).isRelevant).toBe(state !== 'deleting' && state !== 'shelved');
  });

  it.each<[Notes, InstanceRules, string]>([
    [{ metadata: { HA_Enabled: 'no' } }, rules, 'is marked HA_Enabled: false by its owner'],
    [{ flavor: { HA_Enabled: 'yes' } }, rules, 'is marked HA_Enabled: true by its flavor'],
    [{ aggregates: [{ HA_Enabled: 'yes' }] }, rules, 'is marked HA_Enabled: true by an aggregate of its host'],
    [{}, rules, 'is not marked, and all are meant'],
    [{}, marked, 'is not marked HA_Enabled: true'],
    [
      { metadata: { HA_Enabled: 'x' } },
      marked,
      'is not marked HA_Enabled: true; HA_Enabled: "x" of its owner is neither true nor false',
    ],
  ])('says of %o why', (notes, given, why) => {
    expect(judge(notes, given).why).toBe(why);
  });
});

interface Notes {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly flavor?: Readonly<Record<string, string>>;
  readonly aggregates?: readonly Readonly<Record<string, string>>[];
}

function judge(notes: Notes, given: InstanceRules, part: Partial<JudgedInstance> = {}) {
  const { metadata = {}, flavor: flavorProperties = {}, aggregates = [] } = notes;
  const instance: JudgedInstance = { state: 'running', stateText: 'ACTIVE', metadata, flavorProperties, ...part };
  const host = { aggregates: [{ name: 'bare', metadata: undefined }, ...aggregates.map(named)] };
  return judgeInstance(instance, host, given);
}

function named(metadata: Readonly<Record<string, string>>, index: number) {
  return { name: `a${index}`, metadata };
}
