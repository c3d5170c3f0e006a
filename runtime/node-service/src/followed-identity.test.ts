import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

import { createLogger } from '@smalt/service-runtime';
import { issueCertificate, makeSelfSigned, NO_NAMES, writeSubject } from '@smalt/x509';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FollowedIdentity } from './followed-identity.ts';
import { listenTls } from './listen.ts';

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const LIMITS = { mostConnections: 10, setting: 'troubleshoot' };
const DAY_MS = 86_400_000;
const NOW = Date.now();
const LABEL = { title: 'the troubleshooting API', setting: 'troubleshoot', fileName: 'troubleshooting' };
const NO_FILES = { certificateFile: '', keyFile: '', authorityFile: '' };

let owned: AsyncDisposableStack;
let directory: string;
let now: number;
let log: string[];
let changes: string[];
let clientAuthority: string;

beforeEach(async () => {
  owned = new AsyncDisposableStack();
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-identity-'))).path;
  now = NOW;
  log = [];
  changes = [];
  clientAuthority = '';
});

afterEach(() => owned.disposeAsync());

describe('certificate files', () => {
  it('are served anew when they have changed', async () => {
    const [first, second] = [made('a'), made('b')];
    await write(first);
    const { served, identity, round } = await serve(files());

    const before = await served();
    await write(second);
    await round();

    expect([before, await served()]).toEqual([printOf(first), printOf(second)]);
    expect([identity.authority, changes]).toEqual([second.certificate, [second.certificate]]);
  });

  it.each(['', '-----BEGIN CERTIFICATE-----\nMIIB'])(
    'whose authority is being written ("%s") leave that before',
    async (text) => {
      const first = made('a');
      await write(first);
      const authorityFile = join(directory, 'ca.crt');
      await writeFile(authorityFile, first.certificate);
      const { identity, round } = await serve({ ...files(), authorityFile });
      await round();

      await writeFile(authorityFile, text);
      await round();

      expect([identity.authority, changes]).toEqual([first.certificate, []]);
      expect(log.filter((line) => line.includes('ca.crt is no PEM, or is being written'))).toHaveLength(1);
    },
  );

  it('that do not fit together leave those before, with one line about it', async () => {
    const [first, second] = [made('a'), made('b')];
    await write(first);
    const { served, round } = await serve(files());

    // At once: whoever looks while a file is written in place says that as well.
    await writeFile(join(directory, 'next.crt'), second.certificate);
    await rename(join(directory, 'next.crt'), files().certificateFile);
    await round();
    await round();
    const between = await served();
    await write(second);
    await round();

    expect([between, await served()]).toEqual([printOf(first), printOf(second)]);
    expect(log.filter((line) => line.includes('cannot be read; those before stay'))).toHaveLength(1);
    expect(log.join('')).not.toContain('PRIVATE KEY');
  });

  it.each(['certificateFile', 'keyFile', 'authorityFile'] as const)(
    'keep the agent from starting without %s',
    async (name) => {
      await write(made('a'));
      const missing = { ...files(), [name]: join(directory, 'missing') };

      await expect(serve(missing)).rejects.toMatchObject({
        code: 'bad-setting',
        message: expect.stringMatching(/^troubleshoot: .*missing cannot be read/),
      });
    },
  );
});

describe('a certificate of its own', () => {
  it('is kept over a restart, and renewed a month before it ends', async () => {
    const first = await serve();
    const { served, identity, round } = await serve();

    const atFirst = await served();
    now = NOW + 334 * DAY_MS;
    await round();
    const early = await served();
    now = NOW + 336 * DAY_MS;
    await round();
    const late = await served();

    expect([atFirst, early]).toEqual([await first.served(), atFirst]);
    expect(late).not.toBe(early);
    expect([printOf({ certificate: identity.authority }), changes]).toEqual([late, [identity.authority]]);
    expect(await readFile(join(directory, 'troubleshooting.crt'), 'utf8')).toBe(identity.authority);
  });

  it('is made anew where it does not name what the service is reached by', async () => {
    const before = await serve();
    const after = await serve(NO_FILES, ['127.0.0.1', 'n1.example']);

    const [old, young] = [await before.served(), await after.served()];

    expect(young).not.toBe(old);
    expect(new X509Certificate(after.identity.authority).checkHost('n1.example')).toBe('n1.example');
  });
});

