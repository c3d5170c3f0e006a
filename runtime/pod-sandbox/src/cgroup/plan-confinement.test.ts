import { expect, it } from 'vitest';

import { planConfinement } from './plan-confinement.ts';

const change = { own: '/cg/u', leaves: ['launcher', 'guest'], processors: [2, 3, 5], before: [0, 1, 2] };

it('widens before it narrows where leaves have lists of their own', () => {
  const steps = planConfinement({ version: 1, mountPoint: '/cg', controllers: ['cpuset'] }, change);

  expect(steps.map((step) => step.kind === 'limit' && `${step.file} ${step.value}`)).toEqual([
    '/cg/u/cpuset.cpus 0-3,5',
    '/cg/u/launcher/cpuset.cpus 2-3,5',
    '/cg/u/guest/cpuset.cpus 2-3,5',
    '/cg/u/cpuset.cpus 2-3,5',
  ]);
});

it('writes the pod alone in the second version', () => {
  const steps = planConfinement({ version: 2, mountPoint: '/cg', controllers: ['cpuset'] }, change);

  expect(steps).toEqual([{ kind: 'limit', file: '/cg/u/cpuset.cpus', controller: 'cpuset', value: '2-3,5' }]);
});
