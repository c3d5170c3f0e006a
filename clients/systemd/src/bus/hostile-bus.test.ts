import type { Socket } from 'node:net';

import { encodeMessage, type DBusMessage } from '@smalt/dbus';
import { describe, expect, it } from 'vitest';

import { openSystemd } from '../open-systemd.ts';
import type { Systemd } from '../systemd.ts';
import { answer, greet, letIn, startFakeBus, type FakeBus, type FakePeer } from './fake-bus.ts';

const CALL_TIMEOUT_MS = 700;

describe('a peer that is no bus', () => {
  it.each<{ title: string; peer: FakePeer; code: string }>([
    { title: 'hangs up at once', peer: { onLine: (socket) => socket.destroy() }, code: 'bus-lost' },
    { title: 'rejects us', peer: { onLine: say('REJECTED EXTERNAL\r\n') }, code: 'access-denied' },
    { title: 'speaks another protocol', peer: { onLine: say('HTTP/1.1 400 Bad Request\r\n') }, code: 'bad-answer' },
    { title: 'sends a line without end', peer: { onLine: say('x'.repeat(100_000)) }, code: 'bad-answer' },
    { title: 'says nothing', peer: { onLine: () => undefined }, code: 'timeout' },
    { title: 'lets us in and says nothing', peer: { onMessage: () => undefined }, code: 'timeout' },
    { title: 'answers Hello with garbage', peer: { onMessage: send(Buffer.alloc(64, 'x')) }, code: 'bad-answer' },
  ])('that $title fails the call within its time limit', async ({ peer, code }) => {
    await using bus = await startFakeBus(peer);
    await using systemd = await open(bus);
    const begin = performance.now();

    const call = systemd.unitStates(['a.service'], AbortSignal.timeout(10_000));

    await expect(call).rejects.toMatchObject({ name: 'SystemdError', code });
    expect(performance.now() - begin).toBeLessThan(CALL_TIMEOUT_MS + 2000);
  });

  it.each([
    { title: 'garbage', bytes: Buffer.alloc(64, 'x') },
    { title: 'a message that would be too large', bytes: hugePrefix() },
    { title: 'a message that is malformed inside', bytes: malformed() },
  ])('is left when it sends $title, and the call fails', async ({ bytes }) => {
    await using bus = await startFakeBus({ onMessage: afterHello((socket) => socket.write(bytes)) });
    await using systemd = await open(bus);

    const call = systemd.unitStates(['a.service'], AbortSignal.timeout(10_000));

    await expect(call).rejects.toMatchObject({ code: 'bad-answer' });
  });

  it('is tried again, and the next call goes through when a real bus is back', async () => {
    const good: FakePeer = { onMessage: afterHello((socket, call) => answer(socket, call, oneUnit())) };
    await using bus = await startFakeBus(
      { onMessage: afterHello((socket) => socket.write('garbage'.repeat(9))) },
      good,
    );
    await using systemd = await open(bus);

    await systemd.unitStates(['a.service'], AbortSignal.timeout(10_000)).catch(() => undefined);
    const states = await systemd.unitStates(['a.service'], AbortSignal.timeout(10_000));

    expect(states).toEqual([{ name: 'a.service', loadState: 'loaded', activeState: 'active', subState: 'running' }]);
    expect(bus.connections()).toBe(2);
  });

  it('costs a pause that grows while it turns us away', async () => {
    await using bus = await startFakeBus({ onLine: (socket) => socket.destroy() });
    await using systemd = await open(bus);

    await systemd.describeHost(AbortSignal.timeout(10_000)).catch(() => undefined);

    // 10, 20, 40, 80, 160, 320 ms, of which half is left to chance.
    expect(bus.connections()).toBeGreaterThan(2);
    expect(bus.connections()).toBeLessThan(12);
  });
});

