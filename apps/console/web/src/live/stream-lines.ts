/** Puts pieces of text together to lines. A server may cut anywhere; only the end of a line ends a message. */
export class StreamLines {
  readonly #decoder = new TextDecoder();
  #rest = '';

  /** The lines that are whole by now. */
  take(piece: string | ArrayBuffer): readonly string[] {
    const text = typeof piece === 'string' ? piece : this.#decoder.decode(piece, { stream: true });
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.filter((line) => line.trim() !== '');
  }
}
