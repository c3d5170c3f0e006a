import { byteText } from './byte-text.ts';

interface ProgressTerminal {
  readonly errors: { readonly isTerminal: boolean; write(text: string): unknown };
  readonly now: () => Date;
}

export interface ProgressLine {
  show(progress: { readonly bytes: number; readonly totalBytes: number }): void;
  /** Leaves the line empty for what comes next. */
  clear(): void;
}

const INTERVAL_MS = 100;

/** Shows how far something is, in one line of a terminal; elsewhere it is silent. */
export function progressLine({ errors, now }: ProgressTerminal, what: string): ProgressLine {
  if (!errors.isTerminal) return { show: () => undefined, clear: () => undefined };
  let shownAt = 0;
  return {
    show: ({ bytes, totalBytes }) => {
      const time = now().getTime();
      if (time - shownAt < INTERVAL_MS) return;
      shownAt = time;
      const percent = totalBytes === 0 ? 100 : Math.floor((100 * bytes) / totalBytes);
      errors.write(`\r\x1b[K${what} ${byteText(bytes)} of ${byteText(totalBytes)}, ${percent} %`);
    },
    clear: () => void errors.write('\r\x1b[K'),
  };
}
