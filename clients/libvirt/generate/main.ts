import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';

import { generateSources } from './generate-sources.ts';
import { readSchema } from './read-schema.ts';
import { staleSources } from './stale-sources.ts';

const FOLDER = new URL('../src/generated/', import.meta.url);

const sources = generateSources(await readSchema());
const isCheck = process.argv.includes('--check');
if (!isCheck) await mkdir(FOLDER, { recursive: true });
for (const name of await staleSources(FOLDER, sources)) {
  if (isCheck) refuse(`${name} is stale`);
  else {
    await writeFile(new URL(name, FOLDER), sources.get(name) ?? '');
    console.log(`wrote clients/libvirt/src/generated/${name}`);
  }
}
for (const name of await orphans()) {
  if (isCheck) refuse(`${name} is generated from nothing any more`);
  else {
    await rm(new URL(name, FOLDER));
    console.log(`removed clients/libvirt/src/generated/${name}`);
  }
}

/** Files that an earlier schema gave; without the folder, all is stale and nothing is orphaned. */
async function orphans(): Promise<readonly string[]> {
  const present = await readdir(FOLDER).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return present.filter((name) => name.endsWith('.gen.ts') && !sources.has(name));
}

function refuse(complaint: string): void {
  console.error(`clients/libvirt/src/generated/${complaint}: run 'npm run generate'`);
  process.exitCode = 1;
}
