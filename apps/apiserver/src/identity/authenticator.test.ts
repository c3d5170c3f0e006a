import { X509Certificate } from 'node:crypto';

import type { Subject } from '@smalt/x509';
import { describe, expect, it } from 'vitest';

import type { PeerSocket } from './authenticator.ts';
import { CertificateAuthority, makeAuthority } from './certificate-authority.ts';
import { makeTokenWorld } from './fake-token-world.ts';

describe('RequestAuthenticator', () => {
  it.each([
    { headers: {}, name: undefined },
    { headers: { authorization: 'Bearer static' }, name: 'robot' },
    { headers: { authorization: 'bearer static' }, name: 'robot' },
    { headers: { authorization: 'Basic YTpi' }, name: undefined },
    { headers: { authorization: 'Bearer' }, name: undefined },
    { headers: { 'sec-websocket-protocol': `v5.channel.k8s.io, ${socketProtocol('static')}` }, name: 'robot' },
  ])('takes who sends $headers for $name', ({ headers, name }) => {
    const user = makeTokenWorld().authenticator.authenticate({ headers });

    expect(user?.name).toBe(name);
    expect(user?.groups ?? ['system:authenticated']).toContain('system:authenticated');
  });

  it.each([
    { authorization: 'Bearer wrong' },
    { authorization: `Bearer ${makeTokenWorld().issue({})}` },
    { 'sec-websocket-protocol': socketProtocol('static') },
    { 'sec-websocket-protocol': `a, ${socketProtocol('wrong')}` },
    { 'sec-websocket-protocol': 'a, base64url.bearer.authorization.k8s.io.%%' },
  ])('refuses %o', (headers) => {
    expect(() => makeTokenWorld().authenticator.authenticate({ headers })).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 401, message: 'Unauthorized' }) as unknown }),
    );
  });

  it('takes who shows a certificate for its subject', () => {
    const socket = peer({ commonName: 'ann', organizations: ['staff'] });

    const user = makeTokenWorld().authenticator.authenticate({ headers: {}, socket });

    expect(user).toMatchObject({ name: 'ann', groups: ['staff', 'system:authenticated'] });
  });

  it.each([
    { commonName: 'ann\r\nX-Remote-Group: system:masters', organizations: [] },
    { commonName: 'ann\u0000', organizations: [] },
    { commonName: 'ann', organizations: ['staff', 'a\u0085b'] },
  ])('refuses a certificate with control characters in its subject: %j', (subject) => {
    const socket = peer(subject);

    expect(() => makeTokenWorld().authenticator.authenticate({ headers: {}, socket })).toThrow('Unauthorized');
  });

  it('refuses a certificate from its end on, also on a connection that was good before', () => {
    const { authenticator, clock } = makeTokenWorld();
    const socket = peer({ commonName: 'ann', organizations: [] }, clock.now);
    const end = new X509Certificate(socket.getPeerCertificate().raw ?? '').validToDate.getTime();
    const nameAt = (time: number): unknown => {
      clock.now = new Date(time);
      return authenticator.authenticate({ headers: {}, socket })?.name;
    };

    expect([nameAt(end - 60_000), nameAt(end)]).toEqual(['ann', 'ann']);
    for (const time of [end + 1, end + 86_400_000]) {
      expect(() => nameAt(time)).toThrow(
        expect.objectContaining({ status: expect.objectContaining({ code: 401 }) as unknown }),
      );
    }
  });

  it('takes a token on a connection whose certificate has ended', () => {
    const { authenticator, clock } = makeTokenWorld();
    const socket = peer({ commonName: 'ann', organizations: [] }, clock.now);
    const headers = { authorization: 'Bearer static' };
    const before = authenticator.authenticate({ headers, socket })?.name;
    clock.now = new Date(clock.now.getTime() + 2 * 86_400_000);

    expect([before, authenticator.authenticate({ headers, socket })?.name]).toEqual(['ann', 'robot']);
  });

  it('reads the certificate of a connection once as long as it is good', () => {
    const { authenticator, clock } = makeTokenWorld();
    const shown = peer({ commonName: 'ann', organizations: [] }, clock.now);
    let count = 0;
    const socket = { ...shown, getPeerCertificate: () => (count++, shown.getPeerCertificate()) };

    for (let request = 0; request < 3; request++) authenticator.authenticate({ headers: {}, socket });

    expect(count).toBe(1);
  });
});

function peer(subject: Subject, now: Date = new Date('2026-01-01T00:00:00Z')): PeerSocket {
  const authority = new CertificateAuthority(makeAuthority('test', now));
  const { raw } = new X509Certificate(authority.issueClient(subject, { now, days: 1 }).certificate);
  return { authorized: true, getPeerCertificate: () => ({ raw }) };
}

function socketProtocol(token: string): string {
  return `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
}
