import { once } from 'node:events';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

import { createLogger } from '@smalt/service-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestAuthority, type TestCertificate } from '../../fixtures/test-authority.ts';
import type { SignalSample } from '../../ports/telemetry-store.ts';
import { systemServiceClock } from '../../start/system-service-clock.ts';
import { defaultPullEndpoint, type PullEndpoint } from './pull-settings.ts';
import { PullSources } from './pull-sources.ts';

const owned = new AsyncDisposableStack();
const endless = '#'.repeat(1_000_000);
let directory: string;
let authority: TestAuthority;
let identity: TestCertificate;

beforeAll(async () => {
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-pull-'))).path;
  authority = await TestAuthority.make(directory, 'exporters');
  identity = await authority.sign('exporter');
});

afterAll(() => owned.disposeAsync());

describe('what is pulled', { timeout: 30_000 }, () => {
  it('becomes signals of hosts that there are, and its source is within reach from then on', async () => {
    await using exporter = await Exporter.start(() => 'idle{client="n1"} 30\nidle{client="stranger"} 1');
    await using pull = run([exporter.endpoint()]);

    await expect.poll(() => pull.samples.length).toBeGreaterThan(0);
    const [sample] = pull.samples;
    await expect.poll(() => pull.since('storage')).toBeTypeOf('number');

    expect(sample).toMatchObject({ host: 'n1', source: 'storage', kind: 'alive' });
    expect(pull.now() - (sample?.at ?? 0)).toBeGreaterThanOrEqual(30_000);
    expect(pull.samples.map(({ host }) => host)).not.toContain('stranger');
    expect(pull.sources.reachOf('agent')).toEqual({ kind: 'pushed' });
  });

  it.each<{ readonly what: string; readonly answer: (response: ServerResponse) => void; readonly trouble: RegExp }>([
    { what: 'answers with an error', answer: (response) => response.writeHead(500).end(), trouble: /answered 500/ },
    {
      what: 'sends us elsewhere',
      answer: (response) => response.writeHead(302, { location: 'https://127.0.0.1:1/' }).end(),
      trouble: /answered 302/,
    },
    { what: 'has lost its values', answer: (response) => response.end('other 1'), trouble: /nothing for the rule/ },
    { what: 'says too much', answer: (response) => response.end(endless), trouble: /more than 65536 bytes/ },
    { what: 'hangs', answer: () => undefined, trouble: /timeout|aborted/ },
    { what: 'breaks off', answer: (response) => void response.write('idle', () => response.destroy()), trouble: /./ },
  ])('is blind, and says nothing of anybody, while its endpoint $what', async ({ answer, trouble }) => {
    let isWell = true;
    await using exporter = await Exporter.start((_, response) => {
      if (isWell) return 'idle{client="n1"} 0';
      answer(response);
      return undefined;
    });
    await using pull = run([exporter.endpoint({ mostBytes: 65_536, timeoutMs: 300 })]);
    await expect.poll(() => pull.since('storage')).toBeTypeOf('number');

    isWell = false;
    await expect.poll(() => pull.since('storage')).toBeUndefined();
    // A good answer may come too late on a busy machine, and that makes blind as well.
    await expect.poll(() => pull.log.join('')).toMatch(trouble);
    const known = pull.samples.length;
    const wellAgainAfter = pull.now();
    isWell = true;
    await expect.poll(() => pull.since('storage')).toBeGreaterThanOrEqual(wellAgainAfter);

    expect(pull.samples.slice(0, known).every(({ kind }) => kind === 'alive')).toBe(true);
  });

  it('is blind while one of several endpoints of a source does not answer', async () => {
    await using one = await Exporter.start(() => 'idle{client="n1"} 0');
    await using other = await Exporter.start((_, response) => void response.writeHead(503).end());
    await using pull = run([one.endpoint({ name: 'one' }), other.endpoint({ name: 'other' })]);

    await expect.poll(() => pull.results).toEqual(expect.arrayContaining(['one good', 'other failed']));

    expect(pull.sources.reachOf('storage')).toEqual({ kind: 'pulled', since: undefined });
  });

  it('goes on hearing an endpoint while many others hang', async () => {
    await using well = await Exporter.start(() => 'idle{client="n1"} 0');
    await using hanging = await Exporter.start(() => undefined);
    const slow = Array.from({ length: 20 }, (_, number) =>
      hanging.endpoint({ name: `slow-${number}`, timeoutMs: 500 }),
    );
    await using pull = run([...slow, well.endpoint({ name: 'well', timeoutMs: 5_000 })]);

    // Each of them has been given up at least twice by then.
    const failures = (name: string): number => pull.results.filter((result) => result === `${name} failed`).length;
    await expect
      .poll(() => Math.min(...slow.map(({ name }) => failures(name))), { timeout: 20_000 })
      .toBeGreaterThan(1);

    expect(pull.results.filter((result) => result === 'well good').length).toBeGreaterThan(2);
  });

  it('trusts nobody but who is vouched for', async () => {
    await using exporter = await Exporter.start(() => 'idle{client="n1"} 0');
    const { authorityFile: _, ...trusting } = exporter.endpoint();
    await using pull = run([trusting]);

    await expect.poll(() => pull.results).toContain('exporter failed');

    expect(pull.samples).toEqual([]);
    expect(pull.log.join('')).toMatch(/certificate/);
  });

  it.each([
    { what: 'a token', files: { tokenFile: 'secret' }, wanted: 'Bearer open-sesame' },
    { what: 'an account', files: { passwordFile: 'secret' }, user: 'ada', wanted: `Basic ${btoa('ada:open-sesame')}` },
    {
      what: 'a certificate',
      files: { certificateFile: 'exporters-us.pem', keyFile: 'exporters-us.key' },
      wanted: 'us',
    },
  ])('shows who asks by $what, which no log tells', async ({ files, user, wanted }) => {
    await authority.sign('us');
    await writeFile(join(directory, 'secret'), 'open-sesame\n');
    const seen: string[] = [];
    await using exporter = await Exporter.start(({ headers, socket }) => {
      const shown = socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate().subject.CN : '';
      seen.push(headers.authorization ?? String(shown));
      return 'idle{client="n1"} 0';
    });
    const paths = Object.fromEntries(Object.entries(files).map(([field, name]) => [field, join(directory, name)]));
    await using pull = run([exporter.endpoint({ ...paths, ...(user !== undefined && { user }) })]);

    await expect.poll(() => seen.length).toBeGreaterThan(0);

    expect(seen[0]).toBe(wanted);
    expect(pull.log.join('')).not.toContain('open-sesame');
  });

  it('ages values by the clock of the endpoint, not by ours', async () => {
    const itsNow = Date.parse('2020-01-01T00:01:00Z');
    await using exporter = await Exporter.start((_, response) => {
      response.setHeader('date', new Date(itsNow).toUTCString());
      return `idle{client="n1"} 0 ${itsNow - 45_000}`;
    });
    await using pull = run([exporter.endpoint()]);

    await expect.poll(() => pull.samples.length).toBeGreaterThan(0);

    const age = pull.now() - (pull.samples[0]?.at ?? 0);
    expect(age).toBeGreaterThanOrEqual(45_000);
    expect(age).toBeLessThan(55_000);
  });

  it('follows its settings: an endpoint that was changed has to prove itself anew', async () => {
    await using exporter = await Exporter.start(() => 'idle{client="n1"} 0');
    const endpoints = [exporter.endpoint()];
    await using pull = run(endpoints);
    await expect.poll(() => pull.since('storage')).toBeTypeOf('number');
    const before = pull.now();

    endpoints.splice(0, 1, exporter.endpoint({ intervalMs: 600 }));
    await expect.poll(() => pull.since('storage')).toBeGreaterThanOrEqual(before);
    endpoints.splice(0, 1);

    expect(pull.sources.reachOf('storage')).toEqual({ kind: 'pushed' });
    await expect.poll(() => pull.gone.length).toBe(2);
  });

  it('is blind when the store does not take what came', async () => {
    await using exporter = await Exporter.start(() => 'idle{client="n1"} 0');
    await using pull = run([exporter.endpoint()], () => Promise.reject(new Error('the store is away')));

    await expect.poll(() => pull.results).toContain('exporter failed');

    expect(pull.since('storage')).toBeUndefined();
  });
});

