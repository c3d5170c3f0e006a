import { DomainPausedReason, DomainShutoffReason, DomainState } from '@smalt/libvirt';
import type { VirtualMachineInstance, VirtualMachineInstanceStatus } from '@smalt/vm-api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decideSync, isMigratingFrom } from './decide-sync.ts';
import type { SyncFacts } from './sync-facts.ts';
import { failed } from './verdict.ts';

const RUNNING = { state: DomainState.running, reason: 1 };
const PAUSED = { state: DomainState.paused, reason: DomainPausedReason.user };
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };

interface Row {
  readonly when: string;
  readonly facts: Partial<SyncFacts>;
  readonly action: unknown;
}

const ROWS: readonly Row[] = [
  { when: 'it is on another node', facts: { nodeName: 'other', domain: RUNNING }, action: { kind: 'none' } },
  { when: 'it is new', facts: at('Scheduled'), action: { kind: 'start' } },
  {
    when: 'an earlier start got to the definition',
    facts: { ...at('Scheduled'), ...off('unknown') },
    action: { kind: 'start' },
  },
  { when: 'an earlier start failed', facts: { ...at('Scheduled'), ...off('failed') }, action: { kind: 'start' } },
  {
    when: 'an earlier start got to the process',
    facts: { ...at('Scheduled'), domain: PAUSED },
    action: { kind: 'start' },
  },
  {
    when: 'an earlier start got to the end',
    facts: { ...at('Scheduled'), domain: RUNNING },
    action: { kind: 'start' },
  },
  { when: 'it runs', facts: { domain: RUNNING }, action: { kind: 'report' } },
  { when: 'it stands still', facts: { domain: PAUSED }, action: { kind: 'report' } },
  {
    when: 'nothing of its pod is found',
    facts: { domain: RUNNING, sandbox: 'unknown' },
    action: { kind: 'report', problem: expect.stringContaining('its launcher pod is not found on the node here') },
  },
  {
    when: 'nothing of its pod is found, and the API does not know it either',
    facts: { domain: RUNNING, sandbox: 'unknown', isPodActive: false },
    action: { kind: 'report', problem: expect.any(String) },
  },
  {
    when: 'nothing of its pod is found in the middle of the start',
    facts: { ...at('Scheduled'), domain: PAUSED, sandbox: 'unknown' },
    action: { kind: 'await-pod' },
  },
  {
    when: 'its pod is deleted',
    facts: { ...leaving('Running'), domain: RUNNING },
    action: { kind: 'shut-down', againInMs: 5_000 },
  },
  {
    when: 'its pod is deleted and its time is up',
    facts: { ...leaving('Running'), domain: RUNNING, shuttingDownMs: 30_000 },
    action: { kind: 'destroy' },
  },
  { when: 'its pod is deleted before the start', facts: leaving('Scheduled'), action: ended('Failed', 'LauncherGone') },
  {
    when: 'it was ended after its time, for its pod is deleted',
    facts: { ...leaving('Running'), ...off('destroyed') },
    action: ended('Failed', 'GracePeriodExpired'),
  },
  {
    when: 'it was asked to shut down and its pod is no longer to be seen',
    facts: { domain: RUNNING, sandbox: 'unknown', isPodActive: false, shuttingDownMs: 1_000 },
    action: { kind: 'shut-down' },
  },
  { when: 'its pod is gone', facts: { domain: RUNNING, sandbox: 'gone' }, action: { kind: 'destroy' } },
  {
    when: 'its guest hangs in a crash',
    facts: { domain: { state: DomainState.crashed, reason: 1 } },
    action: { kind: 'destroy' },
  },
  {
    when: 'its pod went before the start',
    facts: { ...at('Scheduled'), sandbox: 'gone' },
    action: ended('Failed', 'LauncherGone'),
  },
  {
    when: 'nothing of its pod is found before the start',
    facts: { ...at('Scheduled'), sandbox: 'unknown' },
    action: { kind: 'await-pod' },
  },
  {
    when: 'nobody knows its pod before the start',
    facts: { ...at('Scheduled'), sandbox: 'unknown', isPodActive: false },
    action: ended('Failed', 'LauncherGone'),
  },
  { when: 'libvirt is away', facts: { libvirt: 'away', domain: undefined }, action: { kind: 'wait' } },
  { when: 'its domain is silent', facts: { libvirt: 'silent', domain: undefined }, action: { kind: 'wait' } },
  {
    when: 'its domain is silent, whatever was known of it, and its launcher is gone',
    facts: { ...at('Running', DELETED), libvirt: 'silent', sandbox: 'gone' },
    action: { kind: 'wait' },
  },
  { when: 'the node lacks the hypervisor', facts: { libvirt: 'missing' }, action: { kind: 'wait' } },
  {
    when: 'libvirt is away from what is deleted',
    facts: { ...at('Running', DELETED), libvirt: 'away' },
    action: { kind: 'wait' },
  },
  {
    when: 'it is deleted before the start',
    facts: at('Scheduled', DELETED),
    action: ended('Succeeded', 'DeletedBeforeStart'),
  },
  {
    when: 'it is deleted in the middle of the start',
    facts: { ...at('Scheduled', DELETED), domain: PAUSED },
    action: { kind: 'destroy' },
  },
  {
    when: 'it is deleted',
    facts: { ...at('Running', DELETED), domain: RUNNING },
    action: { kind: 'shut-down', againInMs: 5_000 },
  },
  {
    when: 'its time is nearly up',
    facts: { ...at('Running', DELETED), domain: RUNNING, shuttingDownMs: 28_000 },
    action: { kind: 'shut-down', againInMs: 2_000 },
  },
  {
    when: 'its time is up',
    facts: { ...at('Running', DELETED), domain: RUNNING, shuttingDownMs: 30_000 },
    action: { kind: 'destroy' },
  },
  { when: 'it has no time', facts: { ...at('Running', DELETED, 0), domain: RUNNING }, action: { kind: 'destroy' } },
  { when: 'its guest shut down', facts: off('shutdown'), action: ended('Succeeded', 'GuestShutDown') },
  { when: 'its guest was saved', facts: off('saved'), action: ended('Succeeded', 'GuestStopped') },
  { when: 'its process was killed', facts: off('crashed'), action: ended('Failed', 'GuestCrashed') },
  { when: 'libvirt lost it', facts: off('daemon'), action: ended('Failed', 'GuestStopped') },
  { when: 'somebody switched it off', facts: off('destroyed'), action: ended('Failed', 'GuestDestroyed') },
  {
    when: 'it was ended with its pod',
    facts: { ...off('destroyed'), sandbox: 'gone' },
    action: ended('Failed', 'LauncherGone'),
  },
  {
    when: 'it was ended after its time',
    facts: { ...at('Running', DELETED), ...off('destroyed') },
    action: ended('Failed', 'GracePeriodExpired'),
  },
  {
    when: 'it was ended as it had no time',
    facts: { ...at('Running', DELETED, 0), ...off('destroyed') },
    action: ended('Succeeded', 'GuestDestroyed'),
  },
  {
    when: 'it was ended before it ran',
    facts: { ...at('Scheduled', DELETED), ...off('destroyed') },
    action: ended('Succeeded', 'DeletedBeforeStart'),
  },
  {
    when: 'it crashed before that was told',
    facts: { ...at('Scheduled'), ...off('crashed') },
    action: ended('Failed', 'GuestCrashed'),
  },
  { when: 'nobody knows how it ended', facts: off('unknown'), action: ended('Failed', 'EndUnknown') },
  {
    when: 'the node was booted',
    facts: { ...off('unknown'), wasRebooted: true },
    action: ended('Failed', 'NodeRebooted'),
  },
  {
    when: 'its domain is gone with the boot',
    facts: { domain: undefined, wasRebooted: true },
    action: ended('Failed', 'NodeRebooted'),
  },
  { when: 'its domain is gone', facts: { domain: undefined }, action: ended('Failed', 'DomainGone') },
  {
    when: 'its end was written down',
    facts: { domain: undefined, verdict: failed('GuestCrashed', 'x') },
    action: ended('Failed', 'GuestCrashed'),
  },
  {
    when: 'it left by a migration that is not over',
    facts: { ...migrating(), domain: undefined },
    action: { kind: 'none' },
  },
  {
    when: 'it is off in a migration that is not over',
    facts: { ...migrating(), ...off('migrated') },
    action: { kind: 'none' },
  },
  {
    when: 'it has ended for the API and still runs',
    facts: { ...at('Failed'), domain: RUNNING },
    action: { kind: 'destroy' },
  },
  { when: 'it has ended for the API', facts: { ...at('Succeeded'), domain: undefined }, action: { kind: 'tidy' } },
  { when: 'it is not this far', facts: { ...at('Scheduling'), domain: undefined }, action: { kind: 'none' } },
];

