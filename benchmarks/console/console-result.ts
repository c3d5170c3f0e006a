/** A file that the first page loads. */
export interface LoadedFile {
  readonly path: string;
  /** What came over the wire, as this browser asked for it. */
  readonly sentBytes: number;
  /** What comes to a browser that knows gzip alone. */
  readonly gzipBytes: number;
}

/** When the list of machines was to be seen, in milliseconds since the browser asked for it. */
export interface Paint {
  readonly firstContentMs: number;
  /** When the first rows stood. */
  readonly rowsMs: number;
}

export interface FrameResult {
  /** The time from each frame to the next, in milliseconds. */
  readonly frames: readonly number[];
  /** How many changes were written meanwhile. */
  readonly updates: number;
  readonly seconds: number;
}

/** All of one run. */
export interface ConsoleResults {
  readonly machines: number;
  readonly files: readonly LoadedFile[];
  readonly paints: readonly Paint[];
  readonly frames: FrameResult;
  /** From the start of the process until it said that it is ready. */
  readonly upMs: readonly number[];
}
