// Written by 'npm run generate' from clients/libvirt/schema. Change the schema or the generator instead.

import type { XdrReader, XdrWriter } from '@smalt/xdr';
import { TypedParameterRecords } from '../typed-parameters-records.ts';
import type { TypedParameterResult } from '../typed-parameters.ts';
import { readUuid, writeUuid } from '../uuid.ts';
import { STRING_MAX, writeString } from '../wire-string.ts';
import { readText } from '../word-bytes.ts';
import type { DomainStatsParameters } from './parameter-sets.gen.ts';

export interface Domain {
  readonly name: string;
  readonly uuid: string;
  readonly id: number;
}

export function readDomain(reader: XdrReader): Domain {
  return {
    name: reader.string(STRING_MAX),
    uuid: readUuid(reader),
    id: reader.int32(),
  };
}

export function writeDomain(writer: XdrWriter, value: Domain): void {
  writeString(writer, value.name);
  writeUuid(writer, value.uuid);
  writer.int32(value.id);
}

export interface Network {
  readonly name: string;
  readonly uuid: string;
}

export function readNetwork(reader: XdrReader): Network {
  return {
    name: reader.string(STRING_MAX),
    uuid: readUuid(reader),
  };
}

export function writeNetwork(writer: XdrWriter, value: Network): void {
  writeString(writer, value.name);
  writeUuid(writer, value.uuid);
}

export interface NetworkPort {
  readonly network: Network;
  readonly uuid: string;
}

export function readNetworkPort(reader: XdrReader): NetworkPort {
  return {
    network: readNetwork(reader),
    uuid: readUuid(reader),
  };
}

export function writeNetworkPort(writer: XdrWriter, value: NetworkPort): void {
  writeNetwork(writer, value.network);
  writeUuid(writer, value.uuid);
}

export interface NetworkFilter {
  readonly name: string;
  readonly uuid: string;
}

export function readNetworkFilter(reader: XdrReader): NetworkFilter {
  return {
    name: reader.string(STRING_MAX),
    uuid: readUuid(reader),
  };
}

export function writeNetworkFilter(writer: XdrWriter, value: NetworkFilter): void {
  writeString(writer, value.name);
  writeUuid(writer, value.uuid);
}

export interface NetworkFilterBinding {
  readonly portDevice: string;
  readonly filterName: string;
}

export function readNetworkFilterBinding(reader: XdrReader): NetworkFilterBinding {
  return {
    portDevice: reader.string(STRING_MAX),
    filterName: reader.string(STRING_MAX),
  };
}

export function writeNetworkFilterBinding(writer: XdrWriter, value: NetworkFilterBinding): void {
  writeString(writer, value.portDevice);
  writeString(writer, value.filterName);
}

export interface Interface {
  readonly name: string;
  readonly mac: string;
}

export function readInterface(reader: XdrReader): Interface {
  return {
    name: reader.string(STRING_MAX),
    mac: reader.string(STRING_MAX),
  };
}

export function writeInterface(writer: XdrWriter, value: Interface): void {
  writeString(writer, value.name);
  writeString(writer, value.mac);
}

export interface StoragePool {
  readonly name: string;
  readonly uuid: string;
}

export function readStoragePool(reader: XdrReader): StoragePool {
  return {
    name: reader.string(STRING_MAX),
    uuid: readUuid(reader),
  };
}

export function writeStoragePool(writer: XdrWriter, value: StoragePool): void {
  writeString(writer, value.name);
  writeUuid(writer, value.uuid);
}

export interface StorageVolume {
  readonly pool: string;
  readonly name: string;
  readonly key: string;
}

export function readStorageVolume(reader: XdrReader): StorageVolume {
  return {
    pool: reader.string(STRING_MAX),
    name: reader.string(STRING_MAX),
    key: reader.string(STRING_MAX),
  };
}

export function writeStorageVolume(writer: XdrWriter, value: StorageVolume): void {
  writeString(writer, value.pool);
  writeString(writer, value.name);
  writeString(writer, value.key);
}

