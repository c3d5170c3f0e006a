import { checkDns1123Subdomain, checkLabelValue } from '@smalt/kubernetes';
import { expect, it } from 'vitest';

import { testNode } from '../fixtures/fleet-objects.ts';
import { defaultNodeLifecycleSettings } from './node-lifecycle-settings.ts';
import { signalBudget, signalDeployment, signalName } from './signal-objects.ts';

const node = testNode('n1', { labels: { 'kubernetes.io/hostname': 'host-of-n1' } });
const label = { 'cobaltcore-maintenance-controller': 'maint-n1' };

it('protects the pod of a node that is held, and not that of one that may go', () => {
  const held = signalBudget(node, { isHeld: true, isOnboarded: true }, defaultNodeLifecycleSettings);
  const free = signalBudget(node, { isHeld: false, isOnboarded: true }, defaultNodeLifecycleSettings);

  expect(held).toEqual({
    name: 'maint-n1',
    namespace: 'kube-system',
    fields: {
      metadata: {
        labels: label,
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'uid-of-n1' }],
      },
      spec: { minAvailable: 1, selector: { matchLabels: label } },
    },
  });
  expect(free.fields).toMatchObject({ spec: { minAvailable: 0 } });
});

it('runs one pod on exactly this node, which stays whatever the taints are', () => {
  const { fields } = signalDeployment(node, { isHeld: true, isOnboarded: false }, defaultNodeLifecycleSettings);

  expect(fields).toMatchObject({
    spec: {
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: label },
      template: {
        metadata: { labels: { ...label, 'node.gardener.cloud/critical-component': 'true' } },
        spec: {
          hostNetwork: true,
          terminationGracePeriodSeconds: 1,
          nodeSelector: { 'kubernetes.io/hostname': 'host-of-n1' },
          tolerations: [
            { effect: 'NoExecute', operator: 'Exists' },
            { effect: 'NoSchedule', operator: 'Exists' },
          ],
          containers: [{ name: 'sleep', image: 'docker.io/library/busybox:1.37' }],
        },
      },
    },
  });
});

it.each([
  { isOnboarded: false, command: '/bin/false' },
  { isOnboarded: true, command: '/bin/true' },
])('is ready when the node is onboarded: $isOnboarded', ({ isOnboarded, command }) => {
  const { fields } = signalDeployment(node, { isHeld: true, isOnboarded }, defaultNodeLifecycleSettings);

  const startupProbe = { exec: { command: [command] }, periodSeconds: 1, failureThreshold: 1, successThreshold: 1 };
  expect(fields).toMatchObject({ spec: { template: { spec: { containers: [{ startupProbe }] } } } });
});

it('finds a node that has no hostname label by its name', () => {
  const { fields } = signalDeployment(
    testNode('n1'),
    { isHeld: true, isOnboarded: true },
    defaultNodeLifecycleSettings,
  );

  const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['n1'] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
  expect(fields).toMatchObject({ spec: { template: { spec: { affinity } } } });
});

it.each([
  { what: 'short', name: 'n1' },
  { what: 'as long as a label can be', name: 'n'.repeat(57) },
  { what: 'longer', name: 'n'.repeat(58) },
  { what: 'as long as can be', name: `${'n'.repeat(46)}.${'n'.repeat(63)}.${'n'.repeat(63)}.${'n'.repeat(63)}` },
])('has a name that is a label too when that of the node is $what', ({ name }) => {
  const signal = signalName(name);

  expect([...checkLabelValue(signal), ...checkDns1123Subdomain(signal)]).toEqual([]);
  expect(signal === `maint-${name}`).toBe(name.length <= 57);
});

it('tells long names apart', () => {
  const name = 'n'.repeat(100);

  expect(signalName(`${name}1`)).not.toBe(signalName(`${name}2`));
});
