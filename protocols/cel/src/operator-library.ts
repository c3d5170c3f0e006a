import { add, divide, modulo, multiply, negate, subtract } from './arithmetic.ts';
import { printKey, ValueMap } from './built-values.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  optionalOf,
  STRING,
  TIMESTAMP,
  UINT,
  type CelType,
} from './cel-type.ts';
import { CelFailure, CelList, CelMap, CelOptional, NONE, type CelOutcome, type CelValue } from './cel-value.ts';
import { areEqual, compareValues } from './compare-values.ts';
import { A, any, B, bool, map } from './kinds.ts';
import { plain, type Library, type Overload } from './overload.ts';

type Operate = (left: CelValue, right: CelValue) => CelOutcome;

/** Operators that look at their operands themselves, whatever their types turn out to be. */
export const BINARY_OPERATORS: ReadonlyMap<string, Operate> = new Map<string, Operate>([
  ['_==_', areEqual],
  ['_!=_', notEqual],
  ['_<_', relation((order) => order < 0)],
  ['_<=_', relation((order) => order <= 0)],
  ['_>_', relation((order) => order > 0)],
  ['_>=_', relation((order) => order >= 0)],
  ['_+_', add],
  ['_-_', subtract],
  ['_*_', multiply],
  ['_/_', divide],
  ['_%_', modulo],
  ['@in', contains],
]);

