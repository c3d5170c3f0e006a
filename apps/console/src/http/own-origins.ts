import { isIP } from 'node:net';

export interface OwnOriginsOptions {
  readonly listen: { readonly host: string; readonly port: number };
  readonly isTls: boolean;
  /** Where else pages are opened, such as `https://console.example`. */
  readonly origins: readonly string[];
  /** What this machine is called. */
  readonly machine: string;
}

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
const EVERYWHERE = ['0.0.0.0', '::', ''];

/**
 * The origins that pages of this console have. A name that is not among them is refused, whatever it resolves to: so no other site
 * can let its own name point here.
 */
export class OwnOrigins {
  readonly #scheme: string;
  readonly #port: number;
  readonly #isEverywhere: boolean;
  readonly #isLoopback: boolean;
  readonly #origins: ReadonlySet<string>;

  constructor({ listen, isTls, origins, machine }: OwnOriginsOptions) {
    this.#scheme = isTls ? 'https' : 'http';
    this.#port = listen.port;
    this.#isEverywhere = EVERYWHERE.includes(listen.host);
    const own = isIP(listen.host) === 6 ? `[${listen.host}]` : listen.host;
    this.#isLoopback = LOOPBACK.includes(own);
    const hosts = this.#isEverywhere ? [...LOOPBACK, machine] : this.#isLoopback ? LOOPBACK : [own];
    const listening = hosts.map((host) => new URL(`${this.#scheme}://${host}:${listen.port}`).origin);
    this.#origins = new Set([...listening, ...origins.map((origin) => new URL(origin).origin)]);
  }

  /** Whether a page of this origin is one of ours. */
  isOwn(origin: string): boolean {
    if (this.#origins.has(origin)) return true;
    if (this.#isLoopback) return this.#isLoopbackName(origin);
    return this.#isEverywhere && this.#isOwnAddress(origin);
  }

  /** The origin that a request of this Host was opened by; undefined when the Host is not ours. */
  originOf(host: string | undefined): string | undefined {
    if (host === undefined || /[^\w.:[\]-]/.test(host)) return undefined;
    return ['https', this.#scheme]
      .map((scheme) => URL.parse(`${scheme}://${host}`)?.origin)
      .find((origin) => origin !== undefined && this.isOwn(origin));
  }

  // RFC 6761: such names lead to this very machine, and nobody can let them point elsewhere.
  #isLoopbackName(origin: string): boolean {
    const url = URL.parse(origin);
    return (
      url?.protocol === `${this.#scheme}:` && url.hostname.endsWith('.localhost') && url.port === String(this.#port)
    );
  }

  // Nobody can let an address, other than a name, point to another machine.
  #isOwnAddress(origin: string): boolean {
    const url = URL.parse(origin);
    if (url === null || url.protocol !== `${this.#scheme}:`) return false;
    const port = url.port === '' ? (this.#scheme === 'https' ? '443' : '80') : url.port;
    return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 && port === String(this.#port);
  }
}
