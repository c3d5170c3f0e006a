import { mkdtempDisposable, writeFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { runProgram } from '@smalt/libvirt-daemon';

import { BedError } from './error.ts';
import { startTestDaemon } from './start-test-daemon.ts';
import type { SaslAccount } from './make-sasl-directory.ts';

describe('a test daemon', () => {
  it('serves the mock hypervisor under its name', async () => {
    await using daemon = await startTestDaemon({ hostname: 'node-a' });

    expect(await virsh(daemon.uri, ['hostname'])).toBe('node-a');
    expect(await virsh(daemon.uri, ['list', '--name'])).toBe('test');
    expect(daemon.tlsUri).toBeUndefined();
  });

  it('comes back on the same port after a kill', async () => {
    await using daemon = await startTestDaemon();

    daemon.kill('SIGKILL');
    await daemon.exited();
    await expect(virsh(daemon.uri, ['hostname'])).rejects.toThrow('Connection refused');
    await daemon.restart();

    expect(await virsh(daemon.uri, ['list', '--name'])).toBe('test');
  });
});

describe('a test daemon with TLS', () => {
  it('lets in a client of its authority and nobody else', async () => {
    await using daemon = await startTestDaemon({ tls: true });
    const withPki = (path = ''): string => `test+tls://127.0.0.1:${daemon.tlsPort}/default?pkipath=${path}`;

    expect(await virsh(daemon.tlsUri ?? '', ['list', '--name'])).toBe('test');
    // The client tool checks its own certificate first, so a stranger does not even get to ask.
    await expect(virsh(withPki(daemon.certificates?.strangerPath), ['list'])).rejects.toThrow('known issuer');
    await expect(virsh(withPki(daemon.certificates?.distrustingPath), ['list'])).rejects.toThrow('known issuer');
  });

  it('can show a certificate made out to another host', async () => {
    await using daemon = await startTestDaemon({ tls: 'wrong-host' });

    await expect(virsh(daemon.tlsUri ?? '', ['list'])).rejects.toThrow('does not match the hostname');
  });

  it('asks for an account when told to', async () => {
    const account = { username: 'fred', password: 'a secret' };
    await using daemon = await startTestDaemon({ sasl: account });
    const uri = daemon.tlsUri ?? '';

    expect(await virshAs(account, uri, ['list', '--name'])).toBe('test');
    await expect(virshAs({ ...account, password: 'wrong' }, uri, ['list'])).rejects.toThrow('authentication failed');
  });

  it('refuses a user name that saslpasswd2 would take for an option', async () => {
    const started = startTestDaemon({ sasl: { username: '-d', password: 'x' } });

    await expect(started).rejects.toThrow(BedError);
    await expect(started).rejects.toThrow('sasl.username');
  });
});

const VIRSH = { name: 'virsh', debianPackage: 'libvirt-clients' } as const;

async function virsh(uri: string, parameters: readonly string[], environment = {}): Promise<string> {
  return (await runProgram(VIRSH, ['--connect', uri, ...parameters], { environment })).toString().trim();
}

async function virshAs(account: SaslAccount, uri: string, parameters: readonly string[]): Promise<string> {
  await using directory = await mkdtempDisposable('/tmp/virsh-');
  const file = `${directory.path}/auth`;
  const credentials = `authname=${account.username}\npassword=${account.password}\n`;
  await writeFile(file, `[credentials-bed]\n${credentials}[auth-libvirt-127.0.0.1]\ncredentials=bed\n`);
  return await virsh(uri, parameters, { LIBVIRT_AUTH_FILE: file });
}
