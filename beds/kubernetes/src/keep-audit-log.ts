import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** That being written, and those that were put aside, as ours and the real server call them. */
const AUDIT_FILE = /^audit[.\-].*log(?:\.\d+)?$/v;
/** Told by the line alone: a log of some hundred thousand requests is not read as JSON for the few that are wanted. */
const REFUSED = '"code":403';
const BY_AN_ACCOUNT = '"username":"system:serviceaccount:';

interface RunSettings {
  readonly SMALT_AUDIT_DIRECTORY?: string;
  readonly SMALT_REFUSAL_DIRECTORY?: string;
  readonly SMALT_TEST_FILE?: string;
}

/** Whether the run of tests wants to know what API servers are asked: then each of them has an audit log, whoever starts it. */
export function isAuditKept(): boolean {
  const { all, refusals } = runSettings();
  return all !== '' || refusals !== '';
}

/**
 * Keeps what an API server was asked, before its directory goes, where the run of tests wants to know: all of it in
 * `SMALT_AUDIT_DIRECTORY`, which `npm run prove:privilege` sets; what accounts were refused, by test file, in
 * `SMALT_REFUSAL_DIRECTORY`, which `npm run test:kubernetes` sets.
 */
export async function keepAuditLog(directory: string): Promise<void> {
  if (!isAuditKept()) return;
  const { all, refusals, file } = runSettings();
  const logs = (await readdir(directory)).filter((name) => AUDIT_FILE.test(name)).map((name) => join(directory, name));
  if (all !== '') await keepAll(logs, all);
  if (refusals !== '') await keepRefusals(logs, join(refusals, file));
}

function runSettings(): { readonly all: string; readonly refusals: string; readonly file: string } {
  const { env = {} }: { readonly url: string; readonly env?: RunSettings } = import.meta;
  const { SMALT_AUDIT_DIRECTORY: all = '', SMALT_REFUSAL_DIRECTORY: refusals = '', SMALT_TEST_FILE: file = '' } = env;
  return { all, refusals, file };
}

async function keepAll(logs: readonly string[], target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  await Promise.all(logs.map((log) => copyFile(log, join(target, `${randomUUID()}.log`))));
}

async function keepRefusals(logs: readonly string[], target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  const path = join(target, `${randomUUID()}.log`);
  await pipeline(Readable.from(refusedLines(logs)), createWriteStream(path));
}

async function* refusedLines(logs: readonly string[]): AsyncGenerator<string> {
  for (const log of logs) {
    for await (const line of createInterface({ input: createReadStream(log) })) {
      if (line.includes(REFUSED) && line.includes(BY_AN_ACCOUNT)) yield `${line}\n`;
    }
  }
}
