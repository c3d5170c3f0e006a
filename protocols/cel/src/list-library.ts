import { add, elementsOf } from './arithmetic.ts';
import { ValueList } from './built-values.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  parameter,
  STRING,
  TIMESTAMP,
  UINT,
  type CelType,
} from './cel-type.ts';
import { CelDuration, CelFailure, CelList, CelUint, typeNameOf, type CelOutcome, type CelValue } from './cel-value.ts';
import { areEqual, compareValues } from './compare-values.ts';
import { A, any, int, list } from './kinds.ts';
import { member, plain, type Library, type Overload } from './overload.ts';

const T = parameter('T');
const COMPARABLE: readonly (readonly [string, CelType])[] = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['duration', DURATION],
  ['timestamp', TIMESTAMP],
  ['string', STRING],
  ['bytes', BYTES],
];
const SUMMABLE: readonly (readonly [string, CelType, CelValue])[] = [
  ['int', INT, 0n],
  ['uint', UINT, new CelUint(0n)],
  ['double', DOUBLE, 0],
  ['duration', DURATION, new CelDuration(0n)],
];
/** A list that would take more memory than one evaluation may. */
const MAX_RANGE = 1_000_000n;

export const LIST_LIBRARY: Library = {
  isSorted: COMPARABLE.map(([name, type]) => member(`list_${name}_is_sorted_bool`, [list(type)], BOOL, isSorted)),
  sum: SUMMABLE.map(([name, type, zero]) =>
    member(`list_${name}_sum_${name}`, [list(type)], type, (values) => sum(values, zero)),
  ),
  max: COMPARABLE.map(([name, type]) =>
    member(`list_${name}_max_${name}`, [list(type)], type, (values) => pick(values, 'max', 1)),
  ),
  min: COMPARABLE.map(([name, type]) =>
    member(`list_${name}_min_${name}`, [list(type)], type, (values) => pick(values, 'min', -1)),
  ),
  indexOf: [
    member('list_a_index_of_int', [list(), any()], INT, (values, item) => positionOf(elementsOf(values), item, false)),
  ],
  lastIndexOf: [
    member('list_a_last_index_of_int', [list(), any()], INT, (values, item) =>
      positionOf(elementsOf(values), item, true),
    ),
  ],
  slice: [member('list_slice', [list(T), int, int], listOf(T), slice)],
  flatten: [
    member('list_flatten', [list(listOf(T))], listOf(T), (values) => flatten(values, 1n)),
    member('list_flatten_int', [list({ kind: 'dyn' }), int], listOf({ kind: 'dyn' }), flatten),
  ],
  sort: COMPARABLE.map(([name, type]) =>
    member(`list_${name}_sort`, [list(type)], listOf(type), (values) => sortBy(values, values)),
  ),
  '@sortByAssociatedKeys': COMPARABLE.map(([name, type]) =>
    member(`list_${name}_sortByAssociatedKeys`, [list(T), list(type)], listOf(T), sortBy),
  ),
  'lists.range': [plain('lists_range', [int], listOf(INT), range)],
  reverse: [member('list_reverse', [list()], listOf(A), reverse)],
  distinct: [member('list_distinct', [list(T)], listOf(T), distinct)],
  'sets.contains': [sets('list_sets_contains_list', containsAll)],
  'sets.equivalent': [
    sets('list_sets_equivalent_list', (left, right) => containsAll(left, right) && containsAll(right, left)),
  ],
  'sets.intersects': [sets('list_sets_intersects_list', intersects)],
};

function sets(id: string, test: (left: readonly CelValue[], right: readonly CelValue[]) => boolean): Overload {
  return plain(id, [list(T), list(T)], BOOL, (left, right) => {
    const first = elementsOf(left);
    const second = elementsOf(right);
    if (first instanceof CelFailure) return first;
    return second instanceof CelFailure ? second : test(first, second);
  });
}

function containsAll(left: readonly CelValue[], right: readonly CelValue[]): boolean {
  return right.every((wanted) => left.some((value) => areEqual(value, wanted) === true));
}

