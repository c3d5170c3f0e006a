import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';

import { generateSources } from './generate-sources.ts';
import { readPackages } from './read-packages.ts';

const FOLDER = new URL('../src/generated/', import.meta.url);
const PATH = 'domain/kubernetes-api/src/generated/';

const sources = generateSources(await readPackages());
const isCheck = process.argv.includes('--check');
if (!isCheck) await mkdir(FOLDER, { recursive: true });
const present = await orWhenMissing(readdir(FOLDER), []);
for (const [name, text] of sources) {
  if ((await orWhenMissing(readFile(new URL(name, FOLDER), 'utf8'), undefined)) === text) continue;
  if (isCheck) refuse(`${name} is stale`);
  else {
    await writeFile(new URL(name, FOLDER), text);
    console.log(`wrote ${PATH}${name}`);
  }
}
for (const name of present.filter((file) => file.endsWith('.gen.ts') && !sources.has(file))) {
  if (isCheck) refuse(`${name} is generated from nothing any more`);
  else {
    await rm(new URL(name, FOLDER));
    console.log(`removed ${PATH}${name}`);
  }
}

async function orWhenMissing<T, U>(reading: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return otherwise;
    throw error;
  }
}

function refuse(complaint: string): void {
  console.error(`${PATH}${complaint}: run 'npm run generate'`);
  process.exitCode = 1;
}
