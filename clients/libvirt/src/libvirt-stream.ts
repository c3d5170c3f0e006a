/** A run of zeroes in a sparse transfer, which is told by its length instead of being sent. */
export interface StreamHole {
  readonly hole: bigint;
}

/**
 * A flow of bytes beside a call: a console, a screenshot, a volume's contents. Iterating reads it to its end; leaving
 * the iteration early aborts the stream. A stream that is written must be ended with `finish` or `abort`.
 */
export interface LibvirtStream extends AsyncIterable<Uint8Array | StreamHole>, AsyncDisposable {
  /** Resolves when the socket took the bytes, so that awaiting each write bounds the memory in use. */
  write(bytes: Uint8Array): Promise<void>;
  /** Skips `length` bytes of the target. The call must have opened the stream as a sparse one. */
  writeHole(length: bigint): Promise<void>;
  /** Says that all is sent, and resolves when the daemon confirmed that all arrived. What it still sends is dropped. */
  finish(): Promise<void>;
  /** Gives the stream up on both sides. Harmless when it has ended. */
  abort(): Promise<void>;
}

/** What a call that opens a stream gives: its own result, and the stream. */
export interface OpenedStream<Result> {
  readonly result: Result;
  readonly stream: LibvirtStream;
}
