import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeAuthority, runProgram } from '@smalt/libvirt-daemon';

import type { Secret } from './secret.ts';

const OPENSSL = { name: 'openssl', debianPackage: 'openssl' } as const;
const NEW_KEY = ['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const;

export interface IssueOptions {
  /** With `DNS:` or `IP:` before each. */
  readonly names?: readonly string[] | undefined;
  readonly usages?: readonly string[] | undefined;
  readonly days?: number | undefined;
}

/** An authority for tests that issues certificates as cert-manager would: as the data of a Secret. */
export class TestAuthority {
  readonly #directory: string;
  #issued = 0;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Makes an authority that keeps its files in a directory. */
  static async make(directory: string): Promise<TestAuthority> {
    await makeAuthority(directory, 'Test authority');
    return new TestAuthority(directory);
  }

  /** Makes an authority that this one vouches for. */
  async delegate(directory: string): Promise<TestAuthority> {
    await mkdir(directory, { recursive: true });
    const subject = ['-subj', '/CN=Delegate', '-keyout', 'cakey.pem'];
    const input = await runProgram(OPENSSL, [...NEW_KEY, ...subject], { directory });
    await writeFile(join(directory, 'ca.ext'), 'basicConstraints=critical,CA:TRUE');
    const signer = ['-CA', join(this.#directory, 'cacert.pem'), '-CAkey', join(this.#directory, 'cakey.pem')];
    const files = ['-days', '30', '-extfile', 'ca.ext', '-out', 'cacert.pem'];
    await runProgram(OPENSSL, ['x509', '-req', ...signer, ...files], { directory, input });
    return new TestAuthority(directory);
  }

  async issue(options: IssueOptions = {}): Promise<NonNullable<Secret['data']>> {
    const { names = ['DNS:node-1'], usages = ['serverAuth', 'clientAuth'], days = 30 } = options;
    const directory = this.#directory;
    const name = `leaf-${this.#issued++}`;
    const extensions = [`subjectAltName=${names.join(',')}`, `extendedKeyUsage=${usages.join(',')}`];
    await writeFile(join(directory, `${name}.ext`), extensions.join('\n'));
    const request = await runProgram(OPENSSL, [...NEW_KEY, '-subj', `/CN=${name}`, '-keyout', `${name}.key`], {
      directory,
    });
    const signer = ['x509', '-req', '-CA', 'cacert.pem', '-CAkey', 'cakey.pem', '-days', String(days)];
    const certificate = await runProgram(OPENSSL, [...signer, '-extfile', `${name}.ext`], {
      directory,
      input: request,
    });
    const [authority, key] = await Promise.all(
      ['cacert.pem', `${name}.key`].map((file) => readFile(join(directory, file))),
    );
    return {
      'ca.crt': encode(authority),
      'tls.crt': encode(certificate),
      'tls.key': encode(key),
    };
  }
}

function encode(bytes: Buffer | undefined): string {
  return bytes?.toString('base64') ?? '';
}
