import { awaitWrite, type Outcome } from '@smalt/controller-runtime';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { anInstance } from '../fixtures/an-instance.ts';
import type { WriteResult } from '../status/instance-writer.ts';
import { writeInstance } from './write-instance.ts';

const stored = { ...anInstance({}), metadata: { name: 'stored' } };

it('hands what was stored to the end that guests leave, which goes on with it', async () => {
  expect(await write({ kind: 'written', instance: stored })).toEqual({ outcome: undefined, written: [stored] });
});

it.each<[WriteResult['kind'] & ('unchanged' | 'outdated'), Outcome | undefined]>([
  ['unchanged', undefined],
  // A change of somebody else wakes it by itself. What is refused for another reason must not be sent 50 times a second.
  ['outdated', awaitWrite],
])('hands nothing on when the write is %s', async (kind, outcome) => {
  expect(await write({ kind })).toEqual({ outcome, written: [] });
});

async function write(result: WriteResult): Promise<{
  readonly outcome: Outcome | undefined;
  readonly written: readonly VirtualMachineInstance[];
}> {
  const written: VirtualMachineInstance[] = [];
  const context = {
    writer: { write: async () => result },
    migrations: { source: { onWritten: (instance: VirtualMachineInstance) => void written.push(instance) } },
  };
  const signal = new AbortController().signal;
  return { outcome: await writeInstance({ context, before: anInstance({}), signal }, stored), written };
}
