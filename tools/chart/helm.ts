import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAMS = join(ROOT, '.cache/kubernetes');
const MOST_BYTES = 64 * 1024 * 1024;

/** The chart. */
export const CHART: string = join(ROOT, 'deploy/helm/smalt');

/** The helm that `npm run bed:kubernetes` has built; undefined where it has not. */
export function findHelm(): string | undefined {
  try {
    const name = readdirSync(PROGRAMS)
      .filter((file) => /^helm-[0-9.]+$/.test(file))
      .toSorted()
      .at(-1);
    return name === undefined ? undefined : join(PROGRAMS, name);
  } catch {
    // There is no such directory before the first build.
    return undefined;
  }
}

export interface RenderOptions {
  readonly namespace?: string;
  /** Values over those of the chart. */
  readonly values?: unknown;
  readonly flags?: readonly string[];
}

/** What `helm template` prints. Rejects with the words of helm. */
export async function renderChart(helm: string, options: RenderOptions = {}, signal?: AbortSignal): Promise<string> {
  const { namespace = 'smalt-system', values = {}, flags = [] } = options;
  const child = run(helm, ['template', 'smalt', CHART, '--namespace', namespace, '--values', '-', ...flags], {
    maxBuffer: MOST_BYTES,
    signal,
  });
  child.child.stdin?.end(JSON.stringify(values));
  return (await child).stdout;
}
