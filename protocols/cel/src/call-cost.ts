import { CelFailure, CelList, CelMap, type CelOutcome } from './cel-value.ts';
import { sizeOf } from './conversion-library.ts';
import { CelFormat } from './named-format-library.ts';

/** What a call costs, from its arguments and its result; a number where it is always the same. */
export type CallCost = number | ((args: readonly CelOutcome[], result: CelOutcome) => number);

const STRING_FACTOR = 0.1;
const REGEX_FACTOR = 0.25;
const LIST_COST = 10;
const STRUCT_COST = 40;

const ONE_UNIT = new Set(
  (
    'serviceAccount path group resource subresource namespace name allowed reason error errored format.named ' +
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast ' +
    'sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch ' +
    'getScheme getHostname getHost getPort getEscapedPath getQuery'
  ).split(' '),
);

const BY_FUNCTION: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['check', 350_000],
  ...costs('fieldSelector labelSelector', ([, selector]) => selectorCost(size(selector))),
  ...costs('isSorted sum max min indexOf lastIndexOf', ([values]) => traversal(values)),
  ...costs('url lowerAscii upperAscii substring trim cidr isIP isCIDR quantity isQuantity semver isSemver', ([text]) =>
    scan(text, 1),
  ),
  ...costs('replace split ip.isCanonical', ([text]) => scan(text, 2)),
  ['join', (_, result) => scan(result, 2)],
  ...costs('find findAll', ([text, pattern]) => regexCost(text, size(pattern))),
  ['validate', ([format, text]) => (format instanceof CelFormat ? regexCost(text, format.format.regexSize) : 1)],
  ['containsIP', ([network]) => containment(network, 0)],
  ['containsCIDR', ([network]) => containment(network, 1)],
]);

const BY_OVERLOAD: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['string_to_ip', ([text]) => scan(text, 1)],
  ['cidr_ip', 1],
  ['cidr_contains_ip_string', ([network, text]) => containment(network, 0) + scan(text, 1)],
  ['cidr_contains_cidr_string', ([network, text]) => containment(network, 1) + scan(text, 1)],
  ...costs('list_slice lists_range list_reverse', (_, result) => allocation(size(result))),
  ['list_flatten', ([values]) => allocation(size(values))],
  ['list_flatten_int', ([values, depth]) => allocation(size(values) * (typeof depth === 'bigint' ? Number(depth) : 1))],
  ['list_distinct', ([values]) => selfComparison(values)],
  ...costs('list_sets_contains_list list_sets_intersects_list', ([left, right]) => size(left) * size(right) + 1),
  ['list_sets_equivalent_list', ([left, right]) => 2 * size(left) * size(right) + 1],
  ...costs(
    'starts_with_string ends_with_string string_to_bytes bytes_to_string strings_quote string_format',
    ([text]) => scan(text, 1),
  ),
  ['in_list', ([, values]) => size(values)],
  ...costs('add_string add_bytes', ([left, right]) => Math.ceil((size(left) + size(right)) * STRING_FACTOR)),
  ['matches_string', ([text, pattern]) => regexCost(text, size(pattern))],
  ['contains_string', ([text, part]) => scan(text, 1) * scan(part, 1)],
  ...costs('equals not_equals', comparison),
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name) =>
    costs(`${name}_string ${name}_bytes`, comparison),
  ),
]);

/** How a call of a function is charged. The overload is undefined where several are possible. */
export function callCost(name: string, overloadId: string | undefined): CallCost {
  if (overloadId !== undefined) {
    const known = BY_OVERLOAD.get(overloadId);
    if (known !== undefined) return known;
    if (overloadId.endsWith('_sort')) return ([values]) => selfComparison(values);
    if (overloadId.endsWith('_sortByAssociatedKeys')) return ([, keys]) => selfComparison(keys);
  }
  return ONE_UNIT.has(name) ? 1 : (BY_FUNCTION.get(name) ?? 1);
}

function costs(names: string, cost: CallCost): readonly (readonly [string, CallCost])[] {
  return names.split(' ').map((name) => [name, cost] as const);
}

function size(value: CelOutcome | undefined): number {
  return value === undefined || value instanceof CelFailure ? 1 : sizeOf(value);
}

function scan(value: CelOutcome | undefined, times: number): number {
  return Math.ceil(size(value) * times * STRING_FACTOR);
}

function regexCost(text: CelOutcome | undefined, patternSize: number): number {
  // An empty text still takes a run of the pattern.
  return Math.ceil((1 + size(text)) * STRING_FACTOR) * Math.ceil(patternSize * REGEX_FACTOR);
}

function selectorCost(length: number): number {
  return LIST_COST + Math.ceil(length * STRING_FACTOR) + Math.ceil(Math.ceil(length * 0.5) * (LIST_COST + STRUCT_COST));
}

function containment(network: CelOutcome | undefined, isNetwork: 0 | 1): number {
  return Math.ceil(2 * size(network) * STRING_FACTOR) + isNetwork * (scan(network, 1) + 1);
}

function comparison([left, right]: readonly CelOutcome[]): number {
  return Math.ceil(Math.min(size(left), size(right)) * STRING_FACTOR);
}

function allocation(count: number): number {
  return Math.trunc(count) + 1 + LIST_COST;
}

function selfComparison(values: CelOutcome | undefined): number {
  const first = values instanceof CelList && values.size > 0 ? values.at(0) : undefined;
  const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + STRING_FACTOR : 2;
  return allocation(
    size(values instanceof CelList ? values : undefined) ** 2 * (values instanceof CelList ? factor : 0),
  );
}

function traversal(value: CelOutcome | undefined): number {
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * STRING_FACTOR);
  if (value instanceof Uint8Array) return Math.trunc(value.length * STRING_FACTOR);
  if (value instanceof CelList) {
    let total = 0;
    for (let index = 0; index < value.size; index++) total += traversal(value.at(index));
    return total;
  }
  if (value instanceof CelMap)
    return value.keys().reduce<number>((total, key) => total + traversal(key) + traversal(value.find(key)), 0);
  return 1;
}
