import type { OVSNode, OVSNodeCondition } from '@smalt/ovs-api';
import { describe, expect, it } from 'vitest';

import { condition, hypervisorWith, newLife, type HypervisorLife } from './fixtures/hypervisor-life.ts';
import { readinessOf, type Readiness, type ReadinessSettings } from './index.ts';

const SINCE = '2026-01-01T00:00:00Z';
const SINCE_MS = Date.parse(SINCE);
const USED = {
  isManaged: true,
  isRegistered: true,
  onboarding: 'False/Succeeded',
  disabled: 'False/Succeeded',
} as const;

describe('readinessOf', () => {
  it.each<{ readonly life: Partial<HypervisorLife>; readonly reason: string; readonly message: string }>([
    // In the order of their weight: each of the first rows has what would make the next ones true as well.
    {
      life: { ...USED, offboarded: 'True/Offboarded', isTerminating: true, onboarding: 'True/Testing' },
      reason: 'Offboarded',
      message: 'Hypervisor has been offboarded',
    },
    {
      life: { ...USED, isTerminating: true, onboarding: 'True/Testing', maintenance: 'termination' },
      reason: 'Terminating',
      message: 'Hypervisor is terminating',
    },
    {
      life: { ...USED, onboarding: 'True/Testing', maintenance: 'manual', evicting: 'True/Running' },
      reason: 'Onboarding',
      message: 'Onboarding in progress: Onboarding was True/Testing',
    },
    {
      life: { ...USED, maintenance: 'manual', disabled: 'True/Succeeded', evicting: 'True/Running' },
      reason: 'Evicting',
      message: 'Hypervisor is disabled and evicting',
    },
    {
      life: { ...USED, maintenance: 'manual', evicting: 'True/Running' },
      reason: 'Evicting',
      message: 'Hypervisor is not disabled yet, but evicting',
    },
    {
      life: { ...USED, maintenance: 'manual', disabled: undefined, evicting: 'True/Running' },
      reason: 'Evicting',
      message: 'Hypervisor is not disabled yet, but evicting',
    },
    {
      life: { ...USED, maintenance: 'manual', disabled: 'False/Failed', evicting: 'True/Running' },
      reason: 'Maintenance',
      message: 'Hypervisor is in maintenance mode, but could not be disabled: HypervisorDisabled was False/Failed',
    },
    {
      life: { ...USED, maintenance: 'auto', disabled: 'Unknown/Failed', evicting: 'False/Succeeded' },
      reason: 'Maintenance',
      message: 'Hypervisor is in maintenance mode, but could not be disabled: HypervisorDisabled was Unknown/Failed',
    },
    {
      life: { ...USED, maintenance: 'ha', disabled: 'False/Failed' },
      reason: 'Maintenance',
      message: 'Hypervisor is in maintenance mode',
    },
    {
      life: { ...USED, maintenance: 'auto', evicting: 'False/Succeeded' },
      reason: 'Maintenance',
      message: 'Hypervisor is in maintenance mode',
    },
    {
      life: { ...USED, maintenance: 'auto', disabled: 'True/Succeeded', evicting: 'False/Succeeded' },
      reason: 'Evicted',
      message: 'Hypervisor is disabled and evicted',
    },
    {
      life: { ...USED, disabled: 'True/Succeeded', evicting: 'True/Running' },
      reason: 'Evicting',
      message: 'Hypervisor is disabled and evicting',
    },
    {
      life: { ...USED, disabled: 'True/Succeeded', evicting: 'False/Failed' },
      reason: 'Maintenance',
      message:
        'Hypervisor is in maintenance mode, but an eviction of it failed: Evicting was False/Failed. See "kubectl describe evictions" for the instances that are left',
    },
    { life: { ...USED, maintenance: 'ha' }, reason: 'Maintenance', message: 'Hypervisor is in maintenance mode' },
    {
      life: { onboarding: 'False/Aborted', maintenance: 'manual' },
      reason: 'Maintenance',
      message: 'Hypervisor is in maintenance mode',
    },
    { life: {}, reason: 'Onboarding', message: 'Onboarding not started: lifecycle management is disabled' },
    {
      life: { isManaged: true },
      reason: 'Onboarding',
      message:
        'Onboarding not started: waiting for nova-compute to register the hypervisor in Nova (HypervisorID/ServiceID not yet available)',
    },
    { life: { isManaged: true, isRegistered: true }, reason: 'Onboarding', message: 'Onboarding not started' },
    { life: { ...USED, onboarding: 'False/Aborted' }, reason: 'Onboarding', message: 'Onboarding was aborted' },
    {
      life: { ...USED, disabled: 'Unknown/NotRegistered' },
      reason: 'NotRegistered',
      message: 'HypervisorDisabled was Unknown/NotRegistered',
    },
    {
      life: { ...USED, disabled: 'Unknown/Failed' },
      reason: 'Disabled',
      message: 'HypervisorDisabled was Unknown/Failed',
    },
    {
      life: { ...USED, disabled: 'True/DisabledElsewhere' },
      reason: 'Disabled',
      message: 'HypervisorDisabled was True/DisabledElsewhere',
    },
  ])('says $reason, $message', ({ life, reason, message }) => {
    expect(judge(life)).toMatchObject({ isReady: false, reason, message });
  });

  it('is ready when it is onboarded and nothing is the matter', () => {
    expect(judge(USED)).toEqual({ isReady: true, reason: 'Ready', message: 'Hypervisor is ready', isWarning: false });
  });

  it('does not take an onboarding with another reason for one that is done', () => {
    const hypervisor = hypervisorWith({ ...newLife, ...USED });
    const conditions = [condition('Onboarding', 'False/Paused')].filter((each) => each !== undefined);

    const facts = { hypervisor: { ...hypervisor, status: { numInstances: 0, conditions } }, network: undefined };

    expect(readinessOf({ ...facts, nowMs: SINCE_MS }, settings({}))).toMatchObject({
      isReady: false,
      message: 'Onboarding not yet completed',
    });
  });

  it('never calls a hypervisor evicted whose eviction failed', () => {
    const readiness = judge({ ...USED, maintenance: 'manual', evicting: 'False/Failed' });

    expect(readiness).toEqual({
      isReady: false,
      reason: 'Maintenance',
      message:
        'Hypervisor is in maintenance mode, but the eviction node-1 failed: Evicting was False/Failed. See "kubectl describe eviction node-1" for the instances that are left',
      isWarning: true,
    });
  });
});

