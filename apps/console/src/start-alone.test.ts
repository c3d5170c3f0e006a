import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLogger, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';
import { makeSelfSigned } from '@smalt/x509';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ConsoleOptions, ConsoleServer } from './console-options.ts';
import { startConsole } from './start-console.ts';

// None of this needs an API server, so there is none.
const owned = new AsyncDisposableStack();
let directory: string;
let console: ConsoleServer;

beforeAll(async () => {
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-console-alone-'))).path;
  const pages = join(directory, 'pages');
  await mkdir(join(pages, 'assets'), { recursive: true });
  await writeFile(join(pages, 'index.html'), '<meta property="csp-nonce" nonce="SMALT_STYLE_NONCE">');
  await writeFile(join(pages, 'assets', 'main-abcdEF12.js'), 'export {};');
  await writeFile(join(pages, 'assets', 'main-abcdEF12.js.br'), 'brotli');
  await writeFile(join(pages, 'smalt.svg'), '<svg/>');
  console = await start({});
});
afterAll(() => owned.disposeAsync());

describe('TLS', () => {
  it('is spoken where there is a certificate, and its end is told', async () => {
    const [certificateFile, keyFile] = [join(directory, 'tls.crt'), join(directory, 'tls.key')];
    const made = makeSelfSigned({ commonName: 'console', names: ['127.0.0.1'], now: new Date(), days: 2 });
    await Promise.all([writeFile(certificateFile, made.certificate), writeFile(keyFile, made.key)]);

    const metrics = new MetricsRegistry();
    const { url } = await start({ tls: { certificateFile, keyFile }, metrics });
    const [response]: IncomingMessage[] = await once(
      get(`${url}/session`, { ca: made.certificate, agent: false }),
      'response',
    );

    expect([url.startsWith('https://'), response?.resume().statusCode]).toEqual([true, 401]);
    const seconds = new X509Certificate(made.certificate).validToDate.getTime() / 1000;
    expect(metrics.expose()).toContain(`smalt_tls_certificate_expiry_seconds{certificate="console"} ${seconds}\n`);
  });

  it.each([
    ['a file that is not there', '/none/tls.crt', 'tls: /none/tls.crt cannot be read'],
    ['a file that is no certificate', import.meta.filename, `tls: ${import.meta.filename} is no PEM`],
  ])('is refused for %s', async (_, certificateFile, message) => {
    const tls = { certificateFile, keyFile: import.meta.filename };

    await expect(start({ tls })).rejects.toThrow(message);
  });
});

it.each([
  [{ origins: ['console.example'] }, 'origins: "console.example" is none'],
  [{ origins: ['https://console.example/path'] }, 'origins:'],
  [{ listen: { host: '192.0.2.1', port: 1 } }, 'listen: 192.0.2.1:1 cannot be listened on'],
])('does not start with %o, and says why', async (options, message) => {
  await expect(start(options)).rejects.toThrow(message);
});

describe('pages', () => {
  it('are sent for every place of theirs, with a policy and a new nonce each time', async () => {
    const [one, other] = [await ask('GET', '/machines/default/demo'), await ask('GET', '/')];

    const nonce = /nonce="([\w-]{20,})"/.exec(one.text)?.[1];
    expect(one.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(one.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; ");
    expect(one.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(other.text).not.toBe(one.text);
  });

  it('are made of files that are kept by their names, and packed if the browser likes', async () => {
    const path = '/assets/main-abcdEF12.js';

    const plain = await ask('GET', path);
    const packed = await ask('GET', path, { headers: { 'accept-encoding': 'gzip, br' } });
    const again = await ask('GET', path, { headers: { 'if-none-match': plain.headers.etag ?? '' } });

    expect(plain).toMatchObject({ status: 200, text: 'export {};' });
    expect(plain.headers['cache-control']).toContain('immutable');
    expect(packed).toMatchObject({ text: 'brotli', headers: { 'content-encoding': 'br' } });
    expect([again.status, (await ask('GET', '/smalt.svg')).headers['cache-control']]).toEqual([304, 'no-cache']);
  });

  it('are files of their directory alone', async () => {
    const answers = [
      await ask('GET', '/assets/none.js'),
      await ask('GET', '/../session.key'),
      await ask('POST', '/', { headers: { origin: console.url, 'x-smalt-console': '1' } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 400, 405]);
    expect((await readFile(join(directory, 'session.key'), 'utf8')).length).toBeGreaterThan(40);
  });

  it('that are not built yet are told how to be', async () => {
    const { port } = await start({ pagesDirectory: join(directory, 'nothing') });

    const answer = await ask('GET', '/', {}, port);

    expect(answer).toMatchObject({ status: 503, text: expect.stringContaining('vite build') });
  });
});

async function start(options: Partial<ConsoleOptions>): Promise<ConsoleServer> {
  const server = await startConsole(
    {
      listen: { host: '127.0.0.1', port: 0 },
      apiServer: {
        server: 'https://127.0.0.1:1',
        tls: { isInsecure: false },
        identity: { kind: 'anonymous' },
        namespace: 'default',
      },
      keyFile: join(directory, 'session.key'),
      pagesDirectory: join(directory, 'pages'),
      logger: createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } }),
      metrics: new MetricsRegistry(),
      health: new HealthRegistry(),
      ...options,
    },
    AbortSignal.timeout(60_000),
  );
  return owned.use(server);
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

async function ask(
  method: string,
  path: string,
  { headers = {} }: { readonly headers?: OutgoingHttpHeaders } = {},
  port = console.port,
): Promise<Answer> {
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }).end();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (response === undefined) throw new Error('there is no answer');
  const text = Buffer.concat(await response.toArray()).toString('utf8');
  return { status: response.statusCode, headers: response.headers, text };
}