export interface NodeDevice {
  readonly name: string;
}

export function readNodeDevice(reader: XdrReader): NodeDevice {
  return {
    name: reader.string(STRING_MAX),
  };
}

export function writeNodeDevice(writer: XdrWriter, value: NodeDevice): void {
  writeString(writer, value.name);
}

export interface Secret {
  readonly uuid: string;
  readonly usageType: number;
  readonly usageID: string;
}

export function readSecret(reader: XdrReader): Secret {
  return {
    uuid: readUuid(reader),
    usageType: reader.int32(),
    usageID: reader.string(STRING_MAX),
  };
}

export function writeSecret(writer: XdrWriter, value: Secret): void {
  writeUuid(writer, value.uuid);
  writer.int32(value.usageType);
  writeString(writer, value.usageID);
}

export interface DomainCheckpoint {
  readonly name: string;
  readonly domain: Domain;
}

export function readDomainCheckpoint(reader: XdrReader): DomainCheckpoint {
  return {
    name: reader.string(STRING_MAX),
    domain: readDomain(reader),
  };
}

export function writeDomainCheckpoint(writer: XdrWriter, value: DomainCheckpoint): void {
  writeString(writer, value.name);
  writeDomain(writer, value.domain);
}

export interface DomainSnapshot {
  readonly name: string;
  readonly domain: Domain;
}

export function readDomainSnapshot(reader: XdrReader): DomainSnapshot {
  return {
    name: reader.string(STRING_MAX),
    domain: readDomain(reader),
  };
}

export function writeDomainSnapshot(writer: XdrWriter, value: DomainSnapshot): void {
  writeString(writer, value.name);
  writeDomain(writer, value.domain);
}

export interface RemoteError {
  readonly code: number;
  readonly domain: number;
  readonly message: string | undefined;
  readonly level: number;
  readonly relatedDomain: Domain | undefined;
  readonly str1: string | undefined;
  readonly str2: string | undefined;
  readonly str3: string | undefined;
  readonly int1: number;
  readonly int2: number;
  readonly relatedNetwork: Network | undefined;
}

export function readRemoteError(reader: XdrReader): RemoteError {
  return {
    code: reader.int32(),
    domain: reader.int32(),
    message: reader.bool() ? reader.string(STRING_MAX) : undefined,
    level: reader.int32(),
    relatedDomain: reader.bool() ? readDomain(reader) : undefined,
    str1: reader.bool() ? reader.string(STRING_MAX) : undefined,
    str2: reader.bool() ? reader.string(STRING_MAX) : undefined,
    str3: reader.bool() ? reader.string(STRING_MAX) : undefined,
    int1: reader.int32(),
    int2: reader.int32(),
    relatedNetwork: reader.bool() ? readNetwork(reader) : undefined,
  };
}

export interface VcpuInfo {
  readonly number: number;
  readonly state: number;
  readonly cpuTime: bigint;
  readonly cpu: number;
}

export function readVcpuInfo(reader: XdrReader): VcpuInfo {
  return {
    number: reader.uint32(),
    state: reader.int32(),
    cpuTime: reader.uint64(),
    cpu: reader.int32(),
  };
}

export interface DomainDiskError {
  readonly disk: string;
  readonly error: number;
}

export function readDomainDiskError(reader: XdrReader): DomainDiskError {
  return {
    disk: reader.string(STRING_MAX),
    error: reader.int32(),
  };
}

export interface DomainMemoryStat {
  readonly tag: number;
  readonly value: bigint;
}

export function readDomainMemoryStat(reader: XdrReader): DomainMemoryStat {
  return {
    tag: reader.int32(),
    value: reader.uint64(),
  };
}

export interface DomainIothread {
  readonly iothreadId: number;
  readonly cpuMap: Uint8Array;
}

export function readDomainIothread(reader: XdrReader): DomainIothread {
  return {
    iothreadId: reader.uint32(),
    cpuMap: reader.opaque(2048),
  };
}

export interface SecurityLabel {
  readonly label: string;
  readonly enforcing: number;
}

