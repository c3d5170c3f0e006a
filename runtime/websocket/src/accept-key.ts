import { createHash } from 'node:crypto';

/** Chosen by RFC 6455. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** What a server answers to the key of a client, to show that it has understood. */
export function acceptKey(key: string): string {
  return createHash('sha1').update(`${key}${GUID}`).digest('base64');
}
