import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

type Resource = Readonly<Record<string, unknown>>;
type Collections = Readonly<Record<string, Map<string, Resource>>>;

/** The network every cloud has. */
export const NETWORK = {
  id: '5a1f0000-0000-4000-8000-00000000006e',
  name: 'private',
  shared: false,
  tenant_id: 'nobody',
  admin_state_up: true,
  status: 'ACTIVE',
  mtu: 1450,
  'router:external': false,
  subnets: ['5a1f0000-0000-4000-8000-00000000005b'],
} as const;

const SUBNET = {
  id: NETWORK.subnets[0],
  network_id: NETWORK.id,
  name: 'private',
  cidr: '192.0.2.0/24',
  ip_version: 4,
  gateway_ip: null,
  enable_dhcp: false,
  dns_nameservers: [],
  host_routes: [],
} as const;

const MAX_BODY_BYTES = 65_536;
const MAX_CONNECTIONS = 1_000;
/** As many as the subnet has addresses. */
const MAX_RESOURCES = 254;

const ADDRESSES = Array.from({ length: MAX_RESOURCES }, (_, index) => [
  { subnet_id: SUBNET.id, ip_address: `192.0.2.${index + 1}` },
]);

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** Serves what Nova and an operator ask of Neutron: one network that is not shared, and ports that go nowhere. */
export async function startNetworkService(host: string, port: number): Promise<AsyncDisposable> {
  const collections = makeCollections();
  const server = createServer((request, response) => {
    void respond(collections, request, response);
  });
  // Nova keeps connections; one that closes while it sends would be an error of its own.
  server.keepAliveTimeout = 600_000;
  // Whoever is on this machine can reach it, and it lives in the process of its owner.
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, 'listening');
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(collections: Collections, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await answer(collections, request).catch(badRequest);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? '' : JSON.stringify(body));
  // What is left of a body that was too long is not read.
  if (status === 400 && !request.complete) response.once('finish', () => request.destroy());
}

function makeCollections(): Collections {
  const empty = ['ports', 'floatingips', 'security_groups', 'extensions', 'routers', 'agents'];
  return {
    networks: new Map([[NETWORK.id, NETWORK]]),
    subnets: new Map([[SUBNET.id, SUBNET]]),
    ...Object.fromEntries(empty.map((name) => [name, new Map<string, Resource>()])),
  };
}

async function answer(collections: Collections, request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://network');
  const [version, kind = '', id] = url.pathname
    .replace(/[.]json$/, '')
    .split('/')
    .filter(Boolean);
  if (version === undefined || kind === '')
    return { status: 200, body: { versions: [{ id: 'v2.0', status: 'CURRENT', links: [] }] } };
  if (kind === 'quotas') return { status: 200, body: { quota: { port: -1, network: -1 } } };
  const name = kind.replaceAll('-', '_');
  const found = collections[name];
  if (!found) return notFound(url.pathname);
  const singular = name.replace(/s$/, '');
  const body = request.method === 'POST' || request.method === 'PUT' ? await readBody(request, singular) : {};
  if (request.method === 'POST' && found.size >= MAX_RESOURCES) return full(name);
  if (request.method === 'POST') return { status: 201, body: { [singular]: create(found, body) } };
  if (id === undefined) return { status: 200, body: { [name]: list(found, url.searchParams) } };
  const present = found.get(id);
  if (!present) return notFound(url.pathname);
  if (request.method === 'DELETE') {
    found.delete(id);
    return { status: 204 };
  }
  const current = { ...present, ...body };
  if (JSON.stringify(current).length > MAX_BODY_BYTES) throw new Error(`${url.pathname} becomes too long`);
  found.set(id, current);
  return { status: 200, body: { [singular]: current } };
}

async function readBody(request: IncomingMessage, name: string): Promise<Resource> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error(`a body may have ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  return isRecord(body) && isRecord(body[name]) ? body[name] : {};
}

function isRecord(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function create(found: Map<string, Resource>, wish: Resource): Resource {
  const id = randomUUID();
  const taken = new Set([...found.values()].map((each) => JSON.stringify(each['fixed_ips'])));
  const port = {
    id,
    status: 'ACTIVE',
    name: '',
    mac_address: `fa:16:3e:${[...randomBytes(3)].map((byte) => byte.toString(16).padStart(2, '0')).join(':')}`,
    fixed_ips: ADDRESSES.find((each) => !taken.has(JSON.stringify(each))) ?? [],
    'binding:vif_type': 'other',
    'binding:vnic_type': 'normal',
    'binding:vif_details': {},
    'binding:profile': {},
    security_groups: [],
    allowed_address_pairs: [],
    device_id: '',
    device_owner: '',
    ...wish,
  };
  found.set(id, port);
  return port;
}

// Whose it is does not count: the one network is everybody's.
const NO_FILTERS = ['fields', 'limit', 'marker', 'tenant_id', 'project_id'];

/** Those that have, for every field asked for, one of the values asked for. */
function list(found: Map<string, Resource>, query: URLSearchParams): readonly Resource[] {
  const fields = [...new Set(query.keys())].filter((field) => !NO_FILTERS.includes(field));
  return [...found.values()].filter((resource) =>
    fields.every((field) => {
      const wanted = query.getAll(field).map((value) => value.toLowerCase());
      // A field that a resource does not have cannot tell it apart, as with Neutron.
      const value = resource[field];
      return value === undefined || wanted.includes(JSON.stringify(value).replaceAll('"', '').toLowerCase());
    }),
  );
}

function full(name: string): Answer {
  const message = `there may be ${MAX_RESOURCES} ${name}: delete some`;
  return { status: 409, body: { NeutronError: { type: 'OverQuota', message, detail: '' } } };
}

function badRequest(cause: unknown): Answer {
  const message = cause instanceof Error ? cause.message : 'unreadable';
  return { status: 400, body: { NeutronError: { type: 'HTTPBadRequest', message, detail: '' } } };
}

function notFound(path: string): Answer {
  return { status: 404, body: { NeutronError: { type: 'NotFound', message: `${path} is not here`, detail: '' } } };
}