describe('a bus that lets everybody in and hangs up', () => {
  it('is called again with pauses that grow, whoever follows a service on it', async () => {
    await using bus = await startFakeBus({ onMessage: afterHello((socket) => socket.destroy()) });
    await using systemd = await open(bus);
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);

    for await (const change of systemd.watchUnits(['a.service'], signal)) expect(change).toBeUndefined();

    // Of the bus 10, 20, 40, 80, 160, 320 ms, and those of the follower besides.
    expect(bus.connections()).toBeGreaterThan(1);
    expect(bus.connections()).toBeLessThan(12);
  });

  it('is called again with pauses that grow, however many calls are made', async () => {
    await using bus = await startFakeBus({ onMessage: hangUpAfterHello });
    await using systemd = await open(bus);
    const begin = performance.now();

    while (performance.now() - begin < CALL_TIMEOUT_MS) {
      await systemd.unitStates(['a.service'], AbortSignal.timeout(1_000)).catch(() => undefined);
    }

    expect(bus.connections()).toBeGreaterThan(2);
    expect(bus.connections()).toBeLessThan(12);
  });
});

describe('a bus that is known to be away', () => {
  it('fails a call soon, with the reason, although its time limit is long', async () => {
    await using bus = await startFakeBus({ onLine: (socket) => socket.destroy() });
    await using systemd = await open(bus, 60_000);
    const begin = performance.now();

    const calls = [
      systemd.describeHost(AbortSignal.timeout(60_000)),
      systemd.startUnit('a.service', AbortSignal.timeout(60_000)),
    ];

    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'bus-lost' });
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it('is waited for when it is only slow', async () => {
    const onMessage = afterHello((socket, call) => answer(socket, call, oneUnit()));
    await using bus = await startFakeBus({ onLine: letInLate, onMessage });
    await using systemd = await open(bus, 20_000);

    const states = await systemd.unitStates(['a.service'], AbortSignal.timeout(20_000));

    expect(states).toHaveLength(1);
    expect(bus.connections()).toBe(1);
  });
});

describe('a service that changes hands all the time', () => {
  it('is greeted with pauses that grow', async () => {
    let greetings = 0;
    const onMessage = afterHello((socket, call) => {
      if (call.member === 'GetNameOwner') return answer(socket, call, { signature: 's', body: [':1.0'] });
      if (call.member === 'Subscribe') {
        greetings += 1;
        socket.write(ownerChanged('org.freedesktop.systemd1', `:1.${greetings}`));
      }
      return answer(socket, call);
    });
    await using bus = await startFakeBus({ onMessage });
    await using systemd = await open(bus);
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);

    for await (const change of systemd.watchUnits(['a.service'], signal)) expect(change.kind).toBe('resubscribed');

    // After 100, 200 and 400 ms.
    expect(greetings).toBeGreaterThan(1);
    expect(greetings).toBeLessThan(6);
  });
});

describe('a bus with a service that misbehaves', () => {
  it('fails the call with what the service answered instead of units', async () => {
    await using bus = await startFakeBus({ onMessage: afterHello((socket, call) => answer(socket, call)) });
    await using systemd = await open(bus);

    const call = systemd.unitStates(['a.service'], AbortSignal.timeout(10_000));

    await expect(call).rejects.toMatchObject({ code: 'bad-answer', message: expect.stringContaining('1 units') });
  });

  it('reads properties where hostnamed is too old for Describe', async () => {
    await using bus = await startFakeBus({ onMessage: afterHello(oldHostnamed) });
    await using systemd = await open(bus);

    const host = await systemd.describeHost(AbortSignal.timeout(10_000));

    expect(host).toEqual({ hostname: 'old' });
  });

  it('ignores answers to calls that were given up, and calls made to us', async () => {
    const peer: FakePeer = {
      onMessage: afterHello((socket, call) => {
        socket.write(encodeMessage({ kind: 'return', serial: 5, replySerial: 4_000_000_000 }));
        socket.write(encodeMessage({ kind: 'call', serial: 6, path: '/', member: 'Ping' }));
        answer(socket, call, oneUnit());
      }),
    };
    await using bus = await startFakeBus(peer);
    await using systemd = await open(bus);

    const states = await systemd.unitStates(['a.service'], AbortSignal.timeout(10_000));

    expect(states).toHaveLength(1);
  });

  it('refuses more calls than may wait, and sends nothing of them', async () => {
    await using bus = await startFakeBus({});
    await using systemd = await open(bus, 4_000);
    const signal = AbortSignal.timeout(20_000);

    const calls = Array.from({ length: 1100 }, () => systemd.unitStates(['a.service'], signal));
    const outcomes = await Promise.allSettled(calls);

    const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? codeOf(outcome.reason) : 'done'));
    expect(Map.groupBy(codes, (code) => code).get('queue-full')).toHaveLength(76);
    expect(Map.groupBy(codes, (code) => code).get('timeout')).toHaveLength(1024);
  });

  it('gives a call up when its signal fires', async () => {
    const waiting = Promise.withResolvers<void>();
    await using bus = await startFakeBus({ onMessage: afterHello(() => waiting.resolve()) });
    await using systemd = await open(bus);
    const controller = new AbortController();

    const call = systemd.describeHost(controller.signal);
    await waiting.promise;
    controller.abort();

    await expect(call).rejects.toMatchObject({ code: 'aborted' });
  });

  it('fails what waits with `closed` when the owner is done with it', async () => {
    const waiting = Promise.withResolvers<void>();
    await using bus = await startFakeBus({ onMessage: afterHello(() => waiting.resolve()) });
    const systemd = await open(bus);

    const call = systemd.describeHost(AbortSignal.timeout(10_000));
    await waiting.promise;
    await systemd[Symbol.asyncDispose]();

    await expect(call).rejects.toMatchObject({ code: 'closed' });
    await expect(systemd.describeHost(AbortSignal.timeout(10_000))).rejects.toMatchObject({ code: 'closed' });
  });
});

