import type { VirtualMachine } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { machineDraft } from '../fixtures/vm-objects.ts';
import { forgetRevision } from './create-revision.ts';

it.each([
  ['deletes the revision of before when a later one is in its place', 3, 5, ['revision-start-vm-uid-3']],
  ['keeps it when the cache shows an instance of an earlier one', 5, 3, []],
  ['keeps it when nothing has changed', 5, 5, []],
] as const)('%s', async (_what, before, after, forgotten) => {
  const asked: string[] = [];
  const remove = async (name: string): Promise<void> => void asked.push(name);
  const context = { client: { resource: () => ({ delete: remove }) }, ignore: () => undefined };

  await forgetRevision(Object(context), machine(before), { observedGeneration: after }, AbortSignal.timeout(1_000));

  expect(asked).toEqual(forgotten);
});

function machine(observedGeneration: number): VirtualMachine {
  const { metadata, ...rest } = machineDraft('d', 'vm', 'Always');
  return { ...rest, metadata: { ...metadata, uid: 'uid' }, status: { observedGeneration } };
}
