import type { XdrReader } from '@smalt/xdr';

import { FieldNames } from './typed-parameters-field-names.ts';
import {
  addField,
  MIN_PARAMETER_BYTES,
  readValue,
  type TypedParameterFields,
  type TypedParameterResult,
  type TypedParameters,
} from './typed-parameters.ts';

/** Reads the typed parameters of many objects, which mostly have the same fields, one list after the other. */
export class TypedParameterRecords {
  readonly #names = new FieldNames();
  #record = 0;

  read<Known>(reader: XdrReader, max: number): TypedParameterResult<Known>;
  read(reader: XdrReader, max: number): TypedParameters {
    const count = reader.arrayLength(max, MIN_PARAMETER_BYTES);
    const record = ++this.#record;
    const fields: TypedParameterFields = {};
    for (let index = 0; index < count; index++) {
      const name = this.#names.read(reader);
      const value = readValue(reader);
      // A name known from an earlier record is new in this one, which spares looking it up.
      if (name.lastRecord === undefined || name.lastRecord === record || name.text === '__proto__') {
        addField(fields, name.text, value);
      } else fields[name.text] = value;
      name.lastRecord = record;
    }
    return fields;
  }
}