export function readSecurityLabel(reader: XdrReader): SecurityLabel {
  return {
    label: readText(reader, 4097),
    enforcing: reader.int32(),
  };
}

export interface GraphicsAddress {
  readonly family: number;
  readonly node: string;
  readonly service: string;
}

export function readGraphicsAddress(reader: XdrReader): GraphicsAddress {
  return {
    family: reader.int32(),
    node: reader.string(STRING_MAX),
    service: reader.string(STRING_MAX),
  };
}

export interface GraphicsIdentity {
  readonly type: string;
  readonly name: string;
}

export function readGraphicsIdentity(reader: XdrReader): GraphicsIdentity {
  return {
    type: reader.string(STRING_MAX),
    name: reader.string(STRING_MAX),
  };
}

export interface NetworkDhcpLease {
  readonly interface: string;
  readonly expiryTime: bigint;
  readonly type: number;
  readonly mac: string | undefined;
  readonly iaid: string | undefined;
  readonly ipAddress: string;
  readonly prefix: number;
  readonly hostname: string | undefined;
  readonly clientId: string | undefined;
}

export function readNetworkDhcpLease(reader: XdrReader): NetworkDhcpLease {
  return {
    interface: reader.string(STRING_MAX),
    expiryTime: reader.int64(),
    type: reader.int32(),
    mac: reader.bool() ? reader.string(STRING_MAX) : undefined,
    iaid: reader.bool() ? reader.string(STRING_MAX) : undefined,
    ipAddress: reader.string(STRING_MAX),
    prefix: reader.uint32(),
    hostname: reader.bool() ? reader.string(STRING_MAX) : undefined,
    clientId: reader.bool() ? reader.string(STRING_MAX) : undefined,
  };
}

export interface DomainStatsRecord {
  readonly domain: Domain;
  readonly params: TypedParameterResult<DomainStatsParameters>;
}

export function readDomainStatsRecord(reader: XdrReader, records: TypedParameterRecords): DomainStatsRecord {
  return {
    domain: readDomain(reader),
    params: records.read<DomainStatsParameters>(reader, 262144),
  };
}

export interface DomainFilesystem {
  readonly mountPoint: string;
  readonly name: string;
  readonly filesystemType: string;
  readonly deviceAliases: readonly string[];
}

export function readDomainFilesystem(reader: XdrReader): DomainFilesystem {
  return {
    mountPoint: reader.string(STRING_MAX),
    name: reader.string(STRING_MAX),
    filesystemType: reader.string(STRING_MAX),
    deviceAliases: readStringList(reader, 256),
  };
}

export interface DomainIpAddress {
  readonly type: number;
  readonly address: string;
  readonly prefix: number;
}

export function readDomainIpAddress(reader: XdrReader): DomainIpAddress {
  return {
    type: reader.int32(),
    address: reader.string(STRING_MAX),
    prefix: reader.uint32(),
  };
}

export interface DomainInterface {
  readonly name: string;
  readonly hardwareAddress: string | undefined;
  readonly addresses: readonly DomainIpAddress[];
}

export function readDomainInterface(reader: XdrReader): DomainInterface {
  return {
    name: reader.string(STRING_MAX),
    hardwareAddress: reader.bool() ? reader.string(STRING_MAX) : undefined,
    addresses: readDomainIpAddressList(reader, 2048),
  };
}

export function readDomainCheckpointList(reader: XdrReader, max: number): readonly DomainCheckpoint[] {
  const count = reader.arrayLength(max, 28);
  const items = new Array<DomainCheckpoint>(count);
  for (let index = 0; index < count; index++) items[index] = readDomainCheckpoint(reader);
  return items;
}

export function readDomainDiskErrorList(reader: XdrReader, max: number): readonly DomainDiskError[] {
  const count = reader.arrayLength(max, 8);
  const items = new Array<DomainDiskError>(count);
  for (let index = 0; index < count; index++) items[index] = readDomainDiskError(reader);
  return items;
}

