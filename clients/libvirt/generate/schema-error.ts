/** A schema file that cannot be understood, with the place to look at. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly file: string;
  readonly line: number;

  constructor(file: string, line: number, message: string) {
    super(`${file}:${line}: ${message}`);
    this.file = file;
    this.line = line;
  }
}