describe('decideSync', () => {
  it.each(ROWS)('when $when', ({ facts, action }) => {
    expect(decideSync(withFacts(facts))).toMatchObject(Object(action));
  });

  it('never starts what is being deleted, and never ends what it cannot see', () => {
    fc.assert(
      fc.property(anyFacts(), (facts) => {
        const { kind } = decideSync(facts);

        const isDeleted = facts.instance.metadata.deletionTimestamp !== undefined;
        expect(kind === 'start' && isDeleted && facts.domain === undefined).toBe(false);
        expect(kind === 'end' && facts.libvirt !== 'current').toBe(false);
        expect(kind === 'end' && facts.domain !== undefined && facts.domain.state !== DomainState.shutoff).toBe(false);
        expect(kind === 'destroy' && facts.domain === undefined).toBe(false);
      }),
    );
  });

  it('ends no guest that runs for want of what shows that its pod has ended', () => {
    fc.assert(
      fc.property(anyFacts(), fc.boolean(), (some, isPodActive) => {
        const facts = { ...some, ...at('Running'), domain: RUNNING, shuttingDownMs: undefined, isPodActive };

        const { kind } = decideSync({ ...facts, sandbox: 'unknown' });

        expect(['report', 'wait']).toContain(kind);
      }),
    );
  });
});

