import { describe, expect, it } from 'vitest';

import { isRetryOver, type OnboardingStep } from './decide-onboarding.ts';
import { condition, decide, hypervisor, IDS } from './fixtures/onboarding-tables.ts';

const NO_LIFECYCLE = 'Aborted due to LifecycleEnabled being false';
const TERMINATION = 'Aborted due to MaintenanceTermination';

describe('Succeeded', () => {
  it.each([
    { title: 'whose lifecycle was switched off', spec: { lifecycleEnabled: false } },
    { title: 'that is to be emptied for good', spec: { maintenance: 'termination' } as const },
  ])('is kept by a host $title', ({ spec }) => {
    expect(decide(hypervisor({ status: IDS, onboarding: 'False/Succeeded', spec }))).toEqual({ kind: 'rest' });
  });

  it.each([{}, { maintenance: 'manual' } as const, { maintenance: 'ha' } as const])(
    'is kept with %o, and only the ids are looked at now and then',
    (spec) => {
      const step = decide(hypervisor({ status: IDS, onboarding: 'False/Succeeded', spec }));

      expect(step).toMatchObject({ kind: 'verify', hostName: 'node1', identity: IDS, record: { identity: IDS } });
    },
  );

  it('is lost with the registration, so that a host that is taken back starts anew', () => {
    const given = { status: IDS, onboarding: 'False/Succeeded', trueConditions: ['Offboarded'] };

    expect(decide(hypervisor({ ...given, spec: { maintenance: 'termination' } }))).toMatchObject({
      kind: 'clean-up',
      record: { condition: condition(`False/Aborted: ${TERMINATION}`) },
    });
    expect(decide(hypervisor({ ...given, spec: { lifecycleEnabled: false } }))).toEqual({ kind: 'rest' });
  });
});

describe('an abort', () => {
  it.each([{ lifecycleEnabled: false }, { maintenance: 'termination' } as const])(
    'is nothing for a host that never began, with %o',
    (spec) => {
      expect(decide(hypervisor({ spec, status: IDS }))).toEqual({ kind: 'rest' });
    },
  );

  it.each(['True/Initial', 'True/Testing', 'True/Handover', 'True/Aborted: the cloud was away'])(
    'of %s removes the test instances and says why; if it cannot, it is not over',
    (onboarding) => {
      const byLifecycle = decide(hypervisor({ status: IDS, onboarding, spec: { lifecycleEnabled: false } }));
      const byTermination = decide(hypervisor({ status: IDS, onboarding, spec: { maintenance: 'termination' } }));

      expect(byLifecycle).toEqual(abort(NO_LIFECYCLE));
      expect(byTermination).toEqual(abort(TERMINATION));
    },
  );

  it('prefers to name the lifecycle, as long as it is off', () => {
    const spec = { lifecycleEnabled: false, maintenance: 'termination' } as const;

    expect(decide(hypervisor({ status: IDS, onboarding: 'True/Testing', spec }))).toEqual(abort(NO_LIFECYCLE));
  });

  it.each([
    { told: NO_LIFECYCLE, spec: { lifecycleEnabled: false } },
    { told: TERMINATION, spec: { maintenance: 'termination' } as const },
  ])('that was told is left alone: $told', ({ told, spec }) => {
    expect(decide(hypervisor({ status: IDS, onboarding: `False/Aborted: ${told}`, spec }))).toEqual({ kind: 'rest' });
  });

  it('takes the place of failed tests, so that switching the lifecycle off and on starts anew', () => {
    const given = { onboarding: 'False/Aborted: Aborted after 5', smokeTest: { failures: 5 } };

    expect(decide(hypervisor({ ...given, status: IDS, spec: { lifecycleEnabled: false } }))).toEqual(
      abort(NO_LIFECYCLE),
    );
  });
});

describe('a way back', () => {
  it.each([
    { title: 'the lifecycle is on again', given: { onboarding: `False/Aborted: ${NO_LIFECYCLE}` } },
    { title: 'it is not terminated after all', given: { onboarding: `False/Aborted: ${TERMINATION}` } },
    { title: 'another operator had failed to clean up', given: { onboarding: 'True/Aborted: failed' } },
    { title: 'tests are to be skipped', given: { smokeTest: { failures: 5 }, spec: { skipTests: true } } },
    {
      title: 'somebody says so',
      given: { smokeTest: { failures: 5 }, annotations: { 'kvm.cloud.sap/onboarding': 'retry' } },
    },
  ])('leads from Aborted through a new look-up to Initial when $title', ({ given }) => {
    const step = decide(hypervisor({ status: IDS, onboarding: 'False/Aborted: five failed', ...given }));

    expect(step).toMatchObject({
      kind: 'discover',
      record: { condition: condition('True/Initial: Initial onboarding'), smokeTest: undefined },
      ifUnknown: { condition: { reason: 'Aborted' }, identity: IDS },
    });
  });

  it.each([{ annotations: {} }, { annotations: { 'kvm.cloud.sap/onboarding': 'please' } }])(
    'is not taken by a host that failed its tests with %o',
    ({ annotations }) => {
      const given = { status: IDS, onboarding: 'False/Aborted: five failed', smokeTest: { failures: 5 }, annotations };

      expect(decide(hypervisor(given))).toEqual({ kind: 'rest' });
    },
  );

  it.each([
    { onboarding: 'False/Aborted', isOver: false },
    { onboarding: 'True/Initial', isOver: true },
    { onboarding: 'False/Succeeded', isOver: true },
    { onboarding: undefined, isOver: true },
  ])('needs the annotation no longer in $onboarding: $isOver', ({ onboarding, isOver }) => {
    const annotations = { 'kvm.cloud.sap/onboarding': 'retry' };

    expect(isRetryOver(hypervisor({ onboarding, annotations }))).toBe(isOver);
    expect(isRetryOver(hypervisor({ onboarding }))).toBe(false);
  });
});

function abort(message: string): OnboardingStep {
  const record = { identity: IDS, smokeTest: undefined };
  return {
    kind: 'clean-up',
    record: { ...record, condition: { status: 'False', reason: 'Aborted', message } },
    ifFailed: { ...record, condition: { status: 'True', reason: 'Aborted', message } },
  };
}
