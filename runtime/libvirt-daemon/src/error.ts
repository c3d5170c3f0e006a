/** Why a daemon could not be started or used. */
export type LibvirtDaemonErrorCode =
  | 'invalid-option'
  | 'missing-program'
  | 'missing-user'
  | 'directory-in-use'
  | 'port-in-use'
  | 'command-failed'
  | 'start-failed'
  | 'start-timeout'
  | 'aborted'
  | 'not-running'
  | 'ended'
  | 'keeps-dying';

/** The one error of this package; `log` holds the last lines the daemon wrote. */
export class LibvirtDaemonError extends Error {
  override readonly name = 'LibvirtDaemonError';
  readonly code: LibvirtDaemonErrorCode;
  readonly log: string;

  constructor(code: LibvirtDaemonErrorCode, message: string, details: { cause?: unknown; log?: string } = {}) {
    const log = details.log?.trimEnd() ?? '';
    super(log === '' ? message : `${message}\n${log}`, { cause: details.cause });
    this.code = code;
    this.log = log;
  }
}

/** Whether an address the daemon should listen on was already taken. */
export function isPortInUse(error: unknown): error is LibvirtDaemonError {
  return error instanceof LibvirtDaemonError && error.code === 'port-in-use';
}

/** Whether another daemon holds the directory, or is just being started in it. */
export function isDirectoryInUse(error: unknown): error is LibvirtDaemonError {
  return error instanceof LibvirtDaemonError && error.code === 'directory-in-use';
}

/** Whether a program or user that a Debian package would provide is missing. */
export function isMissingSoftware(error: unknown): error is LibvirtDaemonError {
  return error instanceof LibvirtDaemonError && (error.code === 'missing-program' || error.code === 'missing-user');
}
