import { eventKind, findCondition } from '@smalt/controller-runtime';
import type { Hypervisor, HypervisorStatus } from '@smalt/fleet-api';
import type { Condition } from '@smalt/kubernetes';
import { ovsNodeKind } from '@smalt/ovs-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freshName } from '../fixtures/fresh-name.ts';
import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { createReadyController } from './ready-controller.ts';
import { defaultReadySettings } from './ready-settings.ts';

const LONG_AGO = '2026-01-01T00:00:00Z';
/** Longer than any test takes. */
const GRACE_MS = 600_000;
const EMPTIED = ['Onboarding=False/Succeeded', 'HypervisorDisabled=True/Succeeded'] as const;
const IN_USE = ['Onboarding=False/Succeeded', 'HypervisorDisabled=False/Succeeded'] as const;

let bed: OperatorBed;

beforeAll(async () => {
  bed = await startOperatorBed({
    controllers: (context) => [createReadyController(context, { ...defaultReadySettings, graceMs: GRACE_MS })],
  });
});

afterAll(() => bed[Symbol.asyncDispose]());

interface Row {
  readonly name: string;
  readonly conditions: readonly string[];
  readonly spec?: Partial<Hypervisor['spec']>;
  readonly ids?: Pick<HypervisorStatus, 'hypervisorId' | 'serviceId'>;
  readonly reason: string;
  readonly message: string;
  readonly state: string;
}

