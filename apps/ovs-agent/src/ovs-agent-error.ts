/** What went wrong. `apps/ovs-agent/README.md` explains each. */
export type OvsAgentErrorCode =
  | 'bad-setting'
  | 'invalid-request'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'too-many-requests'
  | 'unavailable';

/** One field of a request that is wrong, and what it may be. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

export interface OvsAgentErrorOptions extends ErrorOptions {
  /** Every field that is wrong, for `invalid-request`. */
  readonly problems?: readonly FieldProblem[];
}

/** What an agent cannot do; the message says what is to be done about it. */
export class OvsAgentError extends Error {
  override readonly name = 'OvsAgentError';
  readonly code: OvsAgentErrorCode;
  readonly problems: readonly FieldProblem[];

  constructor(code: OvsAgentErrorCode, message: string, options: OvsAgentErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.problems = options.problems ?? [];
  }
}

/** Whether this is an error of this package, with one of these codes if any are named. */
export function isOvsAgentError(error: unknown, ...codes: readonly OvsAgentErrorCode[]): error is OvsAgentError {
  return error instanceof OvsAgentError && (codes.length === 0 || codes.includes(error.code));
}

export function isBadSetting(error: unknown): error is OvsAgentError {
  return isOvsAgentError(error, 'bad-setting');
}
