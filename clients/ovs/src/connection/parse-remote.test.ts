import { describe, expect, it } from 'vitest';

import { parseRemote, printEndpoint } from './parse-remote.ts';

describe('parseRemote', () => {
  it.each([
    { text: 'unix:/run/openvswitch/db.sock', endpoints: [{ kind: 'unix', path: '/run/openvswitch/db.sock' }] },
    { text: 'tcp:10.0.0.10:6642', endpoints: [{ kind: 'tcp', host: '10.0.0.10', port: 6642 }] },
    { text: 'tcp:[::1]:6642', endpoints: [{ kind: 'tcp', host: '::1', port: 6642 }] },
    { text: 'ssl:central.example:6642', endpoints: [{ kind: 'ssl', host: 'central.example', port: 6642 }] },
    { text: 'ssl:10.0.0.1', endpoints: [{ kind: 'ssl', host: '10.0.0.1', port: 6640 }] },
    {
      text: 'tcp:10.0.0.1:6642, tcp:10.0.0.2:6642',
      endpoints: [
        { kind: 'tcp', host: '10.0.0.1', port: 6642 },
        { kind: 'tcp', host: '10.0.0.2', port: 6642 },
      ],
    },
  ])('reads $text', ({ text, endpoints }) => {
    expect(parseRemote(text)).toEqual({ endpoints });
  });

  it.each(['unix:/run/db.sock', 'tcp:10.0.0.1:6642', 'ssl:[fe80::1]:1'])('prints %s as it was', (text) => {
    expect(parseRemote(text).endpoints.map(printEndpoint)).toEqual([text]);
  });

  it.each([
    '',
    'db.sock',
    'unix:',
    'tcp:',
    'tcp:::1:6642',
    'tcp:host:0',
    'tcp:host:65536',
    'tcp:h:1,',
    'ptcp:6640',
    'unix:a\0b',
  ])('refuses %j and says how a remote is written', (text) => {
    expect(() => parseRemote(text)).toThrow(
      expect.objectContaining({
        code: 'invalid-argument',
        message: expect.stringMatching(/is no remote: (write|the port)/),
      }),
    );
  });
});
