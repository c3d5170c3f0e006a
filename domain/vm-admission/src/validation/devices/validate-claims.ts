import { checkDns1123Label, checkDns1123Subdomain } from '@smalt/kubernetes';
import { goQuote } from '@smalt/resource';
import type { VirtualMachineInstanceResourceClaim } from '@smalt/vm-api';

import { duplicate, invalid, required, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

/** Resource claims have names that differ, and each is either there already or made from a template. */
export function validateResourceClaims({ path, spec }: SpecScope): readonly Cause[] {
  const { resourceClaims: claims = [] } = spec;
  return claims.flatMap((claim, index) => {
    const field = `${path}.resourceClaims[${index}]`;
    const isRepeated = claims.slice(0, index).some(({ name }) => name === claim.name);
    return [...validateName(claim.name, isRepeated, `${field}.name`), ...validateTarget(claim, field)];
  });
}

function validateName(name: string, isRepeated: boolean, field: string): readonly Cause[] {
  if (name === '') return [required(field, `${field} is a required field`)];
  if (isRepeated) return [duplicate(field, `duplicate resourceClaims name ${goQuote(name)}`)];
  const problems = checkDns1123Label(name);
  if (problems.length === 0) return [];
  return [invalid(field, `${field} does not conform to the kubernetes DNS_LABEL rules: ${problems.join(', ')}`)];
}

function validateTarget(claim: VirtualMachineInstanceResourceClaim, field: string): readonly Cause[] {
  const { resourceClaimName: name, resourceClaimTemplateName: template } = claim;
  const both = 'at most one of resourceClaimName or resourceClaimTemplateName may be specified';
  const neither = 'must specify one of: resourceClaimName, resourceClaimTemplateName';
  return [
    ...(name !== undefined && template !== undefined ? [invalid(field, both)] : []),
    ...(name === undefined && template === undefined ? [invalid(field, neither)] : []),
    ...checkDns1123Subdomain(name ?? 'good').map((problem) => invalid(`${field}.resourceClaimName`, problem)),
    ...checkDns1123Subdomain(template ?? 'good').map((problem) =>
      invalid(`${field}.resourceClaimTemplateName`, problem),
    ),
  ];
}
