/** Why the agent cannot work: its settings make no sense, or a file it needs cannot be read. */
export type HaAgentErrorCode = 'invalid-settings' | 'unreadable-file';

export class HaAgentError extends Error {
  readonly code: HaAgentErrorCode;

  constructor(code: HaAgentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HaAgentError';
    this.code = code;
  }
}

export function isHaAgentError(error: unknown, code?: HaAgentErrorCode): error is HaAgentError {
  return error instanceof HaAgentError && (code === undefined || error.code === code);
}
