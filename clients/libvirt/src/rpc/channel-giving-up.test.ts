import { getEventListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import type { FakeCall } from '../fake-daemon/fake-daemon.ts';
import { ManualClock } from '../fake-daemon/manual-clock.ts';
import { openChannel } from '../fake-daemon/open-channel.ts';
import { until } from '../fake-daemon/turns.ts';
import { procedures } from '../generated/procedures.gen.ts';
import type { LibvirtWarning } from '../libvirt-warning.ts';

const { connectGetHostname, connectGetLibVersion } = procedures;

describe('giving up', () => {
  it('fails a call whose time is over, and survives the reply that comes too late', async () => {
    const warnings: LibvirtWarning[] = [];
    const clock = new ManualClock();
    const calls: FakeCall[] = [];
    await using world = await openChannel((call) => calls.push(call), {
      clock,
      onWarning: (warning) => warnings.push(warning),
    });
    const slow = world.channel.call(connectGetHostname, undefined, { timeoutMs: 500 });
    await until(() => calls.length >= 1);

    clock.advance(500);

    await expect(slow).rejects.toMatchObject({
      code: 'timeout',
      procedure: 'connectGetHostname',
      message: expect.stringContaining('500 ms'),
    });
    calls[0]?.reply({ payload: (writer) => writer.string('late') });
    const next = world.channel.call(connectGetLibVersion, undefined);
    await until(() => calls.length >= 2);
    calls[1]?.reply({ payload: version(1) });
    await expect(next).resolves.toBe(1n);
    expect(warnings).toMatchObject([{ kind: 'late-reply' }]);
    expect(world.channel.warnings).toBe(1);
  });

  it('survives late replies to more abandoned calls than it can remember', async () => {
    const clock = new ManualClock();
    const calls: FakeCall[] = [];
    await using world = await openChannel((call) => calls.push(call), { clock, callTimeoutMs: 10 });
    const abandoned = Array.from({ length: 9000 }, () => world.channel.call(connectGetLibVersion, undefined));
    const outcomes = Promise.allSettled(abandoned);
    await until(() => calls.length >= 9000);
    clock.advance(10);
    await outcomes;

    for (const call of calls) call.reply({ payload: version(1) });
    const next = world.channel.call(connectGetHostname, undefined, { timeoutMs: 1000 });
    await until(() => calls.length >= 9001);
    calls[9000]?.reply({ payload: (writer) => writer.string('alive') });

    await expect(next).resolves.toBe('alive');
  });

  it('needs no timer for calls without a deadline, and one for many calls with the same', async () => {
    const clock = new ManualClock();
    await using world = await openChannel(answerVersion, { clock, keepalive: false });

    await Promise.all(Array.from({ length: 50 }, () => world.channel.call(connectGetLibVersion, undefined)));
    const without = clock.scheduled;
    await Promise.all(
      Array.from({ length: 50 }, () => world.channel.call(connectGetLibVersion, undefined, { timeoutMs: 100 })),
    );

    expect({ without, with: clock.scheduled }).toEqual({ without: 0, with: 1 });
  });

  it('fails only the calls whose own deadline has passed', async () => {
    const clock = new ManualClock();
    await using world = await openChannel(() => undefined, { clock, callTimeoutMs: 300 });
    const settled: string[] = [];
    for (const timeoutMs of [undefined, 100, 200]) {
      const call = world.channel.call(connectGetLibVersion, undefined, timeoutMs === undefined ? {} : { timeoutMs });
      call.catch(() => settled.push(String(timeoutMs)));
    }

    const afterEach: string[][] = [];
    for (let step = 0; step < 3; step++) {
      clock.advance(100);
      await Promise.resolve();
      afterEach.push([...settled]);
    }

    expect(afterEach).toEqual([['100'], ['100', '200'], ['100', '200', 'undefined']]);
  });

  it('gives up when the signal fires, and takes its listener off either way', async () => {
    const controller = new AbortController();
    const calls: FakeCall[] = [];
    await using world = await openChannel((call) => calls.push(call));
    const { signal } = controller;
    const answered = world.channel.call(connectGetLibVersion, undefined, { signal });
    const hanging = world.channel.call(connectGetLibVersion, undefined, { signal });
    await until(() => calls.length >= 2);
    calls[0]?.reply({ payload: version(1) });
    await answered;
    const listenersWhileWaiting = getEventListeners(signal, 'abort').length;

    controller.abort(new Error('changed my mind'));

    await expect(hanging).rejects.toMatchObject({ code: 'aborted', cause: { message: 'changed my mind' } });
    expect({ listenersWhileWaiting, afterwards: getEventListeners(signal, 'abort').length }).toEqual({
      listenersWhileWaiting: 1,
      afterwards: 0,
    });
  });

  it.each([-1, Number.NaN])('refuses %d as a time limit', async (timeoutMs) => {
    await using world = await openChannel(() => undefined);

    const call = world.channel.call(connectGetLibVersion, undefined, { timeoutMs });

    await expect(call).rejects.toMatchObject({ code: 'invalid-arg', message: expect.stringContaining('timeoutMs') });
  });

  it('does not send a call whose signal has fired already', async () => {
    const calls: FakeCall[] = [];
    await using world = await openChannel((call) => calls.push(call));

    const call = world.channel.call(connectGetLibVersion, undefined, { signal: AbortSignal.abort() });

    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(world.channel.pendingCalls).toBe(0);
    expect(calls).toEqual([]);
  });
});

function version(value: number): (writer: { uint64(value: bigint): void }) => void {
  return (writer) => writer.uint64(BigInt(value));
}

function answerVersion(call: FakeCall): void {
  call.reply({ payload: version(7) });
}
