import type { RunOutcome, SkippedTest } from './count-outcomes.ts';
import type { SkipException } from './skipped-on-kubernetes.ts';

/** Which tests may be left out of a run. */
export interface AllowedSkips {
  /** Left out of each run. */
  readonly always: readonly SkipException[];
  /** Left out of some runs. */
  readonly sometimes: readonly SkipException[];
}

export interface JudgedSkips {
  /** Tests that were left out, and nothing says why. */
  readonly unexplained: readonly string[];
  /** Tests that were left out, as they may be, each with the reason. */
  readonly explained: readonly string[];
  /** What says that a test is never run, which was run; a run of some of the files has most of these. */
  readonly stale: readonly string[];
}

/**
 * Compares the tests that were left out with those that may be. A file that failed is not looked at: what comes after
 * a failed set-up is left out, too.
 */
export function judgeSkips({ files }: RunOutcome, { always, sometimes }: AllowedSkips): JudgedSkips {
  const whole = [...files].filter(([, { failed }]) => failed === 0);
  const skips = whole.flatMap(([file, { skippedTests }]) =>
    skippedTests.map((test) => {
      const exception = [...always, ...sometimes].find((each) => explains(each, file, test));
      return { words: `${file}: ${test.name}`, exception };
    }),
  );
  const used = new Set(skips.map(({ exception }) => exception));
  return {
    unexplained: skips.filter(({ exception }) => exception === undefined).map(({ words }) => words),
    explained: skips.flatMap(({ words, exception }) => (exception ? [`${words} (${exception.reason})`] : [])),
    stale: always.filter((each) => !used.has(each)).map(({ file, title }) => `${file}: ${title ?? 'all of it'}`),
  };
}

function explains({ file, title }: SkipException, path: string, { titles }: SkippedTest): boolean {
  return file === path && (title === undefined || titles.includes(title));
}
