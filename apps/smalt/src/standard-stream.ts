import { writeSync } from 'node:fs';

/**
 * The standard output (1) or error (2) of a server. It never fails: text that a full disk or a closed pipe does not take
 * is lost, and the next is tried again. The streams of `process` would end it, and the disk may be the one the log
 * tells of.
 */
export function standardStream(descriptor: 1 | 2): { write(text: string): void } {
  return {
    write: (text) => {
      try {
        writeSync(descriptor, text);
      } catch {
        // There is nowhere left to tell it.
      }
    },
  };
}
