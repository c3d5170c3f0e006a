import { join } from 'node:path';

import { AuditLog } from '../audit/audit-log.ts';
import { AuditTrail } from '../audit/audit-trail.ts';
import { readNewestEvents } from '../audit/read-newest-events.ts';
import type { ApiServerOptions } from '../options.ts';

/** The audit log of a server, and the newest of what is in it. */
export interface Audit extends AsyncDisposable {
  readonly log: AuditLog;
  readonly trail: AuditTrail;
}

/** Opens the audit log of a data directory; what an earlier server wrote last is known again. */
export async function openAudit({ dataDirectory, log: logger }: ApiServerOptions): Promise<Audit> {
  const path = join(dataDirectory, 'audit.log');
  // Later than any number of an earlier server, which gave out less than a million a second.
  const trail = new AuditTrail({ firstNumber: Date.now() * 1_000 });
  try {
    for (const event of await readNewestEvents(path)) trail.add(event);
  } catch (error) {
    logger.warn({ error }, 'what the audit log holds could not be read');
  }
  const onFailure = (error: unknown): void => logger.warn({ error }, 'the audit log could not be written');
  const log = await AuditLog.open({ path, onFailure });
  return { log, trail, [Symbol.asyncDispose]: () => log[Symbol.asyncDispose]() };
}
