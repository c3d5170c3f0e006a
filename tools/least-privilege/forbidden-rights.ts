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
const WRITING_VERBS: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const POWERFUL_GROUPS: ReadonlySet<string> = new Set(['rbac.authorization.k8s.io', 'admissionregistration.k8s.io']);

/** What is never right, whatever the reason. */
export function wildcardRights(rights: readonly Right[]): readonly string[] {
  return rights
    .filter(({ verb, group, resource }) => [verb, group, resource].some((word) => word.includes('*')))
    .map(rightText);
}

/** By which an account reads secrets of the whole cluster, or becomes more than it is. */
export function dangerousRights(rights: readonly Right[]): readonly string[] {
  return rights.filter((right) => isSecretOfAll(right) || isEscalation(right)).map(rightText);
}

function isSecretOfAll({ group, resource, verb, name, namespace }: Right): boolean {
  return group === '' && resource === 'secrets' && name === '' && namespace === '' && SECRET_READERS.has(verb);
}

function isEscalation({ group, resource, verb }: Right): boolean {
  if (ESCALATING_VERBS.has(verb) || POWERFUL_RESOURCES.has(resource)) return true;
  return POWERFUL_GROUPS.has(group) && WRITING_VERBS.has(verb);
}
