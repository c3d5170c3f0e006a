import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isIntegerQuantity,
  isQuantity,
  parseQuantity,
  quantityAsApproximateFloat,
  quantityAsInteger,
  QuantityError,
  quantityOfInteger,
  quantitySign,
  subtractQuantities,
  type Quantity,
} from '@smalt/quantity';

import { BOOL, DOUBLE, INT, opaque, type OpaqueType } from './cel-type.ts';
import { CelFailure, CelOpaque, type CelOutcome } from './cel-value.ts';
import { instance, int, text } from './kinds.ts';
import { member, plain, type Library } from './overload.ts';

export const QUANTITY_TYPE: OpaqueType = opaque('kubernetes.Quantity');

class CelQuantity extends CelOpaque {
  readonly typeName: string = QUANTITY_TYPE.name;
  readonly quantity: Quantity;

  constructor(value: Quantity) {
    super();
    this.quantity = value;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelQuantity && compareQuantities(this.quantity, other.quantity) === 0;
  }

  override toJson(): string {
    return formatQuantity(this.quantity);
  }
}

const quantity = instance(QUANTITY_TYPE, CelQuantity);

export const QUANTITY_LIBRARY: Library = {
  quantity: [plain('string_to_quantity', [text], QUANTITY_TYPE, (value) => attempt(() => parseQuantity(value)))],
  isQuantity: [plain('is_quantity_string', [text], BOOL, isQuantity)],
  sign: [plain('quantity_sign', [quantity], INT, (value) => BigInt(quantitySign(value.quantity)))],
  isGreaterThan: [
    member('quantity_is_greater_than', [quantity, quantity], BOOL, (left, right) => compare(left, right) > 0),
  ],
  isLessThan: [member('quantity_is_less_than', [quantity, quantity], BOOL, (left, right) => compare(left, right) < 0)],
  compareTo: [
    member('quantity_compare_to', [quantity, quantity], INT, (left, right) => BigInt(Math.sign(compare(left, right)))),
  ],
  asApproximateFloat: [
    member('quantity_get_float', [quantity], DOUBLE, (value) => quantityAsApproximateFloat(value.quantity)),
  ],
  asInteger: [
    member(
      'quantity_get_int',
      [quantity],
      INT,
      (value) => quantityAsInteger(value.quantity) ?? new CelFailure('cannot convert value to integer'),
    ),
  ],
  isInteger: [member('quantity_is_integer', [quantity], BOOL, (value) => isIntegerQuantity(value.quantity))],
  add: [
    member('quantity_add', [quantity, quantity], QUANTITY_TYPE, (left, right) =>
      attempt(() => addQuantities(left.quantity, right.quantity)),
    ),
    member('quantity_add_int', [quantity, int], QUANTITY_TYPE, (left, right) =>
      attempt(() => addQuantities(left.quantity, quantityOfInteger(right))),
    ),
  ],
  sub: [
    member('quantity_sub', [quantity, quantity], QUANTITY_TYPE, (left, right) =>
      attempt(() => subtractQuantities(left.quantity, right.quantity)),
    ),
    member('quantity_sub_int', [quantity, int], QUANTITY_TYPE, (left, right) =>
      attempt(() => subtractQuantities(left.quantity, quantityOfInteger(right))),
    ),
  ],
};

function compare(left: CelQuantity, right: CelQuantity): number {
  return compareQuantities(left.quantity, right.quantity);
}

function attempt(compute: () => Quantity): CelOutcome {
  try {
    return new CelQuantity(compute());
  } catch (error) {
    if (error instanceof QuantityError) return new CelFailure(error.message);
    throw error;
  }
}
