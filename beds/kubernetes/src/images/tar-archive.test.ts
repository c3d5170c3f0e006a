import { mkdtempDisposable, readFile, readlink, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runProgram } from '@smalt/libvirt-daemon';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { tarArchive } from './tar-archive.ts';

const TAR = { name: 'tar', debianPackage: 'tar' } as const;

it('is read by tar, with files of any size, directories, links and modes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), fc.boolean(), async (bytes, isExecutable) => {
      await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-tar-'));
      const content = Buffer.from(bytes);
      const input = tarArchive([
        { kind: 'directory', path: 'bin' },
        { kind: 'file', path: 'bin/program', content, isExecutable },
        { kind: 'link', path: 'bin/alias', target: 'program' },
      ]);

      await runProgram(TAR, ['--extract', '--file', '-'], { input, directory: directory.path });

      const program = join(directory.path, 'bin/program');
      expect((await readFile(program)).equals(content)).toBe(true);
      expect(((await stat(program)).mode & 0o111) !== 0).toBe(isExecutable);
      expect(await readlink(join(directory.path, 'bin/alias'))).toBe('program');
    }),
    { numRuns: 10 },
  );
});

it('refuses a path that it cannot hold rather than cut it', () => {
  const path = 'a'.repeat(101);

  expect(() => tarArchive([{ kind: 'directory', path }])).toThrow(`${path} is too long`);
});
