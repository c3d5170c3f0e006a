import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestAuthority, type TestCertificate } from '../../fixtures/test-authority.ts';
import { batch, startPushBed, type PushBed } from './fixtures/push-bed.ts';

let bed: PushBed;
let n1: TestCertificate;
let wallNow: () => number = Date.now;

beforeAll(async () => {
  bed = await startPushBed({ settings: { requestsPerSecond: 1_000 }, wallNow: () => wallNow() });
  n1 = await bed.authority.sign('n1');
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('a node by its certificate', () => {
  it('is known by its common name, or by a DNS name of it', async () => {
    const named = await bed.authority.sign('some-agent', 'DNS:n1,DNS:n1.example,IP:127.0.0.1');

    expect(await status({ certificate: n1 })).toBe(200);
    expect(await status({ certificate: named })).toBe(200);
    expect(await status({ certificate: named, node: 'n1.example' })).toBe(200);
    expect(await status({ certificate: named, node: 'example' })).toBe(403);
  });

  it('is not known by a name with a star in it, nor by an address', async () => {
    const wild = await bed.authority.sign('some-agent', 'DNS:*.example,IP:127.0.0.1');

    expect(await status({ certificate: wild, node: 'n1.example' })).toBe(403);
    expect(await status({ certificate: wild, node: '*.example' })).toBe(403);
    expect(await status({ certificate: wild, node: '127.0.0.1' })).toBe(403);
  });

  it('is not known any more when its certificate is refused, has run out, or nobody signs for nodes', async () => {
    const { fingerprint256 } = new X509Certificate(await readFile(n1.certificateFile));
    const other = await TestAuthority.make(bed.directory, 'later');
    const { authorityFile } = bed.authority;

    bed.configure({ refusedCertificates: [fingerprint256.replaceAll(':', '').toLowerCase()] });
    expect(await status({ certificate: n1 })).toBe(401);
    bed.configure({ refusedCertificates: [] });
    expect(await status({ certificate: n1 })).toBe(200);
    wallNow = () => Date.now() + 3 * 86_400_000;
    expect(await status({ certificate: n1 })).toBe(401);
    wallNow = Date.now;
    bed.configure({ authorityFile: '' });
    expect(await status({ certificate: n1 })).toBe(401);
    bed.configure({ authorityFile: other.authorityFile });
    expect(await status({ certificate: n1 })).toBe(401);
    bed.configure({ authorityFile });
    expect(await status({ certificate: n1 })).toBe(200);
  });
});

describe('a node by its token', () => {
  it('is known while the file has it', async () => {
    const tokensFile = await bed.writeTokens({ 'one-word': 'n1' });
    bed.configure({ tokensFile });

    expect(await status({ token: 'one-word' })).toBe(200);
    expect(await status({ token: 'one-word', node: 'n2' })).toBe(403);
    expect(await status({ token: 'other-word' })).toBe(401);
    await bed.writeTokens({ 'other-word': 'n1' });
    await expect.poll(() => status({ token: 'one-word' }), { timeout: 5_000 }).toBe(401);
    expect(await status({ token: 'other-word' })).toBe(200);
  });

  it('counts before the certificate, so that a wrong one is not made good by it', async () => {
    bed.configure({ tokensFile: await bed.writeTokens({ 'word-of-n2': 'n2' }) });

    await expect.poll(() => status({ token: 'word-of-n2', certificate: n1 }), { timeout: 5_000 }).toBe(403);
    expect(await status({ token: 'nobody', certificate: n1 })).toBe(401);
    expect(await status({ certificate: n1, headers: { authorization: 'Basic bjE6bjE=' } })).toBe(401);
  });

  it('is nobody while the file cannot be read, and its trouble hurts no other', async () => {
    const tokensFile = await bed.writeTokens({ word: 'n1' });
    bed.configure({ tokensFile: `${tokensFile}.not-there` });

    expect(await status({ token: 'word' })).toBe(401);
    expect(await status({ certificate: n1 })).toBe(200);
    await writeFile(`${tokensFile}.wrong`, '- { node: n1 }');
    bed.configure({ tokensFile: `${tokensFile}.wrong` });
    expect(await status({ token: 'word' })).toBe(401);
  });
});

let sequence = 0;

async function status(call: Parameters<PushBed['post']>[1]): Promise<number> {
  sequence++;
  return (await bed.post(batch(call.node ?? 'n1', sequence), call)).status;
}
