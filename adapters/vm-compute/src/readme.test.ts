import { readFile } from 'node:fs/promises';

import { readExamples, runExample } from '@smalt/bed-kubernetes';
import type { ComputeErrorCode } from '@smalt/compute';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startComputeBed, type ComputeBed } from './fixtures/compute-bed.ts';

const readmeUrl = new URL('../README.md', import.meta.url);
const readme = await readFile(readmeUrl, 'utf8');
const examples = await readExamples(readmeUrl);

/** Every code that is thrown, or the compiler complains. */
const codes: Readonly<Record<Exclude<ComputeErrorCode, 'no-target'>, true>> = {
  'not-found': true,
  conflict: true,
  stale: true,
  refused: true,
  unavailable: true,
  'unknown-fate': true,
  aborted: true,
};

describe('the README', () => {
  let bed: ComputeBed;

  beforeAll(async () => {
    bed = await startComputeBed();
    await bed.host('node1', Date.now());
    await bed.instance('one', 'node1');
  });

  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });

  it.each(examples)('has an example $title that runs', async (example) => {
    const printed = await runExample(example, { KUBECONFIG: bed.kubeconfig });

    expect(printed).toContain('node1 true true');
    expect(printed).toContain('one Running');
  });

  it('lists every error code', () => {
    const section = readme.slice(readme.indexOf('## Errors'), readme.indexOf('## Traps'));
    const listed = [...section.matchAll(/^\| `([a-z-]+)` +\|/gm)].map((match) => match[1]);

    expect(listed).toEqual(Object.keys(codes));
  });
});
