import { chmod, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { powerFileProblems } from './power-file-problems.ts';

const signal = AbortSignal.timeout(10_000);

it('names every file that is of no use, and shows none of them', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-power-'));
  const path = (name: string): string => join(directory.path, name);
  await writeFile(path('password'), 'so-secret\n');
  await writeFile(path('empty'), '\n');
  await writeFile(path('program'), '#!/bin/sh\n');

  const problems = await powerFileProblems(
    {
      levels: [
        {
          driver: 'redfish',
          name: 'a',
          url: 'https://{host}',
          user: 'u',
          passwordFile: path('missing'),
          authorityFile: path('password'),
          perHost: { n1: { passwordFile: path('empty') } },
        },
        { driver: 'command', name: 'b', command: [path('program')], environmentFiles: { TOKEN: path('password') } },
      ],
      cleanUp: [{ name: 'c', command: [path('nowhere')] }],
    },
    signal,
  );

  expect(problems).toEqual([
    `levels[0].passwordFile: ${path('missing')}: ENOENT: put the secret there`,
    `levels[0].perHost.n1.passwordFile: ${path('empty')} has to hold 1 to 4096 characters`,
    `levels[0].authorityFile: ${path('password')} holds no certificate in PEM`,
    expect.stringMatching(/^levels\[1\]\.command: .*program cannot be used: EACCES/),
    expect.stringMatching(/^cleanUp\[0\]\.command: .*nowhere cannot be used: ENOENT/),
  ]);
  expect(problems.join()).not.toContain('so-secret');
});

it('has nothing against files that can be used', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-power-'));
  const program = join(directory.path, 'program');
  await writeFile(program, '#!/bin/sh\n');
  await chmod(program, 0o755);

  const levels = [{ driver: 'command', name: 'b', command: [program, '{host}'] }] as const;

  await expect(powerFileProblems({ levels, cleanUp: [] }, signal)).resolves.toEqual([]);
});
