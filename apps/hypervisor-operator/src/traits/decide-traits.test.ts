import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { testHypervisor, type HypervisorParts } from '../fixtures/fleet-objects.ts';
import { decideTraits, isCustom, planTraits } from './decide-traits.ts';

const DONE = [['Onboarding', 'False', 'Succeeded']] as const;
const IDS = { hypervisorId: 'h', serviceId: 's' };

describe('decideTraits', () => {
  it.each<{ what: string; parts: HypervisorParts }>([
    { what: 'is not looked after', parts: { spec: { lifecycleEnabled: false }, conditions: DONE } },
    { what: 'has no id', parts: { status: { hypervisorId: '' }, conditions: DONE } },
    { what: 'has but one id', parts: { status: { serviceId: '' }, conditions: DONE } },
    { what: 'is terminated', parts: { spec: { maintenance: 'termination' }, conditions: DONE } },
    { what: 'is not onboarded yet', parts: {} },
    { what: 'begins', parts: { conditions: [['Onboarding', 'True', 'Initial']] } },
    { what: 'is tested', parts: { conditions: [['Onboarding', 'True', 'Testing']] } },
  ])('does nothing for a host that $what', ({ parts }) => {
    expect(decideTraits(host(parts))).toEqual({ kind: 'wait' });
  });

  it.each<{ what: string; parts: HypervisorParts }>([
    { what: 'hands over', parts: { conditions: [['Onboarding', 'True', 'Handover']] } },
    { what: 'is onboarded', parts: { conditions: DONE } },
    { what: 'is in maintenance', parts: { spec: { maintenance: 'manual' }, conditions: DONE } },
    { what: 'was not wanted', parts: { conditions: [['Onboarding', 'False', 'Aborted']] } },
  ])('gives a host that $what the traits of its spec, sorted', ({ parts }) => {
    const { spec, ...rest } = parts;

    const decision = decideTraits(
      host({ ...rest, spec: { ...spec, customTraits: ['CUSTOM_B', 'CUSTOM_A', 'CUSTOM_B'] } }),
    );

    expect(decision).toEqual({ kind: 'apply', host: IDS, names: ['CUSTOM_A', 'CUSTOM_B'], badNames: [] });
  });

  it('has something to do for a host that wants none', () => {
    expect(decideTraits(host({ conditions: DONE }))).toMatchObject({ kind: 'apply', names: [] });
  });

  it.each(['custom_a', 'CUSTOM_', 'CUSTOM-A', '', ' CUSTOM_A', `CUSTOM_${'A'.repeat(249)}`])(
    'sorts out "%s", which is no trait',
    (name) => {
      const decision = decideTraits(host({ spec: { customTraits: ['CUSTOM_A', name] }, conditions: DONE }));

      expect(decision).toMatchObject({ names: ['CUSTOM_A'], badNames: [name] });
    },
  );
});

describe('planTraits', () => {
  it.each([
    { what: 'adds', names: ['CUSTOM_A'], applied: [], current: ['HW_X'], target: ['CUSTOM_A', 'HW_X'] },
    { what: 'removes', names: [], applied: ['CUSTOM_A', 'HW_X'], current: ['CUSTOM_A', 'HW_X'], target: ['HW_X'] },
    {
      what: 'replaces',
      names: ['CUSTOM_B'],
      applied: ['CUSTOM_A'],
      current: ['CUSTOM_A', 'HW_X'],
      target: ['CUSTOM_B', 'HW_X'],
    },
    { what: 'puts back', names: ['CUSTOM_A'], applied: ['CUSTOM_A'], current: [], target: ['CUSTOM_A'] },
    { what: 'keeps foreign', names: [], applied: [], current: ['CUSTOM_F'], target: ['CUSTOM_F'], account: [] },
    { what: 'adds standard', names: ['HW_Y'], applied: [], current: ['HW_X'], target: ['HW_X', 'HW_Y'] },
    { what: 'never removes standard', names: [], applied: ['HW_X'], current: ['HW_X'], target: ['HW_X'] },
    { what: 'adopts', names: ['CUSTOM_F'], applied: [], current: ['CUSTOM_F'], target: ['CUSTOM_F'] },
  ])('$what', ({ names, applied, current, target, account = target }) => {
    const plan = planTraits({ names, applied, keepForeign: true }, current);

    const isChange = current.toSorted().join() !== target.join();
    expect(plan).toEqual({ target, account, isChange });
  });

  it('takes foreign custom traits away if told so', () => {
    const plan = planTraits({ names: ['CUSTOM_A'], applied: [], keepForeign: false }, ['CUSTOM_F', 'HW_X']);

    expect(plan.target).toEqual(['CUSTOM_A', 'HW_X']);
  });

  it('is done after one write, whatever the order, and leaves all standard traits', () => {
    const trait = fc.constantFrom('CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C', 'HW_X', 'HW_Y', 'COMPUTE_Z');
    const traits = fc.uniqueArray(trait);
    fc.assert(
      fc.property(traits, traits, traits, fc.boolean(), (names, applied, current, keepForeign) => {
        const first = planTraits({ names, applied, keepForeign }, current);
        const second = planTraits({ names, applied: first.account, keepForeign }, first.target.toReversed());

        expect(second).toEqual({ ...first, isChange: false });
        expect(first.target).toEqual(expect.arrayContaining([...names, ...current.filter((each) => !isCustom(each))]));
      }),
    );
  });
});

function host({ spec, status, conditions = [] }: HypervisorParts) {
  return testHypervisor('n1', { spec: { ...spec }, status: { ...IDS, ...status }, conditions });
}