describe('the authority of clients', () => {
  it('counts as soon as the cluster tells it, and a new one after it', async () => {
    const [one, other] = [client('one'), client('other')];
    const { accepts, round } = await serve();

    const before = await accepts(one);
    clientAuthority = one.certificate;
    await round();
    const then = await accepts(one);
    clientAuthority = other.certificate;
    await round();

    expect([before, then, await accepts(one), await accepts(other)]).toEqual([false, true, false, true]);
  });
});

interface Served {
  readonly identity: FollowedIdentity;
  /** Resolves when it has looked once more. */
  readonly round: () => Promise<void>;
  /** The fingerprint of the certificate that a new caller is shown. */
  readonly served: () => Promise<string>;
  /** Whether a client certificate counts. */
  readonly accepts: (client: Made) => Promise<boolean>;
}

async function serve(from = NO_FILES, names: readonly string[] = ['127.0.0.1']): Promise<Served> {
  const clock = new Rounds();
  const logger = createLogger({ name: 'test', level: 'info', destination: { write: (line) => log.push(line) } });
  const own = { directory, commonName: 'n1', names, now: () => now, ignore: () => undefined };
  const authority = { get: async () => clientAuthority };
  const onChange = (): void => void changes.push(identity.authority);
  const identity = await FollowedIdentity.open({
    files: from,
    own,
    label: LABEL,
    authority,
    clock,
    logger,
    onChange,
  });
  const { server, port } = owned.use(await listenTls(identity.context, { host: '127.0.0.1', port: 0 }, LIMITS));
  const stop = new AbortController();
  const following = identity.follow(server, stop.signal);
  owned.defer(async () => {
    stop.abort();
    await following;
  });
  return {
    identity,
    round: () => clock.round(),
    served: async () => {
      using socket = await shake(port);
      return socket.getPeerX509Certificate()?.fingerprint256 ?? '';
    },
    accepts: async ({ certificate: cert, key }) => {
      const accepted = once(server, 'secureConnection');
      using _client = await shake(port, { cert, key });
      const [seen]: TLSSocket[] = await accepted;
      return seen?.authorized === true;
    },
  };
}

async function shake(port: number, options: ConnectionOptions = {}): Promise<TLSSocket & Disposable> {
  // Who it is, is what the test looks at.
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options });
  await once(socket, 'secureConnect');
  return Object.assign(
    socket.on('error', () => undefined),
    { [Symbol.dispose]: () => void socket.destroy() },
  );
}

type Made = ReturnType<typeof makeSelfSigned>;

function made(commonName: string): Made {
  return makeSelfSigned({ commonName, names: ['127.0.0.1'], now: new Date(NOW), days: 30 });
}

/** Somebody who vouches for themselves, and so is the authority as well. */
function client(commonName: string): Made {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = writeSubject({ commonName, organizations: [] });
  const own = { subject, publicKey: publicKey.export({ type: 'spki', format: 'der' }) };
  const usages = { bits: [0, 5], identifiers: [CLIENT_AUTHENTICATION] };
  const times = { notBefore: new Date(NOW - DAY_MS), notAfter: new Date(NOW + DAY_MS) };
  const content = { ...own, ...times, names: NO_NAMES, isAuthority: true, usages };
  const certificate = issueCertificate(content, { ...own, privateKey });
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function files(): typeof NO_FILES {
  const [certificateFile = '', keyFile = ''] = ['tls.crt', 'tls.key'].map((name) => join(directory, name));
  return { certificateFile, keyFile, authorityFile: certificateFile };
}

async function write({ certificate, key }: Made): Promise<void> {
  await writeFile(files().certificateFile, certificate);
  await writeFile(files().keyFile, key);
}

function printOf({ certificate }: Pick<Made, 'certificate'>): string {
  return new X509Certificate(certificate).fingerprint256;
}

/** A clock of one who waits again and again; each wait ends when the test says so. */
class Rounds {
  #asleep = Promise.withResolvers<() => void>();

  async wait(_ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    signal?.addEventListener('abort', () => resolve(), { once: true });
    this.#asleep.resolve(resolve);
    await promise;
  }

  async round(): Promise<void> {
    const wake = await this.#asleep.promise;
    this.#asleep = Promise.withResolvers();
    wake();
    await this.#asleep.promise;
  }
}
