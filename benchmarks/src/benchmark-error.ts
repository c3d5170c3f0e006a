/** What went wrong. `benchmarks/README.md` explains each. */
export type BenchmarkErrorCode = 'bad-arguments' | 'build-failed' | 'peer-failed' | 'too-slow' | 'unequal-work';

/** The one error of this package. */
export class BenchmarkError extends Error {
  override readonly name = 'BenchmarkError';
  readonly code: BenchmarkErrorCode;

  constructor(code: BenchmarkErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether the command line was wrong, rather than the run. */
export function isBadArguments(error: unknown): error is BenchmarkError {
  return error instanceof BenchmarkError && error.code === 'bad-arguments';
}
