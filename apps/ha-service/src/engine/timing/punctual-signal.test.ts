import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { request } from 'undici';
import { describe, expect, it } from 'vitest';

import { ManualClock } from '../fixtures/manual-clock.ts';
import { Moment } from './moment.ts';
import { punctualSignal } from './punctual-signal.ts';

describe('punctualSignal', () => {
  it('is aborted as soon as it is asked too late, without any timer', async () => {
    const { clock, signal } = order();
    const heard: string[] = [];
    signal.addEventListener('abort', () => heard.push('aborted'));

    await clock.advance(100);
    const before = signal.aborted;
    await clock.advance(1);

    expect(before).toBe(false);
    expect(signal.aborted).toBe(true);
    expect(() => signal.throwIfAborted()).toThrow('the order was not on its way within 100 ms');
    expect(heard).toEqual(['aborted']);
  });

  it('is aborted as soon as it is asked without the lead', () => {
    let isLeading = true;
    const signal = punctualSignal(new AbortController().signal, {
      ...late(new ManualClock()),
      isLeading: () => isLeading,
    });
    const before = signal.aborted;

    isLeading = false;

    expect(before).toBe(false);
    expect(() => signal.throwIfAborted()).toThrow('the order is not sent: the lease was not renewed in time');
  });

  it('is aborted with the signal it was made from', () => {
    const { outer, signal } = order();

    outer.abort(new Error('the lead is lost'));

    expect(signal.aborted).toBe(true);
    expect(() => signal.throwIfAborted()).toThrow('the lead is lost');
    expect(punctualSignal(outer.signal, late(new ManualClock())).aborted).toBe(true);
  });

  it('keeps a client from sending what is too late', async () => {
    const { clock, signal } = order();
    let requests = 0;
    await using server = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    clock.wallOffsetMs = 200;

    const sent = request(`http://127.0.0.1:${port}`, { signal });

    await expect(sent).rejects.toMatchObject({ code: 'deadline' });
    expect(requests).toBe(0);
  });
});

function order() {
  const clock = new ManualClock();
  const outer = new AbortController();
  return { clock, outer, signal: punctualSignal(outer.signal, late(clock)) };
}

function late(clock: ManualClock) {
  return { begun: new Moment(clock), withinMs: 100, what: 'the order' };
}
