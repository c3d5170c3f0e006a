import { expect, it } from 'vitest';

import { hostNameOf } from './host-name-of.ts';

it.each([
  { title: 'by its label', labels: { 'kubernetes.io/hostname': 'compute-8' }, hostName: 'compute-8' },
  {
    title: 'by its own name where the label is empty',
    labels: { 'kubernetes.io/hostname': '' },
    hostName: 'machine-8',
  },
  { title: 'by its own name where there is no label', labels: {}, hostName: 'machine-8' },
])('is known $title', ({ labels, hostName }) => {
  expect(hostNameOf({ metadata: { name: 'machine-8', labels } })).toBe(hostName);
});
