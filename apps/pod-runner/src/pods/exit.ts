/** How a launcher has ended. */
export interface Exit {
  readonly exitCode: number;
  /** One word, as `kubectl describe` shows it. */
  readonly reason: string;
  readonly message: string;
}

export interface ExitFacts {
  /** What the launcher itself wrote down; undefined when it could not. */
  readonly termination: { readonly exitCode: number; readonly message: string } | undefined;
  /** What its parent was told; undefined when that was a runner before this one. */
  readonly exitCode: number | undefined;
  /** Whether the machine was started anew since. */
  readonly isOtherBoot: boolean;
  /** The end of what it has printed. */
  readonly lastWords: string;
}

const KILLED = 137;

/** Tells how a launcher has ended from what it has left. */
export function describeExit({ termination, exitCode, isOtherBoot, lastWords }: ExitFacts): Exit {
  if (termination?.exitCode === 0) return { exitCode: 0, reason: 'Completed', message: '' };
  if (termination !== undefined) {
    return { exitCode: termination.exitCode, reason: 'Error', message: termination.message || lastWords };
  }
  if (isOtherBoot) {
    return { exitCode: KILLED, reason: 'NodeRebooted', message: 'the machine was started anew under the launcher' };
  }
  const words = lastWords === '' ? '' : `; its last words: ${lastWords}`;
  const how = exitCode === undefined || exitCode === KILLED ? 'was killed' : `ended with ${exitCode}`;
  return { exitCode: exitCode || KILLED, reason: 'Error', message: `the launcher ${how}${words}` };
}

/** Reads what a launcher wrote down; undefined for nothing, and for what makes no sense. */
export function parseTermination(text: string): { readonly exitCode: number; readonly message: string } | undefined {
  if (text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const { exitCode, message } = Object(value);
    return Number.isInteger(exitCode) && typeof message === 'string' ? { exitCode, message } : undefined;
  } catch {
    return undefined;
  }
}
