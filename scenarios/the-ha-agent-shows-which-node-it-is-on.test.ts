import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HaReceiver } from './ha-receiver.ts';
import { makeAuthority, makeNodeCertificate } from './make-node-certificate.ts';
import { runHaAgent } from './run-ha-agent.ts';

describe('the HA agent shows which node it is on', { timeout: 60_000 }, () => {
  const owned = new AsyncDisposableStack();
  let daemon: TestDaemon;
  let keys: string;

  beforeAll(async () => {
    daemon = owned.use(await startTestDaemon());
    keys = mkdtempSync(join(tmpdir(), 'ha-keys-'));
    owned.defer(() => rmSync(keys, { recursive: true }));
    makeAuthority(keys);
    makeNodeCertificate(keys, 'service');
    makeNodeCertificate(keys, 'n1');
    makeNodeCertificate(keys, 'other');
  });

  afterAll(() => owned.disposeAsync());

  it('by a certificate, which may be renewed while it runs', async () => {
    await using receiver = await new HaReceiver({ tls: serviceTls() }).start();
    useCertificateOf('other');
    await using agent = await runHaAgent({ uri: daemon.uri, settings: { service: service(receiver) } });
    await agent.condition('False/ServiceUnreachable');
    const before = receiver.records.length;

    useCertificateOf('n1');
    await agent.condition('True/Reporting');

    expect(before).toBe(0);
    expect(agent.messages.join('\n')).toContain('it answered 401');
    expect(receiver.records.length).toBeGreaterThan(0);
    expect(receiver.complaints).toEqual([]);
  });

  it('by a token, which may be renewed while it runs, and which no log tells', async () => {
    await using receiver = await new HaReceiver({ token: 'second-word' }).start();
    const tokenFile = join(keys, 'token');
    writeFileSync(tokenFile, 'first-word\n');
    const identity = { kind: 'token', tokenFile } as const;
    await using agent = await runHaAgent({ uri: daemon.uri, settings: { service: { url: receiver.url, identity } } });
    await agent.condition('False/ServiceUnreachable');

    writeFileSync(tokenFile, 'second-word\n');
    await agent.condition('True/Reporting');

    expect(receiver.complaints).toEqual([]);
    expect([...agent.log, ...agent.messages, agent.metrics()].join('\n')).not.toMatch(/first-word|second-word/);
  });

  it('to nobody but a service of the right authority', async () => {
    await using receiver = await new HaReceiver({ tls: serviceTls() }).start();
    useCertificateOf('n1');
    const { authorityFile: _, ...trusting } = service(receiver);
    await using agent = await runHaAgent({ uri: daemon.uri, settings: { service: trusting } });

    await agent.condition('False/ServiceUnreachable');

    expect(agent.messages.join('\n')).toMatch(/self-signed certificate|unable to (get|verify)/);
    expect(receiver.batches).toEqual([]);
  });

  function serviceTls() {
    return { certificate: readKey('service.pem'), key: readKey('service-key.pem'), authority: readKey('ca.pem') };
  }

  function readKey(name: string): string {
    return readFileSync(join(keys, name), 'utf8');
  }

  function useCertificateOf(name: string): void {
    copyFileSync(join(keys, `${name}-key.pem`), join(keys, 'mine-key.pem'));
    copyFileSync(join(keys, `${name}.pem`), join(keys, 'mine.pem'));
  }

  function service(receiver: HaReceiver) {
    const files = { certificateFile: join(keys, 'mine.pem'), keyFile: join(keys, 'mine-key.pem') };
    return {
      url: receiver.url,
      identity: { kind: 'certificate', ...files },
      authorityFile: join(keys, 'ca.pem'),
    } as const;
  }
});
