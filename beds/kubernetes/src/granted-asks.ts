/** An account, role, binding or policy, as far as rights are read from it. */
export interface RightsObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly {
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  }[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
}

/** The question whether an account may do something: the `spec` of a SubjectAccessReview. */
export interface GrantedAsk {
  readonly user: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
}

/** A question for each account and binding, to which the answer is yes once the server knows of all these objects. */
export function asksOf(objects: readonly RightsObject[]): readonly GrantedAsk[] {
  return objects.flatMap(({ metadata, roleRef, subjects = [] }) => {
    const { namespace } = metadata;
    const role = objects.find(
      (each) =>
        each.kind === roleRef?.kind &&
        each.metadata.name === roleRef.name &&
        (each.kind === 'ClusterRole' || each.metadata.namespace === namespace),
    );
    // A server that knows of one rule of a role knows of them all.
    const [rule] = role?.rules ?? [];
    if (rule === undefined) return [];
    const [group = ''] = rule.apiGroups ?? [];
    const [resource = '', subresource] = rule.resources?.[0]?.split('/') ?? [];
    const [name] = rule.resourceNames ?? [];
    const [verb = ''] = rule.verbs;
    const attributes = { group, resource, verb, subresource, name, namespace };
    const known = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const resourceAttributes = Object.fromEntries(known);
    return subjects
      .filter(({ kind }) => kind === 'ServiceAccount')
      .map((account) => {
        const user = `system:serviceaccount:${account.namespace ?? ''}:${account.name}`;
        return { user, resourceAttributes };
      });
  });
}
