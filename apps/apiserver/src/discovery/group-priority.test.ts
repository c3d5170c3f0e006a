import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { compareVersions } from './group-priority.ts';

it('orders versions from stable to alpha, later before earlier, and others last', () => {
  const versions = ['foo10', 'v1alpha1', 'v2', 'v1', 'v11beta2', 'v10', 'v3beta1', 'foo1', 'v12alpha1', 'v10beta3'];

  expect(versions.toSorted(compareVersions)).toEqual([
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v1alpha1',
    'foo1',
    'foo10',
  ]);
});

it('is an order', () => {
  const version = fc.stringMatching(/^(v[1-9]\d?((alpha|beta)[1-9])?|[a-z]{1,3})$/);
  fc.assert(
    fc.property(version, version, (left, right) => {
      expect(Math.sign(compareVersions(left, right)) + Math.sign(compareVersions(right, left))).toBe(0);
    }),
  );
});