function intersects(left: readonly CelValue[], right: readonly CelValue[]): boolean {
  return right.some((wanted) => left.some((value) => areEqual(value, wanted) === true));
}

function isSorted(values: CelList): CelOutcome {
  const elements = elementsOf(values);
  if (elements instanceof CelFailure) return elements;
  return elements.every(
    (value, index) => index === 0 || !((compareValues(elements[index - 1] ?? null, value) ?? 0) > 0),
  );
}

function sum(values: CelList, zero: CelValue): CelOutcome {
  const elements = elementsOf(values);
  if (elements instanceof CelFailure) return elements;
  let total: CelOutcome = zero;
  for (const element of elements) {
    total = add(total, element);
    if (total instanceof CelFailure) return total;
  }
  return total;
}

function pick(values: CelList, name: string, sign: 1 | -1): CelOutcome {
  const elements = elementsOf(values);
  if (elements instanceof CelFailure) return elements;
  let best: CelValue | undefined;
  for (const element of elements) {
    if (best === undefined || (compareValues(element, best) ?? 0) * sign > 0) best = element;
  }
  return best === undefined ? new CelFailure(`${name} called on empty list`) : best;
}

function positionOf(elements: readonly CelValue[] | CelFailure, item: CelValue, isLast: boolean): CelOutcome {
  if (elements instanceof CelFailure) return elements;
  const isItem = (element: CelValue): boolean => areEqual(element, item) === true;
  return BigInt(isLast ? elements.findLastIndex(isItem) : elements.findIndex(isItem));
}

function slice(values: CelList, start: bigint, end: bigint): CelOutcome {
  const cannot = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new CelFailure(`${cannot}, negative indexes not supported`);
  if (start > end) return new CelFailure(`${cannot}, start index must be less than or equal to end index`);
  if (BigInt(values.size) < end) return new CelFailure(`${cannot}, list is length ${values.size}`);
  const elements = elementsOf(values);
  return elements instanceof CelFailure ? elements : new ValueList(elements.slice(Number(start), Number(end)));
}

function flatten(values: CelList, depth: bigint): CelOutcome {
  if (depth < 0n) return new CelFailure('level must be non-negative');
  const elements = elementsOf(values);
  if (elements instanceof CelFailure) return elements;
  const flat: CelValue[] = [];
  for (const element of elements) {
    if (!(element instanceof CelList) || depth === 0n) {
      flat.push(element);
      continue;
    }
    const inner = flatten(element, depth - 1n);
    if (inner instanceof CelFailure) return inner;
    if (inner instanceof ValueList) flat.push(...inner.elements);
  }
  return new ValueList(flat);
}

function sortBy(values: CelList, keys: CelList): CelOutcome {
  const elements = elementsOf(values);
  const keyElements = elementsOf(keys);
  if (elements instanceof CelFailure) return elements;
  if (keyElements instanceof CelFailure) return keyElements;
  const [first] = keyElements;
  if (first === undefined) return values;
  if (compareValues(first, first) === undefined) return new CelFailure('list elements must be comparable');
  if (keyElements.some((key) => typeNameOf(key) !== typeNameOf(first)))
    return new CelFailure('list elements must have the same type');
  const order = keyElements.map((_, index) => index);
  order.sort((left, right) => compareValues(keyElements[left] ?? null, keyElements[right] ?? null) ?? 0);
  return new ValueList(order.flatMap((index) => elements.slice(index, index + 1)));
}

function range(end: bigint): CelOutcome {
  if (end > MAX_RANGE) return new CelFailure('lists.range exceeds the size that an evaluation may build');
  return new ValueList(Array.from({ length: Math.max(0, Number(end)) }, (_, index) => BigInt(index)));
}

function reverse(values: CelList): CelOutcome {
  const elements = elementsOf(values);
  return elements instanceof CelFailure ? elements : new ValueList(elements.toReversed());
}

function distinct(values: CelList): CelOutcome {
  const elements = elementsOf(values);
  if (elements instanceof CelFailure) return elements;
  const unique: CelValue[] = [];
  for (const element of elements) {
    if (!unique.some((known) => areEqual(known, element) === true)) unique.push(element);
  }
  return new ValueList(unique);
}
