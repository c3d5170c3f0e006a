import { describe, expect, it } from 'vitest';

import { readFrontProxySettings } from './front-proxy-authority.ts';
import { frontProxyUser, namedUser } from './front-proxy-user.ts';

const settings = readFrontProxySettings({
  'requestheader-client-ca-file': '',
  'requestheader-allowed-names': '["front-proxy-client"]',
  'requestheader-username-headers': '["X-Remote-User"]',
  'requestheader-group-headers': '["X-Remote-Group"]',
  'requestheader-uid-headers': '["X-Remote-Uid"]',
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
});

describe('namedUser', () => {
  it('reads who it is, with groups that have commas in their names', () => {
    const user = namedUser(
      {
        'x-remote-user': ['ann'],
        'x-remote-uid': ['1'],
        'x-remote-group': ['a,b', 'c'],
        'x-remote-extra-example.com%2fnode': ['n1'],
        'x-remote-extra-%zz': ['odd'],
        'x-other': ['x'],
      },
      settings,
    );

    expect(user).toEqual({
      name: 'ann',
      user: { username: 'ann', uid: '1', groups: ['a,b', 'c'], extra: { 'example.com/node': ['n1'], '%zz': ['odd'] } },
    });
  });

  it('is nobody without a name', () => {
    expect(namedUser({ 'x-remote-user': [''], 'x-remote-group': ['system:masters'] }, settings)).toBeUndefined();
  });
});

it('believes nobody where the cluster has no authority for that', () => {
  const socket = { authorized: true, getPeerCertificate: () => ({}) as never };

  expect(frontProxyUser(socket, { 'x-remote-user': ['admin'] }, settings)).toBeUndefined();
});
