import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { machine } from '../fixtures/machine-definition.ts';
import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

const SHOWN = [
  { shown: 'pod/p', line: /^QoS Class: +BestEffort$/m },
  { shown: 'deployment/d', line: /^StrategyType: +RollingUpdate$/m },
  { shown: 'replicaset/r', line: /^Replicas: +0 current \/ 2 desired$/m },
  { shown: 'daemonset/ds', line: /^Desired Number of Nodes Scheduled: 0$/m },
  { shown: 'statefulset/st', line: /^Update Strategy: +RollingUpdate$/m },
  { shown: 'job/j', line: /^Parallelism: +1$/m },
  { shown: 'service/s', line: /^Port: +web +80\/TCP$/m },
  { shown: 'networkpolicy/np', line: /PodSelector: +a=b/ },
  { shown: 'configmap/c', line: /^greeting:\n----\nhello$/m },
  { shown: 'secret/x', line: /^key: +5 bytes$/m },
  { shown: 'serviceaccount/sa', line: /^Name: +sa$/m },
  { shown: 'role/reader', line: /^ +pods +\[\] +\[\] +\[get\]$/m },
  { shown: 'rolebinding/reader', line: /^ +User +jane/m },
  { shown: 'clusterrole/view', line: /^ +configmaps +\[\] +\[\] +\[get list watch\]$/m },
  { shown: 'pvc/data', line: /^Access Modes:/m },
  { shown: 'pv/disk', line: /^Capacity: +1Gi$/m },
  { shown: 'quota/q', line: /^Resource +Used +Hard$/m },
  { shown: 'limitrange/l', line: /^Container +cpu/m },
  { shown: 'priorityclass/urgent', line: /^Value: +7$/m },
  { shown: 'storageclass/fast', line: /^Provisioner: +example\.dev\/disk$/m },
  { shown: 'node/n', line: /^Roles: +worker$/m },
  { shown: 'namespace/default', line: /^Status: +Active$/m },
  { shown: 'lease/le', line: /Holder Identity: +me$/m },
  { shown: 'crd/machines.bench.example.dev', line: /^ +Kind: +Machine$/m },
  { shown: 'validatingwebhookconfiguration/hook', line: /^Webhooks:$/m },
];

let bed: KubectlBed;
let described: readonly string[];

beforeAll(async () => {
  bed = await startKubectlBed();
  await bed.output('create -f -', { input: list(everything()) });
  const uid = await bed.output('get machine m -o jsonpath={.metadata.uid}');
  const [sections] = await Promise.all([
    bed.output(`describe ${SHOWN.map(({ shown }) => shown).join(' ')}`),
    bed.output('create -f -', { input: event(uid) }),
  ]);
  described = sections.split(/\n\n\n(?=Name: )/);
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe.concurrent('what is described', () => {
  it('shows a custom object with its events', async () => {
    const text = await bed.output('describe machine m');

    expect(text).toMatch(/^Name: +m\nNamespace: +default\nLabels: +app=bench/);
    expect(text).toMatch(/Spec:\n {2}Cpus: +4\n/);
    expect(text).toMatch(/Events:\n {2}Type +Reason .*\n.*\n {2}Normal +Started .* example +it has started/);
  });

  it.each(SHOWN.map((row, index) => ({ ...row, index })))('shows $shown', ({ line, index }) => {
    expect(described[index]).toMatch(line);
  });

  it.for([
    { shown: 'ingress/i', since: 19, line: /^ +foo\.example/m },
    { shown: 'cronjob/cj', since: 21, line: /^Schedule: +\*\/5 \* \* \* \*$/m },
    { shown: 'pdb/budget', since: 21, line: /^Min available: +1$/m },
    { shown: 'endpointslice/eps', since: 21, line: /^AddressType: +IPv4$/m },
    { shown: 'hpa/h', since: 23, line: /^Max replicas: +3$/m },
  ])('shows $shown', async ({ shown, line, since }, { skip }) => {
    skip(bed.clientMinor < since, 'this kubectl asks for a beta version, which is no longer there');

    expect(await bed.output(`describe ${shown}`)).toMatch(line);
  });

  it('shows what a selector selects, and what a prefix of a name stands for', async () => {
    const [selected, prefixed] = await Promise.all([
      bed.output('describe machines -l app=bench'),
      bed.output('describe configmap kube-root'),
    ]);

    expect(selected).toMatch(/^Name: +m$/m);
    expect(prefixed).toMatch(/^Name: +kube-root-ca\.crt$/m);
  });

  it('says that an object does not exist', async () => {
    expect(await bed.complaint('describe pod nobody')).toBe('Error from server (NotFound): pods "nobody" not found\n');
  });
});

describe.concurrent('events', () => {
  it('lists the events of an object', async ({ skip }) => {
    skip(bed.clientMinor < 23, 'this kubectl has no command events');

    const text = await bed.output('events --for machine/m');

    expect(text).toMatch(/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n.*Normal +Started +Machine\/m +it has started$/m);
  });

  it('gets events by what they are about', async () => {
    const text = await bed.output('get events --field-selector=involvedObject.name=m,reason=Started');

    expect(text).toMatch(/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n.*Normal +Started +machine\/m +it has started$/m);
  });
});

function everything(): readonly JsonObject[] {
  return [...workloads(), ...network(), ...policies(), ...storage(), ...others()];
}

function workloads(): readonly JsonObject[] {
  const container = { name: 'one', image: 'x:1' };
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
  const selector = { matchLabels: { a: 'b' } };
  const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } };
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
  return [
    object('v1', 'Pod', 'p', { spec: { containers: [container] } }),
    object('apps/v1', 'Deployment', 'd', { spec: { replicas: 2, selector, template } }),
    object('apps/v1', 'ReplicaSet', 'r', { spec: { replicas: 2, selector, template } }),
    object('apps/v1', 'DaemonSet', 'ds', { spec: { selector, template } }),
    object('apps/v1', 'StatefulSet', 'st', { spec: { serviceName: 's', selector, template } }),
    object('batch/v1', 'Job', 'j', jobTemplate),
    object('batch/v1', 'CronJob', 'cj', { spec: { schedule: '*/5 * * * *', jobTemplate } }),
    object('autoscaling/v1', 'HorizontalPodAutoscaler', 'h', { spec: { scaleTargetRef, maxReplicas: 3 } }),
  ];
}

