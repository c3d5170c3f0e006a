import { readdir, readFile } from 'node:fs/promises';

import type { PackageSource } from '../src/message-type.ts';
import { checkPackages } from './check-packages.ts';
import { parseKindsFile } from './parse-kinds-file.ts';

const SCHEMA = new URL('../schema/', import.meta.url);

/** Every package of the schema folder, checked against one another. */
export async function readPackages(): Promise<readonly PackageSource[]> {
  const names = (await readdir(SCHEMA)).filter((name) => name.endsWith('.kinds')).toSorted();
  const packages: PackageSource[] = [];
  for (const name of names) {
    packages.push(parseKindsFile(name.slice(0, -'.kinds'.length), await readFile(new URL(name, SCHEMA), 'utf8')));
  }
  checkPackages(packages);
  return packages;
}
