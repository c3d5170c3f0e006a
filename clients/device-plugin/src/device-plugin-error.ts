/** What went wrong. `clients/device-plugin/README.md` explains each. */
export type DevicePluginErrorCode =
  | 'aborted'
  | 'bad-message'
  | 'cannot-listen'
  | 'no-kubelet'
  | 'no-such-device'
  | 'refused'
  | 'timeout';

/** The one error of this package. */
export class DevicePluginError extends Error {
  override readonly name = 'DevicePluginError';
  readonly code: DevicePluginErrorCode;

  constructor(code: DevicePluginErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Whether this is an error of this package, with one of these codes if any are named. */
export function isDevicePluginError(
  error: unknown,
  ...codes: readonly DevicePluginErrorCode[]
): error is DevicePluginError {
  return error instanceof DevicePluginError && (codes.length === 0 || codes.includes(error.code));
}
