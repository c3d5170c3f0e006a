import { isJsonObject, type JsonObject } from '@smalt/json';

import { knownServer, type CloudBooks } from '../books/cloud-books.ts';
import { statusOf, type Server } from '../books/server.ts';
import { pageOf } from '../page-of.ts';
import { listIn, objectIn, textIn, textMapIn } from '../read-json.ts';
import type { Answer, Routes, ServiceRequest } from '../router.ts';
import { refusal } from '../simulator-error.ts';
import { linksOf, serverDocument, unknownServerDocument } from './server-document.ts';
import { knownFlavor, type ServerLife, type ServerWish } from './server-life.ts';

const NAME_LIMIT = 255;
/** From here on there is an answer about servers of cells that cannot be reached. */
const TELLS_OF_LOST_CELLS = 69;

/** What Nova answers about servers. */
export function serverRoutes(books: CloudBooks, life: ServerLife): Routes {
  return {
    'GET /servers': (request) => listServers(books, request, (server) => nameDocument(server, request.baseUrl)),
    'GET /servers/detail': (request) =>
      listServers(books, request, (server) =>
        isInReach(server, request)
          ? serverDocument(server, request.baseUrl)
          : unknownServerDocument(server, request.baseUrl),
      ),
    'POST /servers': (request) => createServer(books, life, request),
    'GET /servers/{server}': (request) => {
      const server = knownVisibleServer(books, request);
      if (!isInReach(server, request) && request.version >= TELLS_OF_LOST_CELLS) {
        return { status: 200, body: { server: unknownServerDocument(server, request.baseUrl) } };
      }
      checkReach(server, request);
      // Groups are not in listings.
      return { status: 200, body: { server: { ...serverDocument(server, request.baseUrl), server_groups: [] } } };
    },
    'DELETE /servers/{server}': (request) => {
      life.delete(visibleServer(books, request));
      return { status: 204 };
    },
    'POST /servers/{server}/metadata': (request) => {
      const server = visibleServer(books, request);
      server.metadata = { ...server.metadata, ...textMapIn(request.body, 'metadata') };
      return { status: 200, body: { metadata: server.metadata } };
    },
    'DELETE /servers/{server}/metadata/{key}': (request) => deleteMetadata(books, request),
  };
}

/** The server that a request names. Administrators see those of all projects. */
export function visibleServer(books: CloudBooks, request: ServiceRequest): Server {
  const server = knownVisibleServer(books, request);
  checkReach(server, request);
  return server;
}

/** Which server it is, and whose, is known without its cell. */
function knownVisibleServer(books: CloudBooks, { ids, session }: ServiceRequest): Server {
  const server = knownServer(books, ids['server'] ?? '');
  const isVisible = session.user.roles.includes('admin') || server.projectId === session.project.id;
  if (!isVisible) throw refusal(404, `Instance ${server.id} could not be found.`);
  return server;
}

function isInReach({ host }: Server, { areCellsAway }: ServiceRequest): boolean {
  return host === undefined || (host.isReachable && !areCellsAway);
}

function checkReach(server: Server, request: ServiceRequest): void {
  if (!isInReach(server, request)) throw refusal(500, 'Unexpected API Error. DBConnectionError');
}

function listServers(books: CloudBooks, request: ServiceRequest, document: (server: Server) => JsonObject): Answer {
  const found = selectServers(books, request);
  // The newest first, unless somebody asks for the opposite.
  if (request.query.get('sort_dir') !== 'asc') found.reverse();
  const page = pageOf(found, request, { path: request.path, idOf: ({ id }) => id });
  const body = { servers: page.items.map(document), ...(page.next !== undefined && { servers_links: page.next }) };
  return { status: 200, body };
}

function selectServers(books: CloudBooks, request: ServiceRequest): Server[] {
  const { query, session, version } = request;
  const isAdmin = session.user.roles.includes('admin');
  const isAll = isAdmin && ['1', 'true', 'True', ''].includes(query.get('all_tenants') ?? 'no');
  // Nova ignores the filters that a user may not use.
  const host = isAdmin ? query.get('host') : null;
  const node = isAdmin ? query.get('node') : null;
  const found = [...candidates(books, { isAll, host, projectId: session.project.id })];
  const name = query.get('name');
  const isNamed = name === null ? () => true : nameTest(name);
  const status = query.get('status');
  const withSoftDeleted = isAdmin && query.has('soft_deleted');
  const projectId = isAdmin ? (query.get('project_id') ?? query.get('tenant_id')) : null;
  const changesSince = Date.parse(query.get('changes-since') ?? '');
  const tags = query.get('tags')?.split(',') ?? [];
  // With any filter but this one Nova leaves out the servers of cells that it cannot reach, without a word.
  const isFiltered = [...query.keys()].some((each) => each !== 'all_tenants');
  const tellsOfLost = version >= TELLS_OF_LOST_CELLS && !isFiltered;
  return found
    .filter((server) => tellsOfLost || isInReach(server, request))
    .filter((server) => isAll || server.projectId === session.project.id)
    .filter((server) => node === null || server.host?.name === node)
    .filter((server) => isNamed(server.name))
    .filter((server) => withSoftDeleted || statusOf(server) !== 'SOFT_DELETED')
    .filter((server) => status === null || statusOf(server) === status.toUpperCase())
    .filter((server) => projectId === null || !isAll || server.projectId === projectId)
    .filter((server) => Number.isNaN(changesSince) || Date.parse(server.updatedAt) >= changesSince)
    .filter((server) => tags.every((tag) => server.tags.includes(tag)));
}

