import type { daemonErrorCodes } from './daemon-error-codes.ts';

/** What a daemon can answer: libvirt's own error names, and `unknown` for a number that is newer than this client. */
export type DaemonErrorCode = (typeof daemonErrorCodes)[keyof typeof daemonErrorCodes] | 'unknown';

/** What goes wrong on this side of the wire. The package's README explains each. */
export type ClientErrorCode =
  | 'aborted'
  | 'authentication'
  | 'closed'
  | 'connect-failed'
  | 'connect-timeout'
  | 'connection-lost'
  | 'invalid-uri'
  | 'keepalive-timeout'
  | 'protocol'
  | 'queue-full'
  | 'timeout'
  | 'unsupported';

export type LibvirtErrorCode = DaemonErrorCode | ClientErrorCode;

/** How serious the daemon says an error is. */
export type LibvirtErrorLevel = 'none' | 'warning' | 'error';

export interface LibvirtErrorOptions extends ErrorOptions {
  /** The daemon's error number; absent when the daemon did not report the error. */
  readonly number?: number | undefined;
  /** The part of libvirt that reported the error, `qemu` or `rpc` for example. */
  readonly domain?: string | undefined;
  readonly level?: LibvirtErrorLevel | undefined;
  /** The call that failed, as in the client's method: `domainGetInfo`. */
  readonly procedure?: string | undefined;
}

/** The one error of this package: what the daemon refused, or what went wrong on the way to it. */
export class LibvirtError extends Error {
  override readonly name = 'LibvirtError';
  readonly code: LibvirtErrorCode;
  readonly number: number | undefined;
  readonly domain: string | undefined;
  readonly level: LibvirtErrorLevel;
  readonly procedure: string | undefined;

  constructor(code: LibvirtErrorCode, message: string, options: LibvirtErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.number = options.number;
    this.domain = options.domain;
    this.level = options.level ?? 'error';
    this.procedure = options.procedure;
  }
}

/** Whether `error` is this package's error, and carries `code` if one is given. */
export function isLibvirtError(error: unknown, code?: LibvirtErrorCode): error is LibvirtError {
  return error instanceof LibvirtError && (code === undefined || error.code === code);
}

/** Whether the connection broke or its daemon fell silent. The daemon may have carried the call out all the same. */
export function isConnectionLost(error: unknown): error is LibvirtError {
  return isLibvirtError(error, 'connection-lost') || isLibvirtError(error, 'keepalive-timeout');
}

/** Whether the client stopped waiting: for one call, or for a connection to come up. */
export function isTimeout(error: unknown): error is LibvirtError {
  return isLibvirtError(error, 'timeout') || isLibvirtError(error, 'connect-timeout');
}

/** Whether the caller's own AbortSignal ended the call. */
export function isAborted(error: unknown): error is LibvirtError {
  return isLibvirtError(error, 'aborted');
}

/** Whether the daemon is too old for the call, its driver does not have it, or this client does not carry it. */
export function isUnsupported(error: unknown): error is LibvirtError {
  return isLibvirtError(error, 'unsupported');
}

/** Whether the daemon knows no such domain. */
export function isNoDomain(error: unknown): error is LibvirtError {
  return isLibvirtError(error, 'no-domain');
}

/** Whether the daemon knows no such network. */
export function isNoNetwork(error: unknown): error is LibvirtError {
  return isLibvirtError(error, 'no-network');
}

/** Whether the daemon knows no such storage pool. */
export function isNoStoragePool(error: unknown): error is LibvirtError {
  return isLibvirtError(error, 'no-storage-pool');
}

/** Whether the daemon knows no such storage volume. */
export function isNoStorageVolume(error: unknown): error is LibvirtError {
  return isLibvirtError(error, 'no-storage-vol');
}

/** Whether the daemon knows no such host device. */
export function isNoNodeDevice(error: unknown): error is LibvirtError {
  return isLibvirtError(error, 'no-node-device');
}

/** Whether the daemon knows no such secret. */
export function isNoSecret(error: unknown): error is LibvirtError {
  return isLibvirtError(error, 'no-secret');
}

/** Whether the domain is in a state that rules the operation out, a stop of a stopped domain for example. */
export function isOperationInvalid(error: unknown): error is LibvirtError {
  return isLibvirtError(error, 'operation-invalid');
}