it.each([
  { disabled: 'Unknown/NotRegistered', isWarning: true },
  { disabled: 'True/Failed', isWarning: true },
  { disabled: 'True/DisabledElsewhere', isWarning: false },
  { disabled: 'True/Succeeded', isWarning: false },
] as const)('warns of a host that is out of use by mistake: $disabled', ({ disabled, isWarning }) => {
  expect(judge({ ...USED, disabled })).toMatchObject({ isReady: false, isWarning });
});

describe('readinessOf, by health', () => {
  const noLibvirt = { ...USED, isHealthy: false };

  it('says what is wrong with libvirt once that has lasted', () => {
    expect(judge(noLibvirt, { afterMs: 60_000 })).toEqual({
      isReady: false,
      reason: 'LibvirtUnreachable',
      message:
        'The node agent cannot use libvirt (ConnectFailed): LibVirtConnection was False/ConnectFailed. Look at libvirtd.service on the host',
      isWarning: true,
    });
  });

  it('bears with trouble that is new, and says when to look again', () => {
    expect(judge(noLibvirt, { afterMs: 59_000 })).toMatchObject({ isReady: true, againInMs: 1_000 });
  });

  it('says what is wrong with the network in words', () => {
    const network = ovsNode([
      { type: 'Ready', status: 'False', lastTransitionTime: SINCE, message: 'not all is well' },
      { type: 'AllBondsHealthy', status: 'False', message: 'bond0 has 1 of 2 members' },
      { type: 'OVSDBConnected', status: 'True' },
      { type: 'AllBridgesHealthy', status: 'False', reason: 'BridgeMissing' },
    ]);

    expect(judge(USED, { afterMs: 61_000, network })).toEqual({
      isReady: false,
      reason: 'NetworkUnhealthy',
      message:
        'Open vSwitch is not healthy: AllBondsHealthy is False, bond0 has 1 of 2 members; AllBridgesHealthy is False, BridgeMissing; Warning: eth1 is down. See "kubectl describe ovsnode node-1", and look at openvswitch-switch.service on the host',
      isWarning: true,
    });
  });

  it('names the first five of many troubles of the network', () => {
    const issues = Array.from({ length: 9 }, (_, index) => ({ severity: 'Error', message: `port ${index}` }));
    const network = ovsNode([{ type: 'Ready', status: 'False' }], issues);

    const { message } = judge(USED, { network });

    expect(message).toContain(
      'Ready is False; Error: port 0; Error: port 1; Error: port 2; Error: port 3; and 5 more.',
    );
  });

  it.each([
    { what: 'no time', lastTransitionTime: undefined, isReady: false },
    { what: 'no time that can be read', lastTransitionTime: 'yesterday', isReady: false },
    { what: 'a time of a clock that is an hour ahead', lastTransitionTime: '2026-01-01T01:00:00Z', isReady: false },
    { what: 'a time of a clock that is a second ahead', lastTransitionTime: '2026-01-01T00:00:01Z', isReady: true },
  ])('says $isReady of trouble with $what', ({ lastTransitionTime, isReady }) => {
    const ready = { type: 'Ready', status: 'False' as const, ...(lastTransitionTime && { lastTransitionTime }) };

    expect(judge(USED, { network: ovsNode([ready]) }).isReady).toBe(isReady);
  });

  it('does not wait longer than the grace for a clock that is ahead', () => {
    const network = ovsNode([{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:30Z' }]);

    expect(judge(USED, { network }).againInMs).toBe(60_000);
  });

  it('looks again when the first of two graces ends', () => {
    const network = ovsNode([{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:30Z' }]);

    expect(judge(noLibvirt, { network, afterMs: 40_000 }).againInMs).toBe(20_000);
  });

  it.each([{ followsLibvirt: false }, { followsNetwork: false }])(
    'leaves out what it need not follow: %j',
    (follows) => {
      const network = ovsNode([{ type: 'Ready', status: 'False' }]);
      const reasons = { followsLibvirt: 'NetworkUnhealthy', followsNetwork: 'LibvirtUnreachable' };

      const { reason } = judge(noLibvirt, { network, afterMs: 90_000, settings: follows });

      expect(reason).toBe('followsLibvirt' in follows ? reasons.followsLibvirt : reasons.followsNetwork);
    },
  );

  it.each([ovsNode([]), ovsNode([{ type: 'Ready', status: 'Unknown' }]), ovsNode([{ type: 'Ready', status: 'True' }])])(
    'is ready with a network that nobody calls unhealthy',
    (network) => {
      expect(judge(USED, { network, afterMs: 90_000 }).isReady).toBe(true);
    },
  );

  it('leaves trouble out while the host is not in use anyway', () => {
    expect(judge({ ...noLibvirt, maintenance: 'manual' }, { afterMs: 90_000 }).reason).toBe('Maintenance');
  });
});

interface Circumstances {
  readonly afterMs?: number;
  readonly network?: OVSNode;
  readonly settings?: Partial<ReadinessSettings>;
}

function judge(life: Partial<HypervisorLife>, circumstances: Circumstances = {}): Readiness {
  const { afterMs = 0, network, settings: changed = {} } = circumstances;
  const hypervisor = hypervisorWith({ ...newLife, ...life });
  return readinessOf({ hypervisor, network, nowMs: SINCE_MS + afterMs }, settings(changed));
}

function settings(changed: Partial<ReadinessSettings>): ReadinessSettings {
  return { followsLibvirt: true, followsNetwork: true, graceMs: 60_000, ...changed };
}

function ovsNode(
  conditions: readonly OVSNodeCondition[],
  issues: readonly { readonly severity: string; readonly message: string }[] = [
    { severity: 'Warning', message: 'eth1 is down' },
  ],
): OVSNode {
  return {
    apiVersion: 'ovs.c5c3.io/v1alpha1',
    kind: 'OVSNode',
    metadata: { name: 'node-1' },
    spec: { nodeRef: { name: 'node-1' } },
    status: { conditions, issues },
  };
}
