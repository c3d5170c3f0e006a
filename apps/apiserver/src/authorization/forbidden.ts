import { goQuote } from '@smalt/resource';

import { forbiddenError } from '../errors/make-status-error.ts';
import type { StatusError } from '../errors/status-error.ts';
import type { User } from '../identity/user.ts';
import type { Attributes } from './authorizer.ts';

/** The refusal that a request gets which the authorizer did not allow. */
export function requestForbiddenError(user: User, attributes: Attributes, reason: string): StatusError {
  const message = forbiddenMessage(user, attributes)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  const why = reason === '' ? message : `${message}: ${reason}`;
  return forbiddenError({ group: attributes.group, plural: attributes.resource }, attributes.name, why);
}

function forbiddenMessage(user: User, attributes: Attributes): string {
  const { verb, group, resource, subresource, namespace, path } = attributes;
  const who = `User ${goQuote(user.name)} cannot ${verb}`;
  if (!attributes.isResourceRequest) return `${who} path ${goQuote(path)}`;
  const what = goQuote(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  return `${who} resource ${what} in API group ${goQuote(group)} ${where}`;
}
