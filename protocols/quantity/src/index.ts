export { formatQuantity } from './format-quantity.ts';
export { isQuantity, parseQuantity } from './parse-quantity.ts';
export { QuantityError, type QuantityErrorCode } from './quantity-error.ts';
export {
  addQuantities,
  compareQuantities,
  isIntegerQuantity,
  quantityAsApproximateFloat,
  quantityAsInteger,
  quantityOfInteger,
  quantitySign,
  quantityValue,
  scaleQuantity,
  subtractQuantities,
  type Quantity,
  type QuantityFormat,
} from './quantity.ts';
