import { mkdir, writeFile } from 'node:fs/promises';

import { generateSources } from './generate-sources.ts';
import { readSchema } from './read-schema.ts';
import { staleSources } from './stale-sources.ts';

const FOLDER = new URL('../src/generated/', import.meta.url);

const sources = generateSources(await readSchema());
const isCheck = process.argv.includes('--check');
await mkdir(FOLDER, { recursive: true });
for (const name of await staleSources(FOLDER, sources)) {
  if (isCheck) console.error(`clients/libvirt/src/generated/${name} is stale: run 'npm run generate'`);
  else {
    await writeFile(new URL(name, FOLDER), sources.get(name) ?? '');
    console.log(`wrote clients/libvirt/src/generated/${name}`);
  }
  if (isCheck) process.exitCode = 1;
}
