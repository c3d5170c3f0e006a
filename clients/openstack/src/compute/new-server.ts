import type { JsonObject } from '@smalt/json';

/** What a server boots from. */
export type BootSource =
  | { readonly kind: 'image'; readonly imageId: string }
  /** A new volume with the content of an image; it goes with the server. */
  | {
      readonly kind: 'new-volume';
      readonly imageId: string;
      readonly sizeGiB: number;
      readonly type?: string;
      readonly bus?: string;
    }
  | { readonly kind: 'volume'; readonly volumeId: string }
  /** An empty disk of the host; the flavor must have that much ephemeral disk. */
  | { readonly kind: 'blank'; readonly sizeGiB: number };

/** A server to be made. */
export interface NewServer {
  readonly name: string;
  readonly flavorId: string;
  readonly boot: BootSource;
  /** The networks to be on; no network at all if it is empty. */
  readonly networkIds: readonly string[];
  /** The host to begin on, for administrators. It is no pin: the server may move later. */
  readonly host?: string | undefined;
  /** A zone, or `zone:host:node` to go there without asking the scheduler. */
  readonly availabilityZone?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly keyName?: string | undefined;
  /** Handed to the guest, as text. */
  readonly userData?: string | undefined;
  readonly hasConfigDrive?: boolean | undefined;
  readonly serverGroupId?: string | undefined;
}

/** What Nova wants to be sent for a new server. */
export function newServerRequest(server: NewServer): JsonObject {
  const { networkIds, serverGroupId, userData } = server;
  return {
    server: {
      name: server.name,
      flavorRef: server.flavorId,
      ...bootRequest(server.boot),
      networks: networkIds.length === 0 ? 'none' : networkIds.map((uuid) => ({ uuid })),
      ...(server.host !== undefined && { host: server.host }),
      ...(server.availabilityZone !== undefined && { availability_zone: server.availabilityZone }),
      ...(server.metadata !== undefined && { metadata: server.metadata }),
      ...(server.keyName !== undefined && { key_name: server.keyName }),
      ...(userData !== undefined && { user_data: Buffer.from(userData).toString('base64') }),
      ...(server.hasConfigDrive !== undefined && { config_drive: server.hasConfigDrive }),
    },
    ...(serverGroupId !== undefined && { 'os:scheduler_hints': { group: serverGroupId } }),
  };
}

function bootRequest(boot: BootSource): JsonObject {
  switch (boot.kind) {
    case 'image':
      return { imageRef: boot.imageId };
    case 'new-volume':
      return fromDevice({
        source_type: 'image',
        uuid: boot.imageId,
        destination_type: 'volume',
        volume_size: boot.sizeGiB,
        delete_on_termination: true,
        ...(boot.type !== undefined && { volume_type: boot.type }),
        ...(boot.bus !== undefined && { disk_bus: boot.bus }),
      });
    case 'volume':
      return fromDevice({ source_type: 'volume', uuid: boot.volumeId, destination_type: 'volume' });
    case 'blank':
      return fromDevice({
        source_type: 'blank',
        destination_type: 'local',
        volume_size: boot.sizeGiB,
        delete_on_termination: true,
      });
  }
}

function fromDevice(device: JsonObject): JsonObject {
  return { imageRef: '', block_device_mapping_v2: [{ boot_index: 0, ...device }] };
}
