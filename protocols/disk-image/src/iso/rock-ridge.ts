import { bothEndian32 } from './both-endian.ts';

/** What Rock Ridge adds to a record of a directory: some in the record, the rest elsewhere. */
export interface SystemUse {
  /** Of the record itself; `continuationPointer` is to be added when there is a continuation. */
  readonly inline: Buffer;
  readonly continuation: Buffer | undefined;
}

export interface RockRidgeEntry {
  readonly role: 'root-self' | 'self' | 'parent' | 'child';
  readonly name: string;
  readonly isDirectory: boolean;
  readonly links: number;
}

export const CONTINUATION_POINTER_BYTES = 28;
/** The longest record of even length, less its fixed part, an 8.3 name, a byte of padding, permissions and a pointer. */
const NAME_ROOM = 254 - 33 - 14 - 1 - 36 - CONTINUATION_POINTER_BYTES - 5;
const NAME_GOES_ON = 1;

/** Permissions and the real name of an entry. */
export function systemUseOf({ role, name, isDirectory, links }: RockRidgeEntry): SystemUse {
  const permissions = permissionsField(isDirectory, links);
  if (role === 'root-self') {
    return { inline: Buffer.concat([SHARING_PROTOCOL, permissions]), continuation: extensionReference() };
  }
  if (role !== 'child') return { inline: permissions, continuation: undefined };
  const bytes = Buffer.from(name);
  const isWhole = bytes.length <= NAME_ROOM;
  const start = nameField(bytes.subarray(0, NAME_ROOM), isWhole ? 0 : NAME_GOES_ON);
  const continuation = isWhole ? undefined : nameField(bytes.subarray(NAME_ROOM), 0);
  return { inline: Buffer.concat([permissions, start]), continuation };
}

/** Points from a record to the rest of its system use. */
export function continuationPointer(block: number, offset: number, length: number): Buffer {
  return field('CE', [bothEndian32(block), bothEndian32(offset), bothEndian32(length)]);
}

/** Says that the records carry such fields at all. */
const SHARING_PROTOCOL = Buffer.from([0x53, 0x50, 7, 1, 0xbe, 0xef, 0]);

function permissionsField(isDirectory: boolean, links: number): Buffer {
  const mode = isDirectory ? 0o040_555 : 0o100_444;
  return field('PX', [bothEndian32(mode), bothEndian32(links), bothEndian32(0), bothEndian32(0)]);
}

function nameField(name: Uint8Array, flags: number): Buffer {
  return field('NM', [Buffer.from([flags]), name]);
}

/** Names the extension, which readers look for in the first record of the root. */
function extensionReference(): Buffer {
  const id = Buffer.from('RRIP_1991A');
  const description = Buffer.from('THE ROCK RIDGE INTERCHANGE PROTOCOL');
  const source = Buffer.from('SEE IEEE P1282');
  return field('ER', [Buffer.from([id.length, description.length, source.length, 1]), id, description, source]);
}

function field(signature: string, parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return Buffer.concat([Buffer.from(signature, 'latin1'), Buffer.from([length, 1]), ...parts]);
}