describe('the ready controller', () => {
  it.each<Row>([
    {
      name: 'offboarded',
      spec: { maintenance: 'termination' },
      conditions: ['Offboarded=True/Offboarded', 'Terminating=True/Terminating', 'Evicting=False/Succeeded'],
      reason: 'Offboarded',
      message: 'Hypervisor has been offboarded',
      state: 'Decommissioned',
    },
    {
      name: 'terminating',
      spec: { maintenance: 'termination' },
      conditions: ['Terminating=True/Terminating', 'Onboarding=True/Testing', 'Evicting=True/Running'],
      reason: 'Terminating',
      message: 'Hypervisor is terminating',
      state: 'Testing',
    },
    {
      name: 'onboarding',
      spec: { maintenance: 'auto' },
      conditions: ['Onboarding=True/Initial', 'Evicting=True/Running'],
      reason: 'Onboarding',
      message: 'Onboarding in progress: told by a test',
      state: 'Onboarding',
    },
    {
      name: 'handing-over',
      conditions: ['Onboarding=True/Handover'],
      reason: 'Onboarding',
      message: 'Onboarding in progress: told by a test',
      state: 'Ready',
    },
    {
      name: 'evicting',
      spec: { maintenance: 'auto' },
      conditions: [...EMPTIED, 'Evicting=True/Running'],
      reason: 'Evicting',
      message: 'Hypervisor is disabled and evicting',
      state: 'Evicting',
    },
    {
      name: 'evicted',
      spec: { maintenance: 'auto' },
      conditions: [...EMPTIED, 'Evicting=False/Succeeded'],
      reason: 'Evicted',
      message: 'Hypervisor is disabled and evicted',
      state: 'Maintenance',
    },
    {
      name: 'not-evicted',
      spec: { maintenance: 'auto' },
      conditions: [...IN_USE, 'Evicting=False/Failed'],
      reason: 'Maintenance',
      message:
        'Hypervisor is in maintenance mode, but the eviction not-evicted failed: told by a test. See "kubectl describe eviction not-evicted" for the instances that are left',
      state: 'Maintenance',
    },
    {
      name: 'in-maintenance',
      spec: { maintenance: 'ha' },
      conditions: [...IN_USE],
      reason: 'Maintenance',
      message: 'Hypervisor is in maintenance mode',
      state: 'Maintenance',
    },
    {
      name: 'unmanaged',
      spec: { lifecycleEnabled: false },
      conditions: [],
      reason: 'Onboarding',
      message: 'Onboarding not started: lifecycle management is disabled',
      state: 'Initial',
    },
    {
      name: 'unregistered',
      conditions: [],
      ids: { hypervisorId: 'h-1' },
      reason: 'Onboarding',
      message:
        'Onboarding not started: waiting for nova-compute to register the hypervisor in Nova (HypervisorID/ServiceID not yet available)',
      state: 'Initial',
    },
    {
      name: 'registered',
      conditions: [],
      ids: { hypervisorId: 'h-1', serviceId: 's-1' },
      reason: 'Onboarding',
      message: 'Onboarding not started',
      state: 'Initial',
    },
    {
      name: 'aborted',
      conditions: ['Onboarding=False/Aborted'],
      reason: 'Onboarding',
      message: 'Onboarding was aborted',
      state: 'Aborted',
    },
    {
      name: 'halted',
      conditions: ['Onboarding=False/Initial'],
      reason: 'Onboarding',
      message: 'Onboarding not yet completed',
      state: 'Onboarding',
    },
    {
      name: 'lost',
      conditions: ['Onboarding=False/Succeeded', 'HypervisorDisabled=Unknown/NotRegistered'],
      reason: 'NotRegistered',
      message: 'told by a test',
      state: 'Ready',
    },
    {
      name: 'still-open',
      spec: { maintenance: 'auto' },
      conditions: ['Onboarding=False/Succeeded', 'HypervisorDisabled=False/Failed', 'Evicting=True/Running'],
      reason: 'Maintenance',
      message: 'Hypervisor is in maintenance mode, but could not be disabled: told by a test',
      state: 'Evicting',
    },
    {
      name: 'without-libvirt',
      conditions: [...IN_USE, 'LibVirtConnection=False/ConnectFailed'],
      reason: 'LibvirtUnreachable',
      message:
        'The node agent cannot use libvirt (ConnectFailed): told by a test. Look at libvirtd.service on the host',
      state: 'Ready',
    },
  ])('says $reason and $state of a host that is $name', async ({ name, reason, message, state, ...row }) => {
    await givenHypervisor(name, row);

    // What is given comes in two writes, and what was said of the first of them alone may be read in between.
    const hypervisor = await bed.until(
      name,
      (each) => each.status?.lifecycleState === state && readyOf(each)?.message === message,
    );

    expect(readyOf(hypervisor)).toMatchObject({ status: 'False', reason, message });
  });

  it('is ready, and the host active, when it is onboarded and enabled', async () => {
    const name = freshName('active');
    await givenHypervisor(name, { conditions: IN_USE });

    const hypervisor = await bed.until(name, ({ status }) => status?.lifecycleState === 'Active');

    expect(readyOf(hypervisor)).toMatchObject({ status: 'True', reason: 'Ready', message: 'Hypervisor is ready' });
    expect(readyOf(hypervisor)).not.toHaveProperty('observedGeneration');
  });

  it('follows a change of maintenance', async () => {
    const name = freshName('maintained');
    await givenHypervisor(name, { conditions: IN_USE });
    await bed.until(name, ({ status }) => status?.lifecycleState === 'Active');

    await bed.hypervisors.patch(name, 'merge', { spec: { maintenance: 'auto' } });

    const hypervisor = await bed.until(name, ({ status }) => status?.lifecycleState === 'Maintenance');
    expect(readyOf(hypervisor)).toMatchObject({ status: 'False', reason: 'Maintenance' });
  });

  it('bears with a libvirt that is away for a moment, and tells when it stays away', async () => {
    const name = freshName('shaky');
    const conditions = [...IN_USE, 'LibVirtConnection=False/ConnectFailed'];
    await givenHypervisor(name, { conditions: IN_USE });
    await bed.until(name, ({ status }) => status?.lifecycleState === 'Active');
    const looks = bed.metricSum('controller_runtime_reconcile_total');

    await tell(name, { conditions, since: new Date().toISOString() });
    await expect.poll(() => bed.metricSum('controller_runtime_reconcile_total')).toBeGreaterThan(looks);
    await givenHypervisor(`${name}-marker`, { conditions: IN_USE });
    await bed.until(`${name}-marker`, ({ status }) => status?.lifecycleState === 'Active');
    const before = await bed.hypervisors.get(name);
    // Nothing changes any more when the grace ends: only who looks by himself will see it.
    await tell(name, { conditions, since: new Date(Date.now() - GRACE_MS + 1_000).toISOString() });
    const after = await bed.until(name, (hypervisor) => readyOf(hypervisor)?.status === 'False');

    expect(readyOf(before)).toMatchObject({ status: 'True' });
    expect(readyOf(after)).toMatchObject({ reason: 'LibvirtUnreachable' });
    const warning = { type: 'Warning', reason: 'ReadyLibvirtUnreachable' };
    await expect.poll(() => eventsAbout(name)).toContainEqual(warning);
  });

  it('follows the network of the node, whatever the OVSNode is called', async () => {
    const name = freshName('networked');
    await givenHypervisor(name, { conditions: IN_USE });
    await bed.until(name, ({ status }) => status?.lifecycleState === 'Active');

    await givenOvsNode(`switch-of-${name}`, name, 'False');
    const unhealthy = await bed.until(name, ({ status }) => status?.lifecycleState === 'Ready');
    await givenOvsNode(`switch-of-${name}`, name, 'True');
    const healthy = await bed.until(name, ({ status }) => status?.lifecycleState === 'Active');

    expect(readyOf(unhealthy)).toMatchObject({ status: 'False', reason: 'NetworkUnhealthy' });
    expect(readyOf(unhealthy)?.message).toContain('AllBridgesHealthy is False, br-ex is missing');
    expect(readyOf(healthy)).toMatchObject({ status: 'True', reason: 'Ready' });
  });

  it('forgets the trouble of a network nobody tells of any more', async () => {
    const name = freshName('moved');
    await givenHypervisor(name, { conditions: IN_USE });
    await givenOvsNode(name, name, 'False');
    await bed.until(name, (hypervisor) => readyOf(hypervisor)?.reason === 'NetworkUnhealthy');

    await bed.client.resource(ovsNodeKind).delete(name);

    const hypervisor = await bed.until(name, ({ status }) => status?.lifecycleState === 'Active');
    expect(readyOf(hypervisor)).toMatchObject({ status: 'True', reason: 'Ready' });
  });

  it('writes nothing when a look finds all as it was', async () => {
    const name = freshName('still');
    const last = freshName('last');
    await givenHypervisor(name, { conditions: IN_USE });
    const { metadata } = await bed.until(name, ({ status }) => status?.lifecycleState === 'Active');
    const looks = bed.metricSum('controller_runtime_reconcile_total');

    const touched = await bed.hypervisors.patch(name, 'merge', { metadata: { annotations: { touched: 'yes' } } });
    await expect.poll(() => bed.metricSum('controller_runtime_reconcile_total')).toBeGreaterThan(looks);
    await givenHypervisor(last, { conditions: IN_USE });
    await bed.until(last, ({ status }) => status?.lifecycleState === 'Active');

    const { metadata: now } = await bed.hypervisors.get(name);
    expect(touched.metadata.resourceVersion).not.toBe(metadata.resourceVersion);
    expect(now.resourceVersion).toBe(touched.metadata.resourceVersion);
  });
});

