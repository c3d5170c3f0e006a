import type { AnswerReader } from '../answer-reader.ts';

/** The size a server was made with. */
export interface ServerFlavor {
  readonly name: string | undefined;
  readonly vcpus: number;
  readonly memoryMiB: number;
  readonly diskGiB: number;
  readonly ephemeralGiB: number;
  readonly swapMiB: number;
  readonly extraSpecs: Readonly<Record<string, string>>;
}

/** Why a server is in the state ERROR. */
export interface ServerFault {
  readonly code: number;
  readonly message: string;
  readonly createdAt: string | undefined;
}

/**
 * A server. Of one in a cell that cannot be reached only id, project and the status `UNKNOWN` are known; where a field
 * is undefined the service did not say, or may not say to this user.
 */
export interface Server {
  readonly id: string;
  readonly name: string | undefined;
  /** ACTIVE, SHUTOFF, ERROR, MIGRATING, VERIFY_RESIZE, …. It stays ACTIVE on a host that is dead. */
  readonly status: string;
  readonly taskState: string | undefined;
  readonly vmState: string | undefined;
  readonly powerState: number | undefined;
  /** The compute service it runs on. */
  readonly host: string | undefined;
  readonly hypervisorHostname: string | undefined;
  /** UP, UNKNOWN, DOWN or MAINTENANCE. */
  readonly hostStatus: string | undefined;
  readonly instanceName: string | undefined;
  readonly projectId: string | undefined;
  readonly userId: string | undefined;
  readonly availabilityZone: string | undefined;
  readonly flavor: ServerFlavor | undefined;
  /** The image it was made of; none if it boots from a volume. */
  readonly imageId: string | undefined;
  readonly volumeIds: readonly string[];
  readonly serverGroupIds: readonly string[];
  readonly isLocked: boolean;
  readonly lockedReason: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly fault: ServerFault | undefined;
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly launchedAt: string | undefined;
}

/** Reads a server with all details. */
export function readServer(item: AnswerReader): Server {
  return {
    id: item.text('id'),
    name: item.optionalText('name'),
    status: item.text('status'),
    ...readPlace(item),
    projectId: item.optionalText('tenant_id'),
    userId: item.optionalText('user_id'),
    flavor: readFlavor(item),
    imageId: item.isText('image') ? undefined : item.optionalObject('image')?.text('id'),
    volumeIds: item.optionalObjects('os-extended-volumes:volumes_attached').map((volume) => volume.text('id')),
    serverGroupIds: item.optionalTexts('server_groups'),
    isLocked: item.optionalBoolean('locked') ?? false,
    lockedReason: item.optionalText('locked_reason'),
    metadata: item.textMap('metadata'),
    tags: item.optionalTexts('tags'),
    fault: readFault(item.optionalObject('fault')),
    createdAt: item.optionalTime('created'),
    updatedAt: item.optionalTime('updated'),
    launchedAt: item.optionalTime('OS-SRV-USG:launched_at'),
  };
}

type Place = Pick<
  Server,
  | 'taskState'
  | 'vmState'
  | 'powerState'
  | 'host'
  | 'hypervisorHostname'
  | 'hostStatus'
  | 'instanceName'
  | 'availabilityZone'
>;

function readPlace(item: AnswerReader): Place {
  return {
    taskState: item.optionalText('OS-EXT-STS:task_state'),
    vmState: item.optionalText('OS-EXT-STS:vm_state'),
    powerState: item.optionalInteger('OS-EXT-STS:power_state'),
    host: item.optionalText('OS-EXT-SRV-ATTR:host'),
    hypervisorHostname: item.optionalText('OS-EXT-SRV-ATTR:hypervisor_hostname'),
    hostStatus: item.optionalText('host_status'),
    instanceName: item.optionalText('OS-EXT-SRV-ATTR:instance_name'),
    availabilityZone: item.optionalText('OS-EXT-AZ:availability_zone'),
  };
}

function readFlavor(server: AnswerReader): ServerFlavor | undefined {
  const flavor = server.optionalObject('flavor');
  // A server in a cell that cannot be reached has a flavor too, without any content.
  if (flavor === undefined || !flavor.has('vcpus')) return undefined;
  return {
    name: flavor.optionalText('original_name'),
    vcpus: flavor.integer('vcpus'),
    memoryMiB: flavor.integer('ram'),
    diskGiB: flavor.integer('disk'),
    ephemeralGiB: flavor.optionalInteger('ephemeral') ?? 0,
    swapMiB: flavor.optionalInteger('swap') ?? 0,
    extraSpecs: flavor.textMap('extra_specs'),
  };
}

function readFault(fault: AnswerReader | undefined): ServerFault | undefined {
  if (fault === undefined) return undefined;
  return {
    code: fault.integer('code'),
    message: fault.optionalText('message') ?? '',
    createdAt: fault.optionalTime('created'),
  };
}