function network(): readonly JsonObject[] {
  const backend = { service: { name: 's', port: { number: 80 } } };
  const rules = [{ host: 'foo.example', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }];
  return [
    object('v1', 'Service', 's', { spec: { ports: [{ name: 'web', port: 80 }], selector: { a: 'b' } } }),
    object('networking.k8s.io/v1', 'Ingress', 'i', { spec: { rules } }),
    object('networking.k8s.io/v1', 'NetworkPolicy', 'np', { spec: { podSelector: { matchLabels: { a: 'b' } } } }),
    object('discovery.k8s.io/v1', 'EndpointSlice', 'eps', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'] }],
      ports: [],
    }),
  ];
}

function policies(): readonly JsonObject[] {
  const group = 'rbac.authorization.k8s.io';
  const limit = { type: 'Container', default: { cpu: '1' } };
  return [
    object(`${group}/v1`, 'Role', 'reader', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
    object(`${group}/v1`, 'RoleBinding', 'reader', {
      roleRef: { apiGroup: group, kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'jane' }],
    }),
    object('policy/v1', 'PodDisruptionBudget', 'budget', {
      spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
    }),
    object('v1', 'ResourceQuota', 'q', { spec: { hard: { pods: '3' } }, status: { hard: { pods: '3' } } }),
    object('v1', 'LimitRange', 'l', { spec: { limits: [limit] } }),
    object('scheduling.k8s.io/v1', 'PriorityClass', 'urgent', { value: 7 }),
    object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'hook', { webhooks: [webhook()] }),
  ];
}

function webhook(): JsonObject {
  const rule = { apiGroups: ['nothing.example.dev'], apiVersions: ['v1'], resources: ['x'], operations: ['CREATE'] };
  return {
    name: 'hook.example.dev',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: 'https://127.0.0.1:1/' },
    rules: [rule],
  };
}

function storage(): readonly JsonObject[] {
  const accessModes = ['ReadWriteOnce'];
  return [
    object('v1', 'PersistentVolumeClaim', 'data', {
      spec: { accessModes, resources: { requests: { storage: '1Gi' } } },
    }),
    object('v1', 'PersistentVolume', 'disk', {
      spec: { accessModes, capacity: { storage: '1Gi' }, hostPath: { path: '/data' } },
    }),
    object('storage.k8s.io/v1', 'StorageClass', 'fast', { provisioner: 'example.dev/disk' }),
  ];
}

function others(): readonly JsonObject[] {
  return [
    machine('m'),
    object('v1', 'ConfigMap', 'c', { data: { greeting: 'hello' } }),
    object('v1', 'Secret', 'x', { stringData: { key: 'value' } }),
    object('v1', 'ServiceAccount', 'sa', {}),
    object('v1', 'Node', 'n', { metadata: { name: 'n', labels: { 'node-role.kubernetes.io/worker': '' } } }),
    object('coordination.k8s.io/v1', 'Lease', 'le', { spec: { holderIdentity: 'me' } }),
  ];
}

function event(uid: string): JsonObject {
  const involvedObject = { apiVersion: 'bench.example.dev/v1', kind: 'Machine', name: 'm', namespace: 'default', uid };
  const time = new Date().toISOString().replace(/\.\d+/, '');
  return object('v1', 'Event', 'e', {
    involvedObject,
    type: 'Normal',
    reason: 'Started',
    message: 'it has started',
    source: { component: 'example' },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  });
}

function list(items: readonly JsonObject[]): JsonObject {
  return { apiVersion: 'v1', kind: 'List', items };
}

function object(apiVersion: string, kind: string, name: string, content: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name }, ...content };
}
