import type { PolicyRule } from './policy-rule.ts';

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** A rule about resources; groups, resources and verbs are separated by spaces, and `core` is the core group. */
export function onResources(
  verbs: string,
  groups: string,
  resources: string,
  resourceNames: string[] = [],
): PolicyRule {
  return {
    verbs: words(verbs).flatMap((verb) => (verb === 'read' ? READ : verb === 'write' ? WRITE : [verb])),
    apiGroups: words(groups).map((group) => (group === 'core' ? '' : group)),
    resources: words(resources).toSorted(),
    resourceNames,
    nonResourceURLs: [],
  };
}

/** A rule that allows to get paths, which are separated by spaces. */
export function onPaths(paths: string, verb = 'get'): PolicyRule {
  return { verbs: [verb], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: words(paths).toSorted() };
}

const NETWORKING = 'networkpolicies ingresses';
const SCALABLE = 'statefulsets statefulsets/scale deployments deployments/scale replicasets replicasets/scale';

/** What someone may see who may see what is in a namespace, except what would let them become someone else. */
export function viewRules(): readonly PolicyRule[] {
  return [
    onResources(
      'read',
      'core',
      'pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status endpoints persistentvolumeclaims persistentvolumeclaims/status configmaps',
    ),
    onResources(
      'read',
      'core',
      'limitranges resourcequotas bindings pods/status resourcequotas/status namespaces/status replicationcontrollers/status pods/log',
    ),
    onResources('read', 'core', 'namespaces'),
    onResources('read', 'core events.k8s.io', 'events'),
    onResources('read', 'discovery.k8s.io', 'endpointslices'),
    onResources(
      'read',
      'apps',
      `controllerrevisions daemonsets daemonsets/status statefulsets/status deployments/status replicasets/status ${SCALABLE}`,
    ),
    onResources('read', 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
    onResources('read', 'batch', 'jobs cronjobs cronjobs/status jobs/status'),
    onResources('read', 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
    onResources('read', 'networking.k8s.io', `${NETWORKING} ingresses/status`),
    onResources('read', 'resource.k8s.io', 'resourceclaims resourceclaims/status resourceclaimtemplates'),
  ];
}

/** What someone may do, beyond seeing, who may change what is in a namespace. */
export function editRules(): readonly PolicyRule[] {
  return [
    onResources('read', 'core', 'pods/attach pods/proxy pods/exec pods/portforward secrets services/proxy'),
    onResources('impersonate', 'core', 'serviceaccounts'),
    onResources('write', 'core', 'pods pods/attach pods/proxy pods/exec pods/portforward'),
    onResources('create', 'core', 'pods/eviction'),
    onResources(
      'write',
      'core',
      'replicationcontrollers replicationcontrollers/scale serviceaccounts services services/proxy persistentvolumeclaims configmaps secrets',
    ),
    onResources('create', 'core', 'serviceaccounts/token'),
    onResources('write', 'core events.k8s.io', 'events'),
    onResources('write', 'apps', `daemonsets deployments/rollback ${SCALABLE}`),
    onResources('write', 'autoscaling', 'horizontalpodautoscalers'),
    onResources('write', 'batch', 'jobs cronjobs'),
    onResources('write', 'policy', 'poddisruptionbudgets'),
    onResources('write', 'networking.k8s.io', NETWORKING),
    onResources('read write', 'coordination.k8s.io', 'leases'),
    onResources('write', 'resource.k8s.io', 'resourceclaims resourceclaimtemplates'),
  ];
}

/** What the agent of a node may do. Bound to nobody unless the operator does so. */
export function nodeRules(): readonly PolicyRule[] {
  return [
    onResources('create', 'authentication.k8s.io', 'tokenreviews'),
    onResources('create', 'authorization.k8s.io', 'subjectaccessreviews localsubjectaccessreviews'),
    onResources('read', 'core', 'services'),
    onResources('create get list watch', 'core', 'nodes'),
    onResources('update patch', 'core', 'nodes/status'),
    onResources('update patch', 'core', 'nodes'),
    onResources('create update patch', 'core events.k8s.io', 'events'),
    onResources('read', 'core', 'pods'),
    onResources('create delete', 'core', 'pods'),
    onResources('update patch', 'core', 'pods/status'),
    onResources('create', 'core', 'pods/eviction'),
    onResources('read', 'core', 'secrets configmaps'),
    onResources('get', 'core', 'persistentvolumeclaims persistentvolumes'),
    onResources('get', 'core', 'endpoints'),
    onResources('create get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
    onResources('get create update patch delete', 'coordination.k8s.io', 'leases'),
    onResources('get', 'storage.k8s.io', 'volumeattachments'),
    onResources('create', 'core', 'serviceaccounts/token'),
    onResources('get update patch', 'core', 'persistentvolumeclaims/status'),
    onResources('read', 'storage.k8s.io', 'csidrivers'),
    onResources('get create update patch delete', 'storage.k8s.io', 'csinodes'),
    onResources('read', 'node.k8s.io', 'runtimeclasses'),
    onResources('get', 'core', 'serviceaccounts'),
  ];
}

function words(text: string): string[] {
  return text.split(' ');
}
