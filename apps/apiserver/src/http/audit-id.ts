import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const AUDIT_ID = /^[\w.-]{1,64}$/;

/** The id under which a request is written down: the one that the client gave, or a new one when that is none. */
export function auditIdOf({ 'audit-id': given }: IncomingHttpHeaders): string {
  return typeof given === 'string' && AUDIT_ID.test(given) ? given : randomUUID();
}
