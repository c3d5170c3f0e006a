export type AgentErrorCode = 'bad-setting' | 'unsafe-path';

/** What an agent cannot or must not do; the message says what is to be done about it. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function isBadSetting(error: unknown): error is AgentError {
  return error instanceof AgentError && error.code === 'bad-setting';
}
