import type { JsonObject, JsonValue } from '@smalt/json';

import { get, patch, post, probe, put, remove, until, type Probe, type RequestStep, type UntilStep } from '../probe.ts';
import { CONFIG_MAPS, DEFINITIONS, DEPLOYMENTS, MACHINES, PODS, SECRETS } from '../paths.ts';
import { configMap, definition, deployment, machine, pod, role } from '../sample-objects.ts';

const ACCOUNTS = '/api/v1/namespaces/{ns}/serviceaccounts';
const REVIEWS = '/apis/authorization.k8s.io/v1';
const scale = (replicas: unknown, metadata = {}): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', namespace: '{ns}', ...metadata },
  spec: { replicas: Number(replicas) },
});
const review = (kind: string, spec: JsonObject): JsonObject => ({ apiVersion: 'authorization.k8s.io/v1', kind, spec });
const as = (user: string, ...groups: string[]): { headers: Record<string, string> } => ({
  headers: { 'impersonate-user': user, ...(groups[0] === undefined ? {} : { 'impersonate-group': groups[0] }) },
});
const binding = (name: string, role: string, user: string): JsonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
});
const may = (verb: string, resource: string, group = ''): UntilStep =>
  until(
    post(
      `${REVIEWS}/subjectaccessreviews`,
      review('SubjectAccessReview', { user: 'jane', resourceAttributes: { verb, resource, group, namespace: '{ns}' } }),
    ),
    'status.allowed',
    true,
  );
const RBAC = 'rbac.authorization.k8s.io';
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings';

/** Rights for somebody, and the role that gives them. */
const given = (user: string, rules: JsonValue): RequestStep[] => [
  post('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles', role('given', rules)),
  post(BINDINGS, { ...binding('given', 'given', user), roleRef: { apiGroup: RBAC, kind: 'Role', name: 'given' } }),
];

