import { DomainPausedReason as Paused, DomainState as State } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { requirePaused } from './require-paused.ts';

const domain = { name: 'default_guest', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };
/** A person may have paused it before, and is not to be told that nobody has. */
const MIGRATING = 'VMI stands still for its migration; try again when that is over';

it.each([
  ['was paused by a person', State.paused, Paused.user],
  ['found no room on its disk', State.paused, Paused.ioerror],
])('lets a guest go on that %s', async (_, state, reason) => {
  await expect(requirePaused(guest(state, reason), {})).resolves.toBeUndefined();
});

it.each([
  ['runs', State.running, 0, 'VMI is not paused'],
  ['is being started', State.paused, Paused.startingUp, 'VMI is not paused'],
  ['stands still for its migration', State.paused, Paused.migration, MIGRATING],
  ['is at the target by half', State.paused, Paused.postcopy, MIGRATING],
  ['has lost its other half', State.paused, Paused.postcopyFailed, MIGRATING],
])('does not let a guest go on that %s', async (_, state, reason, message) => {
  await expect(requirePaused(guest(state, reason), {})).rejects.toMatchObject({ code: 'conflict', message });
});

function guest(state: number, reason: number): Parameters<typeof requirePaused>[0] {
  return { domain, session: { domainGetState: async () => ({ state, reason }) } };
}
