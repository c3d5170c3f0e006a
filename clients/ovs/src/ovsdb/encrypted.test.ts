import { join } from 'node:path';

import { openBedDirectory } from '@smalt/bed-libvirt';
import { makeAuthority, makeCertificate } from '@smalt/libvirt-daemon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseRemote } from '../connection/parse-remote.ts';
import type { TlsFiles } from '../connection/tls-files.ts';
import { DatabaseServer, freePorts } from './fixtures/database-server.ts';
import { openOvsdb } from './open-ovsdb.ts';
import type { Ovsdb } from './ovsdb.ts';

const tables = { Thing: { name: 'string' } } as const;

describe('an ssl: remote', () => {
  const owned = new AsyncDisposableStack();
  let remote: string;
  let files: Required<Omit<TlsFiles, 'serverName'>>;
  let otherAuthority: string;

  beforeAll(async () => {
    const directory = owned.use(await openBedDirectory()).path;
    const [port = 0] = await freePorts(1);
    await makeAuthority(directory, 'ovs');
    await makeAuthority(join(directory, 'other'), 'somebody else');
    await makeCertificate(directory, directory, { kind: 'server', names: ['DNS:central.example'] });
    await makeCertificate(directory, directory, { kind: 'client' });
    const pem = (name: string): string => join(directory, `${name}.pem`);
    const keys = [
      `--private-key=${pem('serverkey')}`,
      `--certificate=${pem('servercert')}`,
      `--ca-cert=${pem('cacert')}`,
    ];
    const server = new DatabaseServer({
      directory,
      create: (file, schemaFile) => ['create', file, schemaFile],
      parameters: [`--remote=pssl:${port}:127.0.0.1`, ...keys],
    });
    await server.create();
    await owned.use(server).start();
    remote = `ssl:127.0.0.1:${port}`;
    files = { authorityFile: pem('cacert'), certificateFile: pem('clientcert'), keyFile: pem('clientkey') };
    otherAuthority = join(directory, 'other', 'cacert.pem');
  });

  afterAll(async () => {
    await owned.disposeAsync();
  });

  it('is followed by who has a certificate, whatever the name in that of the server', async () => {
    await using ovsdb = open(files);
    await ovsdb.synchronized(AbortSignal.timeout(20_000));

    await ovsdb.transact([{ op: 'insert', table: 'Thing', row: { name: 'secret' } }]);
    await expect.poll(() => [...ovsdb.cache.Thing.values()].map(({ name }) => name)).toEqual(['secret']);

    expect(ovsdb.remote).toBe(remote);
  });

  it('must carry the name that is asked for', async () => {
    await using right = open({ ...files, serverName: 'central.example' });
    await using wrong = open({ ...files, serverName: 'elsewhere.example' });

    await right.synchronized(AbortSignal.timeout(20_000));
    await expect.poll(() => wrong.state.why).toContain('elsewhere.example');

    expect(wrong.state.kind).toBe('disconnected');
  });

  it.each([
    {
      what: 'without a certificate',
      tls: () => ({ authorityFile: files.authorityFile }),
      why: /certificate required|handshake|lost|closed/i,
    },
    {
      what: 'when another authority signed it',
      tls: () => ({ ...files, authorityFile: otherAuthority }),
      why: /certificate/,
    },
    {
      what: 'when a file is missing',
      tls: () => ({ ...files, keyFile: '/nonexistent.pem' }),
      why: /options.tls.keyFile: \/nonexistent.pem cannot be read/,
    },
    { what: 'without any files', tls: () => undefined, why: /options.tls/ },
    {
      what: 'with a certificate but no key',
      tls: () => ({ authorityFile: files.authorityFile, certificateFile: files.certificateFile }),
      why: /go together/,
    },
  ])('is not reached $what, and the state says why', async ({ tls, why }) => {
    await using ovsdb = open(tls());

    await expect.poll(() => ovsdb.state.why).toMatch(why);

    expect(ovsdb.state.kind).toBe('disconnected');
  });

  function open(tls: TlsFiles | undefined): Ovsdb<typeof tables> & AsyncDisposable {
    const target = parseRemote(remote);
    return openOvsdb({
      target,
      database: 'Test',
      tables,
      ...(tls === undefined ? {} : { tls }),
      backOff: { initialMs: 20, maxMs: 100 },
    });
  }
});
