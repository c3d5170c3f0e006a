import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connect } from './connect.ts';
import type { Connection } from './connection.ts';
import { FakeDaemon, type FakeCall } from './fake-daemon/fake-daemon.ts';
import { until } from './fake-daemon/turns.ts';
import { procedures } from './generated/procedures.gen.ts';
import { isConnectionLost, isNoDomain, LibvirtError } from './libvirt-error.ts';
import { readWholeStream } from './read-whole-stream.ts';

/** With a dot in it: for a shorter name libvirt asks the DNS on every call. */
const HOSTNAME = 'host.test';

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
    const network = await connection.networkLookupByName({ name: 'default' });

    const lackingInDriver = connection.domainGetJobInfo({ domain });
    const newerThanDaemon = connection.networkGetMetadata({ network, type: 0, flags: 0 });

    await expect(lackingInDriver).rejects.toMatchObject({ code: 'unsupported', number: 3 });
    await expect(newerThanDaemon).rejects.toMatchObject({ code: 'unsupported', number: 39 });
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

describe('connecting', () => {
  it('fails when nobody listens', async () => {
    await using daemon = await FakeDaemon.listen();
    const { uri } = daemon;
    await daemon[Symbol.asyncDispose]();

    await expect(connect(uri)).rejects.toMatchObject({ code: 'connect-failed' });
  });

  it('fails in time when the daemon accepts but never answers', async () => {
    await using daemon = await startTestDaemon({ hostname: HOSTNAME });
    daemon.kill('SIGSTOP');

    const attempt = connect(daemon.uri, { connectTimeoutMs: 100 });

    await expect(attempt).rejects.toMatchObject({
      code: 'connect-timeout',
      message: expect.stringContaining('100 ms'),
    });
    daemon.kill('SIGCONT');
  });

  it('can be given up', async () => {
    await using daemon = await startTestDaemon({ hostname: HOSTNAME });
    daemon.kill('SIGSTOP');
    const controller = new AbortController();

    const attempt = connect(daemon.uri, { signal: controller.signal });
    controller.abort(new Error('not needed any more'));

    await expect(attempt).rejects.toMatchObject({ code: 'aborted', cause: { message: 'not needed any more' } });
    daemon.kill('SIGCONT');
  });

  it('fails when the daemon hangs up during the handshake', async () => {
    await using daemon = await FakeDaemon.listen();
    const attempt = connect(daemon.uri);
    attempt.catch(() => undefined);

    await until(() => daemon.sockets.length > 0);
    daemon.sockets[0]?.destroy();

    await expect(attempt).rejects.toMatchObject({ code: 'connect-failed' });
  });

  it('passes on what the daemon says about a hypervisor it does not have', async () => {
    await using daemon = await startTestDaemon({ hostname: HOSTNAME });
    const uri = daemon.uri.replace('test+tcp', 'vbox+tcp').replace('/default', '/session');

    await expect(connect(uri)).rejects.toMatchObject({ number: expect.any(Number), procedure: 'connectOpen' });
  });

  it.each([
    { field: 'connectTimeoutMs', options: { connectTimeoutMs: 0 } },
    { field: 'callTimeoutMs', options: { callTimeoutMs: -1 } },
    { field: 'maxPendingCalls', options: { maxPendingCalls: Number.NaN } },
    { field: 'keepalive.intervalMs', options: { keepalive: { intervalMs: 0 } } },
    { field: 'keepalive.count', options: { keepalive: { count: 0 } } },
  ])('refuses a $field that cannot work', async ({ field, options }) => {
    const attempt = connect('test+tcp://127.0.0.1/default', options);

    await expect(attempt).rejects.toMatchObject({ code: 'invalid-arg', message: expect.stringContaining(field) });
  });

  it('refuses a URI it cannot read', async () => {
    await expect(connect('not a uri')).rejects.toMatchObject({ code: 'invalid-uri' });
  });

  it('leaves no socket and no timer behind when it fails', async () => {
    await using daemon = await FakeDaemon.listen();
    const before = process.getActiveResourcesInfo().length;
    const attempts = Array.from({ length: 20 }, () => connect(daemon.uri, { connectTimeoutMs: 5000 }));
    const connections = await Promise.all(attempts);

    for (const connection of connections) connection.destroy();
    await Promise.all(connections.map(({ closed }) => closed));
    await until(() => daemon.sockets.length === 0);

    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  });
});

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
