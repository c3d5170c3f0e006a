import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { LONG_FILES } from './long-files.ts';

/** Begins with the files that are known to take long; the others come as vitest would have them. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is that of a sequencer
    return longFirst(await super.sort(files), ({ moduleId }) => moduleId);
  }
}

/** Those that end with the path of a long file first, in the order of `LONG_FILES`, and then the rest as it is. */
export function longFirst<T>(files: readonly T[], pathOf: (file: T) => string): T[] {
  const rank = (file: T): number => {
    const index = LONG_FILES.findIndex((long) => pathOf(file).endsWith(`/${long}`));
    return index === -1 ? LONG_FILES.length : index;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}
