import type { OutgoingHttpHeaders } from 'node:http';

import type { TlsOptions } from '@smalt/kube';

import { ConsoleError } from '../console-error.ts';
import type { HighAvailabilityOptions } from '../console-options.ts';
import type { ReviewedUser } from '../session/reviewed-user.ts';
import { Upstream } from './upstream.ts';

/** The HA service. It knows the console by a token of its own, and is told on whose behalf each call is. */
export class HighAvailability implements Disposable {
  readonly upstream: Upstream;
  readonly #token: () => Promise<string>;

  constructor({ url, authority, token }: HighAvailabilityOptions) {
    const tls = async (): Promise<TlsOptions> => ({
      rejectUnauthorized: true,
      ...(authority !== undefined && { ca: await authority() }),
    });
    this.upstream = new Upstream({ name: 'the HA service', url, tls });
    this.#token = token;
  }

  /** The headers of a call on behalf of a user. */
  async credentials({ name, groups }: ReviewedUser): Promise<OutgoingHttpHeaders> {
    return {
      authorization: `Bearer ${await this.#token()}`,
      'impersonate-user': headerText(name),
      'impersonate-group': groups.map(headerText),
    };
  }

  [Symbol.dispose](): void {
    this.upstream[Symbol.dispose]();
  }
}

/** What to tell a user of an answer that is about the console, not about them. */
export function consoleRefusal(status: number): ConsoleError | undefined {
  if (status !== 401) return undefined;
  const message = 'the HA service does not know this console: see that its token is made for it';
  return new ConsoleError('unavailable', message);
}

/** Headers are bytes: UTF-8 in them, as other clients send it. */
function headerText(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new ConsoleError('forbidden', 'the name of this user cannot be passed on');
  return Buffer.from(text, 'utf8').toString('latin1');
}
