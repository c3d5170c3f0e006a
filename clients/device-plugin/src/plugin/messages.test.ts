import { expect, it } from 'vitest';

import {
  readAllocateRequest,
  readPreferenceRequest,
  writeAllocations,
  writeDevices,
  writePreferences,
  writeRegistration,
} from './messages.ts';
import { preferDevices } from './plugin-methods.ts';

// The bytes are those of the Go types of Kubernetes 1.36.
it.each([
  [
    'a registration',
    writeRegistration({ endpoint: 'smalt-kvm.sock', resourceName: 'devices.kubevirt.io/kvm' }),
    '0a0776316265746131120e736d616c742d6b766d2e736f636b1a17646576696365732e6b756265766972742e696f2f6b766d2200',
  ],
  [
    'a list of devices',
    writeDevices([
      { id: 'kvm0', isHealthy: true },
      { id: 'g', isHealthy: false, numaNode: 1 },
      { id: 'n0', isHealthy: true, numaNode: 0 },
    ]),
    '0a0f0a046b766d3012074865616c7468790a140a01671209556e6865616c7468791a040a0208010a110a026e3012074865616c7468791a020a00',
  ],
  [
    'allocations',
    writeAllocations([
      {
        deviceNodes: [{ hostPath: '/host/kvm', containerPath: '/dev/kvm', permissions: 'mrw' }],
        environment: { PCI: '0000:01:00.0' },
      },
      { deviceNodes: [] },
    ]),
    '0a310a130a03504349120c303030303a30313a30302e301a1a0a082f6465762f6b766d12092f686f73742f6b766d1a036d72770a00',
  ],
  ['preferences', writePreferences([['b', 'a'], []]), '0a060a01620a01610a00'],
])('%s is written as Kubernetes does', (_, bytes, hex) => {
  expect(bytes.toString('hex')).toBe(hex);
});

it('reads what kubelets write', () => {
  const allocate = Buffer.from('0a0c0a046b766d300a046b766d370a00', 'hex');
  const prefer = Buffer.from('0a0b0a01610a01621201621802', 'hex');

  expect(readAllocateRequest(allocate)).toEqual([['kvm0', 'kvm7'], []]);
  expect(readPreferenceRequest(prefer)).toEqual([{ available: ['a', 'b'], mustInclude: ['b'], size: 2 }]);
});

it.each([
  [{ available: ['a', 'b', 'c'], mustInclude: ['c'], size: 2 }, ['c', 'a']],
  [{ available: ['a'], mustInclude: [], size: 3 }, ['a']],
  [{ available: ['a', 'b'], mustInclude: ['b', 'a'], size: 1 }, ['b', 'a']],
  [{ available: ['a'], mustInclude: [], size: -1 }, []],
])('of %j prefers %j', (request, ids) => {
  expect(preferDevices(request)).toEqual(ids);
});
