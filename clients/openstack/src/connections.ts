import { Pool } from 'undici';

import type { Clock } from './clock.ts';
import type { CloudTls } from './cloud-config.ts';
import { TlsFiles, type TlsTexts } from './tls-files.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Shorter than the 5 s after which Apache closes an idle connection, which would cost a request its answer. */
const KEEP_ALIVE_MS = 4000;

export interface ConnectionOptions {
  readonly tls: CloudTls;
  /** How many connections there may be to one service. */
  readonly mostConnections: number;
  readonly clock: Clock;
}

/** The connections to the services of a cloud. New certificates mean new ones; what is under way goes on on the old. */
export class Connections implements AsyncDisposable {
  readonly #options: ConnectionOptions;
  readonly #files: TlsFiles;
  readonly #open = new Set<Pool>();
  readonly #current = new Map<string, Pool>();
  #texts: TlsTexts | undefined;
  #isDisposed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#files = new TlsFiles(options.tls, options.clock);
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** The connections to the server of a URL such as `https://nova:8774`. */
  async pool(origin: string): Promise<Pool> {
    const texts = await this.#files.read();
    if (this.#isDisposed) throw new Error('the connections are closed');
    if (this.#texts !== texts) this.#retireAll();
    this.#texts = texts;
    const present = this.#current.get(origin);
    if (present !== undefined) return present;
    const pool = this.#make(origin, texts);
    this.#current.set(origin, pool);
    this.#open.add(pool);
    return pool;
  }

  /** Ends everything that is under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await Promise.all(Array.from(this.#open, (pool) => pool.destroy()));
  }

  #make(origin: string, { authority, certificate, key }: TlsTexts): Pool {
    return new Pool(origin, {
      connections: this.#options.mostConnections,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // See docs/decisions/0016-no-http-2-in-our-clients.md
      allowH2: false,
      connect: {
        timeout: CONNECT_TIMEOUT_MS,
        rejectUnauthorized: !this.#options.tls.isInsecure,
        ...(authority !== undefined && { ca: authority }),
        ...(certificate !== undefined && { cert: certificate }),
        ...(key !== undefined && { key }),
      },
    });
  }

  #retireAll(): void {
    for (const pool of this.#current.values()) {
      const forget = (): void => void this.#open.delete(pool);
      pool.close().then(forget, forget);
    }
    this.#current.clear();
  }
}