/** Subresources, reviews, tokens, definitions and acting as somebody else. */
export const subresourceProbes: readonly Probe[] = [
  probe(
    'the scale of a Deployment',
    post(DEPLOYMENTS, deployment('a')),
    get(`${DEPLOYMENTS}/a/scale`),
    put(`${DEPLOYMENTS}/a/scale`, scale(5)),
    patch('merge', `${DEPLOYMENTS}/a/scale`, { spec: { replicas: 6 } }),
    patch('json', `${DEPLOYMENTS}/a/scale`, [{ op: 'replace', path: '/spec/replicas', value: 7 }]),
    patch('apply', `${DEPLOYMENTS}/a/scale?fieldManager=x&force=true`, scale(8)),
    get(`${DEPLOYMENTS}/a`),
  ),
  probe(
    'scales that are not valid',
    post(DEPLOYMENTS, deployment('a')),
    put(`${DEPLOYMENTS}/a/scale`, scale(-1)),
    put(`${DEPLOYMENTS}/a/scale`, scale(3, { resourceVersion: '1' })),
    put(`${DEPLOYMENTS}/nothing/scale`, { ...scale(3), metadata: { name: 'nothing' } }),
    patch('merge', `${DEPLOYMENTS}/a/scale`, { spec: { replicas: 'x' } }),
  ),
  probe(
    'the scale of a Machine',
    post(MACHINES, machine('a')),
    get(`${MACHINES}/a/scale`),
    put(`${MACHINES}/a/scale`, scale(5)),
    patch('merge', `${MACHINES}/a/scale`, { spec: { replicas: 6 } }),
    patch('merge', `${MACHINES}/a/status`, { status: { replicas: 6, selector: 'a=b' } }),
    get(`${MACHINES}/a/scale`),
    put(`${MACHINES}/a/scale`, scale(-1)),
    get(`${MACHINES}/a`),
  ),
  probe(
    'the status of a Deployment',
    post(DEPLOYMENTS, deployment('a')),
    get(`${DEPLOYMENTS}/a/status`),
    put(`${DEPLOYMENTS}/a/status`, {
      ...deployment('a', { replicas: 9 }),
      status: { replicas: 1, observedGeneration: 1 },
    }),
    patch('strategic', `${DEPLOYMENTS}/a/status`, { status: { conditions: [{ type: 'Available', status: 'True' }] } }),
  ),
  probe(
    'the status of a Machine',
    post(MACHINES, machine('a')),
    put(`${MACHINES}/a/status`, { ...machine('a', { cpus: 9 }, { labels: { a: 'b' } }), status: { phase: 'Up' } }),
    patch('json', `${MACHINES}/a/status`, [{ op: 'replace', path: '/status/phase', value: 'Down' }]),
    patch('merge', `${MACHINES}/a/status`, { status: { replicas: 'x' } }),
    get(`${MACHINES}/nothing/status`),
  ),
  probe(
    'a Pod is bound',
    post(PODS, pod('a')),
    post(`${PODS}/a/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'a' },
      target: { kind: 'Node', name: 'n1' },
    }),
    get(`${PODS}/a`),
    post(`${PODS}/a/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'a' },
      target: { kind: 'Node', name: 'n2' },
    }),
    post(`${PODS}/a/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'a' },
      target: { kind: 'Pod', name: '' },
    }),
  ),
  probe(
    'a Pod is evicted',
    post(PODS, pod('a')),
    post(`${PODS}/a/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'a', namespace: '{ns}' },
    }),
    get(`${PODS}/a`),
    post(`${PODS}/a/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } }),
  ),
  probe(
    'the log of a Pod that nobody runs',
    post(PODS, pod('a')),
    get(`${PODS}/a/log`),
    get(`${PODS}/nothing/log`),
    get(`${PODS}/a/log?container=odd`),
    get(`${PODS}/a/log?tailLines=-1`),
  ),
  probe(
    'a token',
    post(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } }),
    post(`${ACCOUNTS}/a/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 3600 },
    }),
    post(`${ACCOUNTS}/a/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 5 },
    }),
    post(`${ACCOUNTS}/nothing/token`, { spec: {} }),
    post(`${ACCOUNTS}/a/token`, {
      spec: { audiences: ['x'], boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } },
    }),
  ),
  probe(
    'a review of a token',
    post('/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: 'nonsense' },
    }),
    post('/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: {},
    }),
  ),
  probe(
    'who am I',
    post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      as('jane', 'devs'),
    ),
  ),
  probe(
    'may I',
    post(
      `${REVIEWS}/selfsubjectaccessreviews`,
      review('SelfSubjectAccessReview', { resourceAttributes: { verb: 'get', resource: 'pods', namespace: '{ns}' } }),
    ),
    post(
      `${REVIEWS}/selfsubjectaccessreviews`,
      review('SelfSubjectAccessReview', { resourceAttributes: { verb: 'get', resource: 'pods' } }),
      as('jane'),
    ),
    post(
      `${REVIEWS}/selfsubjectaccessreviews`,
      review('SelfSubjectAccessReview', { nonResourceAttributes: { verb: 'get', path: '/x' } }),
    ),
    post(`${REVIEWS}/selfsubjectaccessreviews`, review('SelfSubjectAccessReview', {})),
  ),
  probe(
    'may she',
    ...given('jane', [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }]),
    may('list', 'pods'),
    post(
      `${REVIEWS}/subjectaccessreviews`,
      review('SubjectAccessReview', {
        user: 'jane',
        resourceAttributes: { verb: 'list', resource: 'pods', namespace: '{ns}' },
      }),
    ),
    post(
      `${REVIEWS}/subjectaccessreviews`,
      review('SubjectAccessReview', {
        user: 'jane',
        resourceAttributes: { verb: 'delete', resource: 'pods', namespace: '{ns}' },
      }),
    ),
    post(
      `${REVIEWS}/subjectaccessreviews`,
      review('SubjectAccessReview', { resourceAttributes: { verb: 'get', resource: 'pods' } }),
    ),
    post(
      `${REVIEWS}/namespaces/{ns}/localsubjectaccessreviews`,
      review('LocalSubjectAccessReview', {
        user: 'jane',
        resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'other' },
      }),
    ),
  ),
  probe(
    'what may I',
    ...given('jane', [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }]),
    may('list', 'pods'),
    post(`${REVIEWS}/selfsubjectrulesreviews`, review('SelfSubjectRulesReview', { namespace: '{ns}' }), as('jane')),
    post(`${REVIEWS}/selfsubjectrulesreviews`, review('SelfSubjectRulesReview', {})),
  ),
  probe(
    'acting as somebody who may not',
    get(`${CONFIG_MAPS}/a`, as('jane')),
    get(CONFIG_MAPS, as('jane')),
    post(CONFIG_MAPS, configMap('a'), as('jane')),
    remove(CONFIG_MAPS, undefined, as('jane')),
    get('/api/v1/namespaces/{ns}', as('jane')),
    get('/api/v1/nodes/a', as('jane')),
    get(`${MACHINES}/a/status`, as('jane')),
    get('/metrics', as('jane')),
    get('/apis', as('jane')),
    get(`${SECRETS}?watch=true`, as('jane')),
  ),
  probe(
    'acting as somebody who may',
    ...given('jane', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }]),
    may('create', 'configmaps'),
    post(CONFIG_MAPS, configMap('a'), as('jane')),
    post(BINDINGS, binding('c', 'admin', 'joe'), as('jane')),
    get(MACHINES, as('jane')),
  ),
  probe(
    'acting as somebody half told',
    get(CONFIG_MAPS, { headers: { 'impersonate-group': 'devs' } }),
    get(CONFIG_MAPS, as('system:serviceaccount:{ns}:x')),
    get(CONFIG_MAPS, { headers: { 'impersonate-user': 'jane', 'impersonate-extra-scopes': 'x' } }),
  ),
  probe(
    'an escalation',
    ...given('jane', [
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: ['create', 'get'] },
    ]),
    may('create', 'roles', 'rbac.authorization.k8s.io'),
    post(
      '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles',
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'r' },
        rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
      },
      as('jane'),
    ),
    post(BINDINGS, binding('c', 'cluster-admin', 'jane'), as('jane')),
  ),
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
      ...deployment('a', { replicas: undefined as never }),
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
