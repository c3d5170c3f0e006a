import type { TestCase, TestModule, TestSuite } from 'vitest/node';

/** How many tests ended in which way. */
export interface Outcomes {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A test that was left out. */
export interface SkippedTest {
  /** As it is told to people, with the groups that it is in. */
  readonly name: string;
  /** Its own title and those of its groups. */
  readonly titles: readonly string[];
}

/** How the tests of one file ended. */
export interface FileOutcomes extends Outcomes {
  readonly skippedTests: readonly SkippedTest[];
}

/** What a run came to: each file by its path, and how many errors belong to none of them. */
export interface RunOutcome {
  readonly files: ReadonlyMap<string, FileOutcomes>;
  readonly strayErrors: number;
}

type CountedModule = Pick<TestModule, 'moduleId' | 'errors'> & {
  readonly children: Pick<TestModule['children'], 'allTests' | 'allSuites'>;
};

/** Counts by file. An error outside any test is a failure of the file that ran when it showed. */
export function countOutcomes(modules: readonly CountedModule[], unhandledErrors: readonly unknown[]): RunOutcome {
  const paths = new Set(modules.map(({ moduleId }) => moduleId));
  const culprits = unhandledErrors.map(fileOf);
  const files = modules.map((module) => {
    const errors = culprits.filter((path) => path === module.moduleId).length;
    return [module.moduleId, outcomesOf(module, errors)] as const;
  });
  const strayErrors = culprits.filter((path) => path === undefined || !paths.has(path)).length;
  return { files: new Map(files), strayErrors };
}

/** The outcomes of all files as one. */
export function sumOutcomes({ files, strayErrors }: RunOutcome): Outcomes {
  const sum = { passed: 0, failed: strayErrors, skipped: 0 };
  for (const { passed, failed, skipped } of files.values()) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}

// A file that cannot be loaded has no tests to fail, and neither has a group whose set-up failed: each counts as one failure.
function outcomesOf(module: CountedModule, unhandledErrors: number): FileOutcomes {
  const tests = [...module.children.allTests()];
  const states = tests.map((test) => test.result().state);
  const count = (state: string): number => states.filter((candidate) => candidate === state).length;
  const unloaded = module.errors().length > 0 ? 1 : 0;
  const unprepared = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0).length;
  const failed = count('failed') + unloaded + unprepared + unhandledErrors;
  const skippedTests = tests
    .filter((test) => test.result().state === 'skipped')
    .map((test) => ({ name: test.fullName, titles: titlesOf(test) }));
  return { passed: count('passed'), failed, skipped: skippedTests.length, skippedTests };
}

function titlesOf(entity: TestCase | TestSuite): readonly string[] {
  const { parent } = entity;
  return parent.type === 'suite' ? [entity.name, ...titlesOf(parent)] : [entity.name];
}

/** The file that vitest holds an error against, if it knows. */
function fileOf(error: unknown): string | undefined {
  const { VITEST_TEST_PATH: path }: { VITEST_TEST_PATH?: unknown } = Object(error);
  return typeof path === 'string' ? path : undefined;
}
