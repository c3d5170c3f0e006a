import { expect, it } from 'vitest';

import { failed, type Verdict } from '../decide/verdict.ts';
import { anInstance } from '../fixtures/an-instance.ts';
import type { SyncContext } from '../sync-context.ts';
import { gatherFacts } from './gather-facts.ts';

const LOST = failed('LostInMigration', 'half of the guest was at the target');

it.each([
  { what: 'how a guest ended', verdict: failed('GuestShutDown', ''), counts: true },
  {
    what: 'that it was lost in the migration that its instance was in last',
    verdict: { ...LOST, migrationUid: 'm-2' },
    counts: true,
  },
  {
    what: 'that it was lost in an earlier one, since which it has gone on',
    verdict: { ...LOST, migrationUid: 'm-1' },
    counts: false,
  },
  { what: 'that it was lost, by a version that did not write in which', verdict: LOST, counts: true },
])('goes by what is written down only while it is about the instance as it is: $what', async ({ verdict, counts }) => {
  const instance = anInstance({ migrationState: { migrationUid: 'm-2' } });

  const { facts } = await gatherFacts(written(verdict), instance, AbortSignal.timeout(5_000));

  expect(facts.verdict).toEqual(counts ? verdict : undefined);
});

/** A node on which there is nothing of an instance but a record. */
function written(verdict: Verdict): SyncContext {
  return Object({
    nodeName: 'node-1',
    sessions: { find: () => undefined },
    cache: { find: () => [] },
    directories: { read: async () => ({ verdict }), isOfEarlierBoot: () => false },
    sandboxes: { find: async () => undefined },
    memories: { find: () => undefined },
  });
}
