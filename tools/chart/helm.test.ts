import { findHelm as findHelmOfBed } from '@smalt/bed-kubernetes';
import { expect, it } from 'vitest';

import { findHelm } from './helm.ts';

it('is the one that the bed builds, and none of another version', () => {
  expect(findHelm()).toBe(findHelmOfBed());
});
