import { readFile, writeFile } from 'node:fs/promises';

import { withLifecycle } from '../src/index.ts';

const PATH = 'docs/concepts/hypervisor-lifecycle.md';

const isCheck = process.argv.includes('--check');
const file = new URL(`../../../${PATH}`, import.meta.url);
const text = await readFile(file, 'utf8');
const current = withLifecycle(text);
if (current !== text) {
  console.log(isCheck ? `${PATH} is stale: run 'npm run generate'` : `wrote ${PATH}`);
  if (isCheck) process.exitCode = 1;
  else await writeFile(file, current);
}
