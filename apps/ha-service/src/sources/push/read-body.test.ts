import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { describe, expect, it } from 'vitest';

import { readBody } from './read-body.ts';

describe('readBody', () => {
  it('gives what came, in as many parts as it likes', async () => {
    const request = new IncomingMessage(new Socket());
    const reading = readBody(request, 100);

    request.push(Buffer.from('{"a":"'));
    request.push(Buffer.from('ä"}'));
    request.push(null);

    expect(await reading).toEqual({ kind: 'read', text: '{"a":"ä"}' });
  });

  it('does not wait for one that went away before it was asked', async () => {
    const request = new IncomingMessage(new Socket());
    request.destroy();

    expect(await readBody(request, 100)).toEqual({ kind: 'broken' });
  });

  it('stops at what is too large', async () => {
    const request = new IncomingMessage(new Socket());
    const reading = readBody(request, 5);

    request.push(Buffer.from('123456'));

    expect(await reading).toEqual({ kind: 'too-large' });
  });
});
