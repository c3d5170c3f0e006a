import type { Resource } from '@smalt/resource';

import { qualifiedName } from '../errors/make-status-error.ts';

/** What differs between kinds in how their objects are written and deleted. */
export interface ResourcePolicy {
  /** Whether a PUT on a name that does not exist creates the object. */
  readonly allowsCreateOnUpdate: boolean;
  /** Whether a PUT without a resourceVersion replaces whatever is there. */
  readonly allowsUnconditionalUpdate: boolean;
  /** Whether a deletion is answered with the object instead of a Status. */
  readonly returnsDeletedObject: boolean;
  /** `constant`: it is 1 and stays so. */
  readonly generation: 'none' | 'constant' | 'counts-spec' | 'counts-all';
  /** What happens to dependents when the request does not say. */
  readonly dependents: 'background' | 'orphan' | 'ignored';
  /** Whether a deletion waits for somebody to stop what the object stands for. */
  readonly isGraceful: boolean;
}

const CREATE_ON_UPDATE = new Set([
  'clusterrolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'endpoints',
  'events',
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
  'limitranges',
  'rolebindings.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'runtimeclasses.node.k8s.io',
  'services',
]);

const CONDITIONAL_UPDATE = new Set([
  'apiservices.apiregistration.k8s.io',
  'csinodes.storage.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'leases.coordination.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'poddisruptionbudgets.policy',
  'runtimeclasses.node.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'volumeattachments.storage.k8s.io',
]);

const RETURNS_OBJECT = new Set([
  'csinodes.storage.k8s.io',
  'namespaces',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'resourcequotas',
  'serviceaccounts',
  'services',
  'storageclasses.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
]);

const HAS_GENERATION = new Set([
  'cronjobs.batch',
  'customresourcedefinitions.apiextensions.k8s.io',
  'daemonsets.apps',
  'deployments.apps',
  'ingressclasses.networking.k8s.io',
  'ingresses.networking.k8s.io',
  'jobs.batch',
  'networkpolicies.networking.k8s.io',
  'poddisruptionbudgets.policy',
  'pods',
  'replicasets.apps',
  'replicationcontrollers',
  'statefulsets.apps',
]);

/** Kinds that keep what they want outside of `spec`: any change but one of the metadata counts. */
const COUNTS_ALL = new Set([
  'endpointslices.discovery.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
]);

const CUSTOM_RESOURCE: ResourcePolicy = {
  allowsCreateOnUpdate: false,
  allowsUnconditionalUpdate: false,
  returnsDeletedObject: false,
  generation: 'counts-all',
  dependents: 'background',
  isGraceful: false,
};

/** The rules for a resource, those of Kubernetes for the kinds it has. */
export function policyOf(resource: Resource): ResourcePolicy {
  if (!resource.isBuiltIn) return CUSTOM_RESOURCE;
  const name = qualifiedName(resource);
  return {
    allowsCreateOnUpdate: CREATE_ON_UPDATE.has(name),
    allowsUnconditionalUpdate: !CONDITIONAL_UPDATE.has(name),
    returnsDeletedObject: RETURNS_OBJECT.has(name),
    generation: generationOf(name),
    dependents: dependentsOf(name),
    isGraceful: name === 'pods',
  };
}

function generationOf(name: string): ResourcePolicy['generation'] {
  if (name === 'priorityclasses.scheduling.k8s.io') return 'constant';
  if (HAS_GENERATION.has(name)) return 'counts-spec';
  return COUNTS_ALL.has(name) ? 'counts-all' : 'none';
}

function dependentsOf(name: string): ResourcePolicy['dependents'] {
  if (name === 'events' || name === 'events.events.k8s.io') return 'ignored';
  return name === 'jobs.batch' || name === 'replicationcontrollers' ? 'orphan' : 'background';
}
