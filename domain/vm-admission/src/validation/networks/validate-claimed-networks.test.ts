import { describe, expect, it } from 'vitest';

import type { Interface, Network, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { judge } from '../../fixtures/judge.ts';
import { duplicate, invalid, notFound, required } from '../../cause.ts';
import { devices } from '../../fixtures/small-instance.ts';

const blue = { multus: { networkName: 'blue' } };

const LIST = 'spec.domain.devices.interfaces';

describe('the rules about networks from resource claims', () => {
  const open = { featureGates: ['NetworkDevicesWithDRA'] };
  const claim = { claimName: 'nic', requestName: 'one' };
  const resourceClaims = [{ name: 'nic', resourceClaimName: 'nic' }];
  const claimed = (network: Partial<Network>, nic: Partial<Interface> = { sriov: {} }) => ({
    ...connected([{ name: 'a', ...network }], [{ name: 'a', ...nic }]),
    resourceClaims,
  });

  it('takes one that is claimed, behind the gate', () => {
    const good = claimed({ resourceClaim: claim });

    expect(judge(good, open)).toEqual([]);
    expect(judge(good)).toEqual([
      invalid(
        'spec.networks',
        'vmi.spec.networks contains DRA networks but NetworkDevicesWithDRA feature gate is not enabled',
      ),
    ]);
  });

  it('refuses one that names no claim and no request', () => {
    expect(judge(claimed({ resourceClaim: {} }), open)).toEqual([
      required('spec.networks[0].resourceClaim.claimName', 'claimName is required for DRA network'),
      required('spec.networks[0].resourceClaim.requestName', 'requestName is required for DRA network'),
    ]);
  });

  it('refuses one whose claim is not listed, or whose interface cannot take it', () => {
    expect(judge(claimed({ resourceClaim: { ...claim, claimName: 'other' } }, { bridge: {} }), open)).toEqual([
      invalid(LIST, 'DRA network "a" requires an SR-IOV or binding plugin interface'),
      notFound(
        'spec.networks[0].resourceClaim.claimName',
        'network references resourceClaim "other" which is not defined in spec.resourceClaims',
      ),
    ]);
  });

  it('refuses two that claim the same, and a mix with networks of plugins', () => {
    const twice = connected(
      [
        { name: 'a', resourceClaim: claim },
        { name: 'b', resourceClaim: claim },
      ],
      [
        { name: 'a', sriov: {} },
        { name: 'b', sriov: {} },
      ],
    );
    const mixed = connected(
      [
        { name: 'a', resourceClaim: claim },
        { name: 'b', ...blue },
      ],
      [
        { name: 'a', sriov: {} },
        { name: 'b', sriov: {} },
      ],
    );

    expect(judge({ ...twice, resourceClaims }, open)).toEqual([
      duplicate('spec.networks[1]', 'duplicate claimName/requestName combination "nic/one"'),
    ]);
    expect(judge({ ...mixed, resourceClaims }, open)).toEqual([
      invalid('spec.networks', 'mixing Multus and DRA resourceClaim networks in the same VMI is not supported'),
    ]);
  });
});

function connected(networks: readonly Network[], interfaces: readonly Interface[]): VirtualMachineInstanceSpec {
  return { ...devices({ interfaces }), networks };
}