async function open(bus: FakeBus, callTimeoutMs: number = CALL_TIMEOUT_MS): Promise<Systemd> {
  const systemd = await openSystemd({ busPath: bus.path, callTimeoutMs, backOff: { initialMs: 10 } });
  if (!systemd) throw new Error('no bus');
  return systemd;
}

function say(text: string): (socket: Socket) => void {
  return (socket) => void socket.write(text);
}

function send(bytes: Buffer): (socket: Socket) => void {
  return (socket) => void socket.write(bytes);
}

function afterHello(act: (socket: Socket, call: DBusMessage) => void): NonNullable<FakePeer['onMessage']> {
  return (socket, call) => {
    if (call.member === 'Hello') greet(socket, call);
    else act(socket, call);
  };
}

/** Later than a call waits for a bus that is known to be away. */
function letInLate(socket: Socket, line: string): void {
  setTimeout(() => letIn(socket, line), 1_300);
}

function hangUpAfterHello(socket: Socket, call: DBusMessage): void {
  greet(socket, call);
  socket.end();
}

/** What a bus says when a service has a new owner. */
function ownerChanged(service: string, owner: string): Buffer {
  const bus = 'org.freedesktop.DBus';
  const head = { kind: 'signal', serial: 9, path: '/org/freedesktop/DBus', interface: bus, sender: bus } as const;
  return encodeMessage({ ...head, member: 'NameOwnerChanged', signature: 'sss', body: [service, '', owner] });
}

function oneUnit(): Partial<DBusMessage> {
  const row = ['a.service', '', 'loaded', 'active', 'running', '', '/a', 0, '', '/'];
  return { signature: 'a(ssssssouso)', body: [[row]] };
}

function oldHostnamed(socket: Socket, call: DBusMessage): void {
  if (call.member === 'GetAll') {
    const properties = new Map([['Hostname', { signature: 's', value: 'old' }]]);
    answer(socket, call, { signature: 'a{sv}', body: [properties] });
    return;
  }
  const errorName = 'org.freedesktop.DBus.Error.UnknownMethod';
  answer(socket, call, { kind: 'error', errorName, signature: 's', body: ['no such method'] });
}

/** The first bytes of a message of 100 MiB. */
function hugePrefix(): Buffer {
  const bytes = Buffer.from(encodeMessage({ kind: 'return', serial: 1, replySerial: 1 }));
  bytes.writeUInt32LE(100 * 2 ** 20, 4);
  return bytes;
}

function malformed(): Buffer {
  const bytes = Buffer.from(
    encodeMessage({ kind: 'return', serial: 1, replySerial: 2, signature: 's', body: ['abc'] }),
  );
  bytes[bytes.length - 1] = 1;
  return bytes;
}

function codeOf(reason: unknown): string {
  return (reason as { code: string }).code;
}
