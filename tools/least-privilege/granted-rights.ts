/** An account, role or binding of Kubernetes, as far as rights are read from it. */
export interface RightsObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly RightsRule[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
}

interface RightsRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** One thing that one account may do: a verb on a resource, perhaps of one name, perhaps in one namespace. */
export interface Right {
  readonly account: string;
  readonly verb: string;
  readonly group: string;
  /** With its subresource, such as `pods/status`. */
  readonly resource: string;
  /** Empty: all of them. */
  readonly name: string;
  /** Empty: those of the whole cluster. */
  readonly namespace: string;
}

/** Whoever binds it may read by which certificates the cluster knows callers. Every cluster has it. */
const AUTHENTICATION_READER: RightsObject = {
  kind: 'Role',
  metadata: { name: 'extension-apiserver-authentication-reader', namespace: 'kube-system' },
  rules: [
    {
      apiGroups: [''],
      resources: ['configmaps'],
      resourceNames: ['extension-apiserver-authentication'],
      verbs: ['get'],
    },
  ],
};

/** Everything that accounts may do by these objects, one by one. What is bound to groups is not among it: that is for people. */
export function grantedRights(objects: readonly RightsObject[]): readonly Right[] {
  const roles = [...objects, AUTHENTICATION_READER];
  const rights = objects.flatMap((binding) => {
    const accounts = (binding.subjects ?? []).filter(({ kind }) => kind === 'ServiceAccount');
    const role = roleOf(binding, roles);
    if (role === undefined || accounts.length === 0) return [];
    const namespace = binding.kind === 'RoleBinding' ? (binding.metadata.namespace ?? '') : '';
    return accounts.flatMap(({ name }) => (role.rules ?? []).flatMap((rule) => rightsOf(name, namespace, rule)));
  });
  return [...new Map(rights.map((right) => [rightText(right), right])).values()];
}

/** A right in words: `smalt-virt-api: get pods`, `…: update secrets/x in smalt-system`. */
export function rightText({ account, verb, group, resource, name, namespace }: Right): string {
  const kind = group === '' ? resource : `${resource} of ${group}`;
  return `${account}: ${verb} ${kind}${name === '' ? '' : ` named ${name}`}${namespace === '' ? '' : ` in ${namespace}`}`;
}

function roleOf({ metadata, roleRef }: RightsObject, roles: readonly RightsObject[]): RightsObject | undefined {
  if (roleRef === undefined) return undefined;
  const found = roles.find(
    ({ kind, metadata: own }) =>
      kind === roleRef.kind &&
      own.name === roleRef.name &&
      (kind === 'ClusterRole' || own.namespace === metadata.namespace),
  );
  // One that is not there gives nothing, and a test that reads nothing would find nothing wrong.
  if (found === undefined)
    throw new Error(`${metadata.name} binds the ${roleRef.kind} ${roleRef.name}, which is nowhere`);
  return found;
}

function rightsOf(account: string, namespace: string, rule: RightsRule): readonly Right[] {
  const { apiGroups = [], resources = [], resourceNames = [''], nonResourceURLs = [], verbs } = rule;
  const urls = nonResourceURLs.flatMap((resource) =>
    verbs.map((verb) => ({ account, namespace, verb, group: '', resource, name: '' })),
  );
  const named = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      resourceNames.flatMap((name) => verbs.map((verb) => ({ account, namespace, verb, group, resource, name }))),
    ),
  );
  return [...urls, ...named];
}
