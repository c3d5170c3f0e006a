export type SimulatorErrorCode =
  /** A service of the simulated cloud refuses a request; `httpStatus` is what it answers. */
  | 'refused'
  /** There is no host, server or aggregate of that name. */
  | 'unknown'
  /** A cloud in a process of its own did not start, or refused a command. */
  | 'control-failed'
  /** An option cannot work; the message begins with its name. */
  | 'invalid-option';

export interface SimulatorErrorOptions extends ErrorOptions {
  readonly httpStatus?: number;
  /** The word for it in an error of Placement. */
  readonly faultCode?: string;
}

/** Why a simulated cloud does not do what it was asked. */
export class SimulatorError extends Error {
  override readonly name = 'SimulatorError';
  readonly code: SimulatorErrorCode;
  readonly httpStatus: number;
  readonly faultCode: string | undefined;

  constructor(code: SimulatorErrorCode, message: string, options: SimulatorErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.httpStatus = options.httpStatus ?? 500;
    this.faultCode = options.faultCode;
  }
}

export function isSimulatorError(error: unknown): error is SimulatorError {
  return error instanceof SimulatorError;
}

/** An answer with an error status, to be thrown by whatever handles a request. */
export function refusal(httpStatus: number, message: string, faultCode?: string): SimulatorError {
  return new SimulatorError('refused', message, { httpStatus, ...(faultCode !== undefined && { faultCode }) });
}
