import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeSelfSigned } from '@smalt/x509';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readCertificateFiles, type CertificateFiles } from './certificate-files.ts';

const owned = new AsyncDisposableStack();
const [one, other] = ['one', 'other'].map((commonName) =>
  makeSelfSigned({ commonName, names: ['localhost'], now: new Date(), days: 2 }),
);
let files: CertificateFiles;

beforeAll(async () => {
  const { path } = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-certificate-files-')));
  const at = (name: string): string => join(path, name);
  files = { certificateFile: at('tls.crt'), keyFile: at('tls.key'), authorityFiles: [at('ca.crt')] };
});
afterAll(() => owned.disposeAsync());

async function write(certificate = one?.certificate, key = one?.key, authority = one?.certificate): Promise<void> {
  const [authorityFile = ''] = files.authorityFiles;
  await Promise.all([
    writeFile(files.certificateFile, certificate ?? ''),
    writeFile(files.keyFile, key ?? ''),
    writeFile(authorityFile, authority ?? ''),
  ]);
}

describe('files of a certificate', () => {
  it('are read with their authorities, several in one file and words beside them included', async () => {
    const authorities = `# who signs\n${one?.certificate}\n# and who did before\n${other?.certificate}# the end\n`;
    await write(undefined, undefined, authorities);

    const found = await readCertificateFiles(files);

    expect(found).toEqual({ certificate: one?.certificate, key: one?.key, authorities: [authorities] });
  });

  it('are refused as long as any of them is not written to its end', async () => {
    const whole = `${other?.certificate}${one?.certificate}`.trimEnd();
    const between = other?.certificate.length ?? 0;
    // What ends between two certificates cannot be told from a file that has one.
    const ends = Array.from({ length: whole.length }, (_, end) => end).filter((end) => Math.abs(end - between) > 1);
    for (const end of ends) {
      await write(undefined, undefined, whole.slice(0, end));
      await expect(readCertificateFiles(files), `${end} bytes`).rejects.toMatchObject({ code: 'bad-file' });
    }
  });

  it.each([
    ['a certificate and another key', () => write(other?.certificate), 'bad-file', /are no certificate with its key: /],
    ['a key that is empty', () => write(undefined, ''), 'bad-file', /tls\.key is no PEM, or is being written$/],
  ])('are refused for %s, and nothing in them is told', async (_, prepare, code, message) => {
    await prepare();

    const refused = await readCertificateFiles(files).catch((error: unknown) => error);

    expect(refused).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(String(refused)).not.toContain('BEGIN');
  });

  it('are refused by name where one is missing', async () => {
    await write();

    const missing = readCertificateFiles({ ...files, keyFile: '/none/tls.key' });

    await expect(missing).rejects.toMatchObject({
      code: 'unreadable-file',
      message: expect.stringMatching(/^\/none\/tls\.key cannot be read: /),
    });
  });
});
