import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { Secret } from '@smalt/secret';

import type { Clock } from './clock.ts';
import type { CloudConfig, ServiceName } from './cloud-config.ts';
import type { Exchange } from './exchanges.ts';
import { OpenStackClient, type OpenStackClientOptions } from './openstack-client.ts';

/** A request as a fake cloud saw it. */
export interface SeenRequest {
  readonly method: string;
  /** The service, and `identity` for Keystone. */
  readonly service: string;
  /** The path below the address of the service. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers a request, or leaves it to what clouds answer usually. */
export type CloudAnswer = (request: SeenRequest, response: ServerResponse) => 'as-usual' | void | Promise<void>;

/** A cloud on loopback that answers as a test wants it to, and a client of it that need not wait. */
export interface FakeCloud extends AsyncDisposable {
  readonly config: CloudConfig;
  readonly client: OpenStackClient;
  /** Requests to services; those for tokens and versions are apart. */
  readonly requests: readonly SeenRequest[];
  readonly logins: readonly SeenRequest[];
  readonly exchanges: readonly Exchange[];
  readonly clock: TestClock;
}

/** A clock that a test moves, and that notes what was waited for. */
interface TestClock extends Clock {
  readonly waits: readonly number[];
  pass(milliseconds: number): void;
}

const SERVICES: Readonly<Record<ServiceName, string>> = {
  compute: '/v2.1',
  placement: '',
  image: '',
  network: '',
  volume: '/v3/p1',
};

/** What the services of a cloud tell about their versions. */
const VERSION_DOCUMENTS: Readonly<Record<string, unknown>> = {
  'compute/v2.1/': { version: { id: 'v2.1', version: '2.93', min_version: '2.1' } },
  'placement/': { versions: [{ id: 'v1.0', max_version: '1.39', min_version: '1.0' }] },
  'volume/v3/': { versions: [{ id: 'v3.0', version: '3.70', min_version: '3.0' }] },
};

export async function startFakeCloud(
  answer: CloudAnswer,
  options: Partial<OpenStackClientOptions> = {},
): Promise<FakeCloud> {
  const seenRequests: SeenRequest[] = [];
  const exchanges: Exchange[] = [];
  const clock = makeClock();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const each = await seen(request);
    seenRequests.push(each);
    if ((await answer(each, response)) === 'as-usual') answerAsUsual(each, response, seenRequests);
  };
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const config = { ...fakeConfig(`http://127.0.0.1:${port}`), ...options.config };
  const onExchange = (exchange: Exchange): void => void exchanges.push(exchange);
  const client = new OpenStackClient({ userAgent: 'test/1', clock, random: () => 1, onExchange, ...options, config });
  return {
    config,
    client,
    clock,
    exchanges,
    get requests() {
      return seenRequests.filter((each) => each.service !== 'identity' && !isVersionRequest(each));
    },
    get logins() {
      return seenRequests.filter(isLogin);
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

export function fakeConfig(url: string): CloudConfig {
  return {
    authUrl: `${url}/identity/v3`,
    identity: { kind: 'password', user: { name: 'admin', domain: { id: 'default' } }, password: new Secret('hidden') },
    scope: { kind: 'project', project: { name: 'admin', domain: { id: 'default' } } },
    region: 'RegionOne',
    interface: 'public',
    tls: { isInsecure: false },
  };
}

export function isLogin({ service, path }: SeenRequest): boolean {
  return service === 'identity' && path === '/v3/auth/tokens';
}

export function isVersionRequest({ service, path }: SeenRequest): boolean {
  return `${service}${path}` in VERSION_DOCUMENTS;
}

/** Gives a token with a catalog that leads back here. */
export function sendToken(request: SeenRequest, response: ServerResponse, id: string, seconds: number = 3600): void {
  const url = `http://${request.headers.host}`;
  const catalog = Object.entries(SERVICES).map(([type, path]) => ({
    type,
    endpoints: [{ interface: 'public', region_id: 'RegionOne', url: `${url}/${type}${path}` }],
  }));
  const issuedAt = Date.parse('2026-11-15T03:55:41Z');
  const token = {
    user: { id: 'u1', name: 'admin' },
    project: { id: 'p1', name: 'admin' },
    roles: [{ id: 'r1', name: 'admin' }],
    issued_at: new Date(issuedAt).toISOString(),
    expires_at: new Date(issuedAt + seconds * 1000).toISOString(),
    catalog,
  };
  sendJson(response, 201, { token }, { 'x-subject-token': id });
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const requestId = { 'x-openstack-request-id': 'req-fake' };
  response.writeHead(status, { 'content-type': 'application/json', ...requestId, ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

function answerAsUsual(request: SeenRequest, response: ServerResponse, seenRequests: readonly SeenRequest[]): void {
  if (isLogin(request)) sendToken(request, response, `token-${seenRequests.filter(isLogin).length}`);
  else if (isVersionRequest(request)) sendJson(response, 200, VERSION_DOCUMENTS[`${request.service}${request.path}`]);
  else sendJson(response, 404, { itemNotFound: { code: 404, message: `${request.path} is not here` } });
}

async function seen(request: IncomingMessage): Promise<SeenRequest> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, service = ''] = url.pathname.split('/');
  return {
    method: request.method ?? '',
    service,
    path: url.pathname.slice(service.length + 1),
    query: url.searchParams,
    headers: request.headers,
    body: await text(request),
  };
}

function makeClock(): TestClock {
  const waits: number[] = [];
  let nowMs = 0;
  return {
    waits,
    now: () => nowMs,
    pass: (milliseconds) => {
      nowMs += milliseconds;
    },
    wait: (milliseconds, signal) => {
      if (signal?.aborted === true) return Promise.reject(new Error('aborted', { cause: signal.reason }));
      waits.push(milliseconds);
      nowMs += milliseconds;
      return Promise.resolve();
    },
  };
}
