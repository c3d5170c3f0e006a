import { KubeError } from '@smalt/kube';
import type { ObjectPatch } from '@smalt/vm-admission';
import { describe, expect, it } from 'vitest';

import type { ObjectWriter } from '../cluster/cluster-objects.ts';
import { statusOf } from '../virt-api-error.ts';
import { carryOut } from './carry-out.ts';

const first: ObjectPatch = { target: 'instance', operations: [{ op: 'add', path: '/first', value: 1 }] };
const second: ObjectPatch = { target: 'machine-status', operations: [{ op: 'add', path: '/second', value: 1 }] };
const undo: ObjectPatch = { target: 'instance', operations: [{ op: 'remove', path: '/first' }] };
const failedTest = new KubeError('invalid', 'rejected', { status: statusOf(422, 'rejected', {}) });
const signal = new AbortController().signal;

describe('carryOut', () => {
  it('writes patches one after the other', async () => {
    const world = fakeWriter({});

    await change(world.writer);

    expect(world.written).toEqual([first, second]);
  });

  it('takes the first back when the second fails, and tells of a conflict', async () => {
    const world = fakeWriter({ '/second': failedTest });

    const refused = change(world.writer);

    await expect(refused).rejects.toMatchObject({ status: { code: 409, reason: 'Conflict' } });
    expect(world.written).toEqual([first, undo]);
  });

  it('has nothing to take back when the first fails, or when nothing was written at all', async () => {
    const failing = fakeWriter({ '/first': failedTest });
    const dry = fakeWriter({ '/second': failedTest });

    await expect(change(failing.writer)).rejects.toMatchObject({ status: { code: 409 } });
    await expect(change(dry.writer, true)).rejects.toMatchObject({ status: { code: 409 } });

    expect([failing.written, dry.written]).toEqual([[], [first]]);
  });

  it('leaves what somebody else has set since', async () => {
    const world = fakeWriter({ '/second': failedTest, undo: failedTest });

    await expect(change(world.writer)).rejects.toMatchObject({ status: { code: 409 } });
  });

  it('says so when a change could not be taken back', async () => {
    const world = fakeWriter({ '/second': failedTest, undo: new KubeError('connection', 'lost') });

    await expect(change(world.writer)).rejects.toMatchObject({
      message: expect.stringContaining('could not be changed back'),
      status: { code: 500 },
    });
  });

  it('passes a refusal with causes on as it is', async () => {
    const status = { ...statusOf(422, 'no'), details: { causes: [{ field: 'spec' }] } };
    const world = fakeWriter({ '/first': new KubeError('invalid', 'no', { status }) });

    await expect(change(world.writer)).rejects.toMatchObject({ status });
  });
});

function change(writer: ObjectWriter, dryRun = false): Promise<unknown> {
  const decision = { kind: 'patch', patches: [first, second], undo } as const;
  const key = { namespace: 'default', name: 'a' };
  return carryOut(writer, { decision, key, kind: 'virtualmachine', how: { dryRun, signal } });
}

/** Takes patches, but for those that it is told to fail at, by the path of their operation. */
function fakeWriter(failures: Readonly<Record<string, Error>>): {
  readonly writer: ObjectWriter;
  readonly written: readonly ObjectPatch[];
} {
  const written: ObjectPatch[] = [];
  const writer: ObjectWriter = {
    patch: async (_key, patch) => {
      const failure = failures[patch === undo ? 'undo' : (patch.operations[0]?.path ?? '')];
      if (failure !== undefined) throw failure;
      written.push(patch);
    },
    createMigration: () => Promise.resolve(),
  };
  return { writer, written };
}
