import { describe, expect, it } from 'vitest';

import { buildMessage } from '../fake-daemon/build-message.ts';
import { ManualClock } from '../fake-daemon/manual-clock.ts';
import { openChannel } from '../fake-daemon/open-channel.ts';
import { until } from '../fake-daemon/turns.ts';
import { procedures } from '../generated/procedures.gen.ts';
import { Keepalive } from './keepalive.ts';
import { keepaliveProgram, messageType } from './message.ts';

describe('Keepalive', () => {
  it('asks a silent daemon, and gives it up after as many questions as allowed', () => {
    const world = silentWorld({ intervalMs: 1000, count: 3 });

    const log = Array.from({ length: 6 }, () => {
      world.clock.advance(1000);
      return `${world.pings} ${world.deadAfterMs ?? 'alive'}`;
    });

    expect(log).toEqual(['1 alive', '2 alive', '3 alive', '3 4000', '3 4000', '3 4000']);
  });

  it('counts anything that is heard as a sign of life', () => {
    const world = silentWorld({ intervalMs: 1000, count: 2 });

    for (let turn = 0; turn < 20; turn++) {
      world.clock.advance(900);
      world.keepalive.heard();
    }

    expect(world).toMatchObject({ pings: 0, deadAfterMs: undefined });
  });

  it('starts to count anew when the daemon is heard after a question', () => {
    const world = silentWorld({ intervalMs: 1000, count: 2 });
    world.clock.advance(2500);
    world.keepalive.heard();

    world.clock.advance(2900);

    expect(world.deadAfterMs).toBeUndefined();
    world.clock.advance(200);
    expect(world.deadAfterMs).toBe(3000);
  });

  it('goes on asking but gives nobody up while reading is suspended', () => {
    const world = silentWorld({ intervalMs: 1000, count: 2 });
    world.keepalive.suspend(true);

    world.clock.advance(60_000);

    expect(world).toMatchObject({ pings: 60, deadAfterMs: undefined });
    world.keepalive.suspend(false);
    world.clock.advance(3000);
    expect(world.deadAfterMs).toBe(3000);
  });

  it('asks nothing once it is stopped', () => {
    const world = silentWorld({ intervalMs: 1000, count: 2 });

    world.keepalive.stop();
    world.clock.advance(60_000);

    expect(world).toMatchObject({ pings: 0, deadAfterMs: undefined });
  });
});

describe('a channel', () => {
  it('answers the pings of the daemon', async () => {
    const pong = Promise.withResolvers<Buffer>();
    await using world = await openChannel(() => undefined);
    await until(() => world.daemon.sockets.length > 0);
    world.daemon.sockets[0]?.on('data', (bytes: Buffer) => pong.resolve(bytes));

    world.daemon.send(buildMessage({ program: keepaliveProgram, procedure: 1, type: messageType.message }));

    const expected = buildMessage({ program: keepaliveProgram, procedure: 2, type: messageType.message, serial: 0 });
    await expect(pong.promise).resolves.toEqual(expected);
  });

  it('stays up while its pings are answered', async () => {
    const clock = new ManualClock();
    await using world = await openChannel(() => undefined, { clock, keepalive: { intervalMs: 100, count: 2 } });

    for (let turn = 1; turn <= 10; turn++) {
      clock.advance(100);
      await until(() => world.daemon.pings === turn);
      await answered(world);
    }

    expect(world.channel.reason).toBeUndefined();
  });

  it('fails the waiting calls when the daemon has fallen silent', async () => {
    const clock = new ManualClock();
    await using world = await openChannel(() => undefined, { clock, keepalive: { intervalMs: 100, count: 2 } });
    world.daemon.answersPings = false;
    const call = world.channel.call(procedures.connectGetHostname, undefined);

    clock.advance(300);

    await expect(call).rejects.toMatchObject({ code: 'keepalive-timeout', procedure: 'connectGetHostname' });
    await expect(world.channel.closed).resolves.toMatchObject({ message: expect.stringContaining('300 ms') });
  });
});

interface SilentWorld {
  readonly clock: ManualClock;
  readonly keepalive: Keepalive;
  pings: number;
  deadAfterMs: number | undefined;
}

function silentWorld(options: { intervalMs: number; count: number }): SilentWorld {
  const clock = new ManualClock();
  const world = { clock, pings: 0, deadAfterMs: undefined as number | undefined };
  const keepalive = new Keepalive(options, {
    clock,
    ping: () => void world.pings++,
    onDead: (silentMs) => void (world.deadAfterMs = silentMs),
  });
  return Object.assign(world, { keepalive });
}

/** The pong has been read when the answer to a later message has: it comes over the same socket. */
async function answered(world: Awaited<ReturnType<typeof openChannel>>): Promise<void> {
  const call = world.channel.call(procedures.connectSupportsFeature, { feature: 1 });
  await call;
}