async function givenHypervisor(name: string, row: Pick<Row, 'conditions' | 'spec' | 'ids'>): Promise<void> {
  const spec = { lifecycleEnabled: true, ...row.spec };
  await bed.hypervisors.apply(name, { spec }, { fieldManager: 'test' });
  await tell(name, row);
}

async function tell(
  name: string,
  { conditions, ids = {}, since = LONG_AGO }: Pick<Row, 'conditions' | 'ids'> & { readonly since?: string },
): Promise<void> {
  const stated = conditions.map((text) => condition(text, since));
  await bed.hypervisors.applyStatus(name, { numInstances: 0, ...ids, conditions: stated }, { fieldManager: 'test' });
}

function condition(text: string, lastTransitionTime: string): Condition {
  const [, type = '', status, reason = ''] = /^([^=]+)=([^/]+)[/](.+)$/.exec(text) ?? [];
  return { type, status: status as Condition['status'], reason, message: 'told by a test', lastTransitionTime };
}

async function givenOvsNode(name: string, node: string, status: 'True' | 'False'): Promise<void> {
  const ovsNodes = bed.client.resource(ovsNodeKind);
  await ovsNodes.apply(name, { spec: { nodeRef: { name: node } } }, { fieldManager: 'test' });
  const conditions = [
    { type: 'Ready', status, reason: 'Checked', message: '', lastTransitionTime: LONG_AGO },
    { type: 'AllBridgesHealthy', status, reason: 'Checked', message: 'br-ex is missing', lastTransitionTime: LONG_AGO },
  ];
  await ovsNodes.applyStatus(name, { conditions }, { fieldManager: 'test' });
}

async function eventsAbout(name: string): Promise<readonly { readonly type: string; readonly reason: string }[]> {
  const { items } = await bed.client.resource(eventKind).list({ namespace: 'default' });
  return items
    .filter(({ involvedObject }) => involvedObject['name'] === name)
    .map(({ type, reason }) => ({ type, reason }));
}

function readyOf({ status }: Hypervisor): Condition | undefined {
  return findCondition(status?.conditions, 'Ready');
}
