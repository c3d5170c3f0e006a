import type { CelType } from './cel-type.ts';
import { exactly, ONE, product, scaled, sum, UNBOUNDED, UNKNOWN, type CostRange } from './cost-range.ts';
import type { ExpressionNode } from './expression-tree.ts';

/** What is known about an argument before it is computed. */
export interface ArgumentFacts {
  readonly node: ExpressionNode;
  readonly type: CelType;
  readonly size: CostRange | undefined;
  /** The size of the elements of a list. */
  readonly elementSize: CostRange | undefined;
}

/** What a call can cost by itself, and how large its result can get where that is known. */
export interface CallEstimate {
  readonly cost: CostRange;
  readonly size?: CostRange;
}

/** A call whose cost is estimated. The target is the receiver of a member call. */
export interface EstimatedCall {
  readonly name: string;
  readonly overloadId: string;
  readonly target: ArgumentFacts | undefined;
  readonly args: readonly ArgumentFacts[];
}

type Estimate = (call: EstimatedCall) => CallEstimate | undefined;

const STRING_FACTOR = 0.1;
const REGEX_FACTOR = 0.25;
const LIST_COST = 10;
const STRUCT_COST = 40;
const MAX_FORMAT_REGEX = 128;
const MAX_FORMAT_SIZE = 64;
const ADDRESS_BYTES: CostRange = { min: 4, max: 16 };

const NOMINAL = new Set(
  (
    'serviceAccount path group resource subresource namespace name allowed reason error errored format.named ' +
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast ' +
    'sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch ' +
    'getScheme getHostname getHost getPort getEscapedPath getQuery'
  ).split(' '),
);

const ESTIMATES: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['check', () => ({ cost: exactly(350_000) })],
  ...estimates('fieldSelector labelSelector', ({ args: [selector] }) => ({ cost: selectorCost(sizeOf(selector)) })),
  ...estimates('isSorted sum max min indexOf lastIndexOf', estimateTraversal),
  ...estimates('url jsonpatch.escapeKey', ({ args: [text] }) => scanned(sizeOf(text))),
  ...estimates('lowerAscii upperAscii substring trim', ({ target }) => target && scanned(sizeOf(target))),
  ['replace', estimateReplace],
  ['split', estimateSplit],
  ['join', estimateJoin],
  ...estimates('find findAll', estimateFind),
  ...estimates('cidr isIP isCIDR quantity isQuantity semver isSemver', ({ args: [text] }) => ({
    cost: scan(sizeOf(text)),
  })),
  ['ip', ({ overloadId, args: [text] }) => ({ cost: overloadId === 'cidr_ip' ? ONE : scan(sizeOf(text)) })],
  ['ip.isCanonical', ({ args: [text] }) => ({ cost: scaled(sizeOf(text), 2 * STRING_FACTOR) })],
  ...estimates('containsIP containsCIDR', estimateContainment),
  ['validate', ({ args: [text] }) => ({ cost: scaled(scan(sizeOf(text)), MAX_FORMAT_REGEX * REGEX_FACTOR) })],
  ['_==_', estimateLibraryEquality],
]);

/** Estimates the calls that Kubernetes and the extension libraries have rules for. */
export function estimateLibraryCall(call: EstimatedCall): CallEstimate | undefined {
  const estimated = estimateListCall(call);
  if (estimated !== undefined) return estimated;
  if (NOMINAL.has(call.name)) return { cost: ONE };
  return ESTIMATES.get(call.name)?.(call);
}

function estimates(names: string, estimate: Estimate): readonly (readonly [string, Estimate])[] {
  return names.split(' ').map((name) => [name, estimate] as const);
}

function sizeOf(argument: ArgumentFacts | undefined): CostRange {
  return argument?.size ?? UNKNOWN;
}

function scan(size: CostRange): CostRange {
  return scaled(size, STRING_FACTOR);
}

function scanned(size: CostRange): CallEstimate {
  return { cost: scan(size), size };
}

function selectorCost(length: CostRange): CostRange {
  return sum(exactly(LIST_COST), scan(length), scaled(scaled(length, 0.5), LIST_COST + STRUCT_COST));
}

function estimateTraversal({ target }: EstimatedCall): CallEstimate | undefined {
  if (target === undefined) return undefined;
  if (target.type.kind !== 'list') return { cost: scan(sizeOf(target)) };
  const { kind } = target.type.element;
  const isText = kind === 'string' || kind === 'bytes';
  const each = isText ? sum(ONE, scan(target.elementSize ?? UNKNOWN)) : ONE;
  return { cost: product(sizeOf(target), each) };
}