type Answering = (request: IncomingMessage, response: ServerResponse) => string | undefined | void;

/** An exporter over HTTPS. */
class Exporter implements AsyncDisposable {
  readonly #url: string;
  readonly #stop: () => Promise<void>;

  private constructor(url: string, stop: () => Promise<void>) {
    this.#url = url;
    this.#stop = stop;
  }

  static async start(answering: Answering): Promise<Exporter> {
    const [cert, key, ca] = await Promise.all(
      [identity.certificateFile, identity.keyFile, authority.authorityFile].map((path) => readFile(path)),
    );
    const server = createServer(
      { cert, key, ca, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        const text = answering(request, response);
        if (typeof text === 'string') response.end(text);
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    return new Exporter(`https://127.0.0.1:${port}/metrics`, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }

  endpoint(change: Partial<PullEndpoint> = {}): PullEndpoint {
    return {
      ...defaultPullEndpoint,
      name: 'exporter',
      url: this.#url,
      format: 'prometheus',
      intervalMs: 500,
      timeoutMs: 400,
      authorityFile: authority.authorityFile,
      rules: [{ source: 'storage', value: 'idle', where: {}, host: { from: 'client' }, meaning: { kind: 'age' } }],
      ...change,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}

function run(endpoints: readonly PullEndpoint[], store: () => Promise<void> = () => Promise.resolve()) {
  const [samples, results, gone, log]: [SignalSample[], string[], string[], string[]] = [[], [], [], []];
  const clock = systemServiceClock();
  const sources = new PullSources({
    endpoints: () => endpoints,
    signals: { state: (more) => store().then(() => void samples.push(...more)) },
    isHost: (name) => name !== 'stranger',
    clock,
    wallNow: Date.now,
    logger: createLogger({ name: 'test', destination: { write: (line) => log.push(line) } }),
    ignore: () => undefined,
    onPull: (endpoint, isGood) => results.push(`${endpoint} ${isGood ? 'good' : 'failed'}`),
    onGone: (endpoint) => gone.push(endpoint),
  });
  const stop = new AbortController();
  const running = sources.run(stop.signal);
  return {
    sources,
    samples,
    results,
    gone,
    log,
    now: () => clock.now(),
    since: (source: 'storage') => {
      const reach = sources.reachOf(source);
      return reach.kind === 'pulled' ? reach.since : undefined;
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the test ends'));
      await running;
    },
  };
}
