const SHOWN = '<secret>';

/** A password or a token. It shows itself only to who asks for it: logs and JSON get `<secret>`. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }
}
