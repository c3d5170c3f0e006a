import { systemClock, type Clock } from './clock.ts';
import type { CloudConfig } from './cloud-config.ts';
import { Compute } from './compute/compute.ts';
import { Connections } from './connections.ts';
import { Exchanges, type Exchange } from './exchanges.ts';
import { Images } from './images.ts';
import type { TokenContent } from './login.ts';
import { Networks } from './networks.ts';
import { OpenStackError } from './openstack-error.ts';
import { Placement } from './placement/placement.ts';
import { Retrier } from './retrier.ts';
import type { CallOptions } from './service-client.ts';
import { Session } from './session.ts';
import { Slots } from './slots.ts';
import { Volumes } from './volumes.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_ATTEMPTS = 5;
const DEFAULT_MOST_REQUESTS = 32;

export interface OpenStackClientOptions {
  readonly config: CloudConfig;
  /** How this program calls itself, for the logs of the services. */
  readonly userAgent: string;
  /** How long one attempt at a request may take; 30 s by default. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is tried where that cannot harm; 5 by default. */
  readonly maxAttempts?: number | undefined;
  /** How many requests may be under way at a time, others wait; 32 by default. */
  readonly mostRequests?: number | undefined;
  /** Is told of every attempt at a request, those for tokens and versions too. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** Who a client is to its cloud. */
export type CloudUser = Pick<TokenContent, 'userId' | 'userName' | 'projectId' | 'projectName' | 'roles'>;

/** A cloud, as one user of it. Made for a whole process to share; disposing of it ends what is under way. */
export class OpenStackClient implements AsyncDisposable {
  readonly compute: Compute;
  readonly placement: Placement;
  readonly images: Images;
  readonly networks: Networks;
  readonly volumes: Volumes;
  readonly #session: Session;
  readonly #connections: Connections;
  readonly #lifetime = new AbortController();

  constructor(options: OpenStackClientOptions) {
    const { config, userAgent, onExchange } = options;
    const { clock = systemClock, random = Math.random, maxAttempts = DEFAULT_MAX_ATTEMPTS } = options;
    const mostRequests = options.mostRequests ?? DEFAULT_MOST_REQUESTS;
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    checkPositive({ maxAttempts, mostRequests, timeoutMs });
    const connections = new Connections({ tls: config.tls, mostConnections: mostRequests, clock });
    const slots = new Slots(mostRequests);
    const exchanges = new Exchanges({ connections, slots, userAgent, timeoutMs, onExchange });
    const retrier = new Retrier({ clock, random, maxAttempts, lifetime: this.#lifetime.signal });
    this.#connections = connections;
    this.#session = new Session({ config, exchanges, retrier, clock });
    this.compute = new Compute(this.#session);
    this.placement = new Placement(this.#session);
    this.images = new Images(this.#session);
    this.networks = new Networks(this.#session);
    this.volumes = new Volumes(this.#session);
  }

  /** Logs in, if that has not happened yet, and tells as whom. */
  async whoAmI({ signal }: CallOptions = {}): Promise<CloudUser> {
    const { userId, userName, projectId, projectName, roles } = await this.#session.token(signal);
    return { userId, userName, projectId, projectName, roles };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#lifetime.abort();
    await this.#connections[Symbol.asyncDispose]();
  }
}

function checkPositive(options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (Number.isInteger(value) && value > 0) continue;
    throw new OpenStackError('bad-argument', `${name}: ${value} is not a whole number above 0`);
  }
}
