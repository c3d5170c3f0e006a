import type { LibvirtStream } from '@smalt/libvirt';

/** Reads what a guest prints on a console. */
export interface ConsoleReader {
  /** Resolves with the next line that begins so; fails when the console ends before. */
  line(beginning: string): Promise<string>;
  /** Resolves when the console ends. */
  toEnd(): Promise<void>;
}

/** Nothing is lost between two waits. */
export function readConsole(stream: LibvirtStream): ConsoleReader {
  const chunks = stream[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  let unread = '';
  return {
    line: async (beginning) => {
      while (true) {
        const [line, ...rest] = unread.split('\r\n');
        unread = rest.length > 0 ? rest.join('\r\n') : unread;
        if (rest.length > 0 && line?.startsWith(beginning) === true) return line;
        if (rest.length > 0) continue;
        const { value, done } = await chunks.next();
        if (done === true) throw new Error(`the console ended without a line that begins with ${beginning}: ${unread}`);
        if (value instanceof Uint8Array) unread += decoder.decode(value, { stream: true });
      }
    },
    toEnd: async () => {
      while ((await chunks.next()).done !== true);
    },
  };
}
