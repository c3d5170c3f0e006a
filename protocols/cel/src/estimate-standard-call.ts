import { ONE, product, scaled, sum, UNBOUNDED, UNKNOWN, type CostRange } from './cost-range.ts';
import type { CallEstimate, EstimatedCall } from './estimate-call.ts';

const STRING_FACTOR = 0.1;
const REGEX_FACTOR = 0.25;

/** Estimates the calls of the standard library; what it has no rule for costs one unit. */
export function estimateStandardCall({ overloadId, target, args }: EstimatedCall): CallEstimate {
  const [first, second] = args.map(({ size }) => size ?? UNKNOWN);
  const receiver = target?.size ?? UNKNOWN;
  switch (overloadId) {
    case 'string_format':
      return { cost: scaled(receiver, STRING_FACTOR) };
    case 'string_to_bytes':
      return {
        cost: scaled(first ?? UNKNOWN, STRING_FACTOR),
        size: { min: first?.min ?? 0, max: (first?.max ?? UNBOUNDED) * 4 },
      };
    case 'bytes_to_string':
      return {
        cost: scaled(first ?? UNKNOWN, STRING_FACTOR),
        size: { min: Math.trunc((first?.min ?? 0) / 4), max: first?.max ?? UNBOUNDED },
      };
    case 'strings_quote':
      return {
        cost: scaled(first ?? UNKNOWN, STRING_FACTOR),
        size: { min: (first?.min ?? 0) + 2, max: (first?.max ?? UNBOUNDED) * 2 + 2 },
      };
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: scaled(first ?? UNKNOWN, STRING_FACTOR) };
    case 'in_list':
      return { cost: second ?? UNKNOWN };
    case 'matches_string':
      return { cost: product(scaled(sum(receiver, ONE), STRING_FACTOR), scaled(first ?? UNKNOWN, REGEX_FACTOR)) };
    case 'contains_string':
      return { cost: product(scaled(receiver, STRING_FACTOR), scaled(first ?? UNKNOWN, STRING_FACTOR)) };
    default:
      return { cost: isComparison(overloadId) ? comparisonCost(first ?? UNKNOWN, second ?? UNKNOWN) : ONE };
  }
}

function isComparison(overloadId: string): boolean {
  return /^(?:equals|not_equals|(?:less|greater)(?:_equals)?_(?:string|bytes))$/.test(overloadId);
}

function comparisonCost(left: CostRange, right: CostRange): CostRange {
  const max = Math.min(left.max, right.max);
  return scaled({ min: max > 0 ? 1 : 0, max }, STRING_FACTOR);
}
