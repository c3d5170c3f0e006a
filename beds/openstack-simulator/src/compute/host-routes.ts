import type { JsonObject } from '@smalt/json';

import type { CloudBooks } from '../books/cloud-books.ts';
import type { Host } from '../books/host.ts';
import { pageOf } from '../page-of.ts';
import { booleanIn, textIn } from '../read-json.ts';
import type { Answer, Routes, ServiceRequest } from '../router.ts';
import { refusal } from '../simulator-error.ts';
import { instanceName } from './server-document.ts';

/** Compute services and hypervisors have UUIDs from here on; older versions are not simulated. */
const OLDEST = 53;
const TOPOLOGY = { cores: 1, threads: 1, sockets: 4 };

/** What Nova answers about hosts. */
export function hostRoutes(books: CloudBooks): Routes {
  return {
    'GET /os-services': (request) => listServices(books, request),
    'PUT /os-services/{service}': (request) => updateService(books, request),
    'DELETE /os-services/{service}': (request) => deleteService(books, request),
    'GET /os-hypervisors': (request) => listHypervisors(books, request, false),
    'GET /os-hypervisors/detail': (request) => listHypervisors(books, request, true),
    'GET /os-hypervisors/{hypervisor}': (request) => showHypervisor(books, request),
  };
}

function listServices(books: CloudBooks, { query, version }: ServiceRequest): Answer {
  checkVersion(version);
  const binary = query.get('binary') ?? 'nova-compute';
  if (binary !== 'nova-compute') return { status: 200, body: { services: [] } };
  const name = query.get('host');
  const one = name === null ? undefined : books.hostOfService(name);
  const hosts = name === null ? [...books.hosts] : one?.serviceHost === name ? [one] : [];
  return { status: 200, body: { services: hosts.map(serviceDocument) } };
}

function serviceDocument(host: Host): JsonObject {
  if (!host.isReachable) return { binary: 'nova-compute', host: host.serviceHost, status: 'UNKNOWN' };
  return {
    id: host.serviceId,
    binary: 'nova-compute',
    host: host.serviceHost,
    zone: host.zone,
    status: host.status,
    state: host.isAlive ? 'up' : 'down',
    updated_at: host.updatedAt ?? null,
    disabled_reason: host.disabledReason ?? null,
    forced_down: host.isForcedDown,
  };
}

function updateService(books: CloudBooks, { ids, body, version }: ServiceRequest): Answer {
  checkVersion(version);
  const host = knownService(books, ids['service'] ?? '');
  const status = textIn(body, 'status');
  const disabledReason = textIn(body, 'disabled_reason');
  const isForcedDown = booleanIn(body, 'forced_down');
  if (status !== undefined && status !== 'enabled' && status !== 'disabled') {
    throw refusal(400, `Invalid input for field/attribute status. Value: ${status}.`);
  }
  if (status === undefined && isForcedDown === undefined) {
    throw refusal(400, "No updates were requested. Fields 'status' or 'forced_down' should be specified.");
  }
  if (disabledReason !== undefined && status !== 'disabled') {
    throw refusal(400, "Specifying 'disabled_reason' with status 'enabled' is invalid.");
  }
  // The database of Nova does not take them.
  if (/[\u{10000}-\u{10FFFF}]/u.test(disabledReason ?? '')) throw refusal(500, 'Unexpected API Error. DBDataError');
  host.change({ status, disabledReason, isForcedDown });
  return { status: 200, body: { service: serviceDocument(host) } };
}

function deleteService(books: CloudBooks, { ids, version }: ServiceRequest): Answer {
  checkVersion(version);
  const host = knownService(books, ids['service'] ?? '');
  if (host.servers.size > 0) {
    const message =
      'Unable to delete compute service that is hosting instances. Migrate or delete the instances first.';
    throw refusal(409, message);
  }
  if (books.isMoving(host)) {
    const message = 'Unable to delete compute service that has in-progress migrations. Complete the migrations first.';
    throw refusal(409, message);
  }
  books.deleteHost(host);
  return { status: 204 };
}

