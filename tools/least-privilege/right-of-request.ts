import type { AccountRequest } from './account-request.ts';
import type { Right } from './granted-rights.ts';

/** Where the chart has its accounts. A test may put all of it into another namespace, as a release may be. */
const OWN_NAMESPACES: ReadonlySet<string> = new Set(['smalt-system', 'ovn-system']);

/** Whether a right is the one that such a request takes. */
export function isRightTo(request: AccountRequest, right: Right): boolean {
  return kindOf(request) === kindOf(right) && isCovered(request, right);
}

/** Whether a right is wide enough for a request of its kind. */
export function isCovered(request: AccountRequest, right: Right): boolean {
  const isNamed = right.name === '' || right.name === request.name;
  const isOwn = request.namespace === request.accountNamespace && !OWN_NAMESPACES.has(request.namespace);
  return isNamed && (right.namespace === '' || right.namespace === request.namespace || isOwn);
}

/** What a right and a request have in common, beside names. */
export function kindOf({
  account,
  verb,
  group,
  resource,
}: Pick<Right, 'account' | 'verb' | 'group' | 'resource'>): string {
  return [account, verb, group, resource].join(' ');
}
