import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ManualClock } from '../../engine/fixtures/manual-clock.ts';
import { TestAuthority } from '../../fixtures/test-authority.ts';
import { OwnCertificates } from './own-certificates.ts';

it('knows the certificate before the last one for five minutes, and a file that is read anew changes nothing', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-own-certificates-'));
  const authority = await TestAuthority.make(directory.path, 'service');
  const [first, second] = [await pemOf(authority, 'first'), await pemOf(authority, 'second')];
  const clock = new ManualClock();
  const own = new OwnCertificates(clock, first);
  const seen = [namesOf(own)];

  own.use(second);
  await clock.advance(299_999);
  own.use(second);
  seen.push(namesOf(own));
  await clock.advance(1);
  seen.push(namesOf(own));

  expect(seen).toEqual([['CN=first'], ['CN=second', 'CN=first'], ['CN=second']]);
});

async function pemOf(authority: TestAuthority, name: string): Promise<string> {
  return await readFile((await authority.sign(name)).certificateFile, 'utf8');
}

function namesOf(own: OwnCertificates): readonly string[] {
  return own.all().map(({ subject }) => subject);
}
