import { readFile } from 'node:fs/promises';

/** What one server of a cloud writes. */
export class ServiceLog {
  readonly name: string;
  readonly #path: string;

  constructor(name: string, path: string) {
    this.name = name;
    this.#path = path;
  }

  /** The last lines it wrote; none if it never began. */
  async tail(maxLines: number): Promise<string> {
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    return text.trimEnd().split('\n').slice(-maxLines).join('\n');
  }
}
