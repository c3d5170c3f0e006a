import { isJsonObject, type JsonObject } from '@smalt/json';

import { BACKUP_PATH } from '../http/backup-path.ts';

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head', 'options']);
/** Programs write these all day long, and questions about rights change nothing. */
const ROUTINE: ReadonlySet<string> = new Set([
  'events',
  'leases',
  'localsubjectaccessreviews',
  'selfsubjectaccessreviews',
  'selfsubjectreviews',
  'selfsubjectrulesreviews',
  'subjectaccessreviews',
  'tokenreviews',
]);

/** These are asked for by reading, too, and let one do anything in a guest, in a pod or behind it. */
const REACHING_IN: ReadonlySet<unknown> = new Set(['attach', 'console', 'exec', 'portforward', 'proxy', 'vnc']);

/**
 * Whether an audit event tells of something that was done, and not of looking, of signs of life or of how things are. What was refused
 * was not done; of what failed in the server nobody knows that.
 */
export function isDeed({ verb, objectRef, requestURI, responseStatus }: JsonObject): boolean {
  const { resource, subresource } = isJsonObject(objectRef) ? objectRef : {};
  if (isRefusal(responseStatus)) return false;
  if (REACHING_IN.has(subresource)) return true;
  // It gives all Secrets away, and is about no object.
  if (typeof requestURI === 'string' && requestURI.split('?', 1)[0] === BACKUP_PATH) return true;
  if (typeof verb !== 'string' || READING.has(verb)) return false;
  return typeof resource === 'string' && !ROUTINE.has(resource) && subresource !== 'status';
}

function isRefusal(responseStatus: unknown): boolean {
  const code = isJsonObject(responseStatus) ? responseStatus['code'] : undefined;
  return typeof code === 'number' && code >= 400 && code < 500;
}
