import { expect, it } from 'vitest';

import { InstanceMemories } from '../instance-memory.ts';
import { anInstance } from '../fixtures/an-instance.ts';
import { InstanceWriter } from './instance-writer.ts';

const before = anInstance({ phase: 'Scheduled' });
const after = anInstance({ phase: 'Running' });

it('an instance is behind as long as it is the one that was written to', async () => {
  const writer = new InstanceWriter({ patch: async () => after });
  const again = { ...before, metadata: { ...before.metadata, uid: 'u-2' } };

  await writer.write(before, after, AbortSignal.timeout(1_000));

  expect([before, again].map((each) => writer.isBehind(each))).toEqual([true, false]);
});

it('what was written to an instance is forgotten when that is gone', async () => {
  const writer = new InstanceWriter({ patch: async () => after });
  await writer.write(before, after, AbortSignal.timeout(1_000));

  writer.forget('default/guest');

  expect(writer.isBehind(before)).toBe(false);
});

it('a look at what is remembered of an instance leaves nothing to be remembered', () => {
  const memories = new InstanceMemories();

  const found = memories.find('u-1');
  const known = memories.of('u-1');

  expect([found, memories.find('u-1')]).toEqual([undefined, known]);
});
