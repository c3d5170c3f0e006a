import { mkdir, readFile, writeFile } from 'node:fs/promises';

import { parseAllDocuments } from 'yaml';

/** What the parts of `smalt up` may do: the files that a cluster is given for the same parts. */
const FILES = ['pod-runner', 'scheduler', 'virt-controller', 'virt-handler'].map((name) => `deploy/rbac/${name}.yaml`);
const PATH = 'apps/smalt/src/generated/roles.gen.ts';

const isCheck = process.argv.includes('--check');
const root = new URL('../../../', import.meta.url);
const lines: string[] = [];
for (const file of [...FILES, 'deploy/virt-api/rbac.yaml']) {
  const text = await readFile(new URL(file, root), 'utf8');
  for (const document of parseAllDocuments(text)) lines.push(`  ${JSON.stringify(JSON.stringify(document.toJS()))},`);
}
const wanted = [
  "// Written by 'npm run generate' from deploy/rbac and deploy/virt-api. Change the files there instead.",
  '',
  'export const roles: readonly string[] = [',
  ...lines,
  '];',
  '',
].join('\n');
const target = new URL(PATH, root);
const found = await readFile(target, 'utf8').catch(() => '');
if (found !== wanted) {
  console.log(isCheck ? `${PATH} is stale: run 'npm run generate'` : `wrote ${PATH}`);
  if (isCheck) process.exitCode = 1;
  else {
    await mkdir(new URL('.', target), { recursive: true });
    await writeFile(target, wanted);
  }
}
