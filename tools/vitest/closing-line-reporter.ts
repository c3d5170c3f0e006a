import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Closes a run with `N passed, N failed`, the one line a program needs to read. */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    console.log(closingLine(countOutcomes(modules, unhandledErrors.length)));
  }
}

interface Outcomes {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** `12 passed, 0 failed`, with `, 3 skipped` only where tests were skipped. */
export function closingLine({ passed, failed, skipped }: Outcomes): string {
  const skips = skipped > 0 ? `, ${skipped} skipped` : '';
  return `${passed} passed, ${failed} failed${skips}`;
}

// A file that cannot be loaded has no tests to fail, so it counts as one failure, as does an error outside any test.
function countOutcomes(modules: readonly TestModule[], unhandled: number): Outcomes {
  const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
  const unloaded = modules.filter((module) => module.errors().length > 0).length;
  const count = (state: string): number => states.filter((candidate) => candidate === state).length;
  return { passed: count('passed'), failed: count('failed') + unloaded + unhandled, skipped: count('skipped') };
}
