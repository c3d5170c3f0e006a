import { DBusError } from './dbus-error.ts';

/** The types that hold no other: all but arrays, structs, dictionaries and variants. */
export type BasicCode = 'y' | 'b' | 'n' | 'q' | 'i' | 'u' | 'x' | 't' | 'd' | 's' | 'o' | 'g' | 'h';

/** One complete type. */
export type DBusType =
  | { readonly kind: 'basic'; readonly code: BasicCode }
  | { readonly kind: 'variant' }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'array'; readonly item: DBusType }
  | { readonly kind: 'dictionary'; readonly key: DBusType; readonly value: DBusType }
  | { readonly kind: 'struct'; readonly fields: readonly DBusType[] };

const MAX_LENGTH = 255;
/** As the specification has it, for arrays and structs each. */
const MAX_DEPTH = 32;

interface Cursor {
  readonly text: string;
  at: number;
}

interface Depth {
  readonly arrays: number;
  readonly structs: number;
}

/** The complete types that a signature lists; refuses what the specification refuses. */
export function parseSignature(text: string): readonly DBusType[] {
  if (text.length > MAX_LENGTH) throw new DBusError('too-long', `a signature of ${text.length} characters`);
  const cursor = { text, at: 0 };
  const types = [];
  while (cursor.at < text.length) types.push(parseType(cursor, { arrays: 0, structs: 0 }));
  return types;
}

/** The one complete type of a variant's signature. */
export function parseSingleType(text: string): DBusType {
  const [type, ...more] = parseSignature(text);
  if (!type || more.length > 0) throw new DBusError('invalid', `"${text}" is not one complete type`);
  return type;
}

/** Whether values of a type may be the keys of a dictionary. */
function isBasicCode(code: string): code is BasicCode {
  return code.length === 1 && 'ybnqiuxtdsogh'.includes(code);
}

function parseType(cursor: Cursor, depth: Depth): DBusType {
  if (depth.arrays > MAX_DEPTH || depth.structs > MAX_DEPTH) {
    throw new DBusError('too-deep', `the signature "${cursor.text}" nests more than ${MAX_DEPTH} levels`);
  }
  const code = cursor.text[cursor.at] ?? '';
  cursor.at += 1;
  if (isBasicCode(code)) return { kind: 'basic', code };
  if (code === 'v') return { kind: 'variant' };
  if (code === 'a') return parseArray(cursor, { ...depth, arrays: depth.arrays + 1 });
  if (code === '(') return parseStruct(cursor, { ...depth, structs: depth.structs + 1 });
  throw notASignature(cursor);
}

function parseArray(cursor: Cursor, depth: Depth): DBusType {
  if (cursor.text[cursor.at] !== '{') {
    const item = parseType(cursor, depth);
    return item.kind === 'basic' && item.code === 'y' ? { kind: 'bytes' } : { kind: 'array', item };
  }
  cursor.at += 1;
  const inside = { ...depth, structs: depth.structs + 1 };
  const key = parseType(cursor, inside);
  if (key.kind !== 'basic') throw notASignature(cursor);
  const value = parseType(cursor, inside);
  if (cursor.text[cursor.at] !== '}') throw notASignature(cursor);
  cursor.at += 1;
  return { kind: 'dictionary', key, value };
}

function parseStruct(cursor: Cursor, depth: Depth): DBusType {
  const fields = [];
  while (cursor.text[cursor.at] !== ')') fields.push(parseType(cursor, depth));
  cursor.at += 1;
  if (fields.length === 0) throw notASignature(cursor);
  return { kind: 'struct', fields };
}

function notASignature({ text, at }: Cursor): DBusError {
  return new DBusError('invalid', `"${text}" is not a signature, at character ${Math.min(at, text.length)}`);
}
