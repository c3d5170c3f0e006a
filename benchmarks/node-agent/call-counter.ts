/** The length word counts itself, and program, version, procedure, type, serial and status follow. */
const HEADER_BYTES = 28;
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const CALL = 0;
/** `keep` in ASCII: pings, which are no calls. */
const KEEPALIVE_PROGRAM = 0x6b65_6570;

/** Counts the calls of libvirt's protocol in what one client sends, whatever way the bytes are cut. */
export class CallCounter {
  readonly #byProcedure = new Map<string, number>();
  #header: Buffer = Buffer.alloc(0);
  #toSkip = 0;

  /** How many there were by `program/procedure`, in decimal. */
  get byProcedure(): ReadonlyMap<string, number> {
    return this.#byProcedure;
  }

  read(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      const skipped = Math.min(this.#toSkip, rest.length);
      this.#toSkip -= skipped;
      rest = rest.subarray(skipped);
      const taken = Math.min(HEADER_BYTES - this.#header.length, rest.length);
      this.#header = Buffer.concat([this.#header, rest.subarray(0, taken)]);
      rest = rest.subarray(taken);
      if (this.#header.length === HEADER_BYTES) this.#count();
    }
  }

  #count(): void {
    const header = this.#header;
    const length = header.readUInt32BE(0);
    if (length < HEADER_BYTES || length > MAX_FRAME_BYTES) throw new RangeError(`a frame of ${length} bytes`);
    this.#header = Buffer.alloc(0);
    this.#toSkip = length - HEADER_BYTES;
    const [program, procedure, type] = [header.readUInt32BE(4), header.readUInt32BE(12), header.readUInt32BE(16)];
    if (type !== CALL || program === KEEPALIVE_PROGRAM) return;
    const key = `${program}/${procedure}`;
    this.#byProcedure.set(key, (this.#byProcedure.get(key) ?? 0) + 1);
  }
}
