import { mkdtempDisposable } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { parseDaemonRecord, readDaemonRecord } from './daemon-record.ts';

const record = { pid: 7, startTicks: '12', bootId: 'b', uri: 'qemu:///system' };

it('reads a record', () => {
  expect(parseDaemonRecord(JSON.stringify(record))).toEqual(record);
});

it.each(['', '\0\0', 'null', '[]', '{"pid":7', ...bad({ pid: '7' }), ...bad({ pid: 1 }), ...bad({ uri: 3 })])(
  'takes a damaged record for none: %j',
  (text) => {
    expect(parseDaemonRecord(text)).toBeUndefined();
  },
);

it('finds no record where there is none', async () => {
  await using directory = await mkdtempDisposable('/tmp/record-');

  expect(await readDaemonRecord(directory.path)).toBeUndefined();
});

function bad(change: Readonly<Record<string, unknown>>): readonly string[] {
  return [JSON.stringify({ ...record, ...change })];
}
