import { describe, expect, it } from 'vitest';

import { isRetryOver, type OnboardingStep } from './decide-onboarding.ts';
import { condition, decide, decideFirst, hypervisor, IDS } from './fixtures/onboarding-tables.ts';

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
    'says nothing about a host that never began, with %o',
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

  it.each([{ lifecycleEnabled: false }, { maintenance: 'termination' } as const])(
    'does not take the place of failed tests, which would open the host, with %o',
    (spec) => {
      const given = { onboarding: 'False/Aborted: Aborted after 5', smokeTest: { failures: 5 } };

      const step = decide(hypervisor({ ...given, status: IDS, spec }));

      expect(step).toEqual({ kind: 'rest' });
    },
  );

  it('takes the place of failed tests once the host is deregistered', () => {
    const given = { onboarding: 'False/Aborted: Aborted after 5', smokeTest: { failures: 5 } };
    const spec = { maintenance: 'termination' } as const;

    const step = decide(hypervisor({ ...given, status: IDS, spec, trueConditions: ['Offboarded'] }));

    expect(step).toEqual(abort(TERMINATION));
  });
});

describe('a host that is not onboarded', () => {
  const off = { lifecycleEnabled: false };

  it.each([
    { title: 'is to be maintained', spec: { ...off, maintenance: 'manual' } as const, hasEviction: false },
    { title: 'is to be updated', spec: { ...off, maintenance: 'auto' } as const, hasEviction: false },
    { title: 'is to be terminated', spec: { ...off, maintenance: 'termination' } as const, hasEviction: false },
    {
      title: 'is to be terminated before it began',
      spec: { maintenance: 'termination' } as const,
      hasEviction: false,
    },
    { title: 'has an Eviction', spec: off, hasEviction: true },
  ])('gets its ids, and nothing else, when it $title', ({ spec, hasEviction }) => {
    const step = decideFirst(hypervisor({ spec }), { hasEviction });

    const record = { identity: undefined, condition: undefined, smokeTest: undefined };
    expect(step).toEqual({ kind: 'discover', hostName: 'node1', isExact: true, record, ifUnknown: record });
  });

  it.each([
    { title: 'nobody wants it emptied', given: { spec: off } },
    { title: 'high availability deals with it', given: { spec: { ...off, maintenance: 'ha' } as const } },
    {
      title: 'it is deregistered',
      given: { spec: { ...off, maintenance: 'termination' } as const, trueConditions: ['Offboarded'] },
    },
    {
      title: 'it is terminated, which goes by the ids that it has',
      given: { spec: { ...off, maintenance: 'termination' } as const, status: IDS },
    },
  ])('is left alone when $title', ({ given }) => {
    expect(decideFirst(hypervisor(given))).toEqual({ kind: 'rest' });
  });

  it('has its ids compared while it is maintained', () => {
    const step = decideFirst(hypervisor({ spec: { ...off, maintenance: 'manual' }, status: IDS }));

    expect(step).toMatchObject({ kind: 'verify', isExact: true, identity: IDS, next: { kind: 'rest' } });
  });

  it('keeps what was said of it when only its ids are missing', () => {
    const given = { spec: { ...off, maintenance: 'manual' } as const, onboarding: `False/Aborted: ${NO_LIFECYCLE}` };

    const step = decideFirst(hypervisor(given));

    expect(step).toMatchObject({ kind: 'discover', isExact: true, record: { condition: { reason: 'Aborted' } } });
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
