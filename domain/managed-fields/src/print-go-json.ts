import { isJsonArray, isJsonObject, type JsonValue } from '@smalt/json';

import { compareText } from './compare-values.ts';

// What Go writes as an escape and JSON.stringify does not, and the two short escapes that Go does not use.
const TO_ESCAPE = /[<>&\u2028\u2029]|\\[bf]/g;
const NEEDS_ESCAPE = /[<>&\u2028\u2029\b\f]/;

/** Writes JSON text as Go does: fields in the order of their names, and `<`, `>` and `&` escaped. */
export function printGoJson(value: JsonValue): string {
  if (typeof value === 'string') return printGoString(value);
  if (isJsonArray(value)) return `[${value.map(printGoJson).join(',')}]`;
  if (!isJsonObject(value)) return String(value);
  const names = Object.keys(value).toSorted(compareText);
  return `{${names.map((name) => `${printGoString(name)}:${printGoJson(value[name] ?? null)}`).join(',')}}`;
}

function printGoString(text: string): string {
  const printed = JSON.stringify(text);
  if (!NEEDS_ESCAPE.test(text)) return printed;
  return printed.replace(TO_ESCAPE, (match, at: number) => {
    if (match === String.raw`\b`) return isEscaped(printed, at) ? match : String.raw`\u0008`;
    if (match === String.raw`\f`) return isEscaped(printed, at) ? match : String.raw`\u000c`;
    return String.raw`\u` + match.charCodeAt(0).toString(16).padStart(4, '0');
  });
}

/** Whether the backslash at this place is itself escaped, so that what follows is plain text. */
function isEscaped(printed: string, at: number): boolean {
  let before = 0;
  while (printed[at - 1 - before] === '\\') before++;
  return before % 2 === 1;
}
