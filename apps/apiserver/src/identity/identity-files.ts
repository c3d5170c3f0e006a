import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileSafely } from '@smalt/files';

import { IdentityError } from './identity-error.ts';
import type { KeyAndCertificate } from './certificate-authority.ts';

/** The files in which a server keeps who it is. All of them are readable by their owner alone. */
export class IdentityFiles {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async prepare(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    // It may have been there before, with another mode.
    await chmod(this.directory, 0o700);
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  /** The text of a file, or undefined when there is none. */
  async read(name: string): Promise<string | undefined> {
    try {
      return await readFile(this.path(name), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async write(name: string, content: string): Promise<void> {
    await writeFileSafely(this.path(name), content);
  }

  /** Reads a file, or makes it with this content when it is not there. */
  async readOrWrite(name: string, make: () => string): Promise<string> {
    const known = await this.read(name);
    if (known !== undefined) return known;
    const made = make();
    await this.write(name, made);
    return made;
  }

  /** A key with its certificate; undefined when the certificate is not there. */
  async readPair(name: string): Promise<KeyAndCertificate | undefined> {
    const [key, certificate] = await Promise.all([this.read(`${name}.key`), this.read(`${name}.crt`)]);
    // The certificate is written last, so a key alone is what a crash left behind.
    if (certificate === undefined) return undefined;
    if (key === undefined) {
      throw new IdentityError('damaged-identity', `${this.path(`${name}.key`)} is missing, and ${name}.crt is there`);
    }
    return { key, certificate };
  }

  async writePair(name: string, pair: KeyAndCertificate): Promise<void> {
    await this.write(`${name}.key`, pair.key);
    await this.write(`${name}.crt`, pair.certificate);
  }
}
