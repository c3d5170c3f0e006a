import { isJsonObject, type JsonObject } from '@smalt/json';

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

/** Whether an audit event tells of something that was done, and not of looking, of signs of life or of how things are. */
export function isDeed({ verb, objectRef }: JsonObject): boolean {
  const { resource, subresource } = isJsonObject(objectRef) ? objectRef : {};
  // Consoles and screens are asked for by reading, and let one do anything.
  if (subresource === 'console' || subresource === 'vnc' || subresource === 'exec') return true;
  if (typeof verb !== 'string' || READING.has(verb)) return false;
  return typeof resource === 'string' && !ROUTINE.has(resource) && subresource !== 'status';
}
