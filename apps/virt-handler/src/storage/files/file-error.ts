import { VirtHandlerError } from '../../virt-handler-error.ts';

/** Whether an error of the file system has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

/** Gives undefined for an error with one of these codes, and throws any other. */
export function unless(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (hasCode(error, ...codes)) return undefined;
    throw error;
  };
}

/** What an error while writing below a directory means. */
export function writeError(error: unknown, directory: string): unknown {
  if (!hasCode(error, 'ENOSPC', 'EDQUOT')) return error;
  const message = `There is no room left in ${directory}; make room there, and the instance starts`;
  return new VirtHandlerError('disk-full', message, { cause: error });
}