export function readDomainFilesystemList(reader: XdrReader, max: number): readonly DomainFilesystem[] {
  const count = reader.arrayLength(max, 16);
  const items = new Array<DomainFilesystem>(count);
  for (let index = 0; index < count; index++) items[index] = readDomainFilesystem(reader);
  return items;
}

export function readDomainInterfaceList(reader: XdrReader, max: number): readonly DomainInterface[] {
  const count = reader.arrayLength(max, 12);
  const items = new Array<DomainInterface>(count);
  for (let index = 0; index < count; index++) items[index] = readDomainInterface(reader);
  return items;
}

export function readDomainIothreadList(reader: XdrReader, max: number): readonly DomainIothread[] {
  const count = reader.arrayLength(max, 8);
  const items = new Array<DomainIothread>(count);
  for (let index = 0; index < count; index++) items[index] = readDomainIothread(reader);
  return items;
}

export function readDomainIpAddressList(reader: XdrReader, max: number): readonly DomainIpAddress[] {
  const count = reader.arrayLength(max, 12);
  const items = new Array<DomainIpAddress>(count);
  for (let index = 0; index < count; index++) items[index] = readDomainIpAddress(reader);
  return items;
}

export function readDomainList(reader: XdrReader, max: number): readonly Domain[] {
  const count = reader.arrayLength(max, 24);
  const items = new Array<Domain>(count);
  for (let index = 0; index < count; index++) items[index] = readDomain(reader);
  return items;
}

export function writeDomainList(writer: XdrWriter, items: readonly Domain[], max: number): void {
  writer.arrayLength(items.length, max);
  for (const item of items) writeDomain(writer, item);
}

export function readDomainMemoryStatList(reader: XdrReader, max: number): readonly DomainMemoryStat[] {
  const count = reader.arrayLength(max, 12);
  const items = new Array<DomainMemoryStat>(count);
  for (let index = 0; index < count; index++) items[index] = readDomainMemoryStat(reader);
  return items;
}

export function readDomainSnapshotList(reader: XdrReader, max: number): readonly DomainSnapshot[] {
  const count = reader.arrayLength(max, 28);
  const items = new Array<DomainSnapshot>(count);
  for (let index = 0; index < count; index++) items[index] = readDomainSnapshot(reader);
  return items;
}

export function readDomainStatsRecordList(reader: XdrReader, max: number): readonly DomainStatsRecord[] {
  const count = reader.arrayLength(max, 28);
  const items = new Array<DomainStatsRecord>(count);
  const records = new TypedParameterRecords();
  for (let index = 0; index < count; index++) items[index] = readDomainStatsRecord(reader, records);
  return items;
}

export function readGraphicsIdentityList(reader: XdrReader, max: number): readonly GraphicsIdentity[] {
  const count = reader.arrayLength(max, 8);
  const items = new Array<GraphicsIdentity>(count);
  for (let index = 0; index < count; index++) items[index] = readGraphicsIdentity(reader);
  return items;
}

export function readI32List(reader: XdrReader, max: number): readonly number[] {
  const count = reader.arrayLength(max, 4);
  const items = new Array<number>(count);
  for (let index = 0; index < count; index++) items[index] = reader.int32();
  return items;
}

export function readInterfaceList(reader: XdrReader, max: number): readonly Interface[] {
  const count = reader.arrayLength(max, 8);
  const items = new Array<Interface>(count);
  for (let index = 0; index < count; index++) items[index] = readInterface(reader);
  return items;
}

export function readNetworkDhcpLeaseList(reader: XdrReader, max: number): readonly NetworkDhcpLease[] {
  const count = reader.arrayLength(max, 40);
  const items = new Array<NetworkDhcpLease>(count);
  for (let index = 0; index < count; index++) items[index] = readNetworkDhcpLease(reader);
  return items;
}

export function readNetworkFilterBindingList(reader: XdrReader, max: number): readonly NetworkFilterBinding[] {
  const count = reader.arrayLength(max, 8);
  const items = new Array<NetworkFilterBinding>(count);
  for (let index = 0; index < count; index++) items[index] = readNetworkFilterBinding(reader);
  return items;
}

