import { expect, it } from 'vitest';

import { anInstance } from '../fixtures/an-instance.ts';
import { planInstancePatch } from './plan-instance-patch.ts';

it('tests each field for what it was before it is changed', () => {
  const before = anInstance({ phase: 'Scheduled', nodeName: 'a', reason: 'x', activePods: { pod: 'a' } });
  const after = anInstance({ phase: 'Running', nodeName: 'a', activePods: { pod: 'a' }, machine: { type: 'q35' } });

  expect(planInstancePatch(before, after)).toEqual([
    { op: 'add', path: '/status/machine', value: { type: 'q35' } },
    { op: 'test', path: '/status/phase', value: 'Scheduled' },
    { op: 'replace', path: '/status/phase', value: 'Running' },
    { op: 'test', path: '/status/reason', value: 'x' },
    { op: 'remove', path: '/status/reason' },
  ]);
});

it('takes labels along, for an instance that moves', () => {
  const before = { ...anInstance(), metadata: { ...anInstance().metadata, labels: { node: 'a' } } };
  const after = { ...anInstance(), metadata: { ...anInstance().metadata, labels: { node: 'b' } } };

  expect(planInstancePatch(before, after)).toEqual([
    { op: 'test', path: '/metadata/labels', value: { node: 'a' } },
    { op: 'replace', path: '/metadata/labels', value: { node: 'b' } },
  ]);
});

it('does not take what means nothing for a change', () => {
  const before = anInstance({ conditions: [{ type: 'Ready', status: 'True' }] });
  const after = anInstance({ conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null }], interfaces: [] });

  expect(planInstancePatch(before, after)).toEqual([]);
});
