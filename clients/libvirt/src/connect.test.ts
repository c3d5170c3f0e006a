import { pbkdf2 } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startTestDaemon } from '@smalt/bed-libvirt';
import { XdrReader, type XdrWriter } from '@smalt/xdr';
import { describe, expect, it } from 'vitest';

import { connect } from './connect.ts';
import { FakeDaemon, type FakeCall } from './fake-daemon/fake-daemon.ts';
import { ManualClock } from './fake-daemon/manual-clock.ts';
import { turns, until } from './fake-daemon/turns.ts';
import { procedures } from './generated/procedures.gen.ts';
import { readWordBytes, writeWordBytes } from './word-bytes.ts';

describe('connecting', () => {
  it('fails when nobody listens', async () => {
    await using daemon = await FakeDaemon.listen();
    const { uri } = daemon;
    await daemon[Symbol.asyncDispose]();

    await expect(connect(uri)).rejects.toMatchObject({ code: 'connect-failed' });
  });

  it('fails in time when the daemon accepts but never answers', async () => {
    await using daemon = await startTestDaemon();
    daemon.kill('SIGSTOP');

    const attempt = connect(daemon.uri, { connectTimeoutMs: 100 });

    await expect(attempt).rejects.toMatchObject({
      code: 'connect-timeout',
      message: expect.stringContaining('100 ms'),
    });
    daemon.kill('SIGCONT');
  });

  it('can be given up', async () => {
    await using daemon = await startTestDaemon();
    daemon.kill('SIGSTOP');
    const controller = new AbortController();

    const attempt = connect(daemon.uri, { signal: controller.signal });
    controller.abort(new Error('not needed any more'));

    await expect(attempt).rejects.toMatchObject({ code: 'aborted', cause: { message: 'not needed any more' } });
    daemon.kill('SIGCONT');
  });

  it('asks again for what the daemon refused while it was letting the client in', async () => {
    const asked: string[] = [];
    await using daemon = await FakeDaemon.listen(
      (call) => {
        const name = [procedures.authList, procedures.connectSupportsFeature, procedures.connectOpen].find(
          ({ number }) => number === call.header.procedure,
        )?.name;
        asked.push(name ?? 'something else');
        const isEarly = asked.filter((each) => each === name).length === 1;
        if (name === 'connectOpen' && isEarly) call.fail(39, 'authentication required');
        else call.reply({ payload: openingPayload(call) });
      },
      { opensByItself: false },
    );

    const connection = await connect(daemon.uri);

    expect(asked).toEqual(['authList', 'connectSupportsFeature', 'connectOpen', 'connectOpen']);
    connection.destroy();
  });

  it('asks once more, and not for ever', async () => {
    let opened = 0;
    await using daemon = await FakeDaemon.listen(
      (call) => {
        if (call.header.procedure === procedures.connectOpen.number) {
          opened++;
          call.fail(39, 'authentication required');
        } else call.reply({ payload: openingPayload(call) });
      },
      { opensByItself: false },
    );

    await expect(connect(daemon.uri)).rejects.toMatchObject({ number: 39, procedure: 'connectOpen' });

    expect(opened).toBe(2);
  });

  it('does not wait for a key that is still being derived from the password when it is given up', async () => {
    await using folder = await temporaryFolder();
    const socketPath = join(folder.path, 'sock');
    const controller = new AbortController();
    const challenged = Promise.withResolvers<void>();
    await using _daemon = await FakeDaemon.listen(
      (call) => {
        if (call.header.procedure !== procedures.authSaslStart.number) answerSaslOpening(call);
        else {
          const challenge = `r=${nonceOf(call)}x,s=QSXCR+Q6sek8bf92,i=1000000`;
          call.reply({ payload: saslChallenge(challenge) });
          challenged.resolve();
        }
      },
      { opensByItself: false, socketPath },
    );
    const attempt = connect(`test+unix:///default?socket=${socketPath}`, {
      signal: controller.signal,
      credentials: { username: 'alice', password: 'pencil' },
    });
    attempt.catch(() => undefined);
    await challenged.promise;
    await turns(5);
    const derived = promisify(pbkdf2)('pencil', 'salt', 500_000, 64, 'sha512').then(() => 'derived');

    controller.abort();

    expect(await Promise.race([attempt.catch((error: unknown) => error), derived])).toMatchObject({ code: 'aborted' });
    await derived;
  });

  it.each([Infinity, 2 ** 40])('takes %d ms as a time limit', async (connectTimeoutMs) => {
    await using daemon = await FakeDaemon.listen(answerLate, { opensByItself: false });

    const connection = await connect(daemon.uri, { connectTimeoutMs });

    expect(connection.reason).toBeUndefined();
    connection.destroy();
  });

  it('gives the daemon all the time there is for connecting, however soon a call must be answered', async () => {
    await using folder = await temporaryFolder();
    const socketPath = join(folder.path, 'sock');
    const clock = new ManualClock();
    const asked: number[] = [];
    await using _daemon = await FakeDaemon.listen(
      (call) => {
        asked.push(call.header.procedure);
        clock.advance(2000);
        answerPolkit(call, asked.includes(procedures.authPolkit.number));
      },
      { opensByItself: false, socketPath },
    );

    const connection = await connect(`test+unix:///default?socket=${socketPath}`, {
      clock,
      keepalive: false,
      callTimeoutMs: 1000,
      connectTimeoutMs: 60_000,
    });

    const call = connection.connectGetHostname();
    await expect(call).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('1000 ms') });
    expect(asked.slice(0, -1)).toContain(procedures.authPolkit.number);
    connection.destroy();
  });

  it('fails when the daemon hangs up during the handshake', async () => {
    await using daemon = await FakeDaemon.listen(() => undefined, { opensByItself: false });
    const attempt = connect(daemon.uri);
    attempt.catch(() => undefined);

    await until(() => daemon.sockets.length > 0);
    daemon.sockets[0]?.destroy();

    await expect(attempt).rejects.toMatchObject({ code: 'connect-failed' });
  });

  it('passes on what the daemon says about a hypervisor it does not have', async () => {
    await using daemon = await startTestDaemon();
    const uri = daemon.uri.replace('test+tcp', 'vbox+tcp').replace('/default', '/session');

    await expect(connect(uri)).rejects.toMatchObject({ number: expect.any(Number), procedure: 'connectOpen' });
  });

  it.each([
    { field: 'connectTimeoutMs', options: { connectTimeoutMs: 0 } },
    { field: 'callTimeoutMs', options: { callTimeoutMs: -1 } },
    { field: 'maxPendingCalls', options: { maxPendingCalls: Number.NaN } },
    { field: 'busyPollMicroseconds', options: { busyPollMicroseconds: -1 } },
    { field: 'busyPollMicroseconds', options: { busyPollMicroseconds: Number.NaN } },
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
    await using daemon = await FakeDaemon.listen(() => undefined, { opensByItself: false });
    const before = process.getActiveResourcesInfo().length;

    const attempts = Array.from({ length: 20 }, () => connect(daemon.uri, { connectTimeoutMs: 50 }));
    const outcomes = await Promise.allSettled(attempts);
    await until(() => daemon.sockets.length === 0);

    expect(outcomes).toMatchObject(attempts.map(() => ({ reason: { code: 'connect-timeout' } })));
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  });

  it('leaves no socket and no timer behind when what it opened is destroyed', async () => {
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

/** The answers of a daemon that asks for no authentication. */
function openingPayload({ header }: FakeCall): (writer: XdrWriter) => void {
  return (writer) => {
    if (header.procedure === procedures.authList.number) writer.arrayLength(1);
    if (header.procedure !== procedures.connectOpen.number) writer.int32(0);
  };
}

/** Longer than a timer that has overflowed would wait. */
function answerLate(call: FakeCall): void {
  setTimeout(() => call.reply({ payload: openingPayload(call) }), 50);
}

/** Asks for SASL, offers SCRAM-SHA-512, and lets nobody in before that. */
function answerSaslOpening(call: FakeCall): void {
  if (call.header.procedure === procedures.authList.number) {
    call.reply({
      payload: (writer) => {
        writer.arrayLength(1);
        writer.int32(1);
      },
    });
  } else if (call.header.procedure === procedures.authSaslInit.number) {
    call.reply({ payload: (writer) => writer.string('SCRAM-SHA-512') });
  } else call.fail(39, 'authentication required');
}

/** Asks for polkit, and refuses all that comes before it. */
function answerPolkit(call: FakeCall, isLetIn: boolean): void {
  if (call.header.procedure === procedures.authList.number) {
    call.reply({
      payload: (writer) => {
        writer.arrayLength(1);
        writer.int32(2);
      },
    });
  } else if (isLetIn) call.reply({ payload: openingPayload(call) });
  else call.fail(39, 'authentication required');
}

/** The client's random text in its first SCRAM message. */
function nonceOf({ payload }: FakeCall): string {
  const reader = new XdrReader(payload);
  reader.string();
  reader.int32();
  const message = Buffer.from(readWordBytes(reader, 65_536)).toString();
  return /r=(.*)$/.exec(message)?.[1] ?? '';
}

function saslChallenge(text: string): (writer: XdrWriter) => void {
  return (writer) => {
    writer.int32(0);
    writer.int32(0);
    writeWordBytes(writer, Buffer.from(text), 65_536);
  };
}

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'libvirt-connect-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
