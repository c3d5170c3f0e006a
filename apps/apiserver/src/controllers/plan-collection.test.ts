import type { JsonObject } from '@smalt/json';
import { expect, it } from 'vitest';

import { planCollection, type OwnerState } from './plan-collection.ts';

const deleted = '2026-01-02T03:04:05Z';

it.each<{ what: string; metadata: JsonObject; owners: readonly OwnerState[]; hasDependents?: boolean; plan: object }>([
  { what: 'nobody owns', metadata: {}, owners: [], plan: { kind: 'keep' } },
  { what: 'somebody owns', metadata: {}, owners: ['solid'], plan: { kind: 'keep' } },
  { what: 'lost its only owner', metadata: {}, owners: ['absent'], plan: { kind: 'delete', policy: 'Background' } },
  {
    what: 'lost its owner and wants to orphan',
    metadata: { finalizers: ['orphan'] },
    owners: ['absent'],
    plan: { kind: 'delete', policy: 'Orphan' },
  },
  {
    what: 'lost one of two owners',
    metadata: {},
    owners: ['absent', 'solid'],
    plan: { kind: 'forget-owners', uids: new Set(['u0']) },
  },
  { what: 'is waited for', metadata: {}, owners: ['waiting'], plan: { kind: 'delete', policy: 'Background' } },
  {
    what: 'is waited for and has dependents itself',
    metadata: {},
    owners: ['waiting'],
    hasDependents: true,
    plan: { kind: 'delete', policy: 'Foreground' },
  },
  { what: 'has an owner of an unknown kind', metadata: {}, owners: ['absent', 'unknown'], plan: { kind: 'undecided' } },
  { what: 'goes already', metadata: { deletionTimestamp: deleted }, owners: ['absent'], plan: { kind: 'keep' } },
  {
    what: 'goes and waits for dependents',
    metadata: { deletionTimestamp: deleted, finalizers: ['foregroundDeletion'] },
    owners: [],
    plan: { kind: 'await-dependents' },
  },
  {
    what: 'goes and lets dependents be',
    metadata: { deletionTimestamp: deleted, finalizers: ['orphan'] },
    owners: [],
    plan: { kind: 'orphan-dependents' },
  },
])('$plan.kind of what $what', ({ metadata, owners, hasDependents = false, plan }) => {
  const input = {
    object: { metadata },
    hasDependents,
    owners: owners.map((state, index) => ({
      state,
      reference: { group: '', version: 'v1', kind: 'Pod', name: 'p', uid: `u${index}`, isBlocking: false },
    })),
  };

  expect(planCollection(input)).toEqual(plan);
});
