import { isJsonObject, type JsonObject } from '@smalt/json';

import { get, patch, post, probe, remove, until, type Probe } from '../probe.ts';
import { DEFINITIONS } from '../paths.ts';
import { definition, deployment } from '../sample-objects.ts';

const ACCOUNTS = '/api/v1/namespaces/{ns}/serviceaccounts';

function withoutReplicas(object: JsonObject): JsonObject {
  const { replicas: _replicas, ...spec } = isJsonObject(object['spec']) ? object['spec'] : {};
  return { ...object, spec };
}

/** Definitions, and kinds that few clients touch. */
export const otherKindProbes: readonly Probe[] = [
  probe(
    'the life of a definition',
    post(DEFINITIONS, definition('things', 'Thing')),
    until(get(`${DEFINITIONS}/things.{group}`), 'status.conditions.1.status', 'True'),
    get(`${DEFINITIONS}/things.{group}/status`),
    remove(`${DEFINITIONS}/things.{group}`),
  ),
  probe(
    'the names of a definition are taken',
    post(DEFINITIONS, definition('others', 'Machine')),
    until(get(`${DEFINITIONS}/others.{group}`), 'status.conditions.0.status', 'False'),
    remove(`${DEFINITIONS}/others.{group}`),
  ),
  probe(
    'what of a definition may change',
    patch('merge', `${DEFINITIONS}/machines.{group}`, { spec: { scope: 'Cluster' } }),
    patch('merge', `${DEFINITIONS}/machines.{group}`, { spec: { group: 'other.dev' } }),
  ),
  probe(
    'a definition for a protected group',
    post(DEFINITIONS, {
      ...definition('things', 'Thing', { group: 'x.k8s.io' }),
      metadata: { name: 'things.x.k8s.io' },
    }),
  ),
  probe(
    'a PriorityClass',
    post('/apis/scheduling.k8s.io/v1/priorityclasses', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: '{ns}' },
      value: 5,
    }),
    patch('merge', '/apis/scheduling.k8s.io/v1/priorityclasses/{ns}', { value: 6 }),
    patch('merge', '/apis/scheduling.k8s.io/v1/priorityclasses/{ns}', { description: 'x' }),
    remove('/apis/scheduling.k8s.io/v1/priorityclasses/{ns}'),
  ),
  probe(
    'a Node',
    post('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: '{ns}' } }),
    patch('strategic', '/api/v1/nodes/{ns}', { spec: { unschedulable: true } }),
    patch('strategic', '/api/v1/nodes/{ns}/status', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
    get('/api/v1/nodes/{ns}', { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }),
    remove('/api/v1/nodes/{ns}'),
  ),
  probe(
    'a PodDisruptionBudget',
    post('/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'a' },
      spec: { minAvailable: 1, maxUnavailable: 1, selector: { matchLabels: { a: 'b' } } },
    }),
    post('/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'a' },
      spec: { minAvailable: '50%', selector: { matchLabels: { a: 'b' } } },
    }),
  ),
  probe(
    'a claim for a volume',
    post('/api/v1/namespaces/{ns}/persistentvolumeclaims', {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'a' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
    patch('merge', '/api/v1/namespaces/{ns}/persistentvolumeclaims/a', {
      spec: { resources: { requests: { storage: '2Gi' } } },
    }),
    remove('/api/v1/namespaces/{ns}/persistentvolumeclaims/a'),
  ),
  probe(
    'a ServiceAccount',
    post(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } }),
    remove(`${ACCOUNTS}/a`),
  ),
  probe(
    'a DaemonSet',
    post('/apis/apps/v1/namespaces/{ns}/daemonsets', {
      ...withoutReplicas(deployment('a')),
      kind: 'DaemonSet',
    }),
  ),
  probe(
    'a Job',
    post('/apis/batch/v1/namespaces/{ns}/jobs', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a' },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
    }),
    remove('/apis/batch/v1/namespaces/{ns}/jobs/a'),
  ),
  probe(
    'a webhook configuration',
    post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: '{ns}' },
      webhooks: [
        {
          name: 'a.example.dev',
          clientConfig: { url: 'https://127.0.0.1:1/x' },
          rules: [{ apiGroups: ['none.dev'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    }),
    post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: '{ns}-b' },
      webhooks: [{ name: 'a', clientConfig: {}, rules: [], sideEffects: 'Some', admissionReviewVersions: [] }],
    }),
    remove('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/{ns}'),
  ),
  probe(
    'a request to be certified that is not valid',
    post('/apis/certificates.k8s.io/v1/certificatesigningrequests', {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: '{ns}' },
      spec: { request: 'eA==', signerName: 'odd', usages: ['odd'] },
    }),
  ),
];
