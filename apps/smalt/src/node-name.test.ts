import { checkDns1123Subdomain } from '@smalt/kubernetes';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { nodeName } from './node-name.ts';

it.each([
  { hostname: 'node001-bb234', name: 'node001-bb234' },
  { hostname: 'My_Laptop.Local', name: 'my-laptop.local' },
  { hostname: '-odd-..name.', name: 'odd.name' },
  { hostname: '___', name: 'localhost' },
])('makes $name of $hostname', ({ hostname, name }) => {
  expect(nodeName(hostname)).toBe(name);
});

it('makes a name that Kubernetes takes of anything', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: 'grapheme' }), (text) => {
      expect(checkDns1123Subdomain(nodeName(text))).toEqual([]);
    }),
  );
});
