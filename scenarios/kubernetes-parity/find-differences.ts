import { isJsonArray, isJsonObject, printJson, type JsonValue } from '@smalt/json';

import type { Answer } from './answer.ts';

export interface Difference {
  /** Where, such as `2.body.metadata.name`; the number is that of the answer. */
  readonly path: string;
  readonly expected: JsonValue | undefined;
  readonly actual: JsonValue | undefined;
}

/** All places where the answers to a probe are not those that were recorded. */
export function findDifferences(expected: readonly Answer[], actual: readonly Answer[]): readonly Difference[] {
  const found: Difference[] = [];
  for (let index = 0; index < Math.max(expected.length, actual.length); index += 1)
    compare(asJson(expected[index]), asJson(actual[index]), String(index), found);
  return found;
}

function asJson(answer: Answer | undefined): JsonValue | undefined {
  return answer === undefined ? undefined : { code: answer.code, headers: answer.headers, body: answer.body };
}

function compare(
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  path: string,
  found: Difference[],
): void {
  if (Object.is(expected, actual)) return;
  if (isJsonArray(expected) && isJsonArray(actual)) {
    const [left = [], right = []] = [expected, actual].map((list) => inOrder(list, path));
    for (let index = 0; index < Math.max(left.length, right.length); index += 1)
      compare(left[index], right[index], `${path}.${index}`, found);
    return;
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)]))
      compare(own(expected, name), own(actual, name), `${path}.${name}`, found);
    return;
  }
  found.push({ path, expected, actual });
}

function inOrder(list: readonly JsonValue[], path: string): readonly JsonValue[] {
  if (path.endsWith('.managedFields')) return byFields(list);
  // Rules come in no order: that of the real server changes from start to start.
  return /\.(?:nonR|r)esourceRules$/v.test(path) ? list.toSorted(byText) : list;
}

function byText(a: JsonValue, b: JsonValue): number {
  return printJson(a).localeCompare(printJson(b));
}

// Both servers sort the owners by the second they wrote in, so their order depends on when a second ends.
function byFields(entries: readonly JsonValue[]): readonly JsonValue[] {
  return entries.toSorted((a, b) => (fieldsOf(a) < fieldsOf(b) ? -1 : Number(fieldsOf(a) > fieldsOf(b))));
}

function fieldsOf(entry: JsonValue): string {
  if (!isJsonObject(entry)) return '';
  return printJson([entry['operation'] ?? '', entry['subresource'] ?? '', entry['fieldsV1'] ?? '']);
}

function own(object: Readonly<Record<string, JsonValue>>, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
