import { appendFile, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { openAuditMark, writtenRequests } from './written-requests.ts';

it('finds who wrote what, refused or not, and leaves reading and watches out', () => {
  const lines = [
    line({ verb: 'list', objectRef: { resource: 'pods' } }),
    line({ verb: 'create', objectRef: { resource: 'pods', subresource: 'binding', name: 'a' } }),
    line({ verb: 'patch', objectRef: { resource: 'virtualmachineinstances' }, responseStatus: { code: 409 } }),
    line({ verb: 'create', stage: 'ResponseStarted', objectRef: { resource: 'pods' } }),
    line({ verb: 'create' }),
  ];

  expect(writtenRequests(lines)).toEqual([
    { verb: 'create', resource: 'pods/binding', user: 'smalt-scheduler', code: 201 },
    { verb: 'patch', resource: 'virtualmachineinstances', user: 'smalt-scheduler', code: 409 },
  ]);
});

it('reads what was added to an audit log since, and refuses one that was put aside', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-audit-'));
  const path = join(directory.path, 'audit.log');
  await writeFile(path, 'before\n');

  const addedSince = await openAuditMark(path);
  await appendFile(path, 'one\ntwo\n');
  const added = await addedSince();
  await writeFile(path, '');

  expect(added).toEqual(['one', 'two']);
  await expect(addedSince()).rejects.toThrow('was put aside');
});

function line(change: Readonly<Record<string, unknown>>): string {
  const user = { username: 'system:serviceaccount:smalt-system:smalt-scheduler' };
  return JSON.stringify({ stage: 'ResponseComplete', user, responseStatus: { code: 201 }, ...change });
}
