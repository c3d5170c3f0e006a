import type { RunOutcome } from './count-outcomes.ts';

/** More failed files than this are no race between real daemons, but something broken. */
const MOST_FILES = 6;

/** Which files are worth a second run, if that can change the verdict: none when too many failed. */
export function planSecondRun({ files, strayErrors }: RunOutcome): readonly string[] {
  const failed = failedFiles(files);
  return strayErrors > 0 || failed.length > MOST_FILES ? [] : failed;
}

/** Both runs as one: a file that ran twice counts as it ended the second time. */
export function mergeRuns(first: RunOutcome, second: RunOutcome): RunOutcome {
  const files = new Map([...first.files, ...second.files]);
  return { files, strayErrors: first.strayErrors + second.strayErrors };
}

/** The files that failed at first and no longer do. */
export function passedOnlyThen(first: RunOutcome, second: RunOutcome): readonly string[] {
  return failedFiles(first.files).filter((path) => second.files.get(path)?.failed === 0);
}

function failedFiles(files: RunOutcome['files']): readonly string[] {
  return [...files].filter(([, { failed }]) => failed > 0).map(([path]) => path);
}
