import { elementsOf } from './arithmetic.ts';
import {
  CelDuration,
  CelFailure,
  CelList,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  typeNameOf,
  type CelOutcome,
  type CelValue,
} from './cel-value.ts';
import { codePointsOf } from './code-points.ts';
import { formatDouble, formatFixed } from './format-double.ts';
import { formatDuration, formatTimestamp } from './time-text.ts';

const CLAUSE = /^(?:\.([0-9]*))?(.?)/su;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Fills the clauses of a format (`%s`, `%d`, `%.2f`, `%e`, `%b`, `%x`, `%X`, `%o`, `%%`) with values. */
export function formatString(format: string, values: readonly CelValue[] | CelFailure): CelOutcome {
  if (values instanceof CelFailure) return values;
  let text = '';
  let used = 0;
  let rest = format;
  for (let percent = rest.indexOf('%'); percent !== -1; percent = rest.indexOf('%')) {
    text += rest.slice(0, percent);
    rest = rest.slice(percent + 1);
    if (rest.startsWith('%')) {
      text += '%';
      rest = rest.slice(1);
      continue;
    }
    const value = values[used];
    if (value === undefined) return new CelFailure(`index ${used} out of range`);
    const part = readClause(rest);
    if (typeof part === 'string') return new CelFailure(part);
    const formatted = formatClause(part, value);
    if (formatted instanceof CelFailure) return new CelFailure(`error during formatting: ${formatted.message}`);
    text += formatted;
    rest = rest.slice(part.length);
    used++;
  }
  return text + rest;
}

export interface FormatClause {
  readonly letter: string;
  readonly precision: number;
  /** How many characters of the format it takes, without the percent sign. */
  readonly length: number;
}

/** Reads the clause at the start of a text, or returns what is wrong with it. */
export function readClause(text: string): FormatClause | string {
  const [all = '', precision, letter = ''] = CLAUSE.exec(text) ?? [];
  if (precision === '')
    return 'could not parse formatting clause: error while parsing precision: error while converting precision to integer';
  if (letter === '')
    return precision === undefined
      ? 'unexpected end of string'
      : 'could not parse formatting clause: could not find end of precision specifier';
  if (!'sdfebxXo'.includes(letter))
    return `could not parse formatting clause: unrecognized formatting clause "${letter}"`;
  return { letter, precision: precision === undefined ? 6 : Number(precision), length: all.length };
}

function formatClause(clause: FormatClause, value: CelValue): string | CelFailure {
  switch (clause.letter) {
    case 's':
      return textOf(value);
    case 'd':
      return integerText(value, 10) ?? refuse('decimal clause can only be used on integers', value);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return integerText(value, 2) ?? refuse('only integers and bools can be formatted as binary', value);
    case 'o':
      return integerText(value, 8) ?? refuse('octal clause can only be used on integers', value);
    case 'x':
    case 'X':
      return hexText(value, clause.letter === 'X');
    default:
      return doubleText(clause, value);
  }
}

function doubleText(clause: FormatClause, value: CelValue): string | CelFailure {
  const isWord = value === 'NaN' || value === 'Infinity' || value === '-Infinity';
  if (typeof value !== 'number' && !isWord) {
    return refuse(`${clause.letter === 'f' ? 'fixed-point' : 'scientific'} clause can only be used on doubles`, value);
  }
  const number = Number(value);
  if (!Number.isFinite(number)) return localWord(number);
  return clause.letter === 'f' ? grouped(formatFixed(number, clause.precision)) : scientific(number, clause.precision);
}

// Kubernetes prints these two in American English, with commas and raised exponents.
function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const withCommas = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`;
}

function scientific(value: number, precision: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(Math.min(precision, 100)).split('e');
  const digits = Math.abs(Number(exponent)).toString().padStart(2, '0');
  const raised = codePointsOf(digits)
    .map((digit) => SUPERSCRIPTS[Number(digit)] ?? '')
    .join('');
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${raised}`;
}

function localWord(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '∞' : '-∞';
}

function integerText(value: CelValue, base: number): string | undefined {
  if (typeof value === 'bigint') return value.toString(base);
  return value instanceof CelUint ? value.value.toString(base) : undefined;
}

function hexText(value: CelValue, isUpper: boolean): string | CelFailure {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
  const text = bytes instanceof Uint8Array ? Buffer.from(bytes).toString('hex') : integerText(value, 16);
  if (text === undefined) return refuse('only integers, byte buffers, and strings can be formatted as hex', value);
  return isUpper ? text.toUpperCase() : text;
}

function refuse(message: string, value: CelValue): CelFailure {
  return new CelFailure(`${message}, was given ${typeNameOf(value)}`);
}

function textOf(value: CelValue): string | CelFailure {
  if (value === null) return 'null';
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return formatDouble(value);
  if (value instanceof CelUint) return value.value.toString();
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value instanceof CelTypeValue) return value.name;
  if (value instanceof CelList) return listText(value);
  if (value instanceof CelMap) return mapText(value);
  return refuse(
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    value,
  );
}

function listText(list: CelList): string | CelFailure {
  const elements = elementsOf(list);
  if (elements instanceof CelFailure) return elements;
  const texts: string[] = [];
  for (const element of elements) {
    const text = nestedText(element);
    if (text instanceof CelFailure) return text;
    texts.push(text);
  }
  return `[${texts.join(', ')}]`;
}

function mapText(map: CelMap): string | CelFailure {
  const entries: (readonly [string, string])[] = [];
  for (const key of map.keys()) {
    const found = map.find(key);
    if (found instanceof CelFailure) return found;
    const name = nestedText(key);
    const text = found === undefined ? '' : nestedText(found);
    if (name instanceof CelFailure) return name;
    if (text instanceof CelFailure) return text;
    entries.push([name, text]);
  }
  entries.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([name, text]) => `${name}:${text}`).join(', ')}}`;
}

function nestedText(value: CelValue): string | CelFailure {
  if (typeof value === 'number') return formatFixed(value, 6);
  if (value instanceof CelTimestamp) return `timestamp("${formatTimestamp(value)}")`;
  if (value instanceof CelDuration) return `duration("${formatDuration(value)}")`;
  const text = textOf(value);
  if (text instanceof CelFailure) return text;
  if (typeof value === 'string') return JSON.stringify(text);
  return value instanceof Uint8Array ? `b${JSON.stringify(text)}` : text;
}
