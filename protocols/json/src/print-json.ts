import type { JsonValue } from './json-value.ts';

/** Writes JSON text, bigints as the integers they are. */
export function printJson(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Nothing but a bigint makes it throw here, and those are too rare to look for each time.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? rawJson(String(part)) : part));
  }
}

function rawJson(text: string): unknown {
  return rawJsonOf(JSON)(text);
}

// The types of the language do not know JSON.rawJSON yet.
function rawJsonOf(json: object): (text: string) => unknown {
  const member: unknown = Reflect.get(json, 'rawJSON');
  if (typeof member !== 'function') throw new TypeError('this runtime has no JSON.rawJSON');
  return (text) => Reflect.apply(member, json, [text]) as unknown;
}
