import type { VirtualMachineInstanceMigration } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { instanceDraft, migrationDraft } from '../fixtures/vm-objects.ts';
import { evacuationName } from './evacuation-name.ts';

const vmi = { ...instanceDraft('d', 'vm'), metadata: { name: 'vm', namespace: 'd', uid: 'one' } };

it('is the same for the same attempt, and another for the next', () => {
  const first = evacuationName(vmi, []);
  const again = evacuationName(vmi, []);
  const next = evacuationName(vmi, [migration('m1', '2026-01-01T00:00:00Z')]);

  expect(first).toMatch(/^kubevirt-evacuation-[0-9a-f]{12}$/);
  expect([again === first, next === first]).toEqual([true, false]);
});

it('goes by the newest migration, in whichever order they come', () => {
  const [older, newer] = [migration('m1', '2026-01-01T00:00:00Z'), migration('m2', '2026-01-02T00:00:00Z')];

  expect(evacuationName(vmi, [older, newer])).toBe(evacuationName(vmi, [newer, older]));
  expect(evacuationName(vmi, [older, newer])).not.toBe(evacuationName(vmi, [older]));
});

it('differs between instances of one name', () => {
  const other = { ...vmi, metadata: { ...vmi.metadata, uid: 'two' } };

  expect(evacuationName(other, [])).not.toBe(evacuationName(vmi, []));
});

function migration(uid: string, creationTimestamp: string): VirtualMachineInstanceMigration {
  const draft = migrationDraft('d', uid, 'vm');
  return { ...draft, metadata: { ...draft.metadata, uid, creationTimestamp } };
}
