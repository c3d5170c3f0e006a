import { elementsOf } from './arithmetic.ts';
import { ValueList } from './built-values.ts';
import { BOOL, DYN, INT, listOf, STRING } from './cel-type.ts';
import { CelFailure, type CelOutcome, type CelValue } from './cel-value.ts';
import { codePointsOf } from './code-points.ts';
import { formatString } from './format-string.ts';
import { int, list, text } from './kinds.ts';
import { member, plain, type Library } from './overload.ts';
import { compilePattern } from './regular-expression.ts';

export const STRING_LIBRARY: Library = {
  contains: [member('contains_string', [text, text], BOOL, (value, part) => value.includes(part))],
  endsWith: [member('ends_with_string', [text, text], BOOL, (value, part) => value.endsWith(part))],
  startsWith: [member('starts_with_string', [text, text], BOOL, (value, part) => value.startsWith(part))],
  matches: [plain('matches', [text, text], BOOL, matches), member('matches_string', [text, text], BOOL, matches)],
  find: [member('string_find_string', [text, text], STRING, find)],
  findAll: [
    member('string_find_all_string', [text, text], listOf(STRING), (value, pattern) => findAll(value, pattern, -1n)),
    member('string_find_all_string_int', [text, text, int], listOf(STRING), findAll),
  ],
  charAt: [member('string_char_at_int', [text, int], STRING, charAt)],
  indexOf: [
    member('string_index_of_string', [text, text], INT, (value, part) => indexOf(value, part, 0n)),
    member('string_index_of_string_int', [text, text, int], INT, indexOf),
  ],
  lastIndexOf: [
    member('string_last_index_of_string', [text, text], INT, lastIndexOfAny),
    member('string_last_index_of_string_int', [text, text, int], INT, lastIndexOf),
  ],
  lowerAscii: [
    member('string_lower_ascii', [text], STRING, (value) => value.replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  ],
  upperAscii: [
    member('string_upper_ascii', [text], STRING, (value) => value.replace(/[a-z]+/g, (part) => part.toUpperCase())),
  ],
  replace: [
    member('string_replace_string_string', [text, text, text], STRING, (value, part, by) =>
      replace(value, part, by, -1),
    ),
    member('string_replace_string_string_int', [text, text, text, int], STRING, (value, part, by, limit) =>
      replace(value, part, by, Number(limit)),
    ),
  ],
  split: [
    member('string_split_string', [text, text], listOf(STRING), (value, by) => new ValueList(split(value, by, -1))),
    member(
      'string_split_string_int',
      [text, text, int],
      listOf(STRING),
      (value, by, limit) => new ValueList(split(value, by, Number(limit))),
    ),
  ],
  substring: [
    member('string_substring_int', [text, int], STRING, (value, start) => substringFrom(value, start)),
    member('string_substring_int_int', [text, int, int], STRING, substring),
  ],
  trim: [member('string_trim', [text], STRING, trim)],
  join: [
    member('list_join', [list(STRING)], STRING, (values) => join(elementsOf(values), '')),
    member('list_join_string', [list(STRING), text], STRING, (values, separator) =>
      join(elementsOf(values), separator),
    ),
  ],
  format: [
    member('string_format', [text, list(DYN)], STRING, (format, values) => formatString(format, elementsOf(values))),
  ],
  'strings.quote': [plain('strings_quote', [text], STRING, quote)],
};

function matches(value: string, pattern: string): CelOutcome {
  const compiled = compilePattern(pattern);
  return typeof compiled === 'string' ? new CelFailure(compiled) : compiled.isFoundIn(value);
}

function find(value: string, pattern: string): CelOutcome {
  const compiled = compilePattern(pattern);
  return typeof compiled === 'string' ? new CelFailure(`Illegal regex: ${compiled}`) : (compiled.firstIn(value) ?? '');
}

function findAll(value: string, pattern: string, limit: bigint): CelOutcome {
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') return new CelFailure(`Illegal regex: ${compiled}`);
  return new ValueList(compiled.allIn(value, Number(limit)));
}

// Positions count code points, so texts are taken apart into those first.
function charAt(value: string, index: bigint): CelOutcome {
  const points = codePointsOf(value);
  if (index < 0n || index > BigInt(points.length)) return outOfRange(index);
  return points[Number(index)] ?? '';
}

function indexOf(value: string, part: string, offset: bigint): CelOutcome {
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  const points = codePointsOf(value);
  const wanted = codePointsOf(part);
  for (let index = Number(offset); index <= points.length - wanted.length; index++) {
    if (standsAt(points, wanted, index)) return BigInt(index);
  }
  return -1n;
}

function lastIndexOfAny(value: string, part: string): CelOutcome {
  const length = BigInt(codePointsOf(value).length);
  if (part === '') return length;
  return length === 0n ? -1n : lastIndexOf(value, part, length - 1n);
}

function lastIndexOf(value: string, part: string, offset: bigint): CelOutcome {
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  const points = codePointsOf(value);
  const wanted = codePointsOf(part);
  if (offset >= BigInt(points.length)) return -1n;
  for (let index = Math.min(Number(offset), points.length - wanted.length); index >= 0; index--) {
    if (standsAt(points, wanted, index)) return BigInt(index);
  }
  return -1n;
}

function standsAt(points: readonly string[], wanted: readonly string[], index: number): boolean {
  return wanted.every((point, position) => points[index + position] === point);
}

function substringFrom(value: string, start: bigint): CelOutcome {
  const points = codePointsOf(value);
  if (start < 0n || start > BigInt(points.length)) return outOfRange(start);
  return points.slice(Number(start)).join('');
}

function substring(value: string, start: bigint, end: bigint): CelOutcome {
  const points = codePointsOf(value);
  const length = BigInt(points.length);
  if (start > end) return new CelFailure(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > length) return outOfRange(start);
  if (end < 0n || end > length) return outOfRange(end);
  return points.slice(Number(start), Number(end)).join('');
}

function outOfRange(index: bigint): CelFailure {
  return new CelFailure(`index out of range: ${index}`);
}

function replace(value: string, part: string, by: string, limit: number): string {
  const pieces = split(value, part, limit < 0 ? -1 : limit + 1);
  if (part !== '' || limit === 0) return limit === 0 ? value : pieces.join(by);
  // An empty part stands before each character and at the end.
  const points = codePointsOf(value);
  const count = limit < 0 ? points.length + 1 : Math.min(limit, points.length + 1);
  return (
    points.map((point, index) => (index < count ? by + point : point)).join('') + (count > points.length ? by : '')
  );
}

function split(value: string, by: string, limit: number): readonly string[] {
  if (limit === 0) return [];
  const pieces = by === '' ? codePointsOf(value) : value.split(by);
  if (limit < 0 || pieces.length <= limit) return pieces;
  return [...pieces.slice(0, limit - 1), pieces.slice(limit - 1).join(by)];
}

// White space as Go sees it: the next-line character is, the byte order mark is not.
const SPACE = /[\s\u0085]/;

function trim(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isSpace(value[start])) start++;
  while (end > start && isSpace(value[end - 1])) end--;
  return value.slice(start, end);
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && character !== '\uFEFF' && SPACE.test(character);
}

function join(values: readonly CelValue[] | CelFailure, separator: string): CelOutcome {
  if (values instanceof CelFailure) return values;
  const texts = values.filter((value) => typeof value === 'string');
  const isAllText = texts.length === values.length;
  return isAllText ? texts.join(separator) : new CelFailure('join: invalid input: a value that is no string');
}

const QUOTED: ReadonlyMap<string, string> = new Map([
  ['\u0007', String.raw`\a`],
  ['\b', String.raw`\b`],
  ['\f', String.raw`\f`],
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
  ['\v', String.raw`\v`],
  ['\\', String.raw`\\`],
  ['"', String.raw`\"`],
]);

function quote(value: string): string {
  return `"${codePointsOf(value.toWellFormed())
    .map((point) => QUOTED.get(point) ?? point)
    .join('')}"`;
}
