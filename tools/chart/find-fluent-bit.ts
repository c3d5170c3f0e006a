import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** Fluent Bit on this machine, in .cache, in the `PATH` or in the place where its own packages put it; undefined where there is none. */
export function findFluentBit(): string | undefined {
  // oxlint-disable-next-line node/no-process-env -- where programs of this machine are
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/opt/fluent-bit/bin'];
  const built = resolve(import.meta.dirname, '../../.cache/fluent-bit');
  return [built, ...folders].map((folder) => join(folder, 'fluent-bit')).find((path) => existsSync(path));
}
