import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect, it } from 'vitest';

import { isStatusError } from '../errors/status-error.ts';
import { openStore } from '../store/store.ts';
import { admitEverything } from './admission.ts';
import { machine, writer } from './fixtures/test-objects.ts';
import { machines, namespaces } from './fixtures/test-resources.ts';
import { Registry } from './registry.ts';

const isRoot = process.getuid?.() === 0;

it.skipIf(!isRoot)('refuses writes on a full disk, reads on, and writes again when there is room', async () => {
  using disk = tinyDisk();
  const path = join(disk.path, 'store.db');
  const store = openStore({ path, now: Date.now, onListenerError: rethrow });
  const registry = new Registry({ store, admission: admitEverything(), now: Date.now });
  await registry.create(namespaces(), '', { metadata: { name: 'default' } }, writer());
  await registry.create(machines(), 'default', machine('before'), writer());
  const events: string[] = [];
  await registry.watch(MACHINES, { namespace: '' }, (batch) => events.push(...batch.map(({ object }) => object.name)));

  disk.fill();
  const failures = await Promise.all(
    ['one', 'one', 'two'].map(async (name) =>
      registry.create(MACHINES, 'default', machine(name), writer()).catch(String),
    ),
  );
  const deletion = await registry
    .delete(MACHINES, { namespace: 'default', name: 'before' }, {}, writer())
    .catch((error: unknown) => (isStatusError(error) ? error.status : error));
  const whileFull = await registry.list(MACHINES, { namespace: '' });
  const isFull = catchMessage(() => store.checkWritable());
  disk.free();
  const isFree = catchMessage(() => store.checkWritable());
  await registry.create(MACHINES, 'default', machine('after'), writer());
  store.close();

  const text = 'Internal error occurred: the write was not stored: database or disk is full';
  expect(failures).toEqual([`StatusError: ${text}`, `StatusError: ${text}`, `StatusError: ${text}`]);
  expect(deletion).toMatchObject({ status: 'Failure', reason: 'InternalError', code: 500, message: text });
  expect(whileFull.items.map(({ name }) => name)).toEqual(['before']);
  expect(events).toEqual(['after']);
  expect([isFull, isFree]).toEqual(['the write was not stored: database or disk is full', undefined]);
  const file = new DatabaseSync(path);
  expect(file.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  file.close();
  const again = openStore({ path, now: Date.now, onListenerError: rethrow });
  expect(again.range('machines.bench.example.dev').map(({ name, resourceVersion }) => [name, resourceVersion])).toEqual(
    [
      ['after', 3],
      ['before', 2],
    ],
  );
  again.close();
});

const MACHINES = machines();

function tinyDisk() {
  const path = mkdtempSync(join(tmpdir(), 'disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]);
  const filler = join(path, 'filler');
  return {
    path,
    fill: () => writeFileSync(filler, Buffer.alloc(statfsSync(path).bavail * statfsSync(path).bsize)),
    free: () => rmSync(filler),
    [Symbol.dispose]: () => {
      execFileSync('umount', [path]);
      rmSync(path, { recursive: true });
    },
  };
}

function catchMessage(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function rethrow(error: unknown): void {
  throw error;
}
