import { expect, it } from 'vitest';

import { instance } from '../fixtures/objects.ts';
import { planInstanceWrite } from './instance-write.ts';

const FAILED = {
  migrationUid: 'm1',
  sourceNode: 'n1',
  targetNode: 'n2',
  completed: true,
  failed: true,
  failureReason: 'why it failed says nothing of where the guest is',
};
/** Fields that are not there are null to a test. */
const TESTS_OF_FAILED = Object.entries({
  migrationUid: 'm1',
  sourceNode: 'n1',
  targetNode: 'n2',
  startTimestamp: null,
  mode: null,
  targetNodeDomainDetected: null,
  completed: true,
  failed: true,
}).map(([name, value]) => ({ op: 'test', path: `/status/migrationState/${name}`, value }));

it('holds while the instance is on the node where it was seen', () => {
  const before = instance('Running');
  const after = { ...before, status: { ...before.status, activePods: { pod: 'n1' } } };

  expect(planInstanceWrite(before, after)).toEqual({
    kind: 'patch',
    operations: [
      { op: 'test', path: '/status/nodeName', value: 'n1' },
      { op: 'add', path: '/status/activePods', value: { pod: 'n1' } },
    ],
  });
});

it.each([
  {
    what: 'without one',
    migrationState: undefined,
    tests: [{ op: 'test', path: '/status/migrationState', value: null }],
  },
  { what: 'with one that failed', migrationState: FAILED, tests: TESTS_OF_FAILED },
])('holds, where it ends the instance, only with the migration that it was seen with: $what', (row) => {
  const { migrationState, tests } = row;
  const before = instance('Running', migrationState === undefined ? {} : { migrationState });
  const after = { ...before, status: { ...before.status, phase: 'Failed' } };

  expect(planInstanceWrite(before, after)).toEqual({
    kind: 'patch',
    operations: [
      { op: 'test', path: '/status/nodeName', value: 'n1' },
      ...tests,
      { op: 'test', path: '/status/phase', value: 'Running' },
      { op: 'replace', path: '/status/phase', value: 'Failed' },
    ],
  });
});

it('is none where nothing has changed', () => {
  expect(planInstanceWrite(instance('Running'), instance('Running'))).toEqual({ kind: 'none' });
});
