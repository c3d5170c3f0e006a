import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { hasStaticCpuManager } from './static-cpu-manager.ts';

it.each([
  ['{"policyName":"static","defaultCpuSet":"0","entries":{}}', true],
  ['{"policyName":"none","defaultCpuSet":""}', false],
  ['', false],
  [undefined, false],
])('a node whose manager writes %s has one: %s', async (text, isStatic) => {
  const directory = await mkdtemp(join(tmpdir(), 'manager-'));
  if (text !== undefined) await writeFile(join(directory, 'cpu_manager_state'), text);

  expect(await hasStaticCpuManager(['/no/such/directory', directory])).toBe(isStatic);

  await rm(directory, { recursive: true });
});
