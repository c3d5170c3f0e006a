import { printJson, type JsonValue } from '@smalt/json';

import type { AnswerReader } from './answer-reader.ts';
import type { ServiceName } from './cloud-config.ts';
import { describeCall, type HttpAnswer, type HttpMethod } from './exchanges.ts';
import { fillPath } from './fill-path.ts';
import { Listing, nextQuery } from './listing.ts';
import type { Token } from './login.ts';
import { chooseMicroversion, readVersionSpan, type Microversion, type VersionSpan } from './microversion.ts';
import { isOpenStackError, OpenStackError } from './openstack-error.ts';
import type { Renewal } from './retry.ts';
import { readAnswer, type Session } from './session.ts';
import { SingleFlight } from './single-flight.ts';

/** What every call may be given. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What every listing may be given. */
export interface ListOptions extends CallOptions {
  /** How many to fetch at a time; as many as the service gives by default. */
  readonly pageSize?: number | undefined;
}

export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** A request to one service. */
export interface ServiceCall {
  readonly method: HttpMethod;
  /** The path below the version, with names for ids: `/servers/{server}`. */
  readonly path: string;
  readonly ids?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: JsonValue | undefined;
  /** The versions of the API that the call is written for; none for services without microversions. */
  readonly versions?: VersionSpan | undefined;
  /** Whether it must not reach the service twice, whatever an answer says. */
  readonly isOnce?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ListCall<T> extends Omit<ServiceCall, 'method' | 'body'> {
  /** The field of the answer that holds the items. */
  readonly field: string;
  /** The field that holds the link to the next page; `next` is read as one if there is none. */
  readonly linksField?: string | undefined;
  readonly read: (item: AnswerReader) => T;
  readonly idOf: (item: T) => string | number;
}

/** How a service is found and spoken to. */
export interface ServiceTraits {
  readonly name: ServiceName;
  /** The version in its address, added if the catalog leaves it out. */
  readonly versionPath: `/v${string}` | '';
  /** The major version of its microversions, if it has any. */
  readonly major: number | undefined;
}

interface Access {
  readonly token: Token;
  readonly base: URL;
}

/** Makes the requests to one service: its address, its versions, the token, retries. */
export class ServiceClient {
  readonly #traits: ServiceTraits;
  readonly #session: Session;
  readonly #versions: SingleFlight<VersionSpan>;

  constructor(traits: ServiceTraits, session: Session) {
    this.#traits = traits;
    this.#session = session;
    this.#versions = new SingleFlight(`${traits.name}: GET /`, () => this.#readVersions());
  }

  /** Makes a request and reads the JSON object of the answer. Throws an OpenStackError unless it succeeded. */
  async read(call: ServiceCall): Promise<AnswerReader> {
    const answer = await this.#send(call, toQuery(call.query));
    return readAnswer(answer, { what: this.#describe(call), requestId: answer.requestId });
  }

  /** Makes a request whose answer has nothing in it that matters. */
  async act(call: ServiceCall): Promise<void> {
    await this.#send(call, toQuery(call.query));
  }

  /** A list of which each page is one request. */
  list<T>(call: ListCall<T>): Listing<T> {
    const request: ServiceCall = { ...call, method: 'GET' };
    const what = this.#describe(request);
    const fetch = async (query: URLSearchParams): Promise<{ items: T[]; next: URLSearchParams | undefined }> => {
      const sent = await this.#send(request, query);
      const answer = readAnswer(sent, { what, requestId: sent.requestId });
      const items = answer.objects(call.field).map((item) => call.read(item));
      return { items, next: nextQuery(answer, call.linksField) };
    };
    return new Listing({ what, query: toQuery(call.query), fetch, idOf: call.idOf });
  }

  /** The versions of its API that the service knows. */
  async versions(signal: AbortSignal | undefined): Promise<VersionSpan> {
    return await this.#versions.value(signal);
  }

  async #send(call: ServiceCall, query: URLSearchParams): Promise<HttpAnswer> {
    const what = this.#describe(call);
    const path = fillPath(call.path, call.ids);
    const body = call.body === undefined ? undefined : printJson(call.body);
    let used: Token | undefined;
    const renewals = new Map<Renewal, () => void>([
      ['token', () => used !== undefined && this.#session.expire(used)],
      ['versions', () => this.#versions.forget()],
    ]);
    return await this.#session.retrier.run(
      { what, isSafe: call.method === 'GET', isOnce: call.isOnce ?? false, signal: call.signal, renewals },
      () => this.#prepare(call),
      async ({ token, base, version }) => {
        used = token;
        return await this.#session.exchanges.send({
          service: this.#traits.name,
          method: call.method,
          path: call.path,
          url: join(base, path, query),
          headers: this.#headers(token, version),
          body,
          signal: call.signal,
          secret: token.secret.reveal(),
        });
      },
    );
  }

