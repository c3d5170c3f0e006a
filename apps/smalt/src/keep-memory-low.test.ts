import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

const NODE = resolve(import.meta.dirname, '../../../node_modules/.bin/node');
const KEEPER = join(import.meta.dirname, 'keep-memory-low.ts');

// Makes 40 MiB of garbage that no small collection takes, a little at a time, and tells the most that was ever used.
const PROGRAM = `
  import { setTimeout as delay } from 'node:timers/promises';
  const { keepMemoryLow } = await import(${JSON.stringify(KEEPER)});
  const keeper = process.argv[1] === 'kept' ? keepMemoryLow() : undefined;
  const used = () => process.memoryUsage().heapUsed;
  const start = used();
  let most = 0;
  let old = [];
  for (let turn = 0; turn < 20; turn++) {
    old = Array.from({ length: 50_000 }, (_, index) => ({ turn, index }));
    await delay(120);
    most = Math.max(most, used() - start);
  }
  keeper?.[Symbol.dispose]();
  console.log(JSON.stringify({ most, isExposed: 'gc' in globalThis, length: old.length }));
`;

it('collects garbage before there is much of it, and shows the collector to nobody', { timeout: 30_000 }, async () => {
  const [kept, free] = await Promise.all(['kept', 'free'].map(run));

  expect(kept?.most).toBeLessThan(25e6);
  expect(free?.most).toBeGreaterThan(1.3 * (kept?.most ?? Infinity));
  expect(kept?.isExposed).toBe(false);
});

async function run(word: string): Promise<{ readonly most: number; readonly isExposed: boolean }> {
  const { stdout } = await promisify(execFile)(NODE, ['--input-type=module', '--eval', PROGRAM, word]);
  return JSON.parse(stdout);
}
