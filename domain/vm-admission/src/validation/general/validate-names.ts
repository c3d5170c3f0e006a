import { checkDns1123Label, checkDns1123Subdomain } from '@smalt/kubernetes';
import { goQuote } from '@smalt/resource';

import { invalid, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

/** The host name is one label of a DNS name. */
export function validateHostname({ path, spec }: SpecScope): readonly Cause[] {
  const problems = isGiven(spec.hostname) ? checkDns1123Label(spec.hostname) : [];
  const field = `${path}.hostname`;
  if (problems.length === 0) return [];
  return [invalid(field, `${field} does not conform to the kubernetes DNS_LABEL rules : ${problems.join(', ')}`)];
}

/** The subdomain is a DNS name. */
export function validateSubdomain({ path, spec }: SpecScope): readonly Cause[] {
  const problems = isGiven(spec.subdomain) ? checkDns1123Subdomain(spec.subdomain) : [];
  const field = `${path}.subdomain`;
  if (problems.length === 0) return [];
  return [invalid(field, `${field} does not conform to the kubernetes DNS_SUBDOMAIN rules : ${problems.join(', ')}`)];
}

/** The service account has a good name, and is that of the volume, if there is one. */
export function validateServiceAccountName({ path, spec }: SpecScope): readonly Cause[] {
  const { serviceAccountName: name } = spec;
  if (!isGiven(name)) return [];
  const field = `${path}.serviceAccountName`;
  const problems = checkDns1123Subdomain(name);
  const other = (spec.volumes ?? [])
    .map(({ serviceAccount }) => serviceAccount)
    .find((account) => account !== undefined && account.serviceAccountName !== name);
  return [
    ...(problems.length === 0
      ? []
      : [invalid(field, `${field} is not a valid service account name: ${problems.join('; ')}`)]),
    ...(other === undefined
      ? []
      : [
          invalid(
            field,
            `spec.serviceAccountName ${goQuote(name)} and serviceAccount volume ${goQuote(other.serviceAccountName ?? '')} must reference the same service account`,
          ),
        ]),
  ];
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
