import { goQuote } from '@smalt/resource';
import type { Network } from '@smalt/vm-api';

import { duplicate, invalid, notFound, required, type Cause } from '../../cause.ts';
import { gateAdvice, isGateOpen } from '../../feature-gates.ts';
import type { SpecScope } from '../spec-rule.ts';

/** Networks that come from resource claims are behind a gate, and name a claim and a request that exist and are free. */
export function validateClaimedNetworks(scope: SpecScope): readonly Cause[] {
  const { networks = [] } = scope.spec;
  const field = `${scope.path}.networks`;
  if (!networks.some(({ resourceClaim }) => resourceClaim !== undefined)) return [];
  if (!isGateOpen(scope.settings, 'NetworkDevicesWithDRA')) {
    const message = 'vmi.spec.networks contains DRA networks but NetworkDevicesWithDRA feature gate is not enabled';
    return [invalid(field, message, gateAdvice('NetworkDevicesWithDRA'))];
  }
  if (networks.some(({ multus }) => multus !== undefined)) {
    return [invalid(field, 'mixing Multus and DRA resourceClaim networks in the same VMI is not supported')];
  }
  return networks.flatMap((network, index) => validateClaim(network, index, scope));
}

function validateClaim({ name, resourceClaim }: Network, index: number, { path, spec }: SpecScope): readonly Cause[] {
  if (resourceClaim === undefined) return [];
  const { claimName = '', requestName = '' } = resourceClaim;
  const field = `${path}.networks[${index}]`;
  const nic = (spec.domain.devices.interfaces ?? []).find((candidate) => candidate.name === name);
  const causes: Cause[] = [];
  if (nic !== undefined && nic.sriov === undefined && nic.binding === undefined) {
    const message = `DRA network ${goQuote(name)} requires an SR-IOV or binding plugin interface`;
    causes.push(invalid(`${path}.domain.devices.interfaces`, message));
  }
  if (claimName === '') {
    causes.push(required(`${field}.resourceClaim.claimName`, 'claimName is required for DRA network'));
  }
  if (requestName === '') {
    causes.push(required(`${field}.resourceClaim.requestName`, 'requestName is required for DRA network'));
  }
  if (claimName === '' || requestName === '') return causes;
  if (!(spec.resourceClaims ?? []).some((claim) => claim.name === claimName)) {
    const message = `network references resourceClaim ${goQuote(claimName)} which is not defined in spec.resourceClaims`;
    causes.push(notFound(`${field}.resourceClaim.claimName`, message));
  }
  const isTaken = (spec.networks ?? [])
    .slice(0, index)
    .some((other) => other.resourceClaim?.claimName === claimName && other.resourceClaim.requestName === requestName);
  if (isTaken) {
    const message = `duplicate claimName/requestName combination ${goQuote(`${claimName}/${requestName}`)}`;
    causes.push(duplicate(field, message));
  }
  return causes;
}
