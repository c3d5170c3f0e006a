import { isIP } from 'node:net';

/** What is wrong with a value, or undefined where nothing is. */
export type FieldCheck = (value: unknown) => string | undefined;

const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i;
/** Names in Open vSwitch have no blanks and nothing that would have to be quoted. */
const NAME = /^[\p{L}\p{N}_.:@/+=~^-]{1,255}$/u;

/** A whole number within limits. */
export function isInteger(least: number, most: number): FieldCheck {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? undefined
      : `must be a whole number from ${least} to ${most}`;
}

/** A whole number that may be beyond what JSON numbers are exact for: then it is text such as "0x1f". */
export function isLargeInteger(most: bigint): FieldCheck {
  return (value) => {
    const number = largeInteger(value);
    return number !== undefined && number >= 0n && number <= most
      ? undefined
      : `must be a number or "0x…" up to ${most}`;
  };
}

export function largeInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^(?:0x[0-9a-f]{1,16}|\d{1,20})$/i.test(value) ? BigInt(value) : undefined;
}

export function isOneOf(words: readonly string[]): FieldCheck {
  return (value) =>
    typeof value === 'string' && words.includes(value) ? undefined : `must be one of ${words.join(', ')}`;
}

export function isListOf(check: FieldCheck, most: number): FieldCheck {
  return (value) => {
    if (!Array.isArray(value) || value.length > most) return `must be a list of at most ${most}`;
    const problem = value.map(check).find((each) => each !== undefined);
    return problem === undefined ? undefined : `each ${problem}`;
  };
}

export function isMac(value: unknown): string | undefined {
  return typeof value === 'string' && MAC.test(value) ? undefined : 'must be a MAC address such as 52:54:00:00:00:01';
}

export function isAddress(value: unknown): string | undefined {
  return typeof value === 'string' && isIP(value) !== 0
    ? undefined
    : 'must be an IP address such as 192.0.2.1 or fd00::1';
}

export function isName(value: unknown): string | undefined {
  return typeof value === 'string' && NAME.test(value)
    ? undefined
    : 'must be a name of up to 255 letters, digits and signs';
}

export function isText(most: number): FieldCheck {
  return (value) =>
    typeof value === 'string' && value.length <= most ? undefined : `must be text of up to ${most} characters`;
}
