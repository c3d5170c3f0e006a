import { rightText, type Right } from './granted-rights.ts';

/** A right that nobody should have by accident, whose reason stands beside it. */
export interface DangerousRight {
  /** In the words of `rightText`. */
  readonly right: string;
  readonly reason: string;
}

const SECRET_READERS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const ESCALATING_VERBS: ReadonlySet<string> = new Set(['bind', 'escalate', 'impersonate', 'approve', 'sign', 'attest']);
const POWERFUL_RESOURCES: ReadonlySet<string> = new Set([
  'nodes/proxy',
  'pods/exec',
  'pods/attach',
  'pods/portforward',
  'pods/ephemeralcontainers',
  'serviceaccounts/token',
  'certificatesigningrequests/approval',
]);
/** Whoever makes or changes one chooses as whom it runs, what it mounts and whether it is privileged. */
const POD_MAKERS: ReadonlySet<string> = new Set([
  'pods',
  'replicationcontrollers',
  'deployments',
  'daemonsets',
  'statefulsets',
  'replicasets',
  'jobs',
  'cronjobs',
]);
const CHANGING_VERBS: ReadonlySet<string> = new Set(['create', 'update', 'patch']);
const WRITING_VERBS: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const POWERFUL_GROUPS: ReadonlySet<string> = new Set([
  'rbac.authorization.k8s.io',
  'admissionregistration.k8s.io',
  // Whoever says who answers for a part of the API is shown what others ask there.
  'apiregistration.k8s.io',
]);

/** What is never right, whatever the reason. */
export function wildcardRights(rights: readonly Right[]): readonly string[] {
  return rights
    .filter(({ verb, group, resource }) => [verb, group, resource].some((word) => word.includes('*')))
    .map(rightText);
}

/**
 * By which an account reads all secrets of a namespace or of the cluster, or takes the rights of others: those that are given, those of
 * pods that it makes, those of accounts whose token it has made. What it could do by lying about objects, a Node for example, is not
 * among it.
 */
export function dangerousRights(rights: readonly Right[]): readonly string[] {
  return rights.filter((right) => isAllSecrets(right) || isEscalation(right)).map(rightText);
}

function isAllSecrets({ group, resource, verb, name }: Right): boolean {
  return group === '' && resource === 'secrets' && name === '' && SECRET_READERS.has(verb);
}

function isEscalation({ group, resource, verb }: Right): boolean {
  if (ESCALATING_VERBS.has(verb) || POWERFUL_RESOURCES.has(resource)) return true;
  if (POD_MAKERS.has(resource) && CHANGING_VERBS.has(verb)) return true;
  // Kubernetes puts the token of any account of the namespace into a Secret that asks for it.
  if (resource === 'secrets' && verb === 'create') return true;
  return POWERFUL_GROUPS.has(group) && WRITING_VERBS.has(verb);
}
