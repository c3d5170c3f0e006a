/** Where whole messages go. */
export interface MessageSink {
  /** How many bytes have not been taken yet. */
  readonly waitingBytes: number;
  /** Takes one or more whole messages, one after the other in `bytes`. */
  write(bytes: Buffer): void;
  /** Takes one message in two parts, and calls back when it is on its way or the socket broke. */
  writeParts(header: Buffer, payload: Uint8Array, onTaken?: (error?: Error | null) => void): void;
}