it.each([
  [{}, false],
  [{ migrationState: { migrationUid: 'm', sourceNode: 'here' } }, true],
  [{ migrationState: { migrationUid: 'm', sourceNode: 'there' } }, false],
  [{ migrationState: { migrationUid: 'm', sourceNode: 'here', completed: true } }, false],
])('a guest with %j may be on its way: %s', (status, isOnItsWay) => {
  expect(isMigratingFrom(instance(status), 'here')).toBe(isOnItsWay);
});

function withFacts(facts: Partial<SyncFacts>): SyncFacts {
  return {
    nodeName: 'here',
    instance: instance({ phase: 'Running' }),
    domain: undefined,
    libvirt: 'current',
    sandbox: 'alive',
    podUid: 'pod',
    isPodActive: true,
    verdict: undefined,
    wasRebooted: false,
    shuttingDownMs: undefined,
    ...facts,
  };
}

function at(phase: string, metadata: object = {}, terminationGracePeriodSeconds: number = 30): Partial<SyncFacts> {
  const base = instance({ phase });
  return {
    instance: {
      ...base,
      metadata: { ...base.metadata, ...metadata },
      spec: { ...base.spec, terminationGracePeriodSeconds },
    },
  };
}

/** Its pod is being deleted. */
function leaving(phase: string): Partial<SyncFacts> {
  const ready = { type: 'Ready', status: 'False', reason: 'PodTerminating' } as const;
  return { instance: instance({ phase, conditions: [ready] }) };
}

function migrating(): Partial<SyncFacts> {
  return { instance: instance({ phase: 'Running', migrationState: { migrationUid: 'm', sourceNode: 'here' } }) };
}

function off(reason: keyof typeof DomainShutoffReason): Partial<SyncFacts> {
  return { domain: { state: DomainState.shutoff, reason: DomainShutoffReason[reason] } };
}

function ended(phase: string, reason: string): unknown {
  return { kind: 'end', verdict: { phase, reason } };
}

function instance(status: VirtualMachineInstanceStatus): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'a', namespace: 'default', uid: 'u', labels: { 'kubevirt.io/nodeName': 'here' } },
    spec: { domain: { devices: {} } },
    status,
  };
}

function anyFacts(): fc.Arbitrary<SyncFacts> {
  return fc
    .record({
      phase: fc.constantFrom('', 'Pending', 'Scheduling', 'Scheduled', 'Running', 'Unknown', 'Succeeded', 'Failed'),
      isDeleted: fc.boolean(),
      domain: fc.option(fc.record({ state: fc.integer({ min: 0, max: 7 }), reason: fc.integer({ min: 0, max: 14 }) }), {
        nil: undefined,
      }),
      libvirt: fc.constantFrom('missing', 'away', 'silent', 'current'),
      sandbox: fc.constantFrom('alive', 'gone', 'unknown'),
      isPodActive: fc.boolean(),
      wasRebooted: fc.boolean(),
      shuttingDownMs: fc.option(fc.nat(60_000), { nil: undefined }),
    })
    .map(({ phase, isDeleted, ...rest }) => withFacts({ ...at(phase, isDeleted ? DELETED : {}), ...rest }));
}
