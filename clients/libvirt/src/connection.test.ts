import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import type { XdrWriter } from '@smalt/xdr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connect } from './connect.ts';
import type { Connection } from './connection.ts';
import { FakeDaemon, type FakeCall } from './fake-daemon/fake-daemon.ts';
import { ManualClock } from './fake-daemon/manual-clock.ts';
import { confirmStream } from './fake-daemon/stream-messages.ts';
import { turns, until } from './fake-daemon/turns.ts';
import { procedures } from './generated/procedures.gen.ts';
import { isConnectionLost, isNoDomain, LibvirtError } from './libvirt-error.ts';
import { readWholeStream } from './read-whole-stream.ts';
import { messageType } from './rpc/message.ts';

/** With a dot in it: for a shorter name libvirt asks the DNS on every call. */
const HOSTNAME = 'host.test';
const web = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };

describe('a connection to a real daemon', () => {
  let daemon: TestDaemon;

  beforeAll(async () => {
    daemon = await startTestDaemon({ hostname: HOSTNAME });
  });

  afterAll(async () => {
    await daemon[Symbol.asyncDispose]();
  });

  it('calls procedures over TCP and over a unix socket', async () => {
    for (const uri of [daemon.uri, `test+unix:///default?socket=${daemon.socketPath}`]) {
      await using connection = await connect(uri);

      expect(await connection.connectGetHostname()).toBe(daemon.hostname);
      expect(await connection.connectListAllDomains()).toMatchObject([{ name: 'test', id: 1 }]);
    }
  });

  it('gives the errors of the daemon their own code', async () => {
    await using connection = await connect(daemon.uri);

    const lookup = connection.domainLookupByName({ name: 'nobody' });

    await expect(lookup).rejects.toSatisfy(isNoDomain);
    await expect(lookup).rejects.toMatchObject({ code: 'no-domain', number: 42, domain: 'test', level: 'error' });
  });

  it('says unsupported for what the driver lacks and for what the daemon is too old for', async () => {
    await using connection = await connect(daemon.uri);
    const domain = await connection.domainLookupByName({ name: 'test' });

    const [lackingInDriver, newerThanDaemon] = await Promise.allSettled([
      connection.domainGetJobInfo({ domain }),
      connection.domainAnnounceInterface({ domain, params: {} }),
    ]);

    expect(lackingInDriver).toMatchObject({ status: 'rejected', reason: { code: 'unsupported', number: 3 } });
    expect(newerThanDaemon).toMatchObject({ status: 'rejected', reason: { code: 'unsupported', number: 39 } });
  });

  it('answers ten thousand pipelined calls', async () => {
    await using connection = await connect(daemon.uri);
    const domain = await connection.domainLookupByName({ name: 'test' });

    const infos = await Promise.all(Array.from({ length: 10_000 }, () => connection.domainGetInfo({ domain })));

    expect(infos.every((info) => info.maxMemory === 8_388_608n)).toBe(true);
  });

  it('takes a reply of several hundred kilobytes', async () => {
    await using connection = await connect(daemon.uri);
    const names = Array.from({ length: 1500 }, (_, number) => `domain-${number}`);
    await Promise.all(names.map((name) => connection.domainDefineXml({ xml: domainXml(name) })));

    const domains = await connection.connectListAllDomains();

    expect(domains.map((domain) => domain.name)).toEqual(expect.arrayContaining(names));
    await Promise.all(domains.filter(({ id }) => id === -1).map((domain) => connection.domainUndefine({ domain })));
  });

  it('takes a screenshot', async () => {
    await using connection = await connect(daemon.uri);
    const domain = await connection.domainLookupByName({ name: 'test' });

    const { result, stream } = await connection.domainScreenshot({ domain, screen: 0 });
    const image = await readWholeStream(stream);

    expect(result).toBe('image/png');
    expect(image.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    expect(image.subarray(-8, -4).toString()).toBe('IEND');
  });

  it('refuses what changes anything when it was opened to read only', async () => {
    await using connection = await connect(daemon.uri, { isReadOnly: true });
    const domain = await connection.domainLookupByName({ name: 'test' });

    await expect(connection.domainSuspend({ domain })).rejects.toMatchObject({ code: 'operation-denied' });
  });

  it('lets calls under way finish when it is closed, and takes no new ones', async () => {
    const connection = await connect(daemon.uri);
    const underWay = Array.from({ length: 100 }, () => connection.connectGetHostname());

    const closing = connection.close();
    const tooLate = connection.connectGetHostname();

    await expect(tooLate).rejects.toMatchObject({ code: 'closed', procedure: 'connectGetHostname' });
    await expect(Promise.all(underWay)).resolves.toHaveLength(100);
    await closing;
    await expect(connection.closed).resolves.toMatchObject({ code: 'closed' });
    await connection.close();
    await expect(connection.connectGetHostname()).rejects.toMatchObject({ code: 'closed' });
  });

  it('fails all that waits with the reason when it is destroyed', async () => {
    const connection = await connect(daemon.uri);
    const call = connection.connectGetHostname();

    connection.destroy(new LibvirtError('connection-lost', 'the host was fenced'));

    await expect(call).rejects.toMatchObject({ code: 'connection-lost', message: expect.stringContaining('fenced') });
    await expect(connection.closed).resolves.toMatchObject({ message: 'the host was fenced' });
  });
});

describe('a daemon in trouble', () => {
  it('fails every waiting call when it is killed', async () => {
    await using daemon = await startTestDaemon({ hostname: HOSTNAME });
    const connection = await connect(daemon.uri);
    const calls = load(connection, 500);

    daemon.kill('SIGKILL');

    const errors = await calls.firstErrors;
    expect(errors).toHaveLength(500);
    expect(errors.every(isConnectionLost)).toBe(true);
    await expect(connection.closed).resolves.toMatchObject({ code: 'connection-lost' });
  });

  it('is given up when it hangs, and the waiting calls say so', async () => {
    await using daemon = await startTestDaemon({ hostname: HOSTNAME });
    const connection = await connect(daemon.uri, { keepalive: { intervalMs: 50, count: 3 } });
    daemon.kill('SIGSTOP');
    const started = performance.now();

    const calls = [1, 2, 3].map(() => connection.connectGetHostname());

    const outcomes = await Promise.allSettled(calls);
    daemon.kill('SIGCONT');
    expect(outcomes).toMatchObject(calls.map(() => ({ reason: { code: 'keepalive-timeout' } })));
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('can be connected to again after a restart under load', async () => {
    await using daemon = await startTestDaemon({ hostname: HOSTNAME });
    const first = await connect(daemon.uri);
    const calls = load(first, 100);

    await daemon.restart();
    const errors = await calls.firstErrors;

    expect(errors.every(isConnectionLost)).toBe(true);
    await using second = await connect(daemon.uri);
    expect(await second.connectGetHostname()).toBe(daemon.hostname);
  });

  it('is not waited for longer than the clock of the connection says', async () => {
    const clock = new ManualClock();
    await using daemon = await FakeDaemon.listen(() => undefined);
    const connection = await connect(daemon.uri, { clock, keepalive: false });
    const hanging = connection.connectGetHostname().catch((error: unknown) => error);

    const closing = connection.close({ timeoutMs: 3_600_000 });
    clock.advance(3_600_000);
    await closing;

    await expect(hanging).resolves.toMatchObject({ code: 'closed' });
  });

  it('may confirm a stream that is being finished while the connection is closed', async () => {
    const packets: FakeCall[] = [];
    await using daemon = await FakeDaemon.listen((call) => {
      if (call.header.type === messageType.call) call.reply();
      else packets.push(call);
    });
    const connection = await connect(daemon.uri);
    const volume = { pool: 'default', name: 'disk', key: '/disk' };
    const stream = await connection.storageVolUpload({ volume });
    const finishing = stream.finish();

    const closing = connection.close();
    await until(() => packets.length === 1);
    // By now a connection that did not wait would have said goodbye.
    await turns(20);
    if (packets[0] !== undefined) confirmStream(packets[0]);

    await expect(finishing).resolves.toBeUndefined();
    await closing;
  });

  it('hears of no long call that waited for its turn when the connection was closed', async () => {
    const calls: FakeCall[] = [];
    await using daemon = await FakeDaemon.listen((call) => calls.push(call));
    const connection = await connect(daemon.uri, { maxLongCalls: 1 });
    const underWay = connection.domainManagedSave({ domain: web });
    const waiting = connection.domainManagedSave({ domain: web });
    await until(() => calls.length === 1);

    const closing = connection.close();

    await expect(waiting).rejects.toMatchObject({ code: 'closed', procedure: 'domainManagedSave' });
    calls[0]?.reply();
    await expect(underWay).resolves.toBeUndefined();
    await closing;
    expect(calls).toHaveLength(1);
  });

  it.each(['time limit', 'signal'])('keeps the place of a long call that a %s ended until it answers', async (what) => {
    await using world = await slowWorld();
    const { calls, clock, connection, controller } = world;
    const first = connection.domainManagedSave({ domain: web }, { timeoutMs: 1000, signal: controller.signal });
    const second = connection.domainManagedSave({ domain: web });
    await until(() => calls.length === 1);

    if (what === 'signal') controller.abort();
    else clock.advance(1000);
    await expect(first).rejects.toMatchObject({ code: what === 'signal' ? 'aborted' : 'timeout' });
    // By now a call that had taken the place would have arrived.
    await turns(20);
    const callsBefore = calls.length;
    calls[0]?.reply();
    await until(() => calls.length === 2);
    calls[1]?.reply();

    await expect(second).resolves.toBeUndefined();
    expect(callsBefore).toBe(1);
  });

  it('is lost to the long calls that wait behind one that was given up', async () => {
    await using world = await slowWorld();
    const { calls, connection, controller } = world;
    const first = connection.domainManagedSave({ domain: web }, { signal: controller.signal });
    const others = [1, 2].map(() => connection.domainManagedSave({ domain: web }));
    await until(() => calls.length === 1);
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: 'aborted' });

    world.daemon.sockets[0]?.destroy();

    for (const other of others) await expect(other).rejects.toMatchObject({ code: 'connection-lost' });
  });

  it('is not waited for when the connection is closed', async () => {
    const calls: FakeCall[] = [];
    await using daemon = await FakeDaemon.listen((call) => calls.push(call));
    const connection = await connect(daemon.uri);
    const hanging = connection.connectGetHostname();
    const outcome = hanging.catch((error: unknown) => error);

    await connection.close({ timeoutMs: 50 });

    await expect(outcome).resolves.toMatchObject({ code: 'closed', procedure: 'connectGetHostname' });
  });
});

describe('a connection that is closed', () => {
  it('ends though the daemon takes no more bytes, not even a goodbye', async () => {
    await using daemon = await FakeDaemon.listen((call) => {
      if (call.header.type === messageType.call) call.reply();
    });
    const connection = await connect(daemon.uri, { maxWaitingBytes: 1000 });
    const stream = await connection.storageVolUpload({ volume: { pool: 'default', name: 'disk', key: '/disk' } });
    daemon.sockets[0]?.pause();
    const writing = stream.write(Buffer.alloc(32_000_000)).catch((error: unknown) => error);

    await connection.close();

    expect(await writing).toMatchObject({ code: 'closed', procedure: 'storageVolUpload' });
    expect(connection.reason).toMatchObject({ code: 'closed' });
  });

  it('ends though the daemon has something against the goodbye', async () => {
    await using daemon = await FakeDaemon.listen(
      (call) => {
        if (call.header.procedure === procedures.connectClose.number) call.fail(1, 'stay');
        else call.reply({ payload: openingPayload(call) });
      },
      { opensByItself: false },
    );
    const connection = await connect(daemon.uri);

    await connection.close();

    expect(connection.reason).toMatchObject({ code: 'closed' });
  });

  it.each([-1, Number.NaN])('ends within %d ms too, and says that this is no time', async (timeoutMs) => {
    await using daemon = await FakeDaemon.listen();
    const connection = await connect(daemon.uri);

    const closing = connection.close({ timeoutMs });

    await expect(closing).rejects.toMatchObject({ code: 'invalid-arg', message: expect.stringContaining('timeoutMs') });
    expect(connection.reason).toMatchObject({ code: 'closed' });
    await connection.close();
  });
});

interface SlowWorld extends AsyncDisposable {
  /** What was asked; nothing is answered by itself. */
  readonly calls: FakeCall[];
  readonly clock: ManualClock;
  /** Makes one long call at a time. */
  readonly connection: Connection;
  readonly controller: AbortController;
  readonly daemon: FakeDaemon;
}

async function slowWorld(): Promise<SlowWorld> {
  const calls: FakeCall[] = [];
  const clock = new ManualClock();
  const daemon = await FakeDaemon.listen((call) => calls.push(call));
  const connection = await connect(daemon.uri, { clock, keepalive: false, maxLongCalls: 1 });
  return {
    calls,
    clock,
    connection,
    controller: new AbortController(),
    daemon,
    [Symbol.asyncDispose]: async () => {
      connection.destroy();
      await daemon[Symbol.asyncDispose]();
    },
  };
}

/** Keeps `count` calls under way until the connection breaks. */
function load(connection: Connection, count: number): { readonly firstErrors: Promise<unknown[]> } {
  const lanes = Array.from({ length: count }, async () => {
    try {
      for (;;) await connection.call(procedures.connectGetLibVersion, undefined);
    } catch (error) {
      return error;
    }
  });
  return { firstErrors: Promise.all(lanes) };
}

function domainXml(name: string): string {
  return `<domain type='test'><name>${name}</name><memory>8192</memory><os><type>hvm</type></os></domain>`;
}

/** The answers of a daemon that asks for no authentication. */
function openingPayload({ header }: FakeCall): (writer: XdrWriter) => void {
  return (writer) => {
    if (header.procedure === procedures.authList.number) writer.arrayLength(1);
    if (header.procedure !== procedures.connectOpen.number) writer.int32(0);
  };
}
