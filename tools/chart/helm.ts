import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAMS = join(ROOT, '.cache/kubernetes');
const MODULE = join(ROOT, 'beds/kubernetes/go/helm/go.mod');
const MOST_BYTES = 64 * 1024 * 1024;

/** The chart. */
export const CHART: string = join(ROOT, 'deploy/helm/smalt');

/** The helm that `npm run bed:kubernetes -- --build` builds now, and none of an earlier version; undefined where it has not. */
export function findHelm(): string | undefined {
  const version = /^require helm[.]sh\/helm\/v4 v(?<number>[0-9.]+)$/m.exec(readFileSync(MODULE, 'utf8'));
  if (version === null) throw new Error(`${MODULE} does not say which helm it is`);
  const path = join(PROGRAMS, `helm-${version.groups?.['number']}`);
  return existsSync(path) ? path : undefined;
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
