import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { expect, it } from 'vitest';

interface LockedPackage {
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly engines?: { readonly node?: string };
}

/** That of Debian 12, by which npm installs; what is installed runs on the one that is pinned. */
const OLDEST_NODE = 18;
const LOCK = resolve(import.meta.dirname, '../../package-lock.json');

it('leaves nothing optional that programs need and that npm would leave out on an old Node', async () => {
  const { packages }: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    await readFile(LOCK, 'utf8'),
  );

  const leftOut = Object.entries(packages).filter(
    ([, each]) => each.optional === true && isOfThisPlatform(each) && lowestMajor(each) > OLDEST_NODE,
  );

  // Make it a dependency of the root: one that has to be is installed all the same.
  expect(leftOut.map(([path]) => path)).toEqual([]);
  expect(packages['node_modules/@rolldown/binding-linux-x64-gnu']).toBeDefined();
});

/** What names no platform is for all of them, such as what stands in where nothing else fits. */
function isOfThisPlatform({ os, cpu, libc }: LockedPackage): boolean {
  const isGlibc = libc === undefined || libc.includes('glibc');
  return os?.includes('linux') === true && cpu?.includes('x64') === true && isGlibc;
}

function lowestMajor({ engines }: LockedPackage): number {
  const majors = [...(engines?.node ?? '').matchAll(/(?:^|[^\d.])(\d+)/g)].map(([, major]) => Number(major));
  return majors.length === 0 ? 0 : Math.min(...majors);
}
