import { describe, expect, it } from 'vitest';

import { aggregate, condition, decide, decideFirst, hypervisor, IDS, testing } from './fixtures/onboarding-tables.ts';

const TEST_AGGREGATES = [aggregate('zone-a'), aggregate('tenant_filter_tests')];

describe('a host that is not known yet', () => {
  it('rests without a spec, which has no lifecycle to follow', () => {
    const { spec: _, ...bare } = hypervisor({});

    expect(decide(bare)).toEqual({ kind: 'rest' });
  });

  it.each([
    { title: 'by its label', labels: { 'kubernetes.io/hostname': 'node1.example.com' }, hostName: 'node1.example.com' },
    { title: 'by its name where the label is empty', labels: { 'kubernetes.io/hostname': '' }, hostName: 'node1' },
    { title: 'by its name where there is no label', labels: {}, hostName: 'node1' },
  ])('is looked up $title, and begins at Initial', ({ labels, hostName }) => {
    const step = decide(hypervisor({ labels }));

    expect(step).toMatchObject({
      kind: 'discover',
      hostName,
      record: { condition: { status: 'True', reason: 'Initial', message: 'Initial onboarding' } },
      ifUnknown: { condition: undefined },
    });
  });

  it.each([{ hypervisorId: 'hv-1' }, { serviceId: 'service-1' }, { hypervisorId: '', serviceId: '' }])(
    'is looked up while %o is all there is',
    (ids) => {
      expect(decide(hypervisor({ status: ids }))).toMatchObject({ kind: 'discover' });
    },
  );

  it('takes back that it has begun when it turns out not to be registered', () => {
    const step = decide(hypervisor({ onboarding: 'True/Initial: could not look up the host node1: busy' }));

    expect(step).toMatchObject({ kind: 'discover', ifUnknown: { condition: undefined, identity: undefined } });
  });

  it.each(['False/Succeeded', 'True/Testing', 'True/Handover'])(
    'keeps %s when only its ids are missing',
    (onboarding) => {
      const step = decide(hypervisor({ onboarding }));

      expect(step).toMatchObject({
        kind: 'discover',
        record: { condition: { reason: onboarding.split('/')[1] } },
        ifUnknown: { condition: { reason: onboarding.split('/')[1] } },
      });
    },
  );
});

describe('Initial', () => {
  it('is said of a host that has ids and nothing else', () => {
    expect(decide(hypervisor({ status: IDS }))).toEqual({
      kind: 'tell',
      record: { identity: IDS, condition: condition('True/Initial: Initial onboarding'), smokeTest: undefined },
      afterMs: 60_000,
    });
  });

  it('asks for the zone of a host that has none', () => {
    const step = decide(hypervisor({ labels: {}, status: IDS, onboarding: 'True/Initial' }));

    expect(step).toMatchObject({
      kind: 'tell',
      record: {
        condition: {
          status: 'True',
          reason: 'Initial',
          message: 'cannot find availability-zone label topology.kubernetes.io/zone on node',
          isWarning: true,
        },
      },
      afterMs: 60_000,
    });
  });

  it.each([
    { names: [], isEnough: false },
    { names: ['zone-a'], isEnough: false },
    { names: ['tenant_filter_tests', 'zone-a'], isEnough: true },
    { names: ['zone-a', 'zone-a', 'tenant_filter_tests'], isEnough: false },
    { names: ['zone-a', 'tenant_filter_tests', 'spec'], isEnough: false },
  ])('waits for the test aggregates; $names is enough: $isEnough', ({ names, isEnough }) => {
    const status = { ...IDS, aggregates: names.map(aggregate) };

    expect(decide(hypervisor({ status, onboarding: 'True/Initial' })).kind).toBe(isEnough ? 'enable' : 'tell');
  });

  it('opens the host and begins to test it', () => {
    const status = { ...IDS, aggregates: TEST_AGGREGATES };

    expect(decide(hypervisor({ status, onboarding: 'True/Initial' }))).toMatchObject({
      kind: 'enable',
      identity: IDS,
      ifFailed: { identity: IDS, condition: { reason: 'Initial' } },
      next: {
        kind: 'tell',
        record: { identity: IDS, condition: condition('True/Testing: Running onboarding tests') },
      },
    });
  });

  it('goes on to the handover at once when tests are skipped', () => {
    const status = { ...IDS, aggregates: TEST_AGGREGATES };

    const step = decide(hypervisor({ status, onboarding: 'True/Initial', spec: { skipTests: true } }));

    expect(step).toMatchObject({
      kind: 'enable',
      next: { kind: 'clean-up', record: { condition: { status: 'True', reason: 'Handover' } } },
    });
  });
});