interface Scope {
  readonly isAll: boolean;
  readonly host: string | null;
  readonly projectId: string;
}

function candidates(books: CloudBooks, { isAll, host, projectId }: Scope): Iterable<Server> {
  const named = host === null ? undefined : books.hostOfService(host);
  if (host !== null) return named === undefined ? [] : books.serversOn(named);
  return isAll ? books.servers : books.serversOfProject(projectId);
}

// To Nova a name is a regular expression that may match anywhere.
function nameTest(pattern: string): (name: string) => boolean {
  try {
    const expression = new RegExp(pattern);
    return (name) => expression.test(name);
  } catch (cause) {
    throw refusal(400, `Invalid filter: name ${pattern} is no expression: ${String(cause)}`);
  }
}

function nameDocument(server: Server, baseUrl: string): JsonObject {
  return { id: server.id, name: server.name, links: linksOf(server, baseUrl) };
}

function createServer(books: CloudBooks, life: ServerLife, request: ServiceRequest): Answer {
  const server = life.create(readWish(books, request));
  const { baseUrl } = request;
  const security = { 'OS-DCF:diskConfig': 'MANUAL', security_groups: [{ name: 'default' }], adminPass: 'n6ZVUUr6SEve' };
  const body = { server: { id: server.id, links: linksOf(server, baseUrl), ...security } };
  return { status: 202, body, headers: { Location: `${baseUrl}/servers/${server.id}` } };
}

function readWish(books: CloudBooks, { body, session, version }: ServiceRequest): ServerWish {
  const wanted = objectIn(body, 'server');
  const name = textIn(wanted, 'name');
  if (name === undefined || name === '' || name.length > NAME_LIMIT) {
    throw refusal(400, `Invalid input for field/attribute name. Value: ${name}.`);
  }
  const [zone, forcedHost] = (textIn(wanted, 'availability_zone') ?? '').split(':');
  if (version >= 37 && !Object.hasOwn(wanted, 'networks')) {
    throw refusal(400, "Invalid input for field/attribute server. 'networks' is a required property");
  }
  const hostName = version >= 74 ? textIn(wanted, 'host') : undefined;
  if (hostName !== undefined && books.hostOfService(hostName) === undefined) {
    throw refusal(400, `Compute host ${hostName} could not be found.`);
  }
  if (zone !== undefined && zone !== '' && forcedHost === undefined && !hasZone(books, zone)) {
    throw refusal(400, 'The requested availability zone is not available');
  }
  return {
    name,
    projectId: session.project.id,
    userId: session.user.id,
    flavor: knownFlavor(books, textIn(wanted, 'flavorRef') ?? ''),
    imageId: textIn(wanted, 'imageRef') || undefined,
    volumeIds: volumesOf(wanted),
    metadata: textMapIn(wanted, 'metadata'),
    hostName: forcedHost ?? hostName,
    isForced: forcedHost !== undefined,
    zone: zone || undefined,
  };
}

function hasZone(books: CloudBooks, zone: string): boolean {
  for (const host of books.hosts) if (host.zone === zone) return true;
  return false;
}

function volumesOf(wanted: JsonObject): readonly string[] {
  return listIn(wanted, 'block_device_mapping_v2').flatMap((device) => {
    if (!isJsonObject(device) || textIn(device, 'destination_type') !== 'volume') return [];
    return [textIn(device, 'source_type') === 'volume' ? (textIn(device, 'uuid') ?? '') : crypto.randomUUID()];
  });
}

function deleteMetadata(books: CloudBooks, request: ServiceRequest): Answer {
  const server = visibleServer(books, request);
  const key = request.ids['key'] ?? '';
  if (!Object.hasOwn(server.metadata, key)) throw refusal(404, 'Metadata item was not found');
  const { [key]: _gone, ...kept } = server.metadata;
  server.metadata = kept;
  return { status: 204 };
}
