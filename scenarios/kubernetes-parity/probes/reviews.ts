import type { JsonObject, JsonValue } from '@smalt/json';

import { get, post, probe, remove, until, type Probe, type RequestStep, type UntilStep } from '../probe.ts';
import { CONFIG_MAPS, MACHINES, SECRETS } from '../paths.ts';
import { configMap, role } from '../sample-objects.ts';

const REVIEWS = '/apis/authorization.k8s.io/v1';
const review = (kind: string, spec: JsonObject): JsonObject => ({ apiVersion: 'authorization.k8s.io/v1', kind, spec });
const as = (user: string, ...groups: string[]): { headers: Record<string, string> } => ({
  headers: { 'impersonate-user': user, ...(groups[0] === undefined ? {} : { 'impersonate-group': groups[0] }) },
});
const binding = (name: string, roleName: string, user: string): JsonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleName },
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

/** Who may do what, and acting as somebody else. */
export const reviewProbes: readonly Probe[] = [
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
];