function knownService(books: CloudBooks, id: string): Host {
  const host = books.hostOfService(id);
  if (host?.serviceId !== id) throw refusal(404, `Service ${id} could not be found.`);
  return host;
}

function listHypervisors(books: CloudBooks, request: ServiceRequest, hasDetails: boolean): Answer {
  const { query, version } = request;
  checkVersion(version);
  const pattern = query.get('hypervisor_hostname_pattern');
  const hosts = [...books.hosts].filter(({ isReachable }) => isReachable);
  // Nova looks for the text anywhere in the name: node1 finds node10 too.
  const found = pattern === null ? hosts : hosts.filter(({ name }) => name.includes(pattern));
  if (pattern !== null && found.length === 0) {
    throw refusal(404, `No hypervisor matching '${pattern}' could be found.`);
  }
  const page = pageOf(found, request, { path: request.path, idOf: ({ hypervisorId }) => hypervisorId });
  const withServers = query.get('with_servers') === 'true' || query.get('with_servers') === 'True';
  const hypervisors = page.items.map((host) => ({
    ...(hasDetails ? detailDocument(host, version) : summaryDocument(host)),
    ...(withServers && serversDocument(host, version)),
  }));
  return { status: 200, body: { hypervisors, ...(page.next !== undefined && { hypervisors_links: page.next }) } };
}

function showHypervisor(books: CloudBooks, { ids, query, version, areCellsAway }: ServiceRequest): Answer {
  checkVersion(version);
  const id = ids['hypervisor'] ?? '';
  const host = books.hostOfHypervisor(id);
  if (host === undefined) throw refusal(404, `Compute host ${id} could not be found.`);
  if (!host.isReachable || areCellsAway) throw refusal(500, 'Unexpected API Error. DBConnectionError');
  const withServers = query.get('with_servers') === 'true' || query.get('with_servers') === 'True';
  const hypervisor = { ...detailDocument(host, version), ...(withServers && serversDocument(host, version)) };
  return { status: 200, body: { hypervisor } };
}

function summaryDocument(host: Host): JsonObject {
  const state = host.isAlive ? 'up' : 'down';
  return { id: host.hypervisorId, hypervisor_hostname: host.name, state, status: host.status };
}

function detailDocument(host: Host, version: number): JsonObject {
  return {
    ...summaryDocument(host),
    hypervisor_type: 'fake',
    hypervisor_version: 1000,
    host_ip: '127.0.0.1',
    service: { id: host.serviceId, host: host.serviceHost, disabled_reason: host.disabledReason ?? null },
    ...(version >= 88 ? { uptime: null } : counters(host)),
  };
}

// From 2.88 on these are a matter of Placement.
function counters(host: Host): JsonObject {
  const memoryUsed = host.used('MEMORY_MB') + 512;
  const diskUsed = host.used('DISK_GB');
  return {
    vcpus: host.vcpus,
    memory_mb: host.memoryMiB,
    local_gb: host.diskGiB,
    vcpus_used: host.used('VCPU'),
    memory_mb_used: memoryUsed,
    local_gb_used: diskUsed,
    free_ram_mb: host.memoryMiB - memoryUsed,
    free_disk_gb: host.diskGiB - diskUsed,
    current_workload: 0,
    running_vms: host.servers.size,
    disk_available_least: 0,
    cpu_info: { arch: 'x86_64', model: 'Nehalem', vendor: 'Intel', features: ['pge', 'clflush'], topology: TOPOLOGY },
  };
}

function serversDocument(host: Host, version: number): JsonObject {
  const servers = [...host.servers].map((server) => ({ uuid: server.id, name: instanceName(server) }));
  return servers.length === 0 && version < 75 ? {} : { servers };
}

function checkVersion(version: number): void {
  if (version < OLDEST) throw refusal(400, `This call is simulated from 2.${OLDEST} on.`);
}
