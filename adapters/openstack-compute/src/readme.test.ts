import { readFile } from 'node:fs/promises';

import { readExamples, runExample } from '@smalt/bed-kubernetes';
import { startSimulatedOpenStack } from '@smalt/bed-openstack-simulator';
import type { ComputeErrorCode } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

const readmeUrl = new URL('../README.md', import.meta.url);
const readme = await readFile(readmeUrl, 'utf8');

/** Every code, or the compiler complains. */
const codes: Readonly<Record<ComputeErrorCode, true>> = {
  'not-found': true,
  conflict: true,
  stale: true,
  'no-target': true,
  refused: true,
  unavailable: true,
  'unknown-fate': true,
  aborted: true,
};

describe('the examples of the README', async () => {
  const examples = await readExamples(readmeUrl);

  it.each(examples)('example $title runs', async (example) => {
    await using cloud = await startSimulatedOpenStack({ hosts: ['node1', 'node10'] });
    cloud.addServer('node1', { name: 'one' });

    const printed = await runExample(example, cloud.environment());

    expect(printed).toContain('node1 true true');
    expect(printed).toContain('one ACTIVE');
  });
});

it('lists every error code', () => {
  const listed = [...readme.matchAll(/^\| `([a-z-]+)` +\|/gm)].map((match) => match[1]);

  expect(listed).toEqual(Object.keys(codes));
});
