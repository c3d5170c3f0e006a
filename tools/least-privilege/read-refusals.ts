import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';

import { accountRequests, type AccountRequest } from './account-request.ts';

export interface KeptRefusals {
  /** How many API servers left a log behind, refusals in it or not. */
  readonly servers: number;
  readonly requests: readonly AccountRequest[];
}

/** Reads what beds kept of audit logs: a directory for each test file, by its path. */
export async function readRefusals(directory: string): Promise<KeptRefusals> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const logs = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const requests: AccountRequest[] = [];
  for (const log of logs) {
    const story = relative(directory, dirname(log));
    for await (const line of createInterface({ input: createReadStream(log) })) {
      requests.push(...accountRequests(story, line));
    }
  }
  return { servers: logs.length, requests };
}
