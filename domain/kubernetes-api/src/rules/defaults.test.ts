import { isJsonObject, type JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { builtInResources } from '../built-in-resources.ts';
import { subresourceStrategy } from '../subresource-strategy.ts';

const resources = builtInResources();

describe('defaults', () => {
  it('fill in a pod', () => {
    const pod = defaulted('Pod', {
      spec: {
        serviceAccountName: 'web',
        containers: [
          {
            name: 'web',
            image: 'nginx',
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } },
            readinessProbe: { httpGet: { port: 80 } },
            env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          },
        ],
        volumes: [{ name: 'a' }, { name: 'b', configMap: { name: 'c' } }, { name: 'c', hostPath: { path: '/' } }],
      },
    });

    expect(pod['spec']).toEqual({
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
      enableServiceLinks: true,
      serviceAccountName: 'web',
      serviceAccount: 'web',
      containers: [
        {
          name: 'web',
          image: 'nginx',
          imagePullPolicy: 'Always',
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          ports: [{ containerPort: 80, protocol: 'TCP' }],
          resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } },
          readinessProbe: {
            httpGet: { port: 80, path: '/', scheme: 'HTTP' },
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
          env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }],
        },
      ],
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', configMap: { name: 'c', defaultMode: 420 } },
        { name: 'c', hostPath: { path: '/', type: '' } },
      ],
    });
  });

  it.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['registry.example.com:5000/nginx', 'Always'],
    ['nginx:1.27', 'IfNotPresent'],
    ['registry.example.com:5000/nginx:1', 'IfNotPresent'],
    ['nginx@sha256:0123', 'IfNotPresent'],
  ])('pull %s %s', (image, policy) => {
    const pod = defaulted('Pod', { spec: { containers: [{ name: 'a', image }] } });

    expect(pod).toMatchObject({ spec: { containers: [{ imagePullPolicy: policy }] } });
  });

  it.each<{ kind: string; given: JsonObject; filled: JsonObject }>([
    {
      kind: 'Deployment',
      given: {},
      filled: {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
    },
    {
      kind: 'Deployment',
      given: { replicas: 0, strategy: { type: 'Recreate' } },
      filled: { replicas: 0, strategy: { type: 'Recreate' } },
    },
    {
      kind: 'DaemonSet',
      given: {},
      filled: {
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
        revisionHistoryLimit: 10,
      },
    },
    {
      kind: 'StatefulSet',
      given: { volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: {} }] },
      filled: {
        replicas: 1,
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        volumeClaimTemplates: [
          {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            spec: { volumeMode: 'Filesystem' },
            status: { phase: 'Pending' },
          },
        ],
      },
    },
    {
      kind: 'Job',
      given: {},
      filled: {
        completions: 1,
        parallelism: 1,
        backoffLimit: 6,
        completionMode: 'NonIndexed',
        suspend: false,
        podReplacementPolicy: 'TerminatingOrFailed',
      },
    },
    {
      kind: 'CronJob',
      given: {},
      filled: { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
    },
    {
      kind: 'Service',
      given: { ports: [{ port: 80 }], type: 'LoadBalancer', sessionAffinity: 'ClientIP' },
      filled: {
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
        externalTrafficPolicy: 'Cluster',
        internalTrafficPolicy: 'Cluster',
        allocateLoadBalancerNodePorts: true,
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
      },
    },
    { kind: 'PersistentVolumeClaim', given: {}, filled: { volumeMode: 'Filesystem' } },
    { kind: 'NetworkPolicy', given: { egress: [{}] }, filled: { policyTypes: ['Ingress', 'Egress'] } },
  ])('fill in the spec of a $kind', ({ kind, given, filled }) => {
    expect(defaulted(kind, { spec: given })['spec']).toMatchObject(filled);
  });

  it('turn the texts of a secret into its data', () => {
    const secret = defaulted('Secret', { data: { a: 'YQ==', b: 'YQ==' }, stringData: { b: 'ü' } });

    expect(secret).toEqual({ metadata: { name: 'x' }, type: 'Opaque', data: { a: 'YQ==', b: 'w7w=' } });
  });

  it('fill in webhooks', () => {
    const configuration = defaulted('MutatingWebhookConfiguration', {
      webhooks: [{ name: 'a', clientConfig: { service: { name: 's', namespace: 'n' } }, rules: [{}] }],
    });

    expect(configuration['webhooks']).toMatchObject([
      {
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        reinvocationPolicy: 'Never',
        rules: [{ scope: '*' }],
        clientConfig: { service: { port: 443 } },
      },
    ]);
  });

  it('give a namespace its name as a label, and a life', () => {
    const { strategy } = resourceOf('Namespace');

    const namespace = strategy.prepareForCreate(strategy.default({ metadata: { name: 'shop' } }));

    expect(namespace).toEqual({
      metadata: { name: 'shop', labels: { 'kubernetes.io/metadata.name': 'shop' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  });

  it('ask for tokens of an hour', () => {
    const strategy = subresourceStrategy({ group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' });

    expect(strategy?.default({})).toMatchObject({ spec: { expirationSeconds: 3600 } });
  });

  it.each([
    { what: 'nothing', resources: {}, qosClass: 'BestEffort' },
    { what: 'limits', resources: { limits: { cpu: '1', memory: '1Gi' } }, qosClass: 'Guaranteed' },
    { what: 'a request', resources: { requests: { cpu: '1' } }, qosClass: 'Burstable' },
  ])('class a pod that asks for $what as $qosClass and leave its own status out', ({ resources: asked, qosClass }) => {
    const { strategy } = resourceOf('Pod');
    const pod = strategy.default({
      metadata: { name: 'x' },
      spec: { containers: [{ name: 'a', image: 'b', resources: asked }] },
      status: { phase: 'Running' },
    });

    expect(strategy.prepareForCreate(pod)['status']).toEqual({ phase: 'Pending', qosClass });
  });

  it('let rules about other pods select by the labels of the pod that they name', () => {
    const { strategy } = resourceOf('Pod');
    const keys = { matchLabelKeys: ['app', 'none'], mismatchLabelKeys: ['tier'] };
    const rule = { ...keys, labelSelector: { matchLabels: { a: 'b' } } };
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    const podAffinity = { [required]: [rule], [preferred]: [{ weight: 1, podAffinityTerm: rule }] };
    const spec = {
      topologySpreadConstraints: [{ matchLabelKeys: ['app'], labelSelector: {} }, { matchLabelKeys: ['app'] }],
      affinity: { podAffinity, podAntiAffinity: podAffinity },
    };

    const pod = strategy.prepareForCreate({ metadata: { name: 'x', labels: { app: 'web', tier: 'a' } }, spec });

    const like = { key: 'app', operator: 'In', values: ['web'] };
    const unlike = { key: 'tier', operator: 'NotIn', values: ['a'] };
    const full = { ...rule, labelSelector: { matchLabels: { a: 'b' }, matchExpressions: [like, unlike] } };
    const affinity = { [required]: [full], [preferred]: [{ weight: 1, podAffinityTerm: full }] };
    expect(pod['spec']).toMatchObject({
      topologySpreadConstraints: [
        { matchLabelKeys: ['app'], labelSelector: { matchExpressions: [like] } },
        { matchLabelKeys: ['app'] },
      ],
      affinity: { podAffinity: affinity, podAntiAffinity: affinity },
    });
  });

  it('let a job select its pods by its own uid', () => {
    const { strategy } = resourceOf('Job');
    const job = strategy.default({ metadata: { name: 'once', uid: 'u-1' }, spec: { template: { spec: {} } } });

    expect(strategy.prepareForCreate(job)['spec']).toMatchObject({
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u-1' } },
      template: { metadata: { labels: { 'batch.kubernetes.io/job-name': 'once', 'job-name': 'once' } } },
    });
  });
});

it('a node may say how it is when it is created', () => {
  const { strategy } = resourceOf('Node');

  const node = strategy.default({ metadata: { name: 'n' }, status: { capacity: { cpu: '4' } } });

  expect(strategy.prepareForCreate(node)).toMatchObject({
    status: { capacity: { cpu: '4' }, allocatable: { cpu: '4' } },
  });
});

it('an update through the main endpoint keeps the status', () => {
  const { strategy } = resourceOf('Deployment');

  const kept = strategy.prepareForUpdate(
    { spec: { replicas: 2 }, status: { replicas: 9 } },
    { status: { replicas: 1 } },
  );

  expect(kept).toEqual({ spec: { replicas: 2 }, status: { replicas: 1 } });
});

function resourceOf(kind: string): (typeof resources)[number] {
  const resource = resources.find((candidate) => candidate.kind === kind);
  if (resource === undefined) throw new Error(`no resource serves ${kind}`);
  return resource;
}

function defaulted(kind: string, object: JsonObject): JsonObject {
  const result = resourceOf(kind).strategy.default({ metadata: { name: 'x' }, ...object });
  if (!isJsonObject(result)) throw new Error('not an object');
  return result;
}
