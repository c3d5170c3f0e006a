import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

const folder = new URL('../', import.meta.url);

it('prints what the README says when its example runs', () => {
  const readme = readFileSync(new URL('README.md', folder), 'utf8');
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const [, expected] = /```text\n(.*?)```/s.exec(readme) ?? [];

  const printed = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', example], {
    cwd: folder,
    encoding: 'utf8',
  });

  expect(printed).toBe(expected);
});
