import type { HypervisorStatus } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { testHypervisor, type HypervisorParts } from '../fixtures/fleet-objects.ts';
import { isEvicted } from './is-evicted.ts';

it.each<{ what: string; conditions: HypervisorParts['conditions']; status: Partial<HypervisorStatus>; is: boolean }>([
  { what: 'was emptied', conditions: [['Evicting', 'False', 'Succeeded']], status: { evicted: true }, is: true },
  {
    what: 'was emptied and opened again',
    conditions: [['Evicting', 'False', 'Succeeded']],
    status: { evicted: false },
    is: false,
  },
  { what: 'could not be emptied', conditions: [['Evicting', 'False', 'Failed']], status: { evicted: true }, is: false },
  { what: 'is being emptied', conditions: [['Evicting', 'True', 'Running']], status: { evicted: true }, is: false },
  { what: 'has nothing said of it', conditions: [], status: { evicted: true }, is: false },
])('is $is for a host that $what', ({ conditions = [], status, is }) => {
  expect(isEvicted(testHypervisor('n1', { conditions, status }))).toBe(is);
});
