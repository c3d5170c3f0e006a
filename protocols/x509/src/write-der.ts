/** The tags of DER that certificates are made of. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
} as const;

/** One value: its tag, its length and its content. */
export function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

export function sequence(...content: readonly Buffer[]): Buffer {
  return der(TAG.sequence, ...content);
}

/** A value with a number of its own instead of a type, as a wrapper around others. */
export function tagged(number: number, ...content: readonly Buffer[]): Buffer {
  return der(0xa0 + number, ...content);
}

/** A positive integer from its bytes, the most significant first. */
export function positiveInteger(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const trimmed = bytes.subarray(start);
  // A leading bit of one would make it negative.
  const isHigh = (trimmed[0] ?? 0) >= 0x80;
  return der(TAG.integer, ...(isHigh ? [Buffer.from([0])] : []), trimmed);
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(TAG.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

export function bitString(content: Buffer, unusedBits = 0): Buffer {
  return der(TAG.bitString, Buffer.from([unusedBits]), content);
}

export function octetString(content: Buffer): Buffer {
  return der(TAG.octetString, content);
}

export function utf8String(text: string): Buffer {
  return der(TAG.utf8String, Buffer.from(text, 'utf8'));
}

export function trueValue(): Buffer {
  return der(TAG.boolean, Buffer.from([0xff]));
}

/** A time to the second. Certificates use the short form until 2049 and the long one after it. */
export function time(date: Date): Buffer {
  const digits = date
    .toISOString()
    .replace(/[.]\d+Z$/, 'Z')
    .replaceAll(/[-:T]/g, '');
  const isShort = date.getUTCFullYear() < 2050;
  return der(isShort ? TAG.utcTime : TAG.generalizedTime, Buffer.from(isShort ? digits.slice(2) : digits));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 + bytes.length, ...bytes]);
}

function base128(value: number): readonly number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) + 128);
  return digits;
}
