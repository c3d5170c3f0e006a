import { readFile } from 'node:fs/promises';

import { WaitReason } from '@smalt/failure-detection';
import { expect, it } from 'vitest';

const reasons: ReadonlySet<string> = new Set(Object.values(WaitReason));

it('has a line of the runbook for every reason why an incident waits, and for nothing else', async () => {
  const table = await tableOf('docs/runbooks/host-is-down.md', '| `wait.reason` |');

  expect(new Set(table.map((line) => /`([a-z-]+)`/.exec(line)?.[1]))).toEqual(reasons);
  expect(table).toHaveLength(reasons.size);
});

it('has every reason in the table of the states', async () => {
  const table = await tableOf('domain/failure-detection/README.md', '| state | `wait.reason` |');

  const named = table.flatMap((line) =>
    [...(line.split('|')[2] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, word]) => word),
  );
  expect(new Set(named)).toEqual(reasons);
});

/** The lines of the table that has this head. */
async function tableOf(path: string, head: string): Promise<readonly string[]> {
  const text = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const lines = text.slice(text.indexOf(head)).split('\n');
  return lines.slice(
    2,
    lines.findIndex((line) => !line.startsWith('|')),
  );
}
