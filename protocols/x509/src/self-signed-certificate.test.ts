import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';

import { describe, expect, it } from 'vitest';

import { makeSelfSigned } from './self-signed-certificate.ts';

const now = new Date('2026-01-02T03:04:05Z');

describe('a certificate that vouches for itself', () => {
  it('names the server, ends in time, and is for servers alone', () => {
    const { certificate, key } = makeSelfSigned({ commonName: 'n1', names: ['n1', '10.0.0.1', '::1'], now, days: 30 });

    const read = new X509Certificate(certificate);
    expect(read.subjectAltName).toBe('DNS:n1, IP Address:10.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    expect(read.validToDate).toEqual(new Date('2026-02-01T03:04:05Z'));
    expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect([read.ca, read.verify(read.publicKey), key.startsWith('-----BEGIN PRIVATE KEY')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is trusted by who was given it, and by nobody who was given another', async () => {
    const own = makeSelfSigned({ commonName: 'n1', names: ['127.0.0.1'], now: new Date(), days: 2 });
    const other = makeSelfSigned({ commonName: 'n1', names: ['127.0.0.1'], now: new Date(), days: 2 });
    const server = createServer({ key: own.key, cert: own.certificate }, (socket) => socket.end()).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    using _closed = { [Symbol.dispose]: () => void server.close() };
    const { port } = server.address() as AddressInfo;

    const trusting = connect({ port, host: '127.0.0.1', ca: own.certificate });
    await once(trusting, 'secureConnect');
    const doubting = connect({ port, host: '127.0.0.1', ca: other.certificate });

    await expect(once(doubting, 'secureConnect')).rejects.toThrow('self-signed certificate');
    expect(trusting.authorized).toBe(true);
    trusting.destroy();
  });
});
