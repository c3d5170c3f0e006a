import { describe, expect, it } from 'vitest';

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
});

function socketProtocol(token: string): string {
  return `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
}
