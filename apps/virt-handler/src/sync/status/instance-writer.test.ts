import type { VirtualMachineInstance } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { InstanceMemories } from '../instance-memory.ts';
import { anInstance } from '../fixtures/an-instance.ts';
import { InstanceWriter } from './instance-writer.ts';

const before = version('8', anInstance({ phase: 'Scheduled' }));
const after = version('10', anInstance({ phase: 'Running' }));
const LISTS = { begun: 1, kept: 1, keptBegunAt: 0 };

it.each([
  { what: 'the state that was written to', seen: before, isBehind: true },
  { what: 'what somebody else wrote before it', seen: version('9', before), isBehind: true },
  { what: 'an older state, from a server that lags', seen: version('7', before), isBehind: true },
  { what: 'what was written', seen: after, isBehind: false },
  { what: 'what somebody else wrote after it', seen: version('11', after), isBehind: false },
  { what: 'another one of the same name', seen: named('u-2', before), isBehind: false },
  { what: 'versions that are no numbers', seen: version('x', before), isBehind: false },
])('a cache that shows $what is behind: $isBehind', async ({ seen, isBehind }) => {
  const writer = new InstanceWriter({ patch: async () => after }, { get: () => seen, lists: LISTS });

  await writer.write(before, after, AbortSignal.timeout(1_000));

  expect(writer.isBehind('default/guest')).toBe(isBehind);
});

it('a write holds on to the instance and to its node, and one that ends it to its migration too', async () => {
  const patches: unknown[] = [];
  const patch: ConstructorParameters<typeof InstanceWriter>[0]['patch'] = async (_name, _kind, operations) => {
    patches.push(operations);
    return after;
  };
  const writer = new InstanceWriter({ patch }, { get: () => placed, lists: LISTS });
  const uid = { op: 'test', path: '/metadata/uid', value: before.metadata.uid };
  const place = { op: 'test', path: '/status/nodeName', value: 'here' };
  const placed = anInstance({ phase: 'Scheduled', nodeName: 'here' });
  const ended = anInstance({ phase: 'Failed', nodeName: 'here' });

  await writer.write(placed, anInstance({ phase: 'Running', nodeName: 'here' }), AbortSignal.timeout(1_000));
  await writer.write(placed, ended, AbortSignal.timeout(1_000));

  const phase = { op: 'test', path: '/status/phase', value: 'Scheduled' };
  expect(patches).toEqual([
    [uid, place, phase, { op: 'replace', path: '/status/phase', value: 'Running' }],
    [
      uid,
      place,
      { op: 'test', path: '/status/migrationState', value: null },
      phase,
      { op: 'replace', path: '/status/phase', value: 'Failed' },
    ],
  ]);
});

it('a write that never comes is not waited for any longer: the store may have been put back to an older state', async () => {
  let now = 0;
  const writer = new InstanceWriter(
    { patch: async () => after },
    { get: () => before, lists: LISTS },
    { monotonic: () => now },
  );
  await writer.write(before, after, AbortSignal.timeout(1_000));

  const looks = [179_999, 180_000].map((time) => {
    now = time;
    return writer.isBehind('default/guest');
  });

  expect(looks).toEqual([true, false]);
});

it('a write is not waited for any longer when all instances have come again without it', async () => {
  let now = 0;
  const lists = { begun: 1, kept: 1, keptBegunAt: 0 };
  const shown = { get: () => before, lists };
  const writer = new InstanceWriter({ patch: async () => after }, shown, { monotonic: () => now });
  await writer.write(before, after, AbortSignal.timeout(1_000));

  now = 30_000;
  const unlisted = writer.isBehind('default/guest');
  Object.assign(lists, { begun: 2, kept: 2, keptBegunAt: now });

  expect([unlisted, writer.isBehind('default/guest')]).toEqual([true, false]);
});

it('what was written to an instance is forgotten when that is gone', async () => {
  const writer = new InstanceWriter({ patch: async () => after }, { get: () => before, lists: LISTS });
  await writer.write(before, after, AbortSignal.timeout(1_000));

  writer.forget('default/guest');

  expect(writer.isBehind('default/guest')).toBe(false);
});

it('a look at what is remembered of an instance leaves nothing to be remembered', () => {
  const memories = new InstanceMemories();

  const found = memories.find('u-1');
  const known = memories.of('u-1');

  expect([found, memories.find('u-1')]).toEqual([undefined, known]);
});

function version(resourceVersion: string, instance: VirtualMachineInstance): VirtualMachineInstance {
  return { ...instance, metadata: { ...instance.metadata, resourceVersion } };
}

function named(uid: string, instance: VirtualMachineInstance): VirtualMachineInstance {
  return { ...instance, metadata: { ...instance.metadata, uid } };
}
