import { describe, expect, it } from 'vitest';

import { decideContract, type ContractView } from './decide-contract.ts';
import { clusterHost, haEnabled, incident } from '../fixtures/engine-builders.ts';

const FENCE = { level: 0, askedAt: 1_000, answer: undefined };
const TRUE = haEnabled('True', 'Succeeded', 'n1 is recovered when it fails');
const DISABLED = {
  type: 'HypervisorDisabled',
  status: 'True',
  reason: 'Succeeded',
  message: 'high availability: n1 is disabled and declared dead by incident i1',
} as const;

interface ContractCase {
  readonly case: string;
  readonly change: Partial<ContractView>;
  readonly stated: readonly unknown[];
}

describe('HaEnabled', () => {
  it.each([
    {
      case: 'no Onboarding condition',
      change: { host: clusterHost('n1', { onboardingReason: undefined }) },
      stated: [],
    },
    {
      case: 'evicted',
      change: { host: clusterHost('n1', { evicting: 'False' }) },
      stated: [haEnabled('False', 'Evicted', 'n1 is evicted')],
    },
    {
      case: 'evicted before it is onboarded',
      change: { host: clusterHost('n1', { evicting: 'False', onboardingReason: 'Initial' }) },
      stated: [haEnabled('False', 'Evicted', 'n1 is evicted')],
    },
    {
      case: 'being evicted',
      change: { host: clusterHost('n1', { evicting: 'True' }) },
      stated: [TRUE],
    },
    ...['Initial', 'Testing', 'Aborted'].map((onboardingReason) => ({
      case: `onboarding: ${onboardingReason}`,
      change: { host: clusterHost('n1', { onboardingReason, isOnboarded: false }) },
      stated: [haEnabled('False', 'Onboarding', `n1 is not onboarded yet (${onboardingReason})`)],
    })),
    {
      case: 'handover, where the operator waits for it',
      change: { host: clusterHost('n1', { onboardingReason: 'Handover', isOnboarded: false }) },
      stated: [TRUE],
    },
    {
      case: 'highAvailability: false',
      change: { host: clusterHost('n1', { isHighlyAvailable: false }) },
      stated: [haEnabled('False', 'Succeeded', 'n1 has highAvailability: false')],
    },
    {
      case: 'switched off',
      change: { isSwitchedOn: false },
      stated: [haEnabled('False', 'Succeeded', 'high availability of n1 was switched off at the HA service')],
    },
    {
      case: 'the policy leaving it alone',
      change: { coverage: { kind: 'excluded', why: 'n1 is in aggregate lab, which is excluded' } },
      stated: [
        haEnabled(
          'False',
          'Succeeded',
          'n1 is in aggregate lab, which is excluded; change the policy of the HA service, or set highAvailability: false',
        ),
      ],
    },
    {
      case: 'aggregates that are not known, what was said before',
      change: { coverage: { kind: 'unknown' }, host: clusterHost('n1', { haEnabled: TRUE }) },
      stated: [TRUE],
    },
    {
      case: 'an incident after which it is held',
      change: { heldBy: 'i1' },
      stated: [
        haEnabled(
          'False',
          'Failed',
          'n1 is held after incident i1 and is not recovered again until it has returned; repair it, then release it',
        ),
      ],
    },
    { case: 'switched on', change: { isSwitchedOn: true }, stated: [TRUE] },
    { case: 'onboarded', change: {}, stated: [TRUE] },
  ] as readonly ContractCase[])('with $case', ({ change, stated }) => {
    expect(decideContract(view(change)).conditions).toEqual(stated);
  });

  it('is unknown where another host names its only power switch, and says which', () => {
    const { conditions } = decideContract(view({ powerRival: 'n2' }));

    expect(conditions).toMatchObject([{ status: 'Unknown', reason: 'Failed' }]);
    expect(conditions[0]?.message).toContain('n1 and n2 name the same power switch');
  });

  it('is unknown without a way to power the host off, and says what to do', () => {
    const { conditions } = decideContract(view({ hasFenceMethod: false }));

    expect(conditions).toMatchObject([{ status: 'Unknown', reason: 'Failed' }]);
    expect(conditions[0]?.message).toContain('add one under fencing');
  });

  it('is not written again when it is stated already, and is when anything of it differs', () => {
    const stated = decideContract(view({ host: clusterHost('n1', { haEnabled: TRUE }) }));
    const other = decideContract(view({ host: clusterHost('n1', { haEnabled: { ...TRUE, message: 'old' } }) }));

    expect([stated.isStated, other.isStated]).toEqual([true, false]);
  });
});