function estimateReplace({ target, args: [part, by] }: EstimatedCall): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const old = sizeOf(part);
  const replacement = sizeOf(by);
  const longest = replacedSize(size.max, old.min, replacement.max <= old.min);
  const shortest = replacedSize(size.min, old.max, old.max <= replacement.min);
  const count = { min: shortest.count, max: longest.count };
  const kept = { min: shortest.kept, max: longest.kept };
  return { cost: scaled(size, 2 * STRING_FACTOR), size: sum(product(count, replacement), kept) };
}

// An empty text is replaced around each character; where the result cannot change in length, nothing counts as replaced.
function replacedSize(
  size: number,
  oldSize: number,
  isUnchanged: boolean,
): { readonly count: number; readonly kept: number } {
  if (oldSize === 0) return { count: Math.min(size + 1, UNBOUNDED), kept: size };
  if (isUnchanged) return { count: 0, kept: size };
  return { count: Math.ceil(size / oldSize), kept: 0 };
}

function estimateSplit({ target, args: [, limit] }: EstimatedCall): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const count = limit === undefined ? undefined : literalInt(limit);
  return { cost: scaled(size, 2 * STRING_FACTOR), size: { min: 0, max: count ?? size.max } };
}

function estimateJoin({ target, args: [separator] }: EstimatedCall): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const count = sizeOf(target);
  const texts = target.type.kind === 'list' ? product(count, target.elementSize ?? UNKNOWN) : exactly(0);
  const gaps = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
  return scanned(separator === undefined ? texts : sum(texts, product(sizeOf(separator), gaps)));
}

function estimateFind({ target, args: [pattern] }: EstimatedCall): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const cost = product(scan(sum(size, ONE)), scaled(sizeOf(pattern), REGEX_FACTOR));
  return { cost, size: { min: 0, max: size.max } };
}

function estimateContainment({ name, overloadId, args: [other] }: EstimatedCall): CallEstimate {
  const compared = scan(sum(ADDRESS_BYTES, ADDRESS_BYTES));
  const masked = name === 'containsCIDR' ? sum(scan(ADDRESS_BYTES), ONE) : exactly(0);
  const parsed = overloadId.endsWith('_string') ? scan(sizeOf(other)) : exactly(0);
  return { cost: sum(compared, masked, parsed) };
}

function estimateLibraryEquality({ args: [left, right] }: EstimatedCall): CallEstimate | undefined {
  if (left?.type.kind !== 'opaque' || right?.type.kind !== 'opaque' || left.type.name !== right.type.name)
    return undefined;
  if (left.type.name === 'kubernetes.NamedFormat') return { cost: scan({ min: 1, max: MAX_FORMAT_SIZE }) };
  if (left.type.name === 'kubernetes.URL') return { cost: scan({ min: 1, max: right.size?.max ?? 1 }) };
  return { cost: ONE };
}

function estimateListCall({ overloadId, target, args }: EstimatedCall): CallEstimate | undefined {
  const [first, second] = args;
  switch (overloadId) {
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return { cost: sum(product(sizeOf(first), sizeOf(second)), ONE) };
    case 'list_sets_equivalent_list':
      return { cost: sum(scaled(product(sizeOf(first), sizeOf(second)), 2), ONE) };
    case 'list_slice':
      return built(1, exactly(bounded(second, sizeOf(target).max) - bounded(first, 0)));
    case 'lists_range':
      return built(1, exactly(bounded(first, UNBOUNDED)));
    case 'list_reverse':
      return built(1, sizeOf(target));
    case 'list_flatten':
      return built(1, sizeOf(target));
    case 'list_flatten_int':
      return built(bounded(first, UNBOUNDED), sizeOf(target));
    case 'list_distinct':
      return built(2, product(sizeOf(target), sizeOf(target)));
    default:
      return estimateSort(overloadId, target, first);
  }
}

function estimateSort(
  overloadId: string,
  target: ArgumentFacts | undefined,
  keys: ArgumentFacts | undefined,
): CallEstimate | undefined {
  const match = /^list_(\w+?)_(sort|sortByAssociatedKeys)$/.exec(overloadId);
  if (match === null) return undefined;
  const size = sizeOf(match[2] === 'sort' ? target : keys);
  return built(match[1] === 'string' || match[1] === 'bytes' ? 2 + STRING_FACTOR : 2, product(size, size));
}

function built(factor: number, size: CostRange): CallEstimate {
  return { cost: sum(scaled(size, factor), ONE, exactly(LIST_COST)), size };
}

function bounded(argument: ArgumentFacts | undefined, otherwise: number): number {
  const value = argument === undefined ? undefined : literalInt(argument);
  return value === undefined ? otherwise : Math.max(0, value);
}

function literalInt({ node }: ArgumentFacts): number | undefined {
  return node.kind === 'literal' && typeof node.value === 'bigint' ? Number(node.value) : undefined;
}
