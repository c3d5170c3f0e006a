import { LocalOpenStackError } from './local-openstack-error.ts';

/** Who logs in, and where to. */
export interface CloudCredentials {
  readonly username: string;
  readonly password: string;
  readonly projectName: string;
  readonly userDomainName: string;
  readonly projectDomainName: string;
}

export interface CloudRequest {
  readonly method?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Speaks to the services of a cloud as one of its users; what a bed needs and no more. */
export class CloudClient {
  readonly #token: string;
  readonly #signal: AbortSignal;

  private constructor(token: string, signal: AbortSignal) {
    this.#token = token;
    this.#signal = signal;
  }

  static async logIn(authUrl: string, credentials: CloudCredentials, signal: AbortSignal): Promise<CloudClient> {
    const { username, password, projectName, userDomainName, projectDomainName } = credentials;
    const user = { name: username, password, domain: { name: userDomainName } };
    const scope = { project: { name: projectName, domain: { name: projectDomainName } } };
    const body = { auth: { identity: { methods: ['password'], password: { user } }, scope } };
    const answer = await fetch(`${authUrl}/auth/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    const text = await answer.text();
    const token = answer.headers.get('x-subject-token');
    if (token === null) throw new LocalOpenStackError('request-failed', `Keystone let ${username} not in: ${text}`);
    return new CloudClient(token, signal);
  }

  /** The same user, whose requests are given up when that signal fires. */
  until(signal: AbortSignal): CloudClient {
    return new CloudClient(this.#token, signal);
  }

  /** Makes a request and gives the JSON of the answer; anything but success is an error with the answer's text. */
  async request(url: string, { method = 'GET', body, headers }: CloudRequest = {}): Promise<unknown> {
    const isRaw = body instanceof Uint8Array;
    const answer = await fetch(url, {
      method,
      headers: {
        'x-auth-token': this.#token,
        'openstack-api-version': 'compute 2.93,placement 1.39',
        'content-type': isRaw ? 'application/octet-stream' : 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
      signal: this.#signal,
    });
    const text = await answer.text();
    if (answer.ok) return text === '' ? undefined : JSON.parse(text);
    throw new LocalOpenStackError('request-failed', `${method} ${url} was answered with ${answer.status}: ${text}`);
  }
}