describe('HypervisorDisabled', () => {
  it.each([
    { state: 'detected', isDisabled: false },
    { state: 'fencing', isDisabled: false },
    { state: 'forcing-down', isDisabled: false },
    { state: 'rebuilding', isDisabled: true },
    { state: 'recovered', isDisabled: true },
    { state: 'failed', isDisabled: true },
    { state: 'acquitted', isDisabled: false },
  ] as const)('is $isDisabled with an incident that is $state', ({ state, isDisabled }) => {
    const { conditions } = decideContract(view({ incident: incident({ state }) }));

    expect(conditions).toEqual(isDisabled ? [TRUE, DISABLED] : [TRUE]);
  });

  it('is stated after an incident that a person closed only if it had come so far', () => {
    const closed = { state: 'closed', oldEvacuations: [] } as const;
    const early = decideContract(view({ incident: incident({ state: 'closed', isDeclaredDead: false }) }));
    // What the host had is written down before it is declared dead.
    const written = decideContract(view({ incident: incident({ ...closed, isDeclaredDead: false }) }));
    const late = decideContract(view({ incident: incident({ ...closed, isDeclaredDead: true }) }));

    expect([early, written, late].map(({ conditions }) => conditions)).toEqual([[TRUE], [TRUE], [TRUE, DISABLED]]);
  });

  it.each([
    { had: 'been told nothing of', part: {}, expected: [TRUE] },
    { had: 'written down what it had', part: { oldEvacuations: [] }, expected: [TRUE] },
    { had: 'begun to rebuild what it had', part: { oldEvacuations: [], method: 'auto' }, expected: [TRUE, DISABLED] },
  ] as const)('is stated or not when an earlier version that closed the incident had $had', ({ part, expected }) => {
    expect(decideContract(view({ incident: incident({ state: 'closed', ...part }) })).conditions).toEqual(expected);
  });

  it('is taken back when it is ours, and left alone when it is the operator’s', () => {
    const ours = clusterHost('n1', { haEnabled: TRUE, hypervisorDisabled: DISABLED });
    const theirs = clusterHost('n1', {
      haEnabled: TRUE,
      hypervisorDisabled: { ...DISABLED, message: 'Hypervisor is disabled' },
    });

    expect(decideContract(view({ host: ours }))).toMatchObject({ conditions: [TRUE], isStated: false });
    expect(decideContract(view({ host: theirs }))).toMatchObject({ conditions: [TRUE], isStated: true });
  });
});

describe('HypervisorDisabled while it is not known whether there is an incident', () => {
  it('stays as it is when it is ours, so that nobody sees it go and come back', () => {
    const host = clusterHost('n1', { haEnabled: TRUE, hypervisorDisabled: DISABLED });

    const unsure = decideContract(view({ host, isUnsure: true }));
    const known = decideContract(view({ host, isUnsure: true, incident: incident({ state: 'acquitted' }) }));

    expect(unsure).toMatchObject({ conditions: [TRUE, DISABLED], isStated: true });
    expect(known).toMatchObject({ conditions: [TRUE], isStated: false });
  });

  it('is stated as it is with another condition that has to be written', () => {
    const host = clusterHost('n1', { hypervisorDisabled: DISABLED });

    expect(decideContract(view({ host, isUnsure: true }))).toMatchObject({
      conditions: [TRUE, DISABLED],
      isStated: false,
    });
  });

  it('is neither made up nor taken over from the operator', () => {
    const theirs = { ...DISABLED, message: 'Hypervisor is disabled' };

    for (const hypervisorDisabled of [undefined, theirs]) {
      const host = clusterHost('n1', { haEnabled: TRUE, hypervisorDisabled });
      expect(decideContract(view({ host, isUnsure: true }))).toMatchObject({ conditions: [TRUE], isStated: true });
    }
  });
});

describe('spec.maintenance', () => {
  const fenced = incident({ state: 'fencing', fences: [FENCE] });
  it.each([
    { case: 'an incident that has fenced', word: '', incident: fenced, wanted: 'ha' },
    { case: 'an incident that has not', word: '', incident: incident(), wanted: undefined },
    { case: 'the word of a person', word: 'manual', incident: fenced, wanted: undefined },
    { case: 'the word there already', word: 'ha', incident: fenced, wanted: undefined },
    {
      case: 'a host that is held and whose mark somebody cleared',
      word: '',
      incident: { ...fenced, state: 'recovered', closedAt: 2 },
      isMarked: true,
      wanted: undefined,
    },
    {
      case: 'a host that is held and was never seen to be marked',
      word: '',
      incident: { ...fenced, state: 'recovered', closedAt: 2 },
      wanted: 'ha',
    },
    { case: 'a word that was left over', word: 'ha', incident: undefined, wanted: '' },
    { case: 'nothing at all', word: '', incident: undefined, wanted: undefined },
  ] as const)('is $wanted with $case', ({ word, incident: found, wanted, ...rest }) => {
    const host = clusterHost('n1', { maintenance: word });

    expect(decideContract(view({ host, incident: found, ...rest })).maintenance).toBe(wanted);
  });

  it('is not taken back from a host that was declared dead, nor while there may be an incident', () => {
    const dead = clusterHost('n1', { maintenance: 'ha', hypervisorDisabled: DISABLED });
    const marked = clusterHost('n1', { maintenance: 'ha' });

    expect(decideContract(view({ host: dead })).maintenance).toBeUndefined();
    expect(decideContract(view({ host: marked, isUnsure: true })).maintenance).toBeUndefined();
  });
});

function view(change: Partial<ContractView>): ContractView {
  return {
    host: clusterHost('n1'),
    isSwitchedOn: undefined,
    hasFenceMethod: true,
    coverage: { kind: 'covered' },
    incident: undefined,
    isMarked: false,
    heldBy: undefined,
    isUnsure: false,
    ...change,
  };
}