  async #prepare(call: ServiceCall): Promise<Access & { readonly version: Microversion | undefined }> {
    const version = await this.#chooseVersion(call);
    return { ...(await this.#access(call.signal)), version };
  }

  async #access(signal: AbortSignal | undefined): Promise<Access> {
    const token = await this.#session.token(signal);
    return { token, base: withVersion(this.#session.endpoint(token, this.#traits.name), this.#traits.versionPath) };
  }

  #headers(token: Token, version: Microversion | undefined): Record<string, string> {
    return {
      'x-auth-token': token.secret.reveal(),
      ...(version !== undefined && { 'openstack-api-version': `${this.#traits.name} ${version}` }),
    };
  }

  async #chooseVersion(call: ServiceCall): Promise<Microversion | undefined> {
    if (call.versions === undefined) return undefined;
    const served = await this.#versions.value(call.signal);
    const chosen = chooseMicroversion(call.versions, served);
    if (chosen !== undefined) return chosen;
    throw new OpenStackError(
      'microversion',
      `${this.#describe(call)}: needs version ${call.versions.least} to ${call.versions.most} of the API, ` +
        `but the service knows ${served.least} to ${served.most}: another release of it is needed`,
    );
  }

  // The document stands at the version itself, above the project that some catalogs add to the address.
  async #readVersions(): Promise<VersionSpan> {
    const call = { service: this.#traits.name, method: 'GET', path: '/' } as const;
    const what = describeCall(call);
    let used: Token | undefined;
    const renewals = new Map<Renewal, () => void>([['token', () => used !== undefined && this.#session.expire(used)]]);
    const asking = this.#session.retrier.run(
      { what, isSafe: true, isOnce: false, signal: undefined, renewals },
      () => this.#access(undefined),
      async ({ token, base }) => {
        used = token;
        const url = join(base, '/', new URLSearchParams());
        url.pathname = url.pathname.replace(/(\/v\d+(\.\d+)?\/).*$/, '$1');
        const secret = token.secret.reveal();
        const headers = this.#headers(token, undefined);
        return await this.#session.exchanges.send({ ...call, url, headers, acceptsChoices: true, secret });
      },
    );
    const answer = await asking.catch((error: unknown) => {
      throw noService(error, this.#traits.name);
    });
    const document = readAnswer(answer, { what, requestId: answer.requestId });
    return readVersionSpan(document, this.#traits.major ?? 0, what);
  }

  #describe({ method, path }: Pick<ServiceCall, 'method' | 'path'>): string {
    return describeCall({ service: this.#traits.name, method, path });
  }
}

// Nobody who looks for a server may take an address that leads nowhere for the news that the server is gone.
function noService(error: unknown, service: ServiceName): unknown {
  // What the login says about a 404 of its own is right as it is.
  if (!isOpenStackError(error, 'not-found', 'bad-answer', 'bad-request') || error.httpStatus !== 404) return error;
  const { httpStatus, requestId } = error;
  const message = `the endpoint of ${service} leads to no such service: ${error.message}`;
  return new OpenStackError('no-endpoint', message, { httpStatus, requestId, cause: error });
}

function withVersion(endpoint: URL, versionPath: string): URL {
  const path = endpoint.pathname.replace(/\/+$/, '');
  const isVersioned = versionPath === '' || /\/v\d+(\.\d+)?(\/|$)/.test(path);
  return new URL(`${path}${isVersioned ? '' : versionPath}`, endpoint.origin);
}

function join(base: URL, path: string, query: URLSearchParams): URL {
  const url = new URL(`${base.pathname.replace(/\/+$/, '')}${path}`, base.origin);
  url.search = query.toString();
  return url;
}

function toQuery(values: Readonly<Record<string, QueryValue>> = {}): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const each = typeof value === 'object' ? value : [String(value)];
    for (const text of each) query.append(name, text);
  }
  return query;
}
