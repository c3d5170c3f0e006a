import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

it('refuses I/O below protocols and domain, but for tests and generators, which nothing else may use', async () => {
  const violations = await cruise({
    'domain/a/src/reads.ts': "export { readFile } from 'node:fs/promises';",
    'protocols/a/src/asks.ts': "export { get } from 'node:https';",
    'protocols/a/src/runs.ts': "export { spawn } from 'node:child_process';",
    'domain/a/src/knows-addresses.ts': "export { isIP } from 'node:net';",
    'domain/a/src/joins.ts': "export { join } from 'node:path/posix';",
    'domain/a/src/reads.test.ts':
      "import { rm } from 'node:fs';\nimport { write } from '../generate/main.ts';\nrm; write;",
    'domain/a/generate/main.ts': "export { writeFileSync as write } from 'node:fs';",
    'domain/a/src/evades.ts': "export { write } from '../generate/main.ts';",
    'clients/a/src/reads.ts': "export { readFile } from 'node:fs/promises';",
  });

  expect(violations).toEqual([
    'domain/a/src/evades.ts: generators-are-for-generators: domain/a/generate/main.ts',
    'domain/a/src/reads.ts: protocols-and-domain-do-no-io: fs/promises',
    'protocols/a/src/asks.ts: protocols-and-domain-do-no-io: https',
    'protocols/a/src/runs.ts: protocols-and-domain-do-no-io: child_process',
  ]);
});

interface Cruise {
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

/** What the layers of the house refuse in a tree of these files. */
async function cruise(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'smalt-layers-'));
  for (const [path, text] of Object.entries({ ...files, 'tsconfig.json': '{}', 'package.json': '{}' })) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  }
  const tool = join(root, 'node_modules/.bin/depcruise');
  const words = [tool, '--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json', '.'];
  const output = await new Promise<string>((resolveWith) => {
    execFile(process.execPath, words, { cwd: folder.path }, (_error, out) => resolveWith(out));
  });
  const { summary }: Cruise = JSON.parse(output);
  return summary.violations.map(({ from, rule, to }) => `${from}: ${rule.name}: ${to}`).toSorted();
}
