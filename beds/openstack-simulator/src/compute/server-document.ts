import { createHash } from 'node:crypto';

import type { JsonObject } from '@smalt/json';

import type { Guest, Host } from '../books/host.ts';
import { powerStateOf, statusOf, type Server } from '../books/server.ts';

/** A server as Nova shows it, with all details. */
export function serverDocument(server: Server, baseUrl: string): JsonObject {
  const status = statusOf(server);
  return {
    id: server.id,
    name: server.name,
    status,
    tenant_id: server.projectId,
    user_id: server.userId,
    metadata: server.metadata,
    hostId: server.host === undefined ? '' : hostHash(server.projectId, server.host),
    image: server.imageId === undefined ? '' : { id: server.imageId, links: [] },
    flavor: flavorDocument(server),
    created: shortTime(server.createdAt),
    updated: shortTime(server.updatedAt),
    addresses: {},
    accessIPv4: '',
    accessIPv6: '',
    links: linksOf(server, baseUrl),
    'OS-DCF:diskConfig': 'MANUAL',
    ...(status === 'ERROR' ? faultDocument(server) : { progress: 0 }),
    'OS-EXT-AZ:availability_zone': server.host?.zone ?? server.requestedZone ?? '',
    config_drive: '',
    key_name: null,
    'OS-SRV-USG:launched_at': server.launchedAt === undefined ? null : novaTime(server.launchedAt),
    'OS-SRV-USG:terminated_at': null,
    ...attributes(server),
    'OS-EXT-STS:task_state': server.taskState ?? null,
    'OS-EXT-STS:vm_state': server.vmState,
    'OS-EXT-STS:power_state': powerStateOf(server),
    'os-extended-volumes:volumes_attached': server.volumeIds.map((id) => ({ id, delete_on_termination: true })),
    host_status: hostStatus(server.host),
    locked: server.isLocked,
    locked_reason: server.lockedReason ?? null,
    description: null,
    tags: server.tags,
    trusted_image_certificates: null,
  };
}

/** All that Nova has of a server whose cell it cannot reach. */
export function unknownServerDocument(server: Server, baseUrl: string): JsonObject {
  return {
    id: server.id,
    status: 'UNKNOWN',
    tenant_id: server.projectId,
    created: shortTime(server.createdAt),
    links: linksOf(server, baseUrl),
  };
}

export function linksOf({ id }: Server, baseUrl: string): readonly JsonObject[] {
  return [
    { rel: 'self', href: `${baseUrl}/servers/${id}` },
    { rel: 'bookmark', href: `${baseUrl.replace(/\/v2[.]1$/, '')}/servers/${id}` },
  ];
}

/** The name of the guest of a server. */
export function instanceName({ number }: Guest): string {
  return `instance-${number.toString(16).padStart(8, '0')}`;
}

/** A time as most of Nova writes it. */
export function novaTime(iso: string): string {
  return iso.replace('Z', '000');
}

function shortTime(iso: string): string {
  return iso.replace(/\.\d+Z$/, 'Z');
}

function flavorDocument({ flavor }: Server): JsonObject {
  return {
    vcpus: flavor.vcpus,
    ram: flavor.memoryMiB,
    disk: flavor.diskGiB,
    ephemeral: flavor.ephemeralGiB,
    swap: 0,
    original_name: flavor.name,
    extra_specs: flavor.extraSpecs,
  };
}

// Nova tells administrators where in its code it happened, too.
function faultDocument({ fault }: Server): JsonObject {
  return fault === undefined ? {} : { fault: { ...fault, details: fault.message } };
}

function attributes(server: Server): JsonObject {
  const prefix = 'OS-EXT-SRV-ATTR';
  return {
    [`${prefix}:host`]: server.host?.serviceHost ?? null,
    [`${prefix}:instance_name`]: instanceName(server),
    [`${prefix}:hypervisor_hostname`]: server.host?.name ?? null,
    [`${prefix}:reservation_id`]: `r-${server.id.slice(0, 8)}`,
    [`${prefix}:launch_index`]: 0,
    [`${prefix}:hostname`]: server.name,
    [`${prefix}:kernel_id`]: '',
    [`${prefix}:ramdisk_id`]: '',
    [`${prefix}:root_device_name`]: '/dev/sda',
    [`${prefix}:user_data`]: null,
  };
}

function hostStatus(host: Host | undefined): string {
  if (host === undefined) return '';
  if (host.isForcedDown) return 'DOWN';
  if (!host.isUp) return 'UNKNOWN';
  return host.status === 'enabled' ? 'UP' : 'MAINTENANCE';
}

function hostHash(projectId: string, { serviceHost }: Host): string {
  return createHash('sha224').update(`${projectId}${serviceHost}`).digest('hex');
}
