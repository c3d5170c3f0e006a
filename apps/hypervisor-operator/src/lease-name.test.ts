import { execFileSync } from 'node:child_process';

import { expect, it } from 'vitest';

import { leaseName } from './lease-name.ts';

it('is that of the operator it replaces, so that the two never lead at once', () => {
  expect(leaseName('')).toBe('4c28796a.cloud.sap');
});

it('differs for every selector, by a digest that sha256sum agrees with', () => {
  const text = '4c28796a.cloud.saptopology.kubernetes.io/zone=a';
  const [digest] = execFileSync('sha256sum', { input: text, encoding: 'utf8' }).split(' ');

  expect(leaseName('topology.kubernetes.io/zone=a')).toBe(`${digest}.cloud.sap`);
  expect(leaseName('topology.kubernetes.io/zone=b')).not.toBe(`${digest}.cloud.sap`);
});
