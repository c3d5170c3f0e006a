/** A value that carries its own type. */
export interface DBusVariant {
  /** One complete type, such as `s` or `a{sv}`. */
  readonly signature: string;
  readonly value: DBusValue;
}

/**
 * A value of D-Bus. 64-bit integers are `bigint`, all other numbers `number`; an array of bytes is a `Uint8Array`, other
 * arrays and structs are arrays, a dictionary is a `Map`, a file descriptor its index.
 */
export type DBusValue =
  | number
  | bigint
  | boolean
  | string
  | Uint8Array
  | readonly DBusValue[]
  | ReadonlyMap<DBusValue, DBusValue>
  | DBusVariant;

/** Whether a value is a variant. */
export function isVariant(value: DBusValue): value is DBusVariant {
  return typeof value === 'object' && 'signature' in value;
}
