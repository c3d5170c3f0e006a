import { mkdtempDisposable, open, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, expect, it, vi } from 'vitest';

import { writeDraft } from './write-draft.ts';

afterEach(() => vi.restoreAllMocks());

it('refuses a link that was put in its place, and leaves alone what that leads to', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-draft-'));
  const [victim, draft] = [join(directory.path, 'victim'), join(directory.path, 'draft')];
  await writeFile(victim, 'untouched');
  await symlink(victim, draft);

  await expect(writeDraft(draft, 'key', { mode: 0o600, isDurable: true })).rejects.toMatchObject({ code: 'EEXIST' });

  expect(await readFile(victim, 'utf8')).toBe('untouched');
});

it('refuses a file that is there, which others may have open', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-draft-'));
  const draft = join(directory.path, 'draft');
  await writeFile(draft, 'of another', { mode: 0o666 });

  await expect(writeDraft(draft, 'key', { mode: 0o600, isDurable: true })).rejects.toMatchObject({ code: 'EEXIST' });

  expect(await readFile(draft, 'utf8')).toBe('of another');
});

it.each([0o400, 0o600, 0o644, 0o666])('has the mode %o before there is a byte in it', async (mode) => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-draft-'));
  const draft = join(directory.path, 'draft');
  const seen = await watchWrites(draft);

  await writeDraft(draft, 'key', { mode, isDurable: false });

  expect(seen).toEqual([{ mode, size: 0 }]);
  expect((await stat(draft)).mode & 0o7777).toBe(mode);
});

/** What a file is like at the moment when something is written to it. */
async function watchWrites(path: string): Promise<readonly { readonly mode: number; readonly size: number }[]> {
  const seen: { readonly mode: number; readonly size: number }[] = [];
  await using handle = await open('/dev/null');
  const prototype: typeof handle = Object.getPrototypeOf(handle);
  for (const name of ['writeFile'] as const) {
    const real = prototype[name];
    vi.spyOn(prototype, name).mockImplementation(async function (this: typeof handle, ...words) {
      const { mode, size } = await stat(path);
      seen.push({ mode: mode & 0o7777, size });
      await real.apply(this, words);
    });
  }
  return seen;
}
