import { expect, it } from 'vitest';

import { leaseName } from './lease-name.ts';

it('is that of the operator it replaces, so that the two never lead at once', () => {
  expect(leaseName('')).toBe('4c28796a.cloud.sap');
});

it('differs for every selector', () => {
  // printf 4c28796a.cloud.saptopology.kubernetes.io/zone=a | sha256sum
  const digest = 'fb1ae1fcaf570a90ab5b62b676cbd6225cdbf6802e2a44702ee21c569e9dcee8';

  expect(leaseName('topology.kubernetes.io/zone=a')).toBe(`${digest}.cloud.sap`);
  expect(leaseName('topology.kubernetes.io/zone=b')).not.toBe(`${digest}.cloud.sap`);
});
