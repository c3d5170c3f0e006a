import type { Reporter, SerializedError, TestModule } from 'vitest/node';

import { countOutcomes, sumOutcomes, type Outcomes } from './count-outcomes.ts';

/** Closes a run with `N passed, N failed`, the one line a program needs to read. */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    console.log(closingLine(sumOutcomes(countOutcomes(modules, unhandledErrors))));
  }
}

/** `12 passed, 0 failed`, with `, 3 skipped` only where tests were skipped. */
export function closingLine({ passed, failed, skipped }: Outcomes): string {
  const skips = skipped > 0 ? `, ${skipped} skipped` : '';
  return `${passed} passed, ${failed} failed${skips}`;
}
