import { readFile } from 'node:fs/promises';

import { HttpPool, type HttpBody } from '@smalt/kube';
import { messageOf } from '@smalt/service-runtime';

import { telemetryUrl, type HaServiceSettings } from './ha-agent-settings.ts';
import { pushResultOf, type PushResult } from './push-result.ts';

const CONNECT_TIMEOUT_MS = 5000;
const KEEP_ALIVE_MS = 60_000;
const DEFAULT_REQUEST_TIMEOUT_MS = 10_000;
const LONGEST_ANSWER_BYTES = 65_536;

interface Identity {
  readonly authority: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
}

/** The way to the HA service: one request at a time, with the identity that the files hold at that moment. */
export class ServiceLink implements AsyncDisposable {
  readonly #settings: HaServiceSettings;
  readonly #url: URL;
  readonly #now: () => Date;
  #identity: Identity | undefined;
  #pool: HttpPool | undefined;

  constructor(settings: HaServiceSettings, nodeName: string, now: () => Date) {
    this.#settings = settings;
    this.#url = telemetryUrl(settings, nodeName);
    this.#now = now;
  }

  /** Sends one batch. Never throws because of the service, the network or the files: that is a result. */
  async push(body: string, signal: AbortSignal): Promise<PushResult> {
    let identity: Identity;
    try {
      identity = await this.#readIdentity();
    } catch (error) {
      return { kind: 'failed', failure: 'identity', why: messageOf(error) };
    }
    const { requestTimeoutMs = DEFAULT_REQUEST_TIMEOUT_MS } = this.#settings;
    const limit = new AbortController();
    const giveUp = (): void => limit.abort();
    const timer = setTimeout(giveUp, requestTimeoutMs);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    try {
      return await this.#request(this.#poolFor(identity), body, identity.token, limit.signal);
    } catch (error) {
      if (limit.signal.aborted) return { kind: 'failed', failure: 'timeout', why: 'it did not answer in time' };
      return { kind: 'failed', failure: 'unreachable', why: messageOf(error) };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool?.destroy();
  }

  async #request(pool: HttpPool, body: string, token: string | undefined, signal: AbortSignal): Promise<PushResult> {
    const answer = await pool.request({
      method: 'POST',
      path: this.#url.pathname,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body,
      signal,
    });
    const retryAfter = answer.headers['retry-after'];
    return pushResultOf(
      {
        status: answer.statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
        body: await readLimited(answer.body),
      },
      this.#now(),
    );
  }

  async #readIdentity(): Promise<Identity> {
    const { identity, authorityFile } = this.#settings;
    const isCertificate = identity?.kind === 'certificate';
    const [authority, certificate, key, token] = await Promise.all([
      readIfNamed(authorityFile),
      readIfNamed(isCertificate ? identity.certificateFile : undefined),
      readIfNamed(isCertificate ? identity.keyFile : undefined),
      readIfNamed(identity?.kind === 'token' ? identity.tokenFile : undefined),
    ]);
    return { authority, certificate, key, token: token?.trim() };
  }

  /** A renewed certificate means new connections; only one request is ever under way, so the old ones are idle. */
  #poolFor(identity: Identity): HttpPool {
    if (this.#pool !== undefined && this.#identity !== undefined && isSameTls(this.#identity, identity)) {
      return this.#pool;
    }
    const old = this.#pool;
    this.#identity = identity;
    this.#pool = makePool(this.#url.origin, identity);
    void old?.destroy();
    return this.#pool;
  }
}

async function readIfNamed(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : readFile(path, 'utf8');
}

function makePool(origin: string, { authority, certificate, key }: Identity): HttpPool {
  return new HttpPool(origin, {
    connections: 1,
    keepAliveMs: KEEP_ALIVE_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    tls: {
      rejectUnauthorized: true,
      ...(authority !== undefined && { ca: authority }),
      ...(certificate !== undefined && { cert: certificate }),
      ...(key !== undefined && { key }),
    },
  });
}

function isSameTls(a: Identity, b: Identity): boolean {
  return a.authority === b.authority && a.certificate === b.certificate && a.key === b.key;
}

async function readLimited(body: HttpBody): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > LONGEST_ANSWER_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
