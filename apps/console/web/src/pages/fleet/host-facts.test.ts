import type { Hypervisor } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { fractionOf, shareOf, systemOf, versionsOf } from './host-facts.ts';

it('counts what can be given with overcommit, and what is physically there where nobody says more', () => {
  const overcommitted = { allocation: { cpu: '6' }, capacity: { cpu: '4' }, effectiveCapacity: { cpu: '8' } };
  const plain = { allocation: { memory: '1Gi' }, capacity: { memory: '4Gi' } };

  expect(shareOf(overcommitted, 'cpu')).toEqual({ given: 6, total: 8 });
  expect(fractionOf(shareOf(plain, 'memory'))).toBe(0.25);
});

it('says that a share is not known rather than that it is nothing', () => {
  expect(fractionOf(shareOf(undefined, 'cpu'))).toBeNaN();
  expect(fractionOf({ given: 0, total: 0 })).toBeNaN();
});

it('names versions that are known and leaves out the others', () => {
  const host = {
    metadata: { name: 'hv1' },
    status: {
      numInstances: 0,
      libVirtVersion: '9.0.0',
      hypervisorVersion: 'unknown',
      operatingSystem: { prettyVersion: 'Debian 12', kernelRelease: '' },
    },
  } as Hypervisor;

  expect(versionsOf(host)).toEqual(['libvirt 9.0.0']);
  expect(systemOf(host)).toBe('Debian 12');
});
