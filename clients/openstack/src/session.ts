import { JsonError, parseJson, type JsonValue } from '@smalt/json';
import { Secret } from '@smalt/secret';

import { AnswerReader, type AnswerOrigin } from './answer-reader.ts';
import { findEndpoint } from './catalog.ts';
import type { Clock } from './clock.ts';
import type { CloudConfig, ServiceName } from './cloud-config.ts';
import { describeCall, type Exchanges, type HttpAnswer } from './exchanges.ts';
import { loginRequest, readTokenContent, type Token } from './login.ts';
import { OpenStackError } from './openstack-error.ts';
import type { Retrier } from './retrier.ts';
import { TokenKeeper } from './token-keeper.ts';

export interface SessionOptions {
  readonly config: CloudConfig;
  readonly exchanges: Exchanges;
  readonly retrier: Retrier;
  readonly clock: Clock;
}

/** Who this is to a cloud: the token that all services share, and their addresses. */
export class Session {
  readonly exchanges: Exchanges;
  readonly retrier: Retrier;
  readonly #config: CloudConfig;
  readonly #keeper: TokenKeeper;

  constructor({ config, exchanges, retrier, clock }: SessionOptions) {
    this.exchanges = exchanges;
    this.retrier = retrier;
    this.#config = config;
    this.#keeper = new TokenKeeper(clock, () => this.#logIn());
  }

  async token(signal: AbortSignal | undefined): Promise<Token> {
    return await this.#keeper.token(signal);
  }

  /** Makes the next request get a new token, unless that has happened already. */
  expire(token: Token): void {
    this.#keeper.expire(token);
  }

  endpoint(token: Token, service: ServiceName): URL {
    const url = findEndpoint(token.catalog, service, this.#config);
    if (URL.canParse(url)) return new URL(url);
    throw new OpenStackError('no-endpoint', `the endpoint of ${service} is not a URL: "${url}"`);
  }

  // A token more than needed harms nobody, so this may be repeated like a read.
  async #logIn(): Promise<Token> {
    const call = { service: 'identity', method: 'POST', path: '/auth/tokens' } as const;
    const what = describeCall(call);
    const url = new URL(`${this.#config.authUrl}/auth/tokens`);
    const body = JSON.stringify(loginRequest(this.#config));
    const answer = await this.retrier
      .run(
        { what, isSafe: true, isOnce: false, signal: undefined, renewals: new Map() },
        () => Promise.resolve(),
        () => this.exchanges.send({ ...call, url, headers: {}, body }),
      )
      .catch((error: unknown) => {
        throw this.#explain(error);
      });
    const subject = answer.headers['x-subject-token'];
    if (typeof subject !== 'string' || subject === '') {
      const { requestId } = answer;
      throw new OpenStackError('bad-answer', `${what}: the answer has no X-Subject-Token header`, { requestId });
    }
    const content = readTokenContent(readAnswer(answer, { what, requestId: answer.requestId }));
    return { ...content, secret: new Secret(subject) };
  }

  // Nobody who looks for a server may take a login that led nowhere for the news that the server is gone.
  #explain(error: unknown): unknown {
    if (!(error instanceof OpenStackError) || error.httpStatus !== 404) return error;
    const { httpStatus, requestId } = error;
    const options = { httpStatus, requestId, cause: error };
    if (this.#config.identity.kind === 'token') {
      return new OpenStackError('unauthorized', `${error.message}: the token has ended, get a new one`, options);
    }
    const message = `auth_url: there is no Keystone v3 at ${this.#config.authUrl}: ${error.message}`;
    return new OpenStackError('bad-config', message, options);
  }
}

/** Reads the JSON object of an answer. Throws a `bad-answer` that names the call. */
export function readAnswer({ text }: HttpAnswer, origin: AnswerOrigin): AnswerReader {
  return new AnswerReader(parse(text, origin), origin);
}

function parse(text: string, { what, requestId }: AnswerOrigin): JsonValue {
  try {
    return parseJson(text);
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    // One odd name in the metadata of one server, which anybody may write, must not hide all others.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse returns is what this type says
    if (cause.code === 'forbidden-name') return JSON.parse(text) as JsonValue;
    throw new OpenStackError('bad-answer', `${what}: not JSON: ${cause.message}`, { requestId, cause });
  }
}
