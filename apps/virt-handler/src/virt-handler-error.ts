/** What went wrong. `apps/virt-handler/README.md` explains each. */
export type VirtHandlerErrorCode =
  | 'bad-setting'
  | 'unsafe-node'
  | 'bad-request'
  | 'not-found'
  | 'wrong-method'
  | 'conflict'
  | 'too-many-requests'
  | 'guest-failed'
  | 'unsupported-volume'
  | 'bad-volume'
  | 'volume-not-ready'
  | 'disk-full'
  | 'storage-failed'
  | 'unknown-network'
  | 'unsupported-network'
  | 'network-conflict'
  | 'network-failed'
  | 'no-device'
  | 'start-failed'
  | 'unavailable';

export interface VirtHandlerErrorOptions extends ErrorOptions {
  /** The field of the instance, or the setting, that is at fault, such as `spec.volumes[0].containerDisk.image`. */
  readonly field?: string;
}

/** What a handler cannot do; the message says what is to be done about it. */
export class VirtHandlerError extends Error {
  override readonly name = 'VirtHandlerError';
  readonly code: VirtHandlerErrorCode;
  readonly field: string | undefined;

  constructor(code: VirtHandlerErrorCode, message: string, options: VirtHandlerErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.field = options.field;
  }
}

/** Whether this is an error of this package, with one of these codes if any are named. */
export function isVirtHandlerError(
  error: unknown,
  ...codes: readonly VirtHandlerErrorCode[]
): error is VirtHandlerError {
  return error instanceof VirtHandlerError && (codes.length === 0 || codes.includes(error.code));
}
