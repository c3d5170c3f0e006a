/** What is wrong with the bytes or the value. `protocols/dbus/README.md` explains each. */
export type DBusErrorCode = 'truncated' | 'too-long' | 'too-deep' | 'trailing' | 'out-of-range' | 'invalid';

/** The one error of this package: bytes that are not D-Bus, or a value that D-Bus cannot carry. */
export class DBusError extends Error {
  override readonly name = 'DBusError';
  readonly code: DBusErrorCode;

  constructor(code: DBusErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether `error` says that bytes or values do not fit D-Bus. */
export function isDBusError(error: unknown): error is DBusError {
  return error instanceof DBusError;
}
