import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeSelfSigned } from '@smalt/x509';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { readCertificateFiles, type CertificateFiles } from './certificate-files.ts';
import { followCertificateFiles } from './follow-certificate-files.ts';

interface Made {
  readonly certificate: string;
  readonly key: string;
}

/** Whoever waits goes on when it is turned, once each time. */
class TurnClock {
  #go = (): void => undefined;
  #waiting = Promise.withResolvers<void>();

  wait(_: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    this.#go = resolve;
    this.#waiting.resolve();
    this.#waiting = Promise.withResolvers();
    return promise;
  }

  /** Resolves when it is waited for again. */
  async turn(): Promise<void> {
    const { promise } = this.#waiting;
    this.#go();
    await promise;
  }
}

let owned: AsyncDisposableStack;
let files: CertificateFiles;
let used: string[];
let lines: string[];
let clock: TurnClock;

beforeEach(async () => {
  owned = new AsyncDisposableStack();
  const { path } = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-follow-certificate-')));
  files = { certificateFile: join(path, 'tls.crt'), keyFile: join(path, 'tls.key'), authorityFiles: [] };
  [used, lines, clock] = [[], [], new TurnClock()];
});
afterEach(() => owned.disposeAsync());

it('uses what has changed, once', async () => {
  const [one, other] = [made('one'), made('other')];
  await follow(one);
  await clock.turn();

  await write(other);
  await clock.turn();
  await clock.turn();

  expect([used, lines]).toEqual([[other.certificate], ['info: the certificate was read anew']]);
});

it('keeps what it had while the files do not fit together, with one line about it, and goes on then', async () => {
  const [one, other] = [made('one'), made('other')];
  await follow(one);

  await write({ ...one, certificate: other.certificate });
  await clock.turn();
  await clock.turn();
  const between = [...used];
  await write(other);
  await clock.turn();

  expect([between, used]).toEqual([[], [other.certificate]]);
  expect(lines).toEqual([
    'warn: the files of the certificate cannot be used; what was in them before stays',
    'info: the certificate was read anew',
  ]);
});

it('tries again what could not be used', async () => {
  const [one, other] = [made('one'), made('other')];
  const refusals = [new Error('no')];
  await follow(one, () => {
    const refusal = refusals.pop();
    if (refusal !== undefined) throw refusal;
  });

  await write(other);
  await clock.turn();
  await clock.turn();

  expect(used).toEqual([other.certificate]);
});

it('ends with its signal', async () => {
  const ended = await follow(made('one'));

  await owned.disposeAsync();

  await expect(ended.done).resolves.toBeUndefined();
});

async function follow(first: Made, check = (): void => undefined): Promise<{ readonly done: Promise<void> }> {
  await write(first);
  const stop = new AbortController();
  const use = ({ certificate }: Made): void => {
    check();
    used.push(certificate);
  };
  const logger = { info: log('info'), warn: log('warn') };
  const deps = { files: () => files, clock, logger, use };
  const done = followCertificateFiles(deps, await readCertificateFiles(files), stop.signal);
  owned.defer(async () => {
    stop.abort(new Error('over'));
    await done;
  });
  return { done };
}

async function write({ certificate, key }: Made): Promise<void> {
  await Promise.all([writeFile(files.certificateFile, certificate), writeFile(files.keyFile, key)]);
}

function made(commonName: string): Made {
  return makeSelfSigned({ commonName, names: ['localhost'], now: new Date(), days: 2 });
}

function log(level: string): (fields: unknown, message: string) => void {
  return (_, message) => void lines.push(`${level}: ${message}`);
}
