import { PassThrough } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { turns } from '../fake-daemon/turns.ts';
import type { Procedure } from '../procedure.ts';
import { Outgoing } from './outgoing.ts';

const CALL_BYTES = 28;
const nothing = { name: 'nothing', program: 1, number: 2, writeArgs: () => {} } as unknown as Procedure<null, unknown>;

describe('Outgoing', () => {
  it('sends the calls of one turn in one write', async () => {
    const { outgoing, writes } = world();

    for (let serial = 1; serial <= 3; serial++) outgoing.addCall(nothing, serial, null);
    await turns(1);

    expect(writes).toEqual([3 * CALL_BYTES]);
  });

  it('sends what was added before along with a message that cannot wait', () => {
    const { outgoing, writes } = world();

    outgoing.addCall(nothing, 1, null);
    outgoing.send({ program: 1, procedure: 2, type: 3, serial: 1, status: 2 }, Buffer.alloc(4));

    expect(writes[0]).toBe(CALL_BYTES);
  });
});

/** An outlet that notes how many bytes each write had. */
function world() {
  const writes: number[] = [];
  const socket = new PassThrough();
  socket.on('data', (chunk: Buffer) => writes.push(chunk.length));
  return { outgoing: new Outgoing(socket), writes };
}
