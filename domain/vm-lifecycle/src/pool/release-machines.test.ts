import { expect, it } from 'vitest';

import { at } from '../fixtures/objects.ts';
import { made, pool } from '../fixtures/pools.ts';
import { releaseMachines } from './release-machines.ts';

it('lets go of a machine whose labels no longer match, and counts it no more', () => {
  const [kept, detached] = [made(0), made(1, { labels: { app: 'mine' } })];

  expect(releaseMachines(pool({}), [kept, detached])).toEqual({
    own: [kept],
    released: [{ object: detached, ownerReferences: [] }],
  });
});

it('takes no machine that nobody looks after', () => {
  const free = made(0, { ownerReferences: [] });

  expect(releaseMachines(pool({}), [free])).toEqual({ own: [], released: [] });
});

it('lets go of nothing while it is being deleted: what it has goes with it', () => {
  const leaving = { ...pool({}), metadata: { ...pool({}).metadata, deletionTimestamp: at(0) } };

  expect(releaseMachines(leaving, [made(0, { labels: {} })])).toEqual({ own: [], released: [] });
});
