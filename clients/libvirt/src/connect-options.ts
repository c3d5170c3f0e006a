import type { ChannelLimits } from './rpc/channel-options.ts';
import type { AuthenticateOptions } from './transport/authenticate.ts';
import type { ParseUriOptions } from './transport/parse-uri.ts';
import type { TlsOptions } from './transport/tls-credentials.ts';

/** How to connect, and the limits of the connection. */
export interface ConnectOptions extends ChannelLimits, ParseUriOptions {
  /** Gives up on connecting; once connected it has no effect. */
  readonly signal?: AbortSignal;
  /** For all of it, whatever `callTimeoutMs` is: socket, TLS, authentication, opening the hypervisor. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /**
   * How many calls that take minutes, migrations for example, may be under way at once; a further one waits. More than
   * the daemon's `max_client_requests` minus one make it lose the connection. Default 4.
   */
  readonly maxLongCalls?: number;
  readonly tls?: TlsOptions;
  readonly credentials?: AuthenticateOptions['credentials'];
}
