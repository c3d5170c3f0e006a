import { mkdir, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { keepAddress, keepPassword, keepState, noteOwner, readAddress, turnLogs } from './kept-files.ts';

describe('what a cloud keeps', () => {
  it('has one password, which root alone may read', async () => {
    await using place = await makeDirectory();

    const first = await keepPassword(place.path);
    const second = await keepPassword(place.path);

    expect(first).toMatch(/^[\w-]{32}$/);
    expect(second).toBe(first);
    expect((await stat(join(place.path, 'password'))).mode & 0o777).toBe(0o600);
  });

  it('has the address that it had, unless somebody else listens there by now', async () => {
    await using place = await makeDirectory();
    const first = await keepAddress(place.path);
    const same = await keepAddress(place.path);
    const other = createServer().listen(first.computePort, first.host);
    await once(other, 'listening');

    const changed = await keepAddress(place.path);
    await once(other.close(), 'close');

    expect(same).toEqual(first);
    expect(changed.host).not.toBe(first.host);
  });

  it.each(['', '{}', '[]', '{"host":"10.0.0.1","firstPort":20000}', '{"host":"127.1.2.3"}'])(
    'takes %j for no address',
    (text) => {
      expect(readAddress(text)).toBeUndefined();
    },
  );

  it('begins with a copy of the state beside the software, but with keys of its own', async () => {
    await using place = await makeDirectory();
    const software = join(place.path, 'software');
    await mkdir(join(software, 'state/fernet'), { recursive: true });
    await mkdir(join(software, 'state/fernet-receipts'));
    await mkdir(join(software, 'state/database'));
    for (const name of ['password', 'fernet/0', 'fernet-receipts/0', 'database/ibdata1'])
      await writeFile(join(software, 'state', name), name);

    const isFound = await keepState(place.path, software);
    const kinds = ['fernet', 'fernet-receipts', 'credential'];
    const keys = (await Promise.all(kinds.map((kind) => readdir(join(place.path, 'state', kind))))).flat();
    await writeFile(join(place.path, 'state/database/ibdata1'), 'changed');
    await noteOwner(place.path);
    const isFoundLater = await keepState(place.path, software);

    expect({ isFound, keys, isFoundLater }).toEqual({ isFound: true, keys: [], isFoundLater: false });
    expect(await readFile(join(place.path, 'state/database/ibdata1'), 'utf8')).toBe('changed');
    expect((await readdir(place.path)).toSorted()).toEqual(['software', 'state']);
  });

  it('is to be made its own again where its password is lost', async () => {
    await using place = await makeDirectory();
    await mkdir(join(place.path, 'state'));
    const lost = await keepPassword(place.path);
    await noteOwner(place.path);
    const isFound = await keepState(place.path, '');
    await writeFile(join(place.path, 'password'), '');

    const drawn = await keepPassword(place.path);

    expect(drawn).not.toBe(lost);
    expect([isFound, await keepState(place.path, '')]).toEqual([false, true]);
  });

  it('has the logs of its run and of the one before', async () => {
    await using place = await makeDirectory();
    for (const run of ['first', 'second', 'third']) {
      await turnLogs(place.path);
      await writeFile(join(place.path, 'log/nova.log'), run);
    }

    const logs = join(place.path, 'log');
    expect(await readdir(logs)).toEqual(['nova.log', 'nova.log.1']);
    expect(await readFile(join(logs, 'nova.log.1'), 'utf8')).toBe('second');
  });
});

function makeDirectory(): ReturnType<typeof mkdtempDisposable> {
  return mkdtempDisposable(join(tmpdir(), 'smalt-kept-'));
}
