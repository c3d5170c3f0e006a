import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** That being written, and those that were put aside, as ours and the real server call them. */
const AUDIT_FILE = /^audit[.\-].*log(?:\.\d+)?$/v;

/**
 * Keeps what an API server was asked, before its directory goes, where the run of tests wants to know: in
 * `SMALT_AUDIT_DIRECTORY`, which `npm run prove:privilege` sets.
 */
export async function keepAuditLog(directory: string): Promise<void> {
  const { env }: { readonly url: string; readonly env?: { readonly SMALT_AUDIT_DIRECTORY?: string } } = import.meta;
  const target = env?.SMALT_AUDIT_DIRECTORY ?? '';
  if (target === '') return;
  await mkdir(target, { recursive: true });
  const files = (await readdir(directory)).filter((name) => AUDIT_FILE.test(name));
  await Promise.all(files.map((name) => copyFile(join(directory, name), join(target, `${randomUUID()}.log`))));
}
