import { PassThrough } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { turns } from '../fake-daemon/turns.ts';
import type { Procedure } from '../procedure.ts';
import { Outgoing } from './outgoing.ts';

const CALL_BYTES = 28;
const nothing = { name: 'nothing', program: 1, number: 2, writeArgs: () => {} } as unknown as Procedure<null, unknown>;

describe('Outgoing', () => {
  it('sends the calls of one turn in one write', async () => {
    const { outgoing, writes } = world(() => false);

    for (let serial = 1; serial <= 3; serial++) outgoing.addCall(nothing, serial, null);
    await turns(1);

    expect(writes).toEqual([3 * CALL_BYTES]);
  });

  it('holds calls back while it may, and sends them all when it may no longer', async () => {
    const { outgoing, writes } = world((held) => held < 4);

    for (let serial = 1; serial <= 3; serial++) outgoing.addCall(nothing, serial, null);
    await turns(2);
    const writesBefore = writes.length;
    outgoing.addCall(nothing, 4, null);
    await turns(1);

    expect(writesBefore).toBe(0);
    expect(writes).toEqual([4 * CALL_BYTES]);
  });

  it('holds no call back when the daemon falls silent', () => {
    const { outgoing, writes } = world(() => true);
    outgoing.flushHeld(10);

    outgoing.addCall(nothing, 1, null);
    outgoing.flushHeld(10.05);
    const writesBefore = writes.length;
    outgoing.flushHeld(10.08);

    expect(writesBefore).toBe(0);
    expect(writes).toEqual([CALL_BYTES]);
  });

  it('holds calls back while the daemon goes on answering others, but not for ever', () => {
    const { outgoing, writes } = world(() => true);
    outgoing.flushHeld(10);
    outgoing.addCall(nothing, 1, null);

    const writesAt = new Map<number, number>();
    for (const now of [10.1, 10.2, 10.3, 10.45, 10.5]) {
      outgoing.heard(now - 0.01);
      outgoing.flushHeld(now);
      writesAt.set(now, writes.length);
    }

    expect(Object.fromEntries(writesAt)).toEqual({ 10.1: 0, 10.2: 0, 10.3: 0, 10.45: 1, 10.5: 1 });
  });

  it('takes held calls along with a message that cannot wait', () => {
    const { outgoing, writes } = world(() => true);

    outgoing.addCall(nothing, 1, null);
    outgoing.send({ program: 1, procedure: 2, type: 3, serial: 1, status: 2 }, Buffer.alloc(4));

    expect(writes[0]).toBe(CALL_BYTES);
  });
});

/** An outlet that notes how many bytes each write had. */
function world(mayHold: (held: number) => boolean) {
  const writes: number[] = [];
  const socket = new PassThrough();
  socket.on('data', (chunk: Buffer) => writes.push(chunk.length));
  return { outgoing: new Outgoing(socket, mayHold), writes };
}
