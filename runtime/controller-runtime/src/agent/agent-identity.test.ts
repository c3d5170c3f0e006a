import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { describeIdentity, hasEnded, ownIdentity, parseIdentity, printIdentity } from './agent-identity.ts';

/** By which an agent without locks reads who holds a Lease. */
const PATTERN_OF_BEFORE =
  /^(?<host>\S+) pid (?<pid>\d+) since (?<startedAt>\S+) \((?<scope>\S+) (?<ticks>\d+) (?<nonce>[\da-f]+)\)$/;

const own = await ownIdentity(new Date('2026-03-01T12:00:00.500Z'));

it('is read as it was printed, and shown to people without what only programs want', () => {
  const text = printIdentity(own);

  expect(parseIdentity(text)).toEqual(own);
  expect(describeIdentity(text)).toBe(`${own.host} pid ${process.pid} since 2026-03-01T12:00:00Z`);
});

it('names the lock that it holds where agents of before read which process numbers are meant', () => {
  const text = printIdentity({ ...own, lock: '0123456789abcdef' });

  expect(parseIdentity(text)).toEqual({ ...own, lock: '0123456789abcdef' });
  expect(describeIdentity(text)).toBe(describeIdentity(printIdentity(own)));
  expect(PATTERN_OF_BEFORE.exec(text)?.groups).toMatchObject({ scope: `${own.scope}#0123456789abcdef` });
});

it('differs for each agent of a process', async () => {
  expect(printIdentity(await ownIdentity(new Date(0)))).not.toBe(printIdentity(await ownIdentity(new Date(0))));
});

it.each([
  { what: 'this process', other: own, ended: false },
  { what: 'a number that no process has', other: { ...own, pid: 4_194_304 }, ended: true },
  { what: 'an earlier process of this number', other: { ...own, ticks: '1' }, ended: true },
  { what: 'a process of another kernel or container', other: { ...own, pid: 4_194_304, scope: 'else' }, ended: false },
])('says of $what that it has ended: $ended', async ({ other, ended }) => {
  expect(await hasEnded(printIdentity(other), own)).toBe(ended);
});

it('says nothing of the identities of other programs', async () => {
  expect(parseIdentity('node1_1234')).toBeUndefined();
  expect(await hasEnded('node1_1234', own)).toBe(false);
});

it('is sure of nothing when there is no file descriptor left to look at a process', async () => {
  const script = join(import.meta.dirname, '../fixtures/look-without-files.ts');
  const words = ['-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath, script, printIdentity(own)];

  const { stdout } = await promisify(execFile)('sh', words);

  expect(stdout).toBe('before: runs\nafter: unsure\n');
});