describe('Testing', () => {
  it('looks at the test instance', () => {
    expect(decide(testing({}))).toMatchObject({
      kind: 'test',
      host: { identity: IDS, zone: 'zone-a' },
      record: { identity: IDS, condition: { message: 'Running onboarding tests' }, smokeTest: undefined },
    });
  });

  it('goes on saying why the last test failed while the next one runs', () => {
    const step = decide(testing({ smokeTest: { failures: 2, message: 'it broke' } }));

    expect(step).toMatchObject({ kind: 'test', record: { condition: { message: 'it broke', isWarning: true } } });
  });

  it.each([
    { title: 'tests are skipped', given: { spec: { skipTests: true } } },
    { title: 'a test has passed', given: { smokeTest: { failures: 0, passedAt: '2026-01-01T00:00:00Z' } } },
  ])('hands over when $title, and says so in Testing if it cannot clean up', ({ given }) => {
    expect(decide(testing(given))).toMatchObject({
      kind: 'clean-up',
      record: { identity: IDS, condition: { status: 'True', reason: 'Handover' }, smokeTest: undefined },
      ifFailed: { condition: { status: 'True', reason: 'Testing' } },
    });
  });

  it('tells all that is not as it should be, and starts nothing', () => {
    const step = decide(testing({}), { requireNodeAgent: true, requireOvsNode: true });

    expect(step).toMatchObject({
      kind: 'tell',
      record: {
        condition: {
          status: 'True',
          reason: 'Testing',
          message:
            'Not ready for tests: no node agent has reported: see whether its pod runs on node1; there is no OVSNode of node1: see whether its Open vSwitch agent runs',
          isWarning: true,
        },
      },
      afterMs: 60_000,
    });
  });

  it('asks for the zone that a test instance needs', () => {
    expect(decide(testing({ labels: {} }))).toMatchObject({
      kind: 'tell',
      record: { condition: { message: 'cannot find availability-zone label topology.kubernetes.io/zone on node' } },
    });
  });

  it('gives up after so many failures, closes the host, and says what to do', () => {
    const smokeTest = { failures: 5, message: 'Server ended up in error state: no memory' };

    expect(decide(testing({ smokeTest }))).toMatchObject({
      kind: 'clean-up',
      record: {
        identity: IDS,
        condition: {
          status: 'False',
          reason: 'Aborted',
          message:
            'Aborted after 5 failed test instances, the last one: Server ended up in error state: no memory; mend the host, then annotate it with kvm.cloud.sap/onboarding=retry',
          isWarning: true,
        },
        smokeTest,
      },
      ifFailed: { condition: { status: 'True', reason: 'Testing' }, smokeTest },
      closes: IDS,
    });
  });

  it('never gives up with 0 attempts', () => {
    expect(decide(testing({ smokeTest: { failures: 500 } }), { attempts: 0 })).toMatchObject({ kind: 'test' });
  });
});

describe('Handover', () => {
  it.each([
    { conditions: [], isHa: true, missing: ': TraitsUpdated, AggregatesUpdated, HaEnabled' },
    { conditions: [], isHa: false, missing: ': TraitsUpdated, AggregatesUpdated' },
    { conditions: ['TraitsUpdated'], isHa: true, missing: ': AggregatesUpdated, HaEnabled' },
    { conditions: ['TraitsUpdated', 'AggregatesUpdated'], isHa: true, missing: ': HaEnabled' },
    { conditions: ['AggregatesUpdated', 'HaEnabled'], isHa: true, missing: ': TraitsUpdated' },
  ])('waits for those who are missing, HA $isHa: $missing', ({ conditions, isHa, missing }) => {
    const given = { status: IDS, onboarding: 'True/Handover', spec: { highAvailability: isHa } };

    expect(decide(hypervisor({ ...given, trueConditions: conditions }))).toEqual({
      kind: 'tell',
      record: {
        identity: IDS,
        condition: condition(`True/Handover: Waiting for other controllers to take over${missing}`),
        smokeTest: undefined,
      },
    });
  });

  it.each([
    { conditions: ['TraitsUpdated', 'AggregatesUpdated', 'HaEnabled'], isHa: true },
    { conditions: ['TraitsUpdated', 'AggregatesUpdated'], isHa: false },
  ])('is over when $conditions have come, HA $isHa', ({ conditions, isHa }) => {
    const given = { status: IDS, onboarding: 'True/Handover', spec: { highAvailability: isHa } };

    expect(decide(hypervisor({ ...given, trueConditions: conditions }))).toEqual({
      kind: 'tell',
      record: {
        identity: IDS,
        condition: condition('False/Succeeded: Onboarding completed'),
        smokeTest: undefined,
      },
    });
  });
});

it.each(['True/Initial', 'True/Testing', 'True/Handover'])(
  'begins anew from %s when the host was registered anew meanwhile',
  (onboarding) => {
    const step = decideFirst(hypervisor({ status: IDS, onboarding, smokeTest: { failures: 1 } }));

    const record = { condition: condition('True/Initial: Initial onboarding'), smokeTest: undefined };
    expect(step).toMatchObject({ kind: 'verify', hostName: 'node1', isExact: false, identity: IDS, record });
  },
);

describe('while high availability deals with a host', () => {
  const spec = { maintenance: 'ha' } as const;
  const message = 'Waiting until spec.maintenance is not ha any more';

  it.each([
    { given: {}, reason: 'Initial' },
    { given: { status: IDS }, reason: 'Initial' },
    { given: { status: { ...IDS, aggregates: TEST_AGGREGATES }, onboarding: 'True/Initial' }, reason: 'Initial' },
    { given: { status: IDS, onboarding: 'True/Testing', smokeTest: { failures: 9 } }, reason: 'Testing' },
    { given: { status: IDS, onboarding: 'True/Testing', spec: { ...spec, skipTests: true } }, reason: 'Testing' },
  ])('nothing is looked up, opened or tested: $given', ({ given, reason }) => {
    const step = decideFirst(hypervisor({ spec, ...given }));

    expect(step).toMatchObject({ kind: 'tell', record: { condition: { status: 'True', reason, message } } });
    expect(step).not.toHaveProperty('afterMs');
  });

  it('onboarding that was aborted does not begin again', () => {
    expect(decideFirst(hypervisor({ spec, status: IDS, onboarding: 'False/Aborted: over' }))).toEqual({ kind: 'rest' });
  });

  it('the tests go on as before when it is over', () => {
    const step = decide(testing({ onboarding: `True/Testing: ${message}` }));

    expect(step).toMatchObject({ kind: 'test', record: { condition: { message: 'Running onboarding tests' } } });
  });
});

it('leaves reasons alone that it does not know', () => {
  expect(decide(hypervisor({ status: IDS, onboarding: 'True/Special' }))).toEqual({ kind: 'rest' });
});
