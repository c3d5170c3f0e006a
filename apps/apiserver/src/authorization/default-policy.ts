import type { JsonObject } from '@smalt/json';

import { ALL_AUTHENTICATED, ALL_UNAUTHENTICATED, MASTERS_GROUP } from '../identity/user.ts';
import { editRules, nodeRules, onPaths, onResources, viewRules } from './default-rules.ts';
import { RBAC_GROUP } from './policy-binding.ts';
import type { PolicyPlural } from './policy-index.ts';
import { writePolicyRule, type PolicyRule } from './policy-rule.ts';

/** An object of the policy that every server starts with. */
export interface DefaultPolicyObject {
  readonly plural: PolicyPlural;
  readonly name: string;
  /** Empty for what holds in the whole cluster. */
  readonly namespace: string;
  readonly object: JsonObject;
}

const AGGREGATE = 'rbac.authorization.k8s.io/aggregate-to-';
const HEALTH = '/healthz /livez /readyz';
const CSR = 'certificates.k8s.io';
const KUBERNETES_SIGNERS = ['kube-apiserver-client', 'kube-apiserver-client-kubelet', 'kubelet-serving'];

/**
 * The roles and bindings that exist from the start, as in Kubernetes, with one difference: who shows no credential may
 * see the health of the server and nothing else.
 */
export function defaultPolicy(): readonly DefaultPolicyObject[] {
  return [...plainRoles(), ...aggregatedRoles(), ...certificateRoles(), authenticationReader(), ...bindings()];
}

function plainRoles(): readonly DefaultPolicyObject[] {
  const reviews = [
    onResources('create', 'authentication.k8s.io', 'tokenreviews'),
    onResources('create', 'authorization.k8s.io', 'subjectaccessreviews'),
  ];
  return [
    clusterRole('cluster-admin', [onResources('*', '*', '*'), onPaths('*', '*')]),
    clusterRole('system:discovery', [
      onPaths(`${HEALTH} /version /version/ /openapi /openapi/* /api /api/* /apis /apis/*`),
    ]),
    clusterRole('system:monitoring', [
      onPaths(`/metrics /metrics/slis ${HEALTH} /livez/* /readyz/* /healthz/*`),
      onResources('get', 'core', 'nodes/metrics'),
    ]),
    clusterRole('system:basic-user', [
      onResources('create', 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
      onResources('create', 'authentication.k8s.io', 'selfsubjectreviews'),
    ]),
    clusterRole('system:public-info-viewer', [onPaths(`${HEALTH} /version /version/`)]),
    clusterRole('system:health-viewer', [onPaths(HEALTH)]),
    clusterRole('system:service-account-issuer-discovery', [
      onPaths('/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/'),
    ]),
    clusterRole('system:auth-delegator', reviews),
    clusterRole('system:node', nodeRules()),
    clusterRole('system:kubelet-api-admin', [
      onResources('read', 'core', 'nodes'),
      onResources('proxy', 'core', 'nodes'),
      onResources('*', 'core', 'nodes/proxy nodes/metrics nodes/stats nodes/log'),
      onResources('*', 'core', 'nodes/pods nodes/healthz nodes/configz'),
    ]),
  ];
}

function aggregatedRoles(): readonly DefaultPolicyObject[] {
  return [
    aggregatedRole('admin'),
    aggregatedRole('edit', 'admin'),
    aggregatedRole('view', 'edit'),
    clusterRole(
      'system:aggregate-to-admin',
      [
        onResources('create', 'authorization.k8s.io', 'localsubjectaccessreviews'),
        onResources('read write', RBAC_GROUP, 'roles rolebindings'),
      ],
      { [`${AGGREGATE}admin`]: 'true' },
    ),
    clusterRole('system:aggregate-to-edit', editRules(), { [`${AGGREGATE}edit`]: 'true' }),
    clusterRole('system:aggregate-to-view', viewRules(), { [`${AGGREGATE}view`]: 'true' }),
  ];
}

function certificateRoles(): readonly DefaultPolicyObject[] {
  return [
    clusterRole('system:node-bootstrapper', [onResources('create get list watch', CSR, 'certificatesigningrequests')]),
    clusterRole('system:certificates.k8s.io:certificatesigningrequests:nodeclient', [
      onResources('create', CSR, 'certificatesigningrequests/nodeclient'),
    ]),
    clusterRole('system:certificates.k8s.io:certificatesigningrequests:selfnodeclient', [
      onResources('create', CSR, 'certificatesigningrequests/selfnodeclient'),
    ]),
    ...KUBERNETES_SIGNERS.map((signer) =>
      clusterRole(`system:certificates.k8s.io:${signer}-approver`, [
        onResources('approve', CSR, 'signers', [`kubernetes.io/${signer}`]),
      ]),
    ),
  ];
}

/** What a server behind the aggregation layer needs to learn whom to trust. */
function authenticationReader(): DefaultPolicyObject {
  const name = 'extension-apiserver-authentication-reader';
  const rules = [onResources('read', 'core', 'configmaps', ['extension-apiserver-authentication'])];
  return policyObject('roles', { name, namespace: 'kube-system' }, { rules: rules.map(writePolicyRule) });
}

function bindings(): readonly DefaultPolicyObject[] {
  return [
    clusterRoleBinding('cluster-admin', [MASTERS_GROUP]),
    clusterRoleBinding('system:monitoring', ['system:monitoring']),
    clusterRoleBinding('system:discovery', [ALL_AUTHENTICATED]),
    clusterRoleBinding('system:basic-user', [ALL_AUTHENTICATED]),
    clusterRoleBinding('system:public-info-viewer', [ALL_AUTHENTICATED]),
    clusterRoleBinding('system:health-viewer', [ALL_AUTHENTICATED, ALL_UNAUTHENTICATED]),
    clusterRoleBinding('system:service-account-issuer-discovery', ['system:serviceaccounts']),
  ];
}

function clusterRole(name: string, rules: readonly PolicyRule[], labels: JsonObject = {}): DefaultPolicyObject {
  return policyObject('clusterroles', { name, labels }, { rules: rules.map(writePolicyRule) });
}

function aggregatedRole(name: string, partOf?: string): DefaultPolicyObject {
  const labels = partOf === undefined ? {} : { [`${AGGREGATE}${partOf}`]: 'true' };
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [`${AGGREGATE}${name}`]: 'true' } }] };
  // The rules are filled in by the aggregation, from all roles with that label.
  return policyObject('clusterroles', { name, labels }, { aggregationRule, rules: [] });
}

function clusterRoleBinding(name: string, groups: readonly string[]): DefaultPolicyObject {
  const roleRef = { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name };
  const subjects = groups.map((group) => ({ kind: 'Group', apiGroup: RBAC_GROUP, name: group }));
  return policyObject('clusterrolebindings', { name }, { roleRef, subjects });
}

function policyObject(
  plural: PolicyPlural,
  place: { readonly name: string; readonly namespace?: string; readonly labels?: JsonObject },
  content: JsonObject,
): DefaultPolicyObject {
  const { name, namespace = '', labels = {} } = place;
  const metadata = {
    name,
    ...(namespace === '' ? {} : { namespace }),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
  const object = { apiVersion: `${RBAC_GROUP}/v1`, kind: KINDS[plural], metadata, ...content };
  return { plural, name, namespace, object };
}

const KINDS: Readonly<Record<PolicyPlural, string>> = {
  clusterroles: 'ClusterRole',
  roles: 'Role',
  clusterrolebindings: 'ClusterRoleBinding',
  rolebindings: 'RoleBinding',
};
