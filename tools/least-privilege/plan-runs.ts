import type { Story } from './stories.ts';

/** One test file on one API server. */
export interface StoryRun {
  readonly title: string;
  /** Where its audit logs go, below that of all. */
  readonly directory: string;
  /** What vitest is told. */
  readonly words: readonly string[];
}

export interface RunWish {
  readonly isOursAlone: boolean;
  /** Parts of file names; empty: all files. */
  readonly names: readonly string[];
}

/** What has to be run: each story on the API servers that it is for. */
export function planRuns(stories: readonly Story[], { isOursAlone, names }: RunWish): readonly StoryRun[] {
  const chosen = stories.filter(({ file }) => names.length === 0 || names.some((name) => file.includes(name)));
  return chosen.flatMap((story) => {
    const { file, on } = story;
    const runs = on === 'kubernetes' ? [] : [runOf(file, file.includes('.slow.') ? 'slow' : undefined, 'ours')];
    return on === 'ours' || isOursAlone ? runs : [...runs, runOf(file, 'kubernetes', 'kubernetes')];
  });
}

/** The directories of all stories; what else is among the logs is left from stories that are none any more. */
export function storyDirectories(stories: readonly Story[]): ReadonlySet<string> {
  return new Set(planRuns(stories, { isOursAlone: false, names: [] }).map(({ directory }) => directory));
}

function runOf(file: string, mode: string | undefined, server: string): StoryRun {
  const words = mode === undefined ? [file] : ['--mode', mode, file];
  return { title: `${file} on ${server}`, directory: storyDirectory(file, server), words };
}

/** A test file on one of the API servers, as a name that a directory can have and that exceptions know it by. */
export function storyDirectory(file: string, server: string): string {
  return `${server} ${file.replaceAll('/', ' ')}`;
}
