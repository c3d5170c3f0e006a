import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../connect.ts';
import type { ConnectOptions } from '../connect-options.ts';
import { LibvirtError } from '../libvirt-error.ts';
import { authenticate, type AuthenticationCalls, chooseAuthType } from './authenticate.ts';
import { parseLibvirtUri } from './parse-uri.ts';

const credentials = { username: 'alice', password: 'hunter2' };
const account = { username: 'alice', password: 'correct horse, battery=staple' };

describe('chooseAuthType', () => {
  it.each([
    { types: [], uri: 'qemu+tls://host/system', type: 'none' },
    { types: [0], uri: 'qemu+tls://host/system', type: 'none' },
    { types: [1, 2], uri: 'qemu+tls://host/system', type: 'sasl' },
    { types: [2, 1], uri: 'qemu:///system', type: 'polkit' },
    { types: [9, 1], uri: 'qemu+tls://host/system', type: 'sasl' },
    { types: [2, 1], uri: 'qemu:///system?auth=sasl', type: 'sasl' },
    { types: [2, 1], uri: 'qemu:///system?auth=SASL.PLAIN', type: 'sasl' },
  ])('takes $type from $types for $uri', ({ types, uri, type }) => {
    expect(chooseAuthType(types, parseLibvirtUri(uri))).toBe(type);
  });

  it.each([
    { types: [9], uri: 'qemu+tls://host/system', message: 'authentication of type 9' },
    { types: [1], uri: 'qemu+tls://host/system?auth=polkit', message: 'the URI insists on polkit' },
  ])('refuses $types for $uri', ({ types, uri, message }) => {
    expect(() => chooseAuthType(types, parseLibvirtUri(uri))).toThrow(
      expect.objectContaining({ code: 'authentication', message: expect.stringContaining(message) }),
    );
  });
});

describe('authenticate', () => {
  it('does nothing when the daemon asks for nothing', async () => {
    const daemon = scripted([0]);

    await authenticate(daemon, parseLibvirtUri('qemu+tcp://host/system'));

    expect(daemon.called).toEqual(['authList']);
  });

  it('calls polkit on a unix socket', async () => {
    const daemon = scripted([2]);

    await authenticate(daemon, parseLibvirtUri('qemu:///system'));

    expect(daemon.called).toEqual(['authList', 'authPolkit']);
  });

  it('logs in with the user name of the URI', async () => {
    const daemon = scripted([1]);

    await authenticate(daemon, parseLibvirtUri('qemu+tls://bob@host/system'), { credentials: { password: 'pencil' } });

    expect(daemon.called).toEqual(['authList', 'authSaslInit', 'PLAIN \0bob\0pencil']);
  });

  it.each([
    { types: [1], uri: 'qemu+tls://host/system', options: {}, message: 'pass options.credentials' },
    {
      types: [1],
      uri: 'qemu+tls://host/system',
      options: { credentials: { password: 'hunter2' } },
      message: 'pass options.credentials.username',
    },
    { types: [1], uri: 'qemu+tcp://host/system', options: { credentials }, message: 'not encrypted; use +tls' },
    { types: [1], uri: 'qemu+tls://host/system?no_verify=1', options: { credentials }, message: 'remove no_verify' },
    { types: [2], uri: 'qemu+tls://host/system', options: {}, message: 'polkit, which works on its own machine only' },
    {
      types: [1],
      uri: 'qemu+tls://host/system?auth=sasl.SCRAM-SHA-256',
      options: { credentials },
      message: "the daemon offers 'PLAIN'",
    },
  ])('refuses $types for $uri: $message', async ({ types, uri, options, message }) => {
    const authenticating = authenticate(scripted(types), parseLibvirtUri(uri), options);

    await expect(authenticating).rejects.toMatchObject({
      code: 'authentication',
      message: expect.stringContaining(message),
    });
    await expect(authenticating).rejects.not.toMatchObject({ message: expect.stringContaining('hunter2') });
  });

  it('says what to check when the daemon refuses, and keeps its answer', async () => {
    const refusal = new LibvirtError('auth-failed', 'authentication failed: authentication failed', { number: 45 });
    const daemon = scripted([1], refusal);

    const authenticating = authenticate(daemon, parseLibvirtUri('qemu+tls://host/system'), { credentials });

    await expect(authenticating).rejects.toMatchObject({
      code: 'authentication',
      number: 45,
      message: expect.stringContaining('check the user name and the password'),
      cause: refusal,
    });
  });

  it('leaves a lost connection what it is', async () => {
    const lost = new LibvirtError('connection-lost', 'the daemon closed the connection');
    const daemon = scripted([1], lost);

    const authenticating = authenticate(daemon, parseLibvirtUri('qemu+tls://host/system'), { credentials });

    await expect(authenticating).rejects.toBe(lost);
  });
});

