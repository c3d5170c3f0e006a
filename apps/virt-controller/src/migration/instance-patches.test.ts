import { expect, it } from 'vitest';

import { instanceDraft } from '../fixtures/vm-objects.ts';
import { abortPatch, handOverPatch } from './instance-patches.ts';

const draft = instanceDraft('d', 'vm');
const state = { migrationUid: 'm1', targetNode: 'n2' };
const action = { kind: 'hand-over', state, labels: { 'kubevirt.io/migrationTargetNodeName': 'n2' } } as const;
const vmi = { ...draft, metadata: { ...draft.metadata, uid: 'one' }, status: { phase: 'Running', nodeName: 'n1' } };

it('hands an instance over only as long as it is the one, where it was, and runs', () => {
  expect(handOverPatch(vmi, action)).toEqual([
    { op: 'test', path: '/metadata/uid', value: 'one' },
    { op: 'test', path: '/status/phase', value: 'Running' },
    { op: 'test', path: '/status/nodeName', value: 'n1' },
    { op: 'test', path: '/status/migrationState', value: null },
    { op: 'add', path: '/status/migrationState', value: state },
    { op: 'add', path: '/metadata/labels', value: action.labels },
  ]);
});

it('takes the place of a migration that is over only while nobody else does', () => {
  const before = { migrationUid: 'm0', completed: true };
  const labels = { app: 'web' };
  const moved = { ...vmi, metadata: { ...vmi.metadata, labels }, status: { ...vmi.status, migrationState: before } };

  expect(handOverPatch(moved, action).slice(3)).toEqual([
    { op: 'test', path: '/status/migrationState', value: before },
    { op: 'add', path: '/status/migrationState', value: state },
    { op: 'add', path: '/metadata/labels/kubevirt.io~1migrationTargetNodeName', value: 'n2' },
  ]);
});

it('asks to give up this very migration alone', () => {
  expect(abortPatch(vmi, 'm1')).toEqual([
    { op: 'test', path: '/metadata/uid', value: 'one' },
    { op: 'test', path: '/status/migrationState/migrationUid', value: 'm1' },
    { op: 'add', path: '/status/migrationState/abortRequested', value: true },
  ]);
});
