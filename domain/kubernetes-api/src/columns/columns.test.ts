import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';
import { humanDuration } from '@smalt/kubernetes';

import { builtInResources } from '../built-in-resources.ts';

const NOW = new Date('2026-01-10T00:00:00Z');
const resources = builtInResources();

describe('humanDuration', () => {
  it.each([
    [-5, '<invalid>'],
    [-1, '0s'],
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [130, '2m10s'],
    [599, '9m59s'],
    [600, '10m'],
    [10_799, '179m'],
    [10_800, '3h'],
    [12_000, '3h20m'],
    [28_800, '8h'],
    [172_799, '47h'],
    [172_800, '2d'],
    [180_000, '2d2h'],
    [691_200, '8d'],
    [63_072_000, '2y'],
    [66_000_000, '2y33d'],
    [300_000_000, '9y'],
  ])('says %s seconds as %s', (seconds, text) => {
    expect(humanDuration(seconds * 1000)).toBe(text);
  });
});

describe('a row of kubectl get', () => {
  it.each<{ what: string; status: JsonObject; cells: readonly unknown[] }>([
    { what: 'a new pod', status: { phase: 'Pending' }, cells: ['0/1', 'Pending', '0'] },
    {
      what: 'a running pod',
      status: { phase: 'Running', containerStatuses: [{ ready: true, restartCount: 0, state: { running: {} } }] },
      cells: ['1/1', 'Running', '0'],
    },
    {
      what: 'a pod that crashes',
      status: {
        phase: 'Running',
        containerStatuses: [
          {
            restartCount: 3,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { finishedAt: '2026-01-09T23:55:00Z', exitCode: 1 } },
          },
        ],
      },
      cells: ['0/1', 'CrashLoopBackOff', '3 (5m ago)'],
    },
    {
      what: 'a pod that is done',
      status: {
        phase: 'Succeeded',
        containerStatuses: [{ restartCount: 0, state: { terminated: { reason: 'Completed', exitCode: 0 } } }],
      },
      cells: ['0/1', 'Completed', '0'],
    },
    {
      what: 'a pod that failed without a word',
      status: {
        phase: 'Failed',
        containerStatuses: [{ restartCount: 0, state: { terminated: { signal: 9, exitCode: 137 } } }],
      },
      cells: ['0/1', 'Signal:9', '0'],
    },
    {
      what: 'a pod that waits for its gate',
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
      cells: ['0/1', 'SchedulingGated', '0'],
    },
  ])('shows $what', ({ status, cells }) => {
    const pod = { ...object(), spec: { containers: [{ name: 'a' }] }, status };

    expect(row('Pod', pod).slice(0, 3)).toEqual(cells);
  });

  it('shows how far the init containers of a pod are', () => {
    const done = { state: { terminated: { exitCode: 0 } }, restartCount: 0 };
    const pod = {
      ...object(),
      spec: { containers: [{ name: 'a' }], initContainers: [{ name: 'x' }, { name: 'y' }] },
      status: { phase: 'Pending', initContainerStatuses: [done, { state: { running: {} }, restartCount: 0 }] },
    };

    expect(row('Pod', pod).slice(0, 2)).toEqual(['0/1', 'Init:1/2']);
  });

  it('shows that a pod is going away', () => {
    const pod = { metadata: { name: 'x', deletionTimestamp: '2026-01-10T00:00:00Z' }, status: { phase: 'Running' } };

    expect(row('Pod', pod)[1]).toBe('Terminating');
  });

  it.each<{ kind: string; given: JsonObject; cells: readonly unknown[] }>([
    {
      kind: 'Node',
      given: {
        metadata: {
          name: 'n',
          creationTimestamp: '2026-01-05T00:00:00Z',
          labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'edge' },
        },
        spec: { unschedulable: true },
        status: { conditions: [{ type: 'Ready', status: 'False' }], nodeInfo: { kubeletVersion: 'v1.36.0' } },
      },
      cells: [
        'NotReady,SchedulingDisabled',
        'edge,worker',
        '5d',
        'v1.36.0',
        '<none>',
        '<none>',
        '<unknown>',
        '<unknown>',
        '<unknown>',
      ],
    },
    {
      kind: 'Deployment',
      given: {
        spec: {
          replicas: 3,
          selector: {
            matchLabels: { app: 'web' },
            matchExpressions: [{ key: 'tier', operator: 'In', values: ['b', 'a'] }],
          },
          template: {
            spec: {
              containers: [
                { name: 'a', image: 'i' },
                { name: 'b', image: 'j' },
              ],
            },
          },
        },
        status: { readyReplicas: 2, updatedReplicas: 1, availableReplicas: 2 },
      },
      cells: ['2/3', 1, 2, '5d', 'a,b', 'i,j', 'app=web,tier in (a,b)'],
    },
    {
      kind: 'Service',
      given: {
        spec: {
          type: 'NodePort',
          clusterIPs: ['10.0.0.1'],
          ports: [
            { port: 80, nodePort: 30_080, protocol: 'TCP' },
            { port: 53, protocol: 'UDP' },
          ],
        },
      },
      cells: ['NodePort', '10.0.0.1', '<none>', '80:30080/TCP,53/UDP', '5d', '<none>'],
    },
    { kind: 'Secret', given: { type: 'Opaque', data: { a: '', b: '' } }, cells: ['Opaque', 2, '5d'] },
    { kind: 'ConfigMap', given: { data: { a: '' }, binaryData: { b: '' } }, cells: [2, '5d'] },
    {
      kind: 'Job',
      given: { spec: { completions: 2 }, status: { succeeded: 1, startTime: '2026-01-09T23:58:20Z' } },
      cells: ['Running', '1/2', '100s', '5d', '', '', '<none>'],
    },
    {
      kind: 'Event',
      given: {
        lastTimestamp: '2026-01-09T23:50:00Z',
        firstTimestamp: '2026-01-09T23:00:00Z',
        type: 'Normal',
        reason: 'Started',
        message: 'It started. ',
        count: 3,
        involvedObject: { kind: 'Pod', name: 'web', fieldPath: 'spec' },
        source: { component: 'kubelet', host: 'n1' },
      },
      cells: ['10m', 'Normal', 'Started', 'pod/web', 'spec', 'kubelet, n1', 'It started.', '60m', 3, 'x'],
    },
    {
      kind: 'CertificateSigningRequest',
      given: {
        spec: { signerName: 'a/b', username: 'eve', expirationSeconds: 3600 },
        status: { conditions: [{ type: 'Approved' }], certificate: 'AA==' },
      },
      cells: ['5d', 'a/b', 'eve', '60m', 'Approved,Issued'],
    },
    { kind: 'PodDisruptionBudget', given: { spec: { minAvailable: '50%' } }, cells: ['50%', 'N/A', 0, '5d'] },
    { kind: 'CustomResourceDefinition', given: {}, cells: ['2026-01-05T00:00:00Z'] },
    {
      kind: 'PersistentVolumeClaim',
      given: {
        spec: { volumeName: 'v', storageClassName: 's', volumeMode: 'Block' },
        status: { phase: 'Bound', accessModes: ['ReadWriteMany', 'ReadWriteOnce'], capacity: { storage: '1Gi' } },
      },
      cells: ['Bound', 'v', '1Gi', 'RWO,RWX', 's', '<unset>', '5d', 'Block'],
    },
    {
      kind: 'ClusterRoleBinding',
      given: {
        roleRef: { kind: 'ClusterRole', name: 'r' },
        subjects: [
          { kind: 'User', name: 'u' },
          { kind: 'ServiceAccount', namespace: 'n', name: 's' },
        ],
      },
      cells: ['ClusterRole/r', '5d', 'u', '', 'n/s'],
    },
    {
      kind: 'StorageClass',
      given: {
        metadata: {
          name: 's',
          creationTimestamp: '2026-01-05T00:00:00Z',
          annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
        },
        provisioner: 'p',
      },
      cells: ['s (default)', 'p', 'Delete', 'Immediate', false, '5d'],
    },
  ])('shows a $kind', ({ kind, given, cells }) => {
    expect(row(kind, { ...object(), ...given })).toEqual(cells);
  });
});

function object(): JsonObject {
  return { metadata: { name: 'x', creationTimestamp: '2026-01-05T00:00:00Z' } };
}

function row(kind: string, given: JsonObject): readonly unknown[] {
  const resource = resources.find((candidate) => candidate.kind === kind);
  return (resource?.columns ?? []).map((column) => column.cell(given, NOW));
}