export const OPERATOR_LIBRARY: Library = {
  '_==_': [binary('equals', [A, A], BOOL, areEqual)],
  '_!=_': [binary('not_equals', [A, A], BOOL, notEqual)],
  '_<_': relations('less', '_<_'),
  '_<=_': relations('less_equals', '_<=_'),
  '_>_': relations('greater', '_>_'),
  '_>=_': relations('greater_equals', '_>=_'),
  '_+_': [
    binary('add_bytes', [BYTES, BYTES], BYTES, add),
    binary('add_double', [DOUBLE, DOUBLE], DOUBLE, add),
    binary('add_duration_duration', [DURATION, DURATION], DURATION, add),
    binary('add_duration_timestamp', [DURATION, TIMESTAMP], TIMESTAMP, add),
    binary('add_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP, add),
    binary('add_int64', [INT, INT], INT, add),
    binary('add_list', [listOf(A), listOf(A)], listOf(A), add),
    binary('add_string', [STRING, STRING], STRING, add),
    binary('add_uint64', [UINT, UINT], UINT, add),
  ],
  '_-_': [
    binary('subtract_double', [DOUBLE, DOUBLE], DOUBLE, subtract),
    binary('subtract_duration_duration', [DURATION, DURATION], DURATION, subtract),
    binary('subtract_int64', [INT, INT], INT, subtract),
    binary('subtract_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP, subtract),
    binary('subtract_timestamp_timestamp', [TIMESTAMP, TIMESTAMP], DURATION, subtract),
    binary('subtract_uint64', [UINT, UINT], UINT, subtract),
  ],
  '_*_': numeric('multiply', multiply),
  '_/_': numeric('divide', divide),
  '_%_': numeric('modulo', modulo).filter(({ id }) => id !== 'modulo_double'),
  '-_': [unary('negate_double', DOUBLE), unary('negate_int64', INT)],
  '!_': [plain('logical_not', [bool], BOOL, (value) => !value)],
  '_&&_': [plain('logical_and', [bool, bool], BOOL, (left, right) => left && right)],
  '_||_': [plain('logical_or', [bool, bool], BOOL, (left, right) => left || right)],
  '_?_:_': [plain('conditional', [bool, any(), any()], A, (condition, yes, no) => (condition ? yes : no))],
  '@not_strictly_false': [plain('not_strictly_false', [bool], BOOL, (value) => value)],
  '@in': [binary('in_list', [A, listOf(A)], BOOL, contains), binary('in_map', [A, mapOf(A, B)], BOOL, contains)],
  '_[_]': [
    binary('index_list', [listOf(A), INT], A, indexInto),
    binary('index_map', [mapOf(A, B), A], B, indexInto),
    binary('optional_list_index_int', [optionalOf(listOf(A)), INT], optionalOf(A), optionalIndexInto),
    binary('optional_map_index_value', [optionalOf(mapOf(A, B)), A], optionalOf(B), optionalIndexInto),
  ],
  '_[?_]': [
    binary('list_optindex_optional_int', [listOf(A), INT], optionalOf(A), optionalIndexInto),
    binary('optional_list_optindex_optional_int', [optionalOf(listOf(A)), INT], optionalOf(A), optionalIndexInto),
    binary('map_optindex_optional_value', [mapOf(A, B), A], optionalOf(B), optionalIndexInto),
    binary('optional_map_optindex_optional_value', [optionalOf(mapOf(A, B)), A], optionalOf(B), optionalIndexInto),
  ],
  'cel.@mapInsert': [
    plain('@mapInsert_map_key_value', [map(), any(), any(B)], mapOf(A, B), insert),
    plain('@mapInsert_map_map', [map(), map()], mapOf(A, B), insertAll),
  ],
};

function binary(id: string, parameters: readonly CelType[], result: CelType, operate: Operate): Overload {
  return { id, isMember: false, parameters, result, call: ([left = null, right = null]) => operate(left, right) };
}

function unary(id: string, type: CelType): Overload {
  return { id, isMember: false, parameters: [type], result: type, call: ([value = null]) => negate(value) };
}

function numeric(name: string, operate: Operate): readonly Overload[] {
  return [
    binary(`${name}_double`, [DOUBLE, DOUBLE], DOUBLE, operate),
    binary(`${name}_int64`, [INT, INT], INT, operate),
    binary(`${name}_uint64`, [UINT, UINT], UINT, operate),
  ];
}

// The numbers can be compared with each other whatever their types.
function relations(name: string, operator: string): readonly Overload[] {
  const operate = BINARY_OPERATORS.get(operator) ?? notEqual;
  const numbers: readonly (readonly [string, CelType])[] = [
    ['int64', INT],
    ['double', DOUBLE],
    ['uint64', UINT],
  ];
  const others: readonly (readonly [string, CelType])[] = [
    ['bool', BOOL],
    ['string', STRING],
    ['bytes', BYTES],
    ['timestamp', TIMESTAMP],
    ['duration', DURATION],
  ];
  const mixed = numbers.flatMap(([left, leftType]) =>
    numbers.map(([right, rightType]) =>
      binary(left === right ? `${name}_${left}` : `${name}_${left}_${right}`, [leftType, rightType], BOOL, operate),
    ),
  );
  return [...mixed, ...others.map(([suffix, type]) => binary(`${name}_${suffix}`, [type, type], BOOL, operate))];
}

function relation(holds: (order: number) => boolean): Operate {
  return (left, right) => {
    const order = compareValues(left, right);
    return order === undefined ? new CelFailure('no such overload') : holds(order);
  };
}

function notEqual(left: CelValue, right: CelValue): CelOutcome {
  const result = areEqual(left, right);
  return typeof result === 'boolean' ? !result : result;
}

function contains(value: CelValue, container: CelValue): CelOutcome {
  if (container instanceof CelMap) {
    const found = container.find(value);
    return found instanceof CelFailure ? found : found !== undefined;
  }
  if (!(container instanceof CelList)) return new CelFailure('no such overload');
  let failure: CelFailure | undefined;
  for (let index = 0; index < container.size; index++) {
    const element = container.at(index);
    const result = element instanceof CelFailure ? element : areEqual(element, value);
    if (result === true) return true;
    if (result instanceof CelFailure) failure ??= result;
  }
  return failure ?? false;
}

/** `container[index]` */
export function indexInto(container: CelValue, index: CelValue): CelOutcome {
  const found = find(container, index);
  if (found !== undefined) return found;
  return new CelFailure(
    container instanceof CelList ? `index out of bounds: ${printKey(index)}` : `no such key: ${printKey(index)}`,
  );
}

/** What a list holds at an index or a map under a key; undefined where there is nothing. */
function find(container: CelValue, index: CelValue): CelOutcome | undefined {
  if (container instanceof CelMap) return container.find(index);
  if (!(container instanceof CelList)) return new CelFailure('no such overload');
  const position = typeof index === 'bigint' || typeof index === 'number' ? Number(index) : Number.NaN;
  if (!Number.isInteger(position)) return new CelFailure(`unsupported index type: ${printKey(index)}`);
  return position < 0 || position >= container.size ? undefined : container.at(position);
}

/** `container[?index]` */
export function optionalIndexInto(container: CelValue, index: CelValue): CelOutcome {
  const inner = container instanceof CelOptional ? container.value : container;
  if (inner === undefined) return NONE;
  const found = find(inner, index);
  if (found === undefined) return NONE;
  return found instanceof CelFailure ? found : new CelOptional(found);
}

function insert(target: CelMap, key: CelValue, value: CelValue): CelOutcome {
  return target instanceof ValueMap ? target.with(key, value) : new CelFailure('no such overload');
}

function insertAll(target: CelMap, added: CelMap): CelOutcome {
  let result: CelOutcome = target;
  for (const key of added.keys()) {
    const value = added.find(key);
    if (value instanceof CelFailure) return value;
    if (value === undefined || !(result instanceof CelMap)) continue;
    result = insert(result, key, value);
    if (result instanceof CelFailure) return result;
  }
  return result;
}
