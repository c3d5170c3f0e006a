import { PassThrough } from 'node:stream';

import type { VirtualMachineInstance } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { instanceTarget } from './handler-target.ts';
import { NodeStreams } from './node-streams.ts';

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const HANDSHAKE = { upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': KEY };
const instance: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'a', namespace: 'default' },
  spec: { domain: { devices: {} } },
};

it.each([
  { what: 'no websocket', headers: {}, mostStreams: 1, code: 400, message: 'not using the websocket protocol' },
  {
    what: 'an old version',
    headers: { ...HANDSHAKE, 'sec-websocket-version': '8' },
    mostStreams: 1,
    code: 400,
    message: 'unsupported version',
  },
  {
    what: 'a key that would begin a header of its own',
    headers: { ...HANDSHAKE, 'sec-websocket-key': 'a\r\nX-Evil: 1' },
    mostStreams: 1,
    code: 400,
    message: 'the key of the handshake is wrong',
  },
  {
    what: 'one stream too many',
    headers: HANDSHAKE,
    mostStreams: 0,
    code: 429,
    message: 'there are 0 streams already',
  },
  { what: 'an instance without a node', headers: HANDSHAKE, mostStreams: 1, code: 503, message: 'is on no node' },
])('refuses $what before anything is answered', async ({ headers, mostStreams, code, message }) => {
  const reader = { node: () => Promise.resolve(undefined) };
  const streams = new NodeStreams({ reader, credentials: () => Promise.resolve({ headers: {} }), mostStreams });
  const socket = new PassThrough();
  const codes: number[] = [];
  const { signal } = new AbortController();
  const client = { headers, socket, head: Buffer.alloc(0), started: (each: number) => codes.push(each), signal };

  const joining = streams.join(instanceTarget(instance), { subresource: 'console' }, client);

  await expect(joining).rejects.toMatchObject({ status: { code, message: expect.stringContaining(message) } });
  expect([codes, streams.open, socket.readableLength]).toEqual([[], 0, 0]);
});