export function readNetworkFilterList(reader: XdrReader, max: number): readonly NetworkFilter[] {
  const count = reader.arrayLength(max, 20);
  const items = new Array<NetworkFilter>(count);
  for (let index = 0; index < count; index++) items[index] = readNetworkFilter(reader);
  return items;
}

export function readNetworkList(reader: XdrReader, max: number): readonly Network[] {
  const count = reader.arrayLength(max, 20);
  const items = new Array<Network>(count);
  for (let index = 0; index < count; index++) items[index] = readNetwork(reader);
  return items;
}

export function readNetworkPortList(reader: XdrReader, max: number): readonly NetworkPort[] {
  const count = reader.arrayLength(max, 36);
  const items = new Array<NetworkPort>(count);
  for (let index = 0; index < count; index++) items[index] = readNetworkPort(reader);
  return items;
}

export function readNodeDeviceList(reader: XdrReader, max: number): readonly NodeDevice[] {
  const count = reader.arrayLength(max, 4);
  const items = new Array<NodeDevice>(count);
  for (let index = 0; index < count; index++) items[index] = readNodeDevice(reader);
  return items;
}

export function readSecretList(reader: XdrReader, max: number): readonly Secret[] {
  const count = reader.arrayLength(max, 24);
  const items = new Array<Secret>(count);
  for (let index = 0; index < count; index++) items[index] = readSecret(reader);
  return items;
}

export function readSecurityLabelList(reader: XdrReader, max: number): readonly SecurityLabel[] {
  const count = reader.arrayLength(max, 8);
  const items = new Array<SecurityLabel>(count);
  for (let index = 0; index < count; index++) items[index] = readSecurityLabel(reader);
  return items;
}

export function readStoragePoolList(reader: XdrReader, max: number): readonly StoragePool[] {
  const count = reader.arrayLength(max, 20);
  const items = new Array<StoragePool>(count);
  for (let index = 0; index < count; index++) items[index] = readStoragePool(reader);
  return items;
}

export function readStorageVolumeList(reader: XdrReader, max: number): readonly StorageVolume[] {
  const count = reader.arrayLength(max, 12);
  const items = new Array<StorageVolume>(count);
  for (let index = 0; index < count; index++) items[index] = readStorageVolume(reader);
  return items;
}

export function readStringList(reader: XdrReader, max: number): readonly string[] {
  const count = reader.arrayLength(max, 4);
  const items = new Array<string>(count);
  for (let index = 0; index < count; index++) items[index] = reader.string(STRING_MAX);
  return items;
}

export function writeStringList(writer: XdrWriter, items: readonly string[], max: number): void {
  writer.arrayLength(items.length, max);
  for (const item of items) writeString(writer, item);
}

export function readU32List(reader: XdrReader, max: number): readonly number[] {
  const count = reader.arrayLength(max, 4);
  const items = new Array<number>(count);
  for (let index = 0; index < count; index++) items[index] = reader.uint32();
  return items;
}

export function writeU32List(writer: XdrWriter, items: readonly number[], max: number): void {
  writer.arrayLength(items.length, max);
  for (const item of items) writer.uint32(item);
}

export function readU64List(reader: XdrReader, max: number): readonly bigint[] {
  const count = reader.arrayLength(max, 8);
  const items = new Array<bigint>(count);
  for (let index = 0; index < count; index++) items[index] = reader.uint64();
  return items;
}

export function writeU64List(writer: XdrWriter, items: readonly bigint[], max: number): void {
  writer.arrayLength(items.length, max);
  for (const item of items) writer.uint64(item);
}

export function readVcpuInfoList(reader: XdrReader, max: number): readonly VcpuInfo[] {
  const count = reader.arrayLength(max, 20);
  const items = new Array<VcpuInfo>(count);
  for (let index = 0; index < count; index++) items[index] = readVcpuInfo(reader);
  return items;
}
