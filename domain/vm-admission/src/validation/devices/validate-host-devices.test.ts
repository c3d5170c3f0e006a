import { describe, expect, it } from 'vitest';

import { judge } from '../../fixtures/judge.ts';
import { duplicate, invalid, required } from '../../cause.ts';
import { devices, spec } from '../../fixtures/small-instance.ts';

const DEVICES = 'spec.domain.devices';

describe('the rules about devices from claims', () => {
  const resourceClaims = [{ name: 'claim', resourceClaimName: 'claim' }];
  const open = { featureGates: ['HostDevices'] };

  it.each([
    {
      rule: 'a claim has a name',
      bad: spec({ resourceClaims: [{ name: '', resourceClaimName: 'a' }] }),
      causes: [required('spec.resourceClaims[0].name', 'spec.resourceClaims[0].name is a required field')],
    },
    {
      rule: 'claims have different names',
      bad: spec({ resourceClaims: [...resourceClaims, ...resourceClaims] }),
      causes: [duplicate('spec.resourceClaims[1].name', 'duplicate resourceClaims name "claim"')],
    },
    {
      rule: 'the name of a claim is a label',
      bad: spec({ resourceClaims: [{ name: 'a.b', resourceClaimName: 'a' }] }),
      causes: [
        invalid(
          'spec.resourceClaims[0].name',
          'spec.resourceClaims[0].name does not conform to the kubernetes DNS_LABEL rules: must not contain dots',
        ),
      ],
    },
    {
      rule: 'a claim comes from one place',
      bad: spec({ resourceClaims: [{ name: 'a', resourceClaimName: 'a', resourceClaimTemplateName: 'b' }] }),
      causes: [
        invalid(
          'spec.resourceClaims[0]',
          'at most one of resourceClaimName or resourceClaimTemplateName may be specified',
        ),
      ],
    },
    {
      rule: 'a claim comes from somewhere',
      bad: spec({ resourceClaims: [{ name: 'a' }] }),
      causes: [invalid('spec.resourceClaims[0]', 'must specify one of: resourceClaimName, resourceClaimTemplateName')],
    },
    {
      rule: 'a device is named or claimed',
      bad: devices({ gpus: [{ name: 'a' }] }),
      causes: [
        required(
          `${DEVICES}.gpus`,
          'vmi.spec.domain.devices.gpus contains GPUs without deviceName or claimRequest; each GPU must specify either a deviceName or a claimRequest',
        ),
      ],
    },
    {
      rule: 'a device is not named and claimed',
      bad: { ...devices({ gpus: [{ name: 'a', deviceName: 'x', claimName: 'claim' }] }), resourceClaims },
      causes: [
        invalid(`${DEVICES}.gpus`, 'vmi.spec.domain.devices.gpus contains GPUs with both deviceName and claimRequest'),
      ],
    },
    {
      rule: 'graphics cards are all named or all claimed',
      bad: {
        ...devices({
          gpus: [
            { name: 'a', deviceName: 'x' },
            { name: 'b', claimName: 'claim', requestName: 'r' },
          ],
        }),
        resourceClaims,
      },
      causes: [
        invalid(
          `${DEVICES}.gpus`,
          'vmi.spec.domain.devices.gpus contains both DRA and non-DRA GPUs; each GPU must be either DRA or non-DRA',
        ),
      ],
    },
    {
      rule: 'a claimed device names claim and request',
      bad: { ...devices({ hostDevices: [{ name: 'a', claimName: 'claim' }] }), resourceClaims },
      causes: [required(`${DEVICES}.hostDevices[0].requestName`, 'requestName is required for DRA HostDevice')],
    },
    {
      rule: 'a claim that is used is listed',
      bad: devices({ gpus: [{ name: 'a', claimName: 'other', requestName: 'r' }] }),
      causes: [
        invalid(
          'spec.resourceClaims',
          'vmi.spec.resourceClaims must specify all claims used in vmi.spec.domain.devices.gpus and vmi.spec.domain.devices.hostDevices',
        ),
      ],
    },
    {
      rule: 'a request is used once',
      bad: {
        ...devices({
          gpus: [{ name: 'a', claimName: 'claim', requestName: 'r' }],
          hostDevices: [{ name: 'b', claimName: 'claim', requestName: 'r' }],
        }),
        resourceClaims,
      },
      causes: [duplicate(`${DEVICES}.hostDevices[0]`, 'duplicate claimName/requestName pair "claim/r"')],
    },
  ])('$rule', ({ bad, causes }) => {
    expect(judge(bad, open)).toEqual(causes);
  });

  it('takes devices that are claimed from a listed claim', () => {
    const good = {
      ...devices({
        gpus: [{ name: 'a', claimName: 'claim', requestName: 'one' }],
        hostDevices: [
          { name: 'b', claimName: 'claim', requestName: 'two' },
          { name: 'c', deviceName: 'x' },
        ],
      }),
      resourceClaims: [{ name: 'claim', resourceClaimTemplateName: 'template' }],
    };

    expect(judge(good, open)).toEqual([]);
  });
});
