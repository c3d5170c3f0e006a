import { parseQuantity, QuantityError, quantityValue } from '@smalt/quantity';

import { DomainXmlError } from '../domain-xml-error.ts';

/** A quantity of memory in bytes. */
export function readBytes(value: number | string, field: string): bigint {
  const bytes = parse(String(value), field);
  if (bytes > 0n) return bytes;
  throw new DomainXmlError('invalid-field', `"${value}" must be more than 0`, { field });
}

function parse(value: string, field: string): bigint {
  try {
    return quantityValue(parseQuantity(value));
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    const message = `"${value}" is no quantity; write it like 512Mi or 4Gi`;
    throw new DomainXmlError('invalid-field', message, { field, cause: error });
  }
}