describe('authentication with a real daemon that asks for SCRAM-SHA-256 over TLS', () => {
  let daemon: TestDaemon;

  beforeAll(async () => {
    daemon = await startTestDaemon({ sasl: account });
  });

  afterAll(async () => {
    await daemon[Symbol.asyncDispose]();
  });

  it('opens the daemon to who knows the password', async () => {
    expect(await logIn(daemon.tlsUri, { credentials: account })).toBe('TEST');
  });

  it('opens the daemon as many times as asked', async () => {
    const types = await Promise.all([1, 2, 3, 4, 5].map(() => logIn(daemon.tlsUri, { credentials: account })));

    expect(types).toEqual(['TEST', 'TEST', 'TEST', 'TEST', 'TEST']);
  });

  it.each([
    ['a wrong password', { username: 'alice', password: 'wrong' }, 'check the user name and the password'],
    ['an unknown user', { ...account, username: 'mallory' }, 'check the user name and the password'],
    ['no credentials', undefined, 'pass options.credentials'],
  ])('keeps the daemon shut for %s', async (_who, given, message) => {
    const loggingIn = logIn(daemon.tlsUri, { credentials: given });

    await expect(loggingIn).rejects.toMatchObject({
      code: 'authentication',
      message: expect.stringContaining(message),
    });
    await expect(loggingIn).rejects.not.toMatchObject({ message: expect.stringMatching(/wrong$|correct horse/) });
  });

  it('takes the mechanism that the URI insists on, and no other', async () => {
    const loggingIn = logIn(`${daemon.tlsUri}&auth=sasl.PLAIN`, { credentials: account });

    await expect(loggingIn).rejects.toMatchObject({
      code: 'authentication',
      message: expect.stringContaining("the daemon offers 'SCRAM-SHA-256'"),
    });
  });

  it('is not needed on the unix socket of the same daemon', async () => {
    const type = await logIn(`test+unix:///default?socket=${daemon.socketPath}`, {});

    expect(type).toBe('TEST');
  });
});

async function logIn(uri: string | undefined, options: ConnectOptions): Promise<string> {
  await using connection = await connect(uri ?? '', options);
  return await connection.connectGetType();
}

/** A daemon that offers PLAIN, and either accepts what it is told or answers `failure`. */
function scripted(types: readonly number[], failure?: LibvirtError): AuthenticationCalls & { called: string[] } {
  const called: string[] = [];
  return {
    called,
    authList: async () => {
      called.push('authList');
      return types;
    },
    authSaslInit: async () => {
      called.push('authSaslInit');
      return 'PLAIN';
    },
    authSaslStart: async ({ mechanism, data }) => {
      called.push(`${mechanism} ${Buffer.from(data).toString()}`);
      if (failure) throw failure;
      return { complete: 1, nil: 1, data: Buffer.alloc(0) };
    },
    authSaslStep: async () => {
      throw new Error('PLAIN has no second step');
    },
    authPolkit: async () => {
      called.push('authPolkit');
      return { complete: 1 };
    },
  };
}
