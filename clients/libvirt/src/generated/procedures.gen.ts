// Written by 'npm run generate' from clients/libvirt/schema. Change the schema or the generator instead.

import type { XdrReader, XdrWriter } from '@smalt/xdr';
import { argumentError } from '../argument-error.ts';
import type { Procedure, StreamProcedure } from '../procedure.ts';
import { readCounters, readTypedParameterGroups, readTypedParameters, writeTypedParameters, type Counters, type TypedParameterInput, type TypedParameterResult } from '../typed-parameters.ts';
import { writeUuid } from '../uuid.ts';
import { STRING_MAX, writeString } from '../wire-string.ts';
import { readFixedText, readText, readWordBytes, writeWordBytes } from '../word-bytes.ts';
import { parameterTypes, type ConnectIdentityParameters, type DomainAnnounceInterfaceParameters, type DomainBlkioParameters, type DomainBlockCopyParameters, type DomainBlockIoTuneParameters, type DomainBlockStatsParameters, type DomainCpuStatsParameters, type DomainGuestInfoParameters, type DomainGuestVcpusParameters, type DomainInterfaceParameters, type DomainIothreadParameters, type DomainJobStatsParameters, type DomainLaunchSecurityInfoParameters, type DomainLaunchSecurityStateParameters, type DomainMemoryParameters, type DomainMigrateParameters, type DomainNumaParameters, type DomainPerfEventsParameters, type DomainSaveParameters, type DomainSchedulerParameters, type NetworkPortParameters, type NodeCpuStatsParameters, type NodeMemoryParameters, type NodeMemoryStatsParameters, type NodeSevInfoParameters } from './parameter-sets.gen.ts';
import { readDomain, readDomainCheckpoint, readDomainCheckpointList, readDomainDiskErrorList, readDomainFilesystemList, readDomainInterfaceList, readDomainIothreadList, readDomainList, readDomainMemoryStatList, readDomainSnapshot, readDomainSnapshotList, readDomainStatsRecordList, readI32List, readInterface, readInterfaceList, readNetwork, readNetworkDhcpLeaseList, readNetworkFilter, readNetworkFilterBinding, readNetworkFilterBindingList, readNetworkFilterList, readNetworkList, readNetworkPort, readNetworkPortList, readNodeDevice, readNodeDeviceList, readSecret, readSecretList, readSecurityLabelList, readStoragePool, readStoragePoolList, readStorageVolume, readStorageVolumeList, readStringList, readU64List, readVcpuInfoList, writeDomain, writeDomainCheckpoint, writeDomainList, writeDomainSnapshot, writeInterface, writeNetwork, writeNetworkFilter, writeNetworkFilterBinding, writeNetworkPort, writeNodeDevice, writeSecret, writeStoragePool, writeStorageVolume, writeStringList, writeU32List, writeU64List, type Domain, type DomainCheckpoint, type DomainDiskError, type DomainFilesystem, type DomainInterface, type DomainIothread, type DomainMemoryStat, type DomainSnapshot, type DomainStatsRecord, type Interface, type Network, type NetworkDhcpLease, type NetworkFilter, type NetworkFilterBinding, type NetworkPort, type NodeDevice, type Secret, type SecurityLabel, type StoragePool, type StorageVolume, type VcpuInfo } from './structs.gen.ts';

const NO_BYTES = new Uint8Array(0);

function writeNothing(): void {}

function readNothing(): void {}

export interface ConnectOpenArgs {
  readonly name?: string | undefined;
  readonly flags?: number | undefined;
}

function writeConnectOpen(writer: XdrWriter, args: ConnectOpenArgs): void {
  let field = 'name';
  try {
    writer.bool(args.name !== undefined);
    if (args.name !== undefined) writeString(writer, args.name);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectOpen', field, error);
  }
}


function readConnectGetType(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

function readConnectGetVersion(reader: XdrReader): bigint {
  return reader.uint64();
}

export interface ConnectGetMaxVcpusArgs {
  readonly type?: string | undefined;
}

function writeConnectGetMaxVcpus(writer: XdrWriter, args: ConnectGetMaxVcpusArgs): void {
  let field = 'type';
  try {
    writer.bool(args.type !== undefined);
    if (args.type !== undefined) writeString(writer, args.type);
  } catch (error) {
    throw argumentError('connectGetMaxVcpus', field, error);
  }
}

function readConnectGetMaxVcpus(reader: XdrReader): number {
  return reader.int32();
}

export interface NodeGetInfoResult {
  readonly model: string;
  readonly memory: bigint;
  readonly cpus: number;
  readonly mhz: number;
  readonly nodes: number;
  readonly sockets: number;
  readonly cores: number;
  readonly threads: number;
}

function readNodeGetInfo(reader: XdrReader): NodeGetInfoResult {
  return {
    model: readFixedText(reader, 32),
    memory: reader.uint64(),
    cpus: reader.int32(),
    mhz: reader.int32(),
    nodes: reader.int32(),
    sockets: reader.int32(),
    cores: reader.int32(),
    threads: reader.int32(),
  };
}

function readConnectGetCapabilities(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainAttachDeviceArgs {
  readonly domain: Domain;
  readonly xml: string;
}

function writeDomainAttachDevice(writer: XdrWriter, args: DomainAttachDeviceArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'xml';
    writeString(writer, args.xml);
  } catch (error) {
    throw argumentError('domainAttachDevice', field, error);
  }
}

export interface DomainCreateArgs {
  readonly domain: Domain;
}

function writeDomainCreate(writer: XdrWriter, args: DomainCreateArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainCreate', field, error);
  }
}

export interface DomainCreateXmlArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeDomainCreateXml(writer: XdrWriter, args: DomainCreateXmlArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainCreateXml', field, error);
  }
}

function readDomainCreateXml(reader: XdrReader): Domain {
  return readDomain(reader);
}

export interface DomainDefineXmlArgs {
  readonly xml: string;
}

function writeDomainDefineXml(writer: XdrWriter, args: DomainDefineXmlArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
  } catch (error) {
    throw argumentError('domainDefineXml', field, error);
  }
}

function readDomainDefineXml(reader: XdrReader): Domain {
  return readDomain(reader);
}

export interface DomainDestroyArgs {
  readonly domain: Domain;
}

function writeDomainDestroy(writer: XdrWriter, args: DomainDestroyArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainDestroy', field, error);
  }
}

export interface DomainDetachDeviceArgs {
  readonly domain: Domain;
  readonly xml: string;
}

function writeDomainDetachDevice(writer: XdrWriter, args: DomainDetachDeviceArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'xml';
    writeString(writer, args.xml);
  } catch (error) {
    throw argumentError('domainDetachDevice', field, error);
  }
}

export interface DomainGetXmlDescArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetXmlDesc(writer: XdrWriter, args: DomainGetXmlDescArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetXmlDesc', field, error);
  }
}

function readDomainGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainGetAutostartArgs {
  readonly domain: Domain;
}

function writeDomainGetAutostart(writer: XdrWriter, args: DomainGetAutostartArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainGetAutostart', field, error);
  }
}

function readDomainGetAutostart(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainGetInfoArgs {
  readonly domain: Domain;
}

function writeDomainGetInfo(writer: XdrWriter, args: DomainGetInfoArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainGetInfo', field, error);
  }
}

export interface DomainGetInfoResult {
  readonly state: number;
  readonly maxMemory: bigint;
  readonly memory: bigint;
  readonly virtualCpus: number;
  readonly cpuTime: bigint;
}

function readDomainGetInfo(reader: XdrReader): DomainGetInfoResult {
  return {
    state: reader.uint32(),
    maxMemory: reader.uint64(),
    memory: reader.uint64(),
    virtualCpus: reader.uint32(),
    cpuTime: reader.uint64(),
  };
}

export interface DomainGetMaxMemoryArgs {
  readonly domain: Domain;
}

function writeDomainGetMaxMemory(writer: XdrWriter, args: DomainGetMaxMemoryArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainGetMaxMemory', field, error);
  }
}

function readDomainGetMaxMemory(reader: XdrReader): bigint {
  return reader.uint64();
}

export interface DomainGetMaxVcpusArgs {
  readonly domain: Domain;
}

function writeDomainGetMaxVcpus(writer: XdrWriter, args: DomainGetMaxVcpusArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainGetMaxVcpus', field, error);
  }
}

function readDomainGetMaxVcpus(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainGetOsTypeArgs {
  readonly domain: Domain;
}

function writeDomainGetOsType(writer: XdrWriter, args: DomainGetOsTypeArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainGetOsType', field, error);
  }
}

function readDomainGetOsType(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainGetVcpusArgs {
  readonly domain: Domain;
  readonly maxInfo: number;
  readonly mapLength: number;
}

function writeDomainGetVcpus(writer: XdrWriter, args: DomainGetVcpusArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'maxInfo';
    writer.int32(args.maxInfo);
    field = 'mapLength';
    writer.int32(args.mapLength);
  } catch (error) {
    throw argumentError('domainGetVcpus', field, error);
  }
}

export interface DomainGetVcpusResult {
  readonly info: readonly VcpuInfo[];
  readonly cpuMaps: Uint8Array;
}

function readDomainGetVcpus(reader: XdrReader): DomainGetVcpusResult {
  return {
    info: readVcpuInfoList(reader, 16384),
    cpuMaps: reader.opaque(8388608),
  };
}

export interface ConnectListDefinedDomainsArgs {
  readonly maxNames?: number | undefined;
}

function writeConnectListDefinedDomains(writer: XdrWriter, args: ConnectListDefinedDomainsArgs): void {
  let field = 'maxNames';
  try {
    writer.int32(args.maxNames ?? 16384);
  } catch (error) {
    throw argumentError('connectListDefinedDomains', field, error);
  }
}

function readConnectListDefinedDomains(reader: XdrReader): readonly string[] {
  return readStringList(reader, 16384);
}

export interface DomainLookupByIdArgs {
  readonly id: number;
}

function writeDomainLookupById(writer: XdrWriter, args: DomainLookupByIdArgs): void {
  let field = 'id';
  try {
    writer.int32(args.id);
  } catch (error) {
    throw argumentError('domainLookupById', field, error);
  }
}

function readDomainLookupById(reader: XdrReader): Domain {
  return readDomain(reader);
}

export interface DomainLookupByNameArgs {
  readonly name: string;
}

function writeDomainLookupByName(writer: XdrWriter, args: DomainLookupByNameArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('domainLookupByName', field, error);
  }
}

function readDomainLookupByName(reader: XdrReader): Domain {
  return readDomain(reader);
}

export interface DomainLookupByUuidArgs {
  readonly uuid: string;
}

function writeDomainLookupByUuid(writer: XdrWriter, args: DomainLookupByUuidArgs): void {
  let field = 'uuid';
  try {
    writeUuid(writer, args.uuid);
  } catch (error) {
    throw argumentError('domainLookupByUuid', field, error);
  }
}

function readDomainLookupByUuid(reader: XdrReader): Domain {
  return readDomain(reader);
}

function readConnectNumOfDefinedDomains(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainPinVcpuArgs {
  readonly domain: Domain;
  readonly vcpu: number;
  readonly cpuMap: Uint8Array;
}

function writeDomainPinVcpu(writer: XdrWriter, args: DomainPinVcpuArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'vcpu';
    writer.uint32(args.vcpu);
    field = 'cpuMap';
    writer.opaque(args.cpuMap, 2048);
  } catch (error) {
    throw argumentError('domainPinVcpu', field, error);
  }
}

export interface DomainRebootArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainReboot(writer: XdrWriter, args: DomainRebootArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainReboot', field, error);
  }
}

export interface DomainResumeArgs {
  readonly domain: Domain;
}

function writeDomainResume(writer: XdrWriter, args: DomainResumeArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainResume', field, error);
  }
}

export interface DomainSetAutostartArgs {
  readonly domain: Domain;
  readonly autostart: number;
}

function writeDomainSetAutostart(writer: XdrWriter, args: DomainSetAutostartArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'autostart';
    writer.int32(args.autostart);
  } catch (error) {
    throw argumentError('domainSetAutostart', field, error);
  }
}

export interface DomainSetMaxMemoryArgs {
  readonly domain: Domain;
  readonly memory: bigint;
}

function writeDomainSetMaxMemory(writer: XdrWriter, args: DomainSetMaxMemoryArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'memory';
    writer.uint64(args.memory);
  } catch (error) {
    throw argumentError('domainSetMaxMemory', field, error);
  }
}

export interface DomainSetMemoryArgs {
  readonly domain: Domain;
  readonly memory: bigint;
}

function writeDomainSetMemory(writer: XdrWriter, args: DomainSetMemoryArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'memory';
    writer.uint64(args.memory);
  } catch (error) {
    throw argumentError('domainSetMemory', field, error);
  }
}

export interface DomainSetVcpusArgs {
  readonly domain: Domain;
  readonly nvcpus: number;
}

function writeDomainSetVcpus(writer: XdrWriter, args: DomainSetVcpusArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'nvcpus';
    writer.uint32(args.nvcpus);
  } catch (error) {
    throw argumentError('domainSetVcpus', field, error);
  }
}

export interface DomainShutdownArgs {
  readonly domain: Domain;
}

function writeDomainShutdown(writer: XdrWriter, args: DomainShutdownArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainShutdown', field, error);
  }
}

export interface DomainSuspendArgs {
  readonly domain: Domain;
}

function writeDomainSuspend(writer: XdrWriter, args: DomainSuspendArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainSuspend', field, error);
  }
}

export interface DomainUndefineArgs {
  readonly domain: Domain;
}

function writeDomainUndefine(writer: XdrWriter, args: DomainUndefineArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainUndefine', field, error);
  }
}

export interface ConnectListDefinedNetworksArgs {
  readonly maxNames?: number | undefined;
}

function writeConnectListDefinedNetworks(writer: XdrWriter, args: ConnectListDefinedNetworksArgs): void {
  let field = 'maxNames';
  try {
    writer.int32(args.maxNames ?? 16384);
  } catch (error) {
    throw argumentError('connectListDefinedNetworks', field, error);
  }
}

function readConnectListDefinedNetworks(reader: XdrReader): readonly string[] {
  return readStringList(reader, 16384);
}

export interface ConnectListDomainsArgs {
  readonly maxIds?: number | undefined;
}

function writeConnectListDomains(writer: XdrWriter, args: ConnectListDomainsArgs): void {
  let field = 'maxIds';
  try {
    writer.int32(args.maxIds ?? 16384);
  } catch (error) {
    throw argumentError('connectListDomains', field, error);
  }
}

function readConnectListDomains(reader: XdrReader): readonly number[] {
  return readI32List(reader, 16384);
}

export interface ConnectListNetworksArgs {
  readonly maxNames?: number | undefined;
}

function writeConnectListNetworks(writer: XdrWriter, args: ConnectListNetworksArgs): void {
  let field = 'maxNames';
  try {
    writer.int32(args.maxNames ?? 16384);
  } catch (error) {
    throw argumentError('connectListNetworks', field, error);
  }
}

function readConnectListNetworks(reader: XdrReader): readonly string[] {
  return readStringList(reader, 16384);
}

export interface NetworkCreateArgs {
  readonly network: Network;
}

function writeNetworkCreate(writer: XdrWriter, args: NetworkCreateArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
  } catch (error) {
    throw argumentError('networkCreate', field, error);
  }
}

export interface NetworkCreateXmlArgs {
  readonly xml: string;
}

function writeNetworkCreateXml(writer: XdrWriter, args: NetworkCreateXmlArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
  } catch (error) {
    throw argumentError('networkCreateXml', field, error);
  }
}

function readNetworkCreateXml(reader: XdrReader): Network {
  return readNetwork(reader);
}

export interface NetworkDefineXmlArgs {
  readonly xml: string;
}

function writeNetworkDefineXml(writer: XdrWriter, args: NetworkDefineXmlArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
  } catch (error) {
    throw argumentError('networkDefineXml', field, error);
  }
}

function readNetworkDefineXml(reader: XdrReader): Network {
  return readNetwork(reader);
}

export interface NetworkDestroyArgs {
  readonly network: Network;
}

function writeNetworkDestroy(writer: XdrWriter, args: NetworkDestroyArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
  } catch (error) {
    throw argumentError('networkDestroy', field, error);
  }
}

export interface NetworkGetXmlDescArgs {
  readonly network: Network;
  readonly flags?: number | undefined;
}

function writeNetworkGetXmlDesc(writer: XdrWriter, args: NetworkGetXmlDescArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkGetXmlDesc', field, error);
  }
}

function readNetworkGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface NetworkGetAutostartArgs {
  readonly network: Network;
}

function writeNetworkGetAutostart(writer: XdrWriter, args: NetworkGetAutostartArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
  } catch (error) {
    throw argumentError('networkGetAutostart', field, error);
  }
}

function readNetworkGetAutostart(reader: XdrReader): number {
  return reader.int32();
}

export interface NetworkGetBridgeNameArgs {
  readonly network: Network;
}

function writeNetworkGetBridgeName(writer: XdrWriter, args: NetworkGetBridgeNameArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
  } catch (error) {
    throw argumentError('networkGetBridgeName', field, error);
  }
}

function readNetworkGetBridgeName(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface NetworkLookupByNameArgs {
  readonly name: string;
}

function writeNetworkLookupByName(writer: XdrWriter, args: NetworkLookupByNameArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('networkLookupByName', field, error);
  }
}

function readNetworkLookupByName(reader: XdrReader): Network {
  return readNetwork(reader);
}

export interface NetworkLookupByUuidArgs {
  readonly uuid: string;
}

function writeNetworkLookupByUuid(writer: XdrWriter, args: NetworkLookupByUuidArgs): void {
  let field = 'uuid';
  try {
    writeUuid(writer, args.uuid);
  } catch (error) {
    throw argumentError('networkLookupByUuid', field, error);
  }
}

function readNetworkLookupByUuid(reader: XdrReader): Network {
  return readNetwork(reader);
}

export interface NetworkSetAutostartArgs {
  readonly network: Network;
  readonly autostart: number;
}

function writeNetworkSetAutostart(writer: XdrWriter, args: NetworkSetAutostartArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
    field = 'autostart';
    writer.int32(args.autostart);
  } catch (error) {
    throw argumentError('networkSetAutostart', field, error);
  }
}

export interface NetworkUndefineArgs {
  readonly network: Network;
}

function writeNetworkUndefine(writer: XdrWriter, args: NetworkUndefineArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
  } catch (error) {
    throw argumentError('networkUndefine', field, error);
  }
}

function readConnectNumOfDefinedNetworks(reader: XdrReader): number {
  return reader.int32();
}

function readConnectNumOfDomains(reader: XdrReader): number {
  return reader.int32();
}

function readConnectNumOfNetworks(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainCoreDumpArgs {
  readonly domain: Domain;
  readonly to: string;
  readonly flags?: number | undefined;
}

function writeDomainCoreDump(writer: XdrWriter, args: DomainCoreDumpArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'to';
    writeString(writer, args.to);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainCoreDump', field, error);
  }
}

export interface DomainRestoreArgs {
  readonly from: string;
}

function writeDomainRestore(writer: XdrWriter, args: DomainRestoreArgs): void {
  let field = 'from';
  try {
    writeString(writer, args.from);
  } catch (error) {
    throw argumentError('domainRestore', field, error);
  }
}

export interface DomainSaveArgs {
  readonly domain: Domain;
  readonly to: string;
}

function writeDomainSave(writer: XdrWriter, args: DomainSaveArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'to';
    writeString(writer, args.to);
  } catch (error) {
    throw argumentError('domainSave', field, error);
  }
}

export interface DomainGetSchedulerTypeArgs {
  readonly domain: Domain;
}

function writeDomainGetSchedulerType(writer: XdrWriter, args: DomainGetSchedulerTypeArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainGetSchedulerType', field, error);
  }
}

export interface DomainGetSchedulerTypeResult {
  readonly type: string;
  readonly nparams: number;
}

function readDomainGetSchedulerType(reader: XdrReader): DomainGetSchedulerTypeResult {
  return {
    type: reader.string(STRING_MAX),
    nparams: reader.int32(),
  };
}

export interface DomainGetSchedulerParametersArgs {
  readonly domain: Domain;
  readonly nparams?: number | undefined;
}

function writeDomainGetSchedulerParameters(writer: XdrWriter, args: DomainGetSchedulerParametersArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'nparams';
    writer.int32(args.nparams ?? 0);
  } catch (error) {
    throw argumentError('domainGetSchedulerParameters', field, error);
  }
}

function readDomainGetSchedulerParameters(reader: XdrReader): TypedParameterResult<DomainSchedulerParameters> {
  return readTypedParameters<DomainSchedulerParameters>(reader, 16);
}

export interface DomainSetSchedulerParametersArgs {
  readonly domain: Domain;
  readonly params: TypedParameterInput<DomainSchedulerParameters>;
}

function writeDomainSetSchedulerParameters(writer: XdrWriter, args: DomainSetSchedulerParametersArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainScheduler, max: 16 });
  } catch (error) {
    throw argumentError('domainSetSchedulerParameters', field, error);
  }
}

function readConnectGetHostname(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface ConnectSupportsFeatureArgs {
  readonly feature: number;
}

function writeConnectSupportsFeature(writer: XdrWriter, args: ConnectSupportsFeatureArgs): void {
  let field = 'feature';
  try {
    writer.int32(args.feature);
  } catch (error) {
    throw argumentError('connectSupportsFeature', field, error);
  }
}

function readConnectSupportsFeature(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainMigratePrepareArgs {
  readonly uriIn?: string | undefined;
  readonly flags?: bigint | undefined;
  readonly destinationName?: string | undefined;
  readonly bandwidth?: bigint | undefined;
}

function writeDomainMigratePrepare(writer: XdrWriter, args: DomainMigratePrepareArgs): void {
  let field = 'uriIn';
  try {
    writer.bool(args.uriIn !== undefined);
    if (args.uriIn !== undefined) writeString(writer, args.uriIn);
    field = 'flags';
    writer.uint64(args.flags ?? 0n);
    field = 'destinationName';
    writer.bool(args.destinationName !== undefined);
    if (args.destinationName !== undefined) writeString(writer, args.destinationName);
    field = 'bandwidth';
    writer.uint64(args.bandwidth ?? 0n);
  } catch (error) {
    throw argumentError('domainMigratePrepare', field, error);
  }
}

export interface DomainMigratePrepareResult {
  readonly cookie: Uint8Array;
  readonly uriOut: string | undefined;
}

function readDomainMigratePrepare(reader: XdrReader): DomainMigratePrepareResult {
  return {
    cookie: reader.opaque(4194304),
    uriOut: reader.bool() ? reader.string(STRING_MAX) : undefined,
  };
}

export interface DomainMigratePerformArgs {
  readonly domain: Domain;
  readonly cookie: Uint8Array;
  readonly uri: string;
  readonly flags?: bigint | undefined;
  readonly destinationName?: string | undefined;
  readonly bandwidth?: bigint | undefined;
}

function writeDomainMigratePerform(writer: XdrWriter, args: DomainMigratePerformArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'cookie';
    writer.opaque(args.cookie, 4194304);
    field = 'uri';
    writeString(writer, args.uri);
    field = 'flags';
    writer.uint64(args.flags ?? 0n);
    field = 'destinationName';
    writer.bool(args.destinationName !== undefined);
    if (args.destinationName !== undefined) writeString(writer, args.destinationName);
    field = 'bandwidth';
    writer.uint64(args.bandwidth ?? 0n);
  } catch (error) {
    throw argumentError('domainMigratePerform', field, error);
  }
}

export interface DomainMigrateFinishArgs {
  readonly destinationName: string;
  readonly cookie: Uint8Array;
  readonly uri: string;
  readonly flags?: bigint | undefined;
}

function writeDomainMigrateFinish(writer: XdrWriter, args: DomainMigrateFinishArgs): void {
  let field = 'destinationName';
  try {
    writeString(writer, args.destinationName);
    field = 'cookie';
    writer.opaque(args.cookie, 4194304);
    field = 'uri';
    writeString(writer, args.uri);
    field = 'flags';
    writer.uint64(args.flags ?? 0n);
  } catch (error) {
    throw argumentError('domainMigrateFinish', field, error);
  }
}

function readDomainMigrateFinish(reader: XdrReader): Domain {
  return readDomain(reader);
}

export interface DomainBlockStatsArgs {
  readonly domain: Domain;
  readonly path: string;
}

function writeDomainBlockStats(writer: XdrWriter, args: DomainBlockStatsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'path';
    writeString(writer, args.path);
  } catch (error) {
    throw argumentError('domainBlockStats', field, error);
  }
}

export interface DomainBlockStatsResult {
  readonly readRequests: bigint;
  readonly readBytes: bigint;
  readonly writeRequests: bigint;
  readonly writeBytes: bigint;
  readonly errors: bigint;
}

function readDomainBlockStats(reader: XdrReader): DomainBlockStatsResult {
  return {
    readRequests: reader.int64(),
    readBytes: reader.int64(),
    writeRequests: reader.int64(),
    writeBytes: reader.int64(),
    errors: reader.int64(),
  };
}

export interface DomainInterfaceStatsArgs {
  readonly domain: Domain;
  readonly device: string;
}

function writeDomainInterfaceStats(writer: XdrWriter, args: DomainInterfaceStatsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'device';
    writeString(writer, args.device);
  } catch (error) {
    throw argumentError('domainInterfaceStats', field, error);
  }
}

export interface DomainInterfaceStatsResult {
  readonly rxBytes: bigint;
  readonly rxPackets: bigint;
  readonly rxErrors: bigint;
  readonly rxDropped: bigint;
  readonly txBytes: bigint;
  readonly txPackets: bigint;
  readonly txErrors: bigint;
  readonly txDropped: bigint;
}

function readDomainInterfaceStats(reader: XdrReader): DomainInterfaceStatsResult {
  return {
    rxBytes: reader.int64(),
    rxPackets: reader.int64(),
    rxErrors: reader.int64(),
    rxDropped: reader.int64(),
    txBytes: reader.int64(),
    txPackets: reader.int64(),
    txErrors: reader.int64(),
    txDropped: reader.int64(),
  };
}

function readAuthList(reader: XdrReader): readonly number[] {
  return readI32List(reader, 20);
}

function readAuthSaslInit(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface AuthSaslStartArgs {
  readonly mechanism: string;
  readonly nil: number;
  readonly data: Uint8Array;
}

function writeAuthSaslStart(writer: XdrWriter, args: AuthSaslStartArgs): void {
  let field = 'mechanism';
  try {
    writeString(writer, args.mechanism);
    field = 'nil';
    writer.int32(args.nil);
    field = 'data';
    writeWordBytes(writer, args.data, 65536);
  } catch (error) {
    throw argumentError('authSaslStart', field, error);
  }
}

export interface AuthSaslStartResult {
  readonly complete: number;
  readonly nil: number;
  readonly data: Uint8Array;
}

function readAuthSaslStart(reader: XdrReader): AuthSaslStartResult {
  return {
    complete: reader.int32(),
    nil: reader.int32(),
    data: readWordBytes(reader, 65536),
  };
}

export interface AuthSaslStepArgs {
  readonly nil: number;
  readonly data: Uint8Array;
}

function writeAuthSaslStep(writer: XdrWriter, args: AuthSaslStepArgs): void {
  let field = 'nil';
  try {
    writer.int32(args.nil);
    field = 'data';
    writeWordBytes(writer, args.data, 65536);
  } catch (error) {
    throw argumentError('authSaslStep', field, error);
  }
}

export interface AuthSaslStepResult {
  readonly complete: number;
  readonly nil: number;
  readonly data: Uint8Array;
}

function readAuthSaslStep(reader: XdrReader): AuthSaslStepResult {
  return {
    complete: reader.int32(),
    nil: reader.int32(),
    data: readWordBytes(reader, 65536),
  };
}

function readAuthPolkit(reader: XdrReader): number {
  return reader.int32();
}

function readConnectNumOfStoragePools(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectListStoragePoolsArgs {
  readonly maxNames?: number | undefined;
}

function writeConnectListStoragePools(writer: XdrWriter, args: ConnectListStoragePoolsArgs): void {
  let field = 'maxNames';
  try {
    writer.int32(args.maxNames ?? 16384);
  } catch (error) {
    throw argumentError('connectListStoragePools', field, error);
  }
}

function readConnectListStoragePools(reader: XdrReader): readonly string[] {
  return readStringList(reader, 16384);
}

function readConnectNumOfDefinedStoragePools(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectListDefinedStoragePoolsArgs {
  readonly maxNames?: number | undefined;
}

function writeConnectListDefinedStoragePools(writer: XdrWriter, args: ConnectListDefinedStoragePoolsArgs): void {
  let field = 'maxNames';
  try {
    writer.int32(args.maxNames ?? 16384);
  } catch (error) {
    throw argumentError('connectListDefinedStoragePools', field, error);
  }
}

function readConnectListDefinedStoragePools(reader: XdrReader): readonly string[] {
  return readStringList(reader, 16384);
}

export interface ConnectFindStoragePoolSourcesArgs {
  readonly type: string;
  readonly sourceSpecification?: string | undefined;
  readonly flags?: number | undefined;
}

function writeConnectFindStoragePoolSources(writer: XdrWriter, args: ConnectFindStoragePoolSourcesArgs): void {
  let field = 'type';
  try {
    writeString(writer, args.type);
    field = 'sourceSpecification';
    writer.bool(args.sourceSpecification !== undefined);
    if (args.sourceSpecification !== undefined) writeString(writer, args.sourceSpecification);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectFindStoragePoolSources', field, error);
  }
}

function readConnectFindStoragePoolSources(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface StoragePoolCreateXmlArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeStoragePoolCreateXml(writer: XdrWriter, args: StoragePoolCreateXmlArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storagePoolCreateXml', field, error);
  }
}

function readStoragePoolCreateXml(reader: XdrReader): StoragePool {
  return readStoragePool(reader);
}

export interface StoragePoolDefineXmlArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeStoragePoolDefineXml(writer: XdrWriter, args: StoragePoolDefineXmlArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storagePoolDefineXml', field, error);
  }
}

function readStoragePoolDefineXml(reader: XdrReader): StoragePool {
  return readStoragePool(reader);
}

export interface StoragePoolCreateArgs {
  readonly pool: StoragePool;
  readonly flags?: number | undefined;
}

function writeStoragePoolCreate(writer: XdrWriter, args: StoragePoolCreateArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storagePoolCreate', field, error);
  }
}

export interface StoragePoolBuildArgs {
  readonly pool: StoragePool;
  readonly flags?: number | undefined;
}

function writeStoragePoolBuild(writer: XdrWriter, args: StoragePoolBuildArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storagePoolBuild', field, error);
  }
}

export interface StoragePoolDestroyArgs {
  readonly pool: StoragePool;
}

function writeStoragePoolDestroy(writer: XdrWriter, args: StoragePoolDestroyArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
  } catch (error) {
    throw argumentError('storagePoolDestroy', field, error);
  }
}

export interface StoragePoolDeleteArgs {
  readonly pool: StoragePool;
  readonly flags?: number | undefined;
}

function writeStoragePoolDelete(writer: XdrWriter, args: StoragePoolDeleteArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storagePoolDelete', field, error);
  }
}

export interface StoragePoolUndefineArgs {
  readonly pool: StoragePool;
}

function writeStoragePoolUndefine(writer: XdrWriter, args: StoragePoolUndefineArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
  } catch (error) {
    throw argumentError('storagePoolUndefine', field, error);
  }
}

export interface StoragePoolRefreshArgs {
  readonly pool: StoragePool;
  readonly flags?: number | undefined;
}

function writeStoragePoolRefresh(writer: XdrWriter, args: StoragePoolRefreshArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storagePoolRefresh', field, error);
  }
}

export interface StoragePoolLookupByNameArgs {
  readonly name: string;
}

function writeStoragePoolLookupByName(writer: XdrWriter, args: StoragePoolLookupByNameArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('storagePoolLookupByName', field, error);
  }
}

function readStoragePoolLookupByName(reader: XdrReader): StoragePool {
  return readStoragePool(reader);
}

export interface StoragePoolLookupByUuidArgs {
  readonly uuid: string;
}

function writeStoragePoolLookupByUuid(writer: XdrWriter, args: StoragePoolLookupByUuidArgs): void {
  let field = 'uuid';
  try {
    writeUuid(writer, args.uuid);
  } catch (error) {
    throw argumentError('storagePoolLookupByUuid', field, error);
  }
}

function readStoragePoolLookupByUuid(reader: XdrReader): StoragePool {
  return readStoragePool(reader);
}

export interface StoragePoolLookupByVolumeArgs {
  readonly volume: StorageVolume;
}

function writeStoragePoolLookupByVolume(writer: XdrWriter, args: StoragePoolLookupByVolumeArgs): void {
  let field = 'volume';
  try {
    writeStorageVolume(writer, args.volume);
  } catch (error) {
    throw argumentError('storagePoolLookupByVolume', field, error);
  }
}

function readStoragePoolLookupByVolume(reader: XdrReader): StoragePool {
  return readStoragePool(reader);
}

export interface StoragePoolGetInfoArgs {
  readonly pool: StoragePool;
}

function writeStoragePoolGetInfo(writer: XdrWriter, args: StoragePoolGetInfoArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
  } catch (error) {
    throw argumentError('storagePoolGetInfo', field, error);
  }
}

export interface StoragePoolGetInfoResult {
  readonly state: number;
  readonly capacity: bigint;
  readonly allocation: bigint;
  readonly available: bigint;
}

function readStoragePoolGetInfo(reader: XdrReader): StoragePoolGetInfoResult {
  return {
    state: reader.uint32(),
    capacity: reader.uint64(),
    allocation: reader.uint64(),
    available: reader.uint64(),
  };
}

export interface StoragePoolGetXmlDescArgs {
  readonly pool: StoragePool;
  readonly flags?: number | undefined;
}

function writeStoragePoolGetXmlDesc(writer: XdrWriter, args: StoragePoolGetXmlDescArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storagePoolGetXmlDesc', field, error);
  }
}

function readStoragePoolGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface StoragePoolGetAutostartArgs {
  readonly pool: StoragePool;
}

function writeStoragePoolGetAutostart(writer: XdrWriter, args: StoragePoolGetAutostartArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
  } catch (error) {
    throw argumentError('storagePoolGetAutostart', field, error);
  }
}

function readStoragePoolGetAutostart(reader: XdrReader): number {
  return reader.int32();
}

export interface StoragePoolSetAutostartArgs {
  readonly pool: StoragePool;
  readonly autostart: number;
}

function writeStoragePoolSetAutostart(writer: XdrWriter, args: StoragePoolSetAutostartArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
    field = 'autostart';
    writer.int32(args.autostart);
  } catch (error) {
    throw argumentError('storagePoolSetAutostart', field, error);
  }
}

export interface StoragePoolNumOfVolumesArgs {
  readonly pool: StoragePool;
}

function writeStoragePoolNumOfVolumes(writer: XdrWriter, args: StoragePoolNumOfVolumesArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
  } catch (error) {
    throw argumentError('storagePoolNumOfVolumes', field, error);
  }
}

function readStoragePoolNumOfVolumes(reader: XdrReader): number {
  return reader.int32();
}

export interface StoragePoolListVolumesArgs {
  readonly pool: StoragePool;
  readonly maxNames?: number | undefined;
}

function writeStoragePoolListVolumes(writer: XdrWriter, args: StoragePoolListVolumesArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
    field = 'maxNames';
    writer.int32(args.maxNames ?? 16384);
  } catch (error) {
    throw argumentError('storagePoolListVolumes', field, error);
  }
}

function readStoragePoolListVolumes(reader: XdrReader): readonly string[] {
  return readStringList(reader, 16384);
}

export interface StorageVolCreateXmlArgs {
  readonly pool: StoragePool;
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeStorageVolCreateXml(writer: XdrWriter, args: StorageVolCreateXmlArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
    field = 'xml';
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storageVolCreateXml', field, error);
  }
}

function readStorageVolCreateXml(reader: XdrReader): StorageVolume {
  return readStorageVolume(reader);
}

export interface StorageVolDeleteArgs {
  readonly volume: StorageVolume;
  readonly flags?: number | undefined;
}

function writeStorageVolDelete(writer: XdrWriter, args: StorageVolDeleteArgs): void {
  let field = 'volume';
  try {
    writeStorageVolume(writer, args.volume);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storageVolDelete', field, error);
  }
}

export interface StorageVolLookupByNameArgs {
  readonly pool: StoragePool;
  readonly name: string;
}

function writeStorageVolLookupByName(writer: XdrWriter, args: StorageVolLookupByNameArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
    field = 'name';
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('storageVolLookupByName', field, error);
  }
}

function readStorageVolLookupByName(reader: XdrReader): StorageVolume {
  return readStorageVolume(reader);
}

export interface StorageVolLookupByKeyArgs {
  readonly key: string;
}

function writeStorageVolLookupByKey(writer: XdrWriter, args: StorageVolLookupByKeyArgs): void {
  let field = 'key';
  try {
    writeString(writer, args.key);
  } catch (error) {
    throw argumentError('storageVolLookupByKey', field, error);
  }
}

function readStorageVolLookupByKey(reader: XdrReader): StorageVolume {
  return readStorageVolume(reader);
}

export interface StorageVolLookupByPathArgs {
  readonly path: string;
}

function writeStorageVolLookupByPath(writer: XdrWriter, args: StorageVolLookupByPathArgs): void {
  let field = 'path';
  try {
    writeString(writer, args.path);
  } catch (error) {
    throw argumentError('storageVolLookupByPath', field, error);
  }
}

function readStorageVolLookupByPath(reader: XdrReader): StorageVolume {
  return readStorageVolume(reader);
}

export interface StorageVolGetInfoArgs {
  readonly volume: StorageVolume;
}

function writeStorageVolGetInfo(writer: XdrWriter, args: StorageVolGetInfoArgs): void {
  let field = 'volume';
  try {
    writeStorageVolume(writer, args.volume);
  } catch (error) {
    throw argumentError('storageVolGetInfo', field, error);
  }
}

export interface StorageVolGetInfoResult {
  readonly type: number;
  readonly capacity: bigint;
  readonly allocation: bigint;
}

function readStorageVolGetInfo(reader: XdrReader): StorageVolGetInfoResult {
  return {
    type: reader.int32(),
    capacity: reader.uint64(),
    allocation: reader.uint64(),
  };
}

export interface StorageVolGetXmlDescArgs {
  readonly volume: StorageVolume;
  readonly flags?: number | undefined;
}

function writeStorageVolGetXmlDesc(writer: XdrWriter, args: StorageVolGetXmlDescArgs): void {
  let field = 'volume';
  try {
    writeStorageVolume(writer, args.volume);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storageVolGetXmlDesc', field, error);
  }
}

function readStorageVolGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface StorageVolGetPathArgs {
  readonly volume: StorageVolume;
}

function writeStorageVolGetPath(writer: XdrWriter, args: StorageVolGetPathArgs): void {
  let field = 'volume';
  try {
    writeStorageVolume(writer, args.volume);
  } catch (error) {
    throw argumentError('storageVolGetPath', field, error);
  }
}

function readStorageVolGetPath(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface NodeGetCellsFreeMemoryArgs {
  readonly startCell?: number | undefined;
  readonly maxCells?: number | undefined;
}

function writeNodeGetCellsFreeMemory(writer: XdrWriter, args: NodeGetCellsFreeMemoryArgs): void {
  let field = 'startCell';
  try {
    writer.int32(args.startCell ?? 0);
    field = 'maxCells';
    writer.int32(args.maxCells ?? 1024);
  } catch (error) {
    throw argumentError('nodeGetCellsFreeMemory', field, error);
  }
}

function readNodeGetCellsFreeMemory(reader: XdrReader): readonly bigint[] {
  return readU64List(reader, 1024);
}

function readNodeGetFreeMemory(reader: XdrReader): bigint {
  return reader.uint64();
}

export interface DomainBlockPeekArgs {
  readonly domain: Domain;
  readonly path: string;
  readonly offset: bigint;
  readonly size: number;
  readonly flags?: number | undefined;
}

function writeDomainBlockPeek(writer: XdrWriter, args: DomainBlockPeekArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'path';
    writeString(writer, args.path);
    field = 'offset';
    writer.uint64(args.offset);
    field = 'size';
    writer.uint32(args.size);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainBlockPeek', field, error);
  }
}

function readDomainBlockPeek(reader: XdrReader): Uint8Array {
  return reader.opaque(4194304);
}

export interface DomainMemoryPeekArgs {
  readonly domain: Domain;
  readonly offset: bigint;
  readonly size: number;
  readonly flags?: number | undefined;
}

function writeDomainMemoryPeek(writer: XdrWriter, args: DomainMemoryPeekArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'offset';
    writer.uint64(args.offset);
    field = 'size';
    writer.uint32(args.size);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMemoryPeek', field, error);
  }
}

function readDomainMemoryPeek(reader: XdrReader): Uint8Array {
  return reader.opaque(4194304);
}

function readConnectDomainEventRegister(reader: XdrReader): number {
  return reader.int32();
}

function readConnectDomainEventDeregister(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainMigratePrepare2Args {
  readonly uriIn?: string | undefined;
  readonly flags?: bigint | undefined;
  readonly destinationName?: string | undefined;
  readonly bandwidth?: bigint | undefined;
  readonly domainXml: string;
}

function writeDomainMigratePrepare2(writer: XdrWriter, args: DomainMigratePrepare2Args): void {
  let field = 'uriIn';
  try {
    writer.bool(args.uriIn !== undefined);
    if (args.uriIn !== undefined) writeString(writer, args.uriIn);
    field = 'flags';
    writer.uint64(args.flags ?? 0n);
    field = 'destinationName';
    writer.bool(args.destinationName !== undefined);
    if (args.destinationName !== undefined) writeString(writer, args.destinationName);
    field = 'bandwidth';
    writer.uint64(args.bandwidth ?? 0n);
    field = 'domainXml';
    writeString(writer, args.domainXml);
  } catch (error) {
    throw argumentError('domainMigratePrepare2', field, error);
  }
}

export interface DomainMigratePrepare2Result {
  readonly cookie: Uint8Array;
  readonly uriOut: string | undefined;
}

function readDomainMigratePrepare2(reader: XdrReader): DomainMigratePrepare2Result {
  return {
    cookie: reader.opaque(4194304),
    uriOut: reader.bool() ? reader.string(STRING_MAX) : undefined,
  };
}

export interface DomainMigrateFinish2Args {
  readonly destinationName: string;
  readonly cookie: Uint8Array;
  readonly uri: string;
  readonly flags?: bigint | undefined;
  readonly returnCode: number;
}

function writeDomainMigrateFinish2(writer: XdrWriter, args: DomainMigrateFinish2Args): void {
  let field = 'destinationName';
  try {
    writeString(writer, args.destinationName);
    field = 'cookie';
    writer.opaque(args.cookie, 4194304);
    field = 'uri';
    writeString(writer, args.uri);
    field = 'flags';
    writer.uint64(args.flags ?? 0n);
    field = 'returnCode';
    writer.int32(args.returnCode);
  } catch (error) {
    throw argumentError('domainMigrateFinish2', field, error);
  }
}

function readDomainMigrateFinish2(reader: XdrReader): Domain {
  return readDomain(reader);
}

function readConnectGetUri(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface NodeNumOfDevicesArgs {
  readonly capability?: string | undefined;
  readonly flags?: number | undefined;
}

function writeNodeNumOfDevices(writer: XdrWriter, args: NodeNumOfDevicesArgs): void {
  let field = 'capability';
  try {
    writer.bool(args.capability !== undefined);
    if (args.capability !== undefined) writeString(writer, args.capability);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeNumOfDevices', field, error);
  }
}

function readNodeNumOfDevices(reader: XdrReader): number {
  return reader.int32();
}

export interface NodeListDevicesArgs {
  readonly capability?: string | undefined;
  readonly maxNames?: number | undefined;
  readonly flags?: number | undefined;
}

function writeNodeListDevices(writer: XdrWriter, args: NodeListDevicesArgs): void {
  let field = 'capability';
  try {
    writer.bool(args.capability !== undefined);
    if (args.capability !== undefined) writeString(writer, args.capability);
    field = 'maxNames';
    writer.int32(args.maxNames ?? 65536);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeListDevices', field, error);
  }
}

function readNodeListDevices(reader: XdrReader): readonly string[] {
  return readStringList(reader, 65536);
}

export interface NodeDeviceLookupByNameArgs {
  readonly name: string;
}

function writeNodeDeviceLookupByName(writer: XdrWriter, args: NodeDeviceLookupByNameArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('nodeDeviceLookupByName', field, error);
  }
}

function readNodeDeviceLookupByName(reader: XdrReader): NodeDevice {
  return readNodeDevice(reader);
}

export interface NodeDeviceGetXmlDescArgs {
  readonly name: string;
  readonly flags?: number | undefined;
}

function writeNodeDeviceGetXmlDesc(writer: XdrWriter, args: NodeDeviceGetXmlDescArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeDeviceGetXmlDesc', field, error);
  }
}

function readNodeDeviceGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface NodeDeviceGetParentArgs {
  readonly name: string;
}

function writeNodeDeviceGetParent(writer: XdrWriter, args: NodeDeviceGetParentArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('nodeDeviceGetParent', field, error);
  }
}

function readNodeDeviceGetParent(reader: XdrReader): string | undefined {
  return reader.bool() ? reader.string(STRING_MAX) : undefined;
}

export interface NodeDeviceNumOfCapsArgs {
  readonly name: string;
}

function writeNodeDeviceNumOfCaps(writer: XdrWriter, args: NodeDeviceNumOfCapsArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('nodeDeviceNumOfCaps', field, error);
  }
}

function readNodeDeviceNumOfCaps(reader: XdrReader): number {
  return reader.int32();
}

export interface NodeDeviceListCapsArgs {
  readonly name: string;
  readonly maxNames?: number | undefined;
}

function writeNodeDeviceListCaps(writer: XdrWriter, args: NodeDeviceListCapsArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
    field = 'maxNames';
    writer.int32(args.maxNames ?? 65536);
  } catch (error) {
    throw argumentError('nodeDeviceListCaps', field, error);
  }
}

function readNodeDeviceListCaps(reader: XdrReader): readonly string[] {
  return readStringList(reader, 65536);
}

export interface NodeDeviceDettachArgs {
  readonly name: string;
}

function writeNodeDeviceDettach(writer: XdrWriter, args: NodeDeviceDettachArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('nodeDeviceDettach', field, error);
  }
}

export interface NodeDeviceReAttachArgs {
  readonly name: string;
}

function writeNodeDeviceReAttach(writer: XdrWriter, args: NodeDeviceReAttachArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('nodeDeviceReAttach', field, error);
  }
}

export interface NodeDeviceResetArgs {
  readonly name: string;
}

function writeNodeDeviceReset(writer: XdrWriter, args: NodeDeviceResetArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('nodeDeviceReset', field, error);
  }
}

export interface DomainGetSecurityLabelArgs {
  readonly domain: Domain;
}

function writeDomainGetSecurityLabel(writer: XdrWriter, args: DomainGetSecurityLabelArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainGetSecurityLabel', field, error);
  }
}

export interface DomainGetSecurityLabelResult {
  readonly label: string;
  readonly enforcing: number;
}

function readDomainGetSecurityLabel(reader: XdrReader): DomainGetSecurityLabelResult {
  return {
    label: readText(reader, 4097),
    enforcing: reader.int32(),
  };
}

export interface NodeGetSecurityModelResult {
  readonly model: string;
  readonly doi: string;
}

function readNodeGetSecurityModel(reader: XdrReader): NodeGetSecurityModelResult {
  return {
    model: readText(reader, 257),
    doi: readText(reader, 257),
  };
}

export interface NodeDeviceCreateXmlArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeNodeDeviceCreateXml(writer: XdrWriter, args: NodeDeviceCreateXmlArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeDeviceCreateXml', field, error);
  }
}

function readNodeDeviceCreateXml(reader: XdrReader): NodeDevice {
  return readNodeDevice(reader);
}

export interface NodeDeviceDestroyArgs {
  readonly name: string;
}

function writeNodeDeviceDestroy(writer: XdrWriter, args: NodeDeviceDestroyArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('nodeDeviceDestroy', field, error);
  }
}

export interface StorageVolCreateXmlFromArgs {
  readonly pool: StoragePool;
  readonly xml: string;
  readonly clonevol: StorageVolume;
  readonly flags?: number | undefined;
}

function writeStorageVolCreateXmlFrom(writer: XdrWriter, args: StorageVolCreateXmlFromArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
    field = 'xml';
    writeString(writer, args.xml);
    field = 'clonevol';
    writeStorageVolume(writer, args.clonevol);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storageVolCreateXmlFrom', field, error);
  }
}

function readStorageVolCreateXmlFrom(reader: XdrReader): StorageVolume {
  return readStorageVolume(reader);
}

function readConnectNumOfInterfaces(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectListInterfacesArgs {
  readonly maxNames?: number | undefined;
}

function writeConnectListInterfaces(writer: XdrWriter, args: ConnectListInterfacesArgs): void {
  let field = 'maxNames';
  try {
    writer.int32(args.maxNames ?? 16384);
  } catch (error) {
    throw argumentError('connectListInterfaces', field, error);
  }
}

function readConnectListInterfaces(reader: XdrReader): readonly string[] {
  return readStringList(reader, 16384);
}

export interface InterfaceLookupByNameArgs {
  readonly name: string;
}

function writeInterfaceLookupByName(writer: XdrWriter, args: InterfaceLookupByNameArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('interfaceLookupByName', field, error);
  }
}

function readInterfaceLookupByName(reader: XdrReader): Interface {
  return readInterface(reader);
}

export interface InterfaceLookupByMacStringArgs {
  readonly mac: string;
}

function writeInterfaceLookupByMacString(writer: XdrWriter, args: InterfaceLookupByMacStringArgs): void {
  let field = 'mac';
  try {
    writeString(writer, args.mac);
  } catch (error) {
    throw argumentError('interfaceLookupByMacString', field, error);
  }
}

function readInterfaceLookupByMacString(reader: XdrReader): Interface {
  return readInterface(reader);
}

export interface InterfaceGetXmlDescArgs {
  readonly interface: Interface;
  readonly flags?: number | undefined;
}

function writeInterfaceGetXmlDesc(writer: XdrWriter, args: InterfaceGetXmlDescArgs): void {
  let field = 'interface';
  try {
    writeInterface(writer, args.interface);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('interfaceGetXmlDesc', field, error);
  }
}

function readInterfaceGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface InterfaceDefineXmlArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeInterfaceDefineXml(writer: XdrWriter, args: InterfaceDefineXmlArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('interfaceDefineXml', field, error);
  }
}

function readInterfaceDefineXml(reader: XdrReader): Interface {
  return readInterface(reader);
}

export interface InterfaceUndefineArgs {
  readonly interface: Interface;
}

function writeInterfaceUndefine(writer: XdrWriter, args: InterfaceUndefineArgs): void {
  let field = 'interface';
  try {
    writeInterface(writer, args.interface);
  } catch (error) {
    throw argumentError('interfaceUndefine', field, error);
  }
}

export interface InterfaceCreateArgs {
  readonly interface: Interface;
  readonly flags?: number | undefined;
}

function writeInterfaceCreate(writer: XdrWriter, args: InterfaceCreateArgs): void {
  let field = 'interface';
  try {
    writeInterface(writer, args.interface);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('interfaceCreate', field, error);
  }
}

export interface InterfaceDestroyArgs {
  readonly interface: Interface;
  readonly flags?: number | undefined;
}

function writeInterfaceDestroy(writer: XdrWriter, args: InterfaceDestroyArgs): void {
  let field = 'interface';
  try {
    writeInterface(writer, args.interface);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('interfaceDestroy', field, error);
  }
}

export interface ConnectDomainXmlFromNativeArgs {
  readonly nativeFormat: string;
  readonly nativeConfig: string;
  readonly flags?: number | undefined;
}

function writeConnectDomainXmlFromNative(writer: XdrWriter, args: ConnectDomainXmlFromNativeArgs): void {
  let field = 'nativeFormat';
  try {
    writeString(writer, args.nativeFormat);
    field = 'nativeConfig';
    writeString(writer, args.nativeConfig);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectDomainXmlFromNative', field, error);
  }
}

function readConnectDomainXmlFromNative(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface ConnectDomainXmlToNativeArgs {
  readonly nativeFormat: string;
  readonly domainXml: string;
  readonly flags?: number | undefined;
}

function writeConnectDomainXmlToNative(writer: XdrWriter, args: ConnectDomainXmlToNativeArgs): void {
  let field = 'nativeFormat';
  try {
    writeString(writer, args.nativeFormat);
    field = 'domainXml';
    writeString(writer, args.domainXml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectDomainXmlToNative', field, error);
  }
}

function readConnectDomainXmlToNative(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

function readConnectNumOfDefinedInterfaces(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectListDefinedInterfacesArgs {
  readonly maxNames?: number | undefined;
}

function writeConnectListDefinedInterfaces(writer: XdrWriter, args: ConnectListDefinedInterfacesArgs): void {
  let field = 'maxNames';
  try {
    writer.int32(args.maxNames ?? 16384);
  } catch (error) {
    throw argumentError('connectListDefinedInterfaces', field, error);
  }
}

function readConnectListDefinedInterfaces(reader: XdrReader): readonly string[] {
  return readStringList(reader, 16384);
}

function readConnectNumOfSecrets(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectListSecretsArgs {
  readonly maxUuids?: number | undefined;
}

function writeConnectListSecrets(writer: XdrWriter, args: ConnectListSecretsArgs): void {
  let field = 'maxUuids';
  try {
    writer.int32(args.maxUuids ?? 16384);
  } catch (error) {
    throw argumentError('connectListSecrets', field, error);
  }
}

function readConnectListSecrets(reader: XdrReader): readonly string[] {
  return readStringList(reader, 16384);
}

export interface SecretLookupByUuidArgs {
  readonly uuid: string;
}

function writeSecretLookupByUuid(writer: XdrWriter, args: SecretLookupByUuidArgs): void {
  let field = 'uuid';
  try {
    writeUuid(writer, args.uuid);
  } catch (error) {
    throw argumentError('secretLookupByUuid', field, error);
  }
}

function readSecretLookupByUuid(reader: XdrReader): Secret {
  return readSecret(reader);
}

export interface SecretDefineXmlArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeSecretDefineXml(writer: XdrWriter, args: SecretDefineXmlArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('secretDefineXml', field, error);
  }
}

function readSecretDefineXml(reader: XdrReader): Secret {
  return readSecret(reader);
}

export interface SecretGetXmlDescArgs {
  readonly secret: Secret;
  readonly flags?: number | undefined;
}

function writeSecretGetXmlDesc(writer: XdrWriter, args: SecretGetXmlDescArgs): void {
  let field = 'secret';
  try {
    writeSecret(writer, args.secret);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('secretGetXmlDesc', field, error);
  }
}

function readSecretGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface SecretSetValueArgs {
  readonly secret: Secret;
  readonly value: Uint8Array;
  readonly flags?: number | undefined;
}

function writeSecretSetValue(writer: XdrWriter, args: SecretSetValueArgs): void {
  let field = 'secret';
  try {
    writeSecret(writer, args.secret);
    field = 'value';
    writer.opaque(args.value, 65536);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('secretSetValue', field, error);
  }
}

export interface SecretGetValueArgs {
  readonly secret: Secret;
  readonly flags?: number | undefined;
}

function writeSecretGetValue(writer: XdrWriter, args: SecretGetValueArgs): void {
  let field = 'secret';
  try {
    writeSecret(writer, args.secret);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('secretGetValue', field, error);
  }
}

function readSecretGetValue(reader: XdrReader): Uint8Array {
  return reader.opaque(65536);
}

export interface SecretUndefineArgs {
  readonly secret: Secret;
}

function writeSecretUndefine(writer: XdrWriter, args: SecretUndefineArgs): void {
  let field = 'secret';
  try {
    writeSecret(writer, args.secret);
  } catch (error) {
    throw argumentError('secretUndefine', field, error);
  }
}

export interface SecretLookupByUsageArgs {
  readonly usageType: number;
  readonly usageID: string;
}

function writeSecretLookupByUsage(writer: XdrWriter, args: SecretLookupByUsageArgs): void {
  let field = 'usageType';
  try {
    writer.int32(args.usageType);
    field = 'usageID';
    writeString(writer, args.usageID);
  } catch (error) {
    throw argumentError('secretLookupByUsage', field, error);
  }
}

function readSecretLookupByUsage(reader: XdrReader): Secret {
  return readSecret(reader);
}

export interface DomainMigratePrepareTunnelArgs {
  readonly flags?: bigint | undefined;
  readonly destinationName?: string | undefined;
  readonly bandwidth?: bigint | undefined;
  readonly domainXml: string;
}

function writeDomainMigratePrepareTunnel(writer: XdrWriter, args: DomainMigratePrepareTunnelArgs): void {
  let field = 'flags';
  try {
    writer.uint64(args.flags ?? 0n);
    field = 'destinationName';
    writer.bool(args.destinationName !== undefined);
    if (args.destinationName !== undefined) writeString(writer, args.destinationName);
    field = 'bandwidth';
    writer.uint64(args.bandwidth ?? 0n);
    field = 'domainXml';
    writeString(writer, args.domainXml);
  } catch (error) {
    throw argumentError('domainMigratePrepareTunnel', field, error);
  }
}

function readConnectIsSecure(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainIsActiveArgs {
  readonly domain: Domain;
}

function writeDomainIsActive(writer: XdrWriter, args: DomainIsActiveArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainIsActive', field, error);
  }
}

function readDomainIsActive(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainIsPersistentArgs {
  readonly domain: Domain;
}

function writeDomainIsPersistent(writer: XdrWriter, args: DomainIsPersistentArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainIsPersistent', field, error);
  }
}

function readDomainIsPersistent(reader: XdrReader): number {
  return reader.int32();
}

export interface NetworkIsActiveArgs {
  readonly network: Network;
}

function writeNetworkIsActive(writer: XdrWriter, args: NetworkIsActiveArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
  } catch (error) {
    throw argumentError('networkIsActive', field, error);
  }
}

function readNetworkIsActive(reader: XdrReader): number {
  return reader.int32();
}

export interface NetworkIsPersistentArgs {
  readonly network: Network;
}

function writeNetworkIsPersistent(writer: XdrWriter, args: NetworkIsPersistentArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
  } catch (error) {
    throw argumentError('networkIsPersistent', field, error);
  }
}

function readNetworkIsPersistent(reader: XdrReader): number {
  return reader.int32();
}

export interface StoragePoolIsActiveArgs {
  readonly pool: StoragePool;
}

function writeStoragePoolIsActive(writer: XdrWriter, args: StoragePoolIsActiveArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
  } catch (error) {
    throw argumentError('storagePoolIsActive', field, error);
  }
}

function readStoragePoolIsActive(reader: XdrReader): number {
  return reader.int32();
}

export interface StoragePoolIsPersistentArgs {
  readonly pool: StoragePool;
}

function writeStoragePoolIsPersistent(writer: XdrWriter, args: StoragePoolIsPersistentArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
  } catch (error) {
    throw argumentError('storagePoolIsPersistent', field, error);
  }
}

function readStoragePoolIsPersistent(reader: XdrReader): number {
  return reader.int32();
}

export interface InterfaceIsActiveArgs {
  readonly interface: Interface;
}

function writeInterfaceIsActive(writer: XdrWriter, args: InterfaceIsActiveArgs): void {
  let field = 'interface';
  try {
    writeInterface(writer, args.interface);
  } catch (error) {
    throw argumentError('interfaceIsActive', field, error);
  }
}

function readInterfaceIsActive(reader: XdrReader): number {
  return reader.int32();
}

function readConnectGetLibVersion(reader: XdrReader): bigint {
  return reader.uint64();
}

export interface ConnectCompareCpuArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeConnectCompareCpu(writer: XdrWriter, args: ConnectCompareCpuArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectCompareCpu', field, error);
  }
}

function readConnectCompareCpu(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainMemoryStatsArgs {
  readonly domain: Domain;
  readonly maxStats?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainMemoryStats(writer: XdrWriter, args: DomainMemoryStatsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'maxStats';
    writer.uint32(args.maxStats ?? 1024);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMemoryStats', field, error);
  }
}

function readDomainMemoryStats(reader: XdrReader): readonly DomainMemoryStat[] {
  return readDomainMemoryStatList(reader, 1024);
}

export interface DomainAttachDeviceFlagsArgs {
  readonly domain: Domain;
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeDomainAttachDeviceFlags(writer: XdrWriter, args: DomainAttachDeviceFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'xml';
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainAttachDeviceFlags', field, error);
  }
}

export interface DomainDetachDeviceFlagsArgs {
  readonly domain: Domain;
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeDomainDetachDeviceFlags(writer: XdrWriter, args: DomainDetachDeviceFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'xml';
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainDetachDeviceFlags', field, error);
  }
}

export interface ConnectBaselineCpuArgs {
  readonly xmls: readonly string[];
  readonly flags?: number | undefined;
}

function writeConnectBaselineCpu(writer: XdrWriter, args: ConnectBaselineCpuArgs): void {
  let field = 'xmls';
  try {
    writeStringList(writer, args.xmls, 256);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectBaselineCpu', field, error);
  }
}

function readConnectBaselineCpu(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainGetJobInfoArgs {
  readonly domain: Domain;
}

function writeDomainGetJobInfo(writer: XdrWriter, args: DomainGetJobInfoArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainGetJobInfo', field, error);
  }
}

export interface DomainGetJobInfoResult {
  readonly type: number;
  readonly timeElapsed: bigint;
  readonly timeRemaining: bigint;
  readonly dataTotal: bigint;
  readonly dataProcessed: bigint;
  readonly dataRemaining: bigint;
  readonly memoryTotal: bigint;
  readonly memoryProcessed: bigint;
  readonly memoryRemaining: bigint;
  readonly fileTotal: bigint;
  readonly fileProcessed: bigint;
  readonly fileRemaining: bigint;
}

function readDomainGetJobInfo(reader: XdrReader): DomainGetJobInfoResult {
  return {
    type: reader.int32(),
    timeElapsed: reader.uint64(),
    timeRemaining: reader.uint64(),
    dataTotal: reader.uint64(),
    dataProcessed: reader.uint64(),
    dataRemaining: reader.uint64(),
    memoryTotal: reader.uint64(),
    memoryProcessed: reader.uint64(),
    memoryRemaining: reader.uint64(),
    fileTotal: reader.uint64(),
    fileProcessed: reader.uint64(),
    fileRemaining: reader.uint64(),
  };
}

export interface DomainAbortJobArgs {
  readonly domain: Domain;
}

function writeDomainAbortJob(writer: XdrWriter, args: DomainAbortJobArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainAbortJob', field, error);
  }
}

export interface StorageVolWipeArgs {
  readonly volume: StorageVolume;
  readonly flags?: number | undefined;
}

function writeStorageVolWipe(writer: XdrWriter, args: StorageVolWipeArgs): void {
  let field = 'volume';
  try {
    writeStorageVolume(writer, args.volume);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storageVolWipe', field, error);
  }
}

export interface DomainMigrateSetMaxDowntimeArgs {
  readonly domain: Domain;
  readonly downtime: bigint;
  readonly flags?: number | undefined;
}

function writeDomainMigrateSetMaxDowntime(writer: XdrWriter, args: DomainMigrateSetMaxDowntimeArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'downtime';
    writer.uint64(args.downtime);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMigrateSetMaxDowntime', field, error);
  }
}

export interface ConnectDomainEventRegisterAnyArgs {
  readonly eventID: number;
}

function writeConnectDomainEventRegisterAny(writer: XdrWriter, args: ConnectDomainEventRegisterAnyArgs): void {
  let field = 'eventID';
  try {
    writer.int32(args.eventID);
  } catch (error) {
    throw argumentError('connectDomainEventRegisterAny', field, error);
  }
}

export interface ConnectDomainEventDeregisterAnyArgs {
  readonly eventID: number;
}

function writeConnectDomainEventDeregisterAny(writer: XdrWriter, args: ConnectDomainEventDeregisterAnyArgs): void {
  let field = 'eventID';
  try {
    writer.int32(args.eventID);
  } catch (error) {
    throw argumentError('connectDomainEventDeregisterAny', field, error);
  }
}

export interface DomainUpdateDeviceFlagsArgs {
  readonly domain: Domain;
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeDomainUpdateDeviceFlags(writer: XdrWriter, args: DomainUpdateDeviceFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'xml';
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainUpdateDeviceFlags', field, error);
  }
}

export interface NwfilterLookupByNameArgs {
  readonly name: string;
}

function writeNwfilterLookupByName(writer: XdrWriter, args: NwfilterLookupByNameArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('nwfilterLookupByName', field, error);
  }
}

function readNwfilterLookupByName(reader: XdrReader): NetworkFilter {
  return readNetworkFilter(reader);
}

export interface NwfilterLookupByUuidArgs {
  readonly uuid: string;
}

function writeNwfilterLookupByUuid(writer: XdrWriter, args: NwfilterLookupByUuidArgs): void {
  let field = 'uuid';
  try {
    writeUuid(writer, args.uuid);
  } catch (error) {
    throw argumentError('nwfilterLookupByUuid', field, error);
  }
}

function readNwfilterLookupByUuid(reader: XdrReader): NetworkFilter {
  return readNetworkFilter(reader);
}

export interface NwfilterGetXmlDescArgs {
  readonly networkFilter: NetworkFilter;
  readonly flags?: number | undefined;
}

function writeNwfilterGetXmlDesc(writer: XdrWriter, args: NwfilterGetXmlDescArgs): void {
  let field = 'networkFilter';
  try {
    writeNetworkFilter(writer, args.networkFilter);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nwfilterGetXmlDesc', field, error);
  }
}

function readNwfilterGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

function readConnectNumOfNwfilters(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectListNwfiltersArgs {
  readonly maxNames?: number | undefined;
}

function writeConnectListNwfilters(writer: XdrWriter, args: ConnectListNwfiltersArgs): void {
  let field = 'maxNames';
  try {
    writer.int32(args.maxNames ?? 16384);
  } catch (error) {
    throw argumentError('connectListNwfilters', field, error);
  }
}

function readConnectListNwfilters(reader: XdrReader): readonly string[] {
  return readStringList(reader, 16384);
}

export interface NwfilterDefineXmlArgs {
  readonly xml: string;
}

function writeNwfilterDefineXml(writer: XdrWriter, args: NwfilterDefineXmlArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
  } catch (error) {
    throw argumentError('nwfilterDefineXml', field, error);
  }
}

function readNwfilterDefineXml(reader: XdrReader): NetworkFilter {
  return readNetworkFilter(reader);
}

export interface NwfilterUndefineArgs {
  readonly networkFilter: NetworkFilter;
}

function writeNwfilterUndefine(writer: XdrWriter, args: NwfilterUndefineArgs): void {
  let field = 'networkFilter';
  try {
    writeNetworkFilter(writer, args.networkFilter);
  } catch (error) {
    throw argumentError('nwfilterUndefine', field, error);
  }
}

export interface DomainManagedSaveArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainManagedSave(writer: XdrWriter, args: DomainManagedSaveArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainManagedSave', field, error);
  }
}

export interface DomainHasManagedSaveImageArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainHasManagedSaveImage(writer: XdrWriter, args: DomainHasManagedSaveImageArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainHasManagedSaveImage', field, error);
  }
}

function readDomainHasManagedSaveImage(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainManagedSaveRemoveArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainManagedSaveRemove(writer: XdrWriter, args: DomainManagedSaveRemoveArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainManagedSaveRemove', field, error);
  }
}

export interface DomainSnapshotCreateXmlArgs {
  readonly domain: Domain;
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotCreateXml(writer: XdrWriter, args: DomainSnapshotCreateXmlArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'xml';
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotCreateXml', field, error);
  }
}

function readDomainSnapshotCreateXml(reader: XdrReader): DomainSnapshot {
  return readDomainSnapshot(reader);
}

export interface DomainSnapshotGetXmlDescArgs {
  readonly snapshot: DomainSnapshot;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotGetXmlDesc(writer: XdrWriter, args: DomainSnapshotGetXmlDescArgs): void {
  let field = 'snapshot';
  try {
    writeDomainSnapshot(writer, args.snapshot);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotGetXmlDesc', field, error);
  }
}

function readDomainSnapshotGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainSnapshotNumArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotNum(writer: XdrWriter, args: DomainSnapshotNumArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotNum', field, error);
  }
}

function readDomainSnapshotNum(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainSnapshotListNamesArgs {
  readonly domain: Domain;
  readonly maxNames?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotListNames(writer: XdrWriter, args: DomainSnapshotListNamesArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'maxNames';
    writer.int32(args.maxNames ?? 16384);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotListNames', field, error);
  }
}

function readDomainSnapshotListNames(reader: XdrReader): readonly string[] {
  return readStringList(reader, 16384);
}

export interface DomainSnapshotLookupByNameArgs {
  readonly domain: Domain;
  readonly name: string;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotLookupByName(writer: XdrWriter, args: DomainSnapshotLookupByNameArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'name';
    writeString(writer, args.name);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotLookupByName', field, error);
  }
}

function readDomainSnapshotLookupByName(reader: XdrReader): DomainSnapshot {
  return readDomainSnapshot(reader);
}

export interface DomainHasCurrentSnapshotArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainHasCurrentSnapshot(writer: XdrWriter, args: DomainHasCurrentSnapshotArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainHasCurrentSnapshot', field, error);
  }
}

function readDomainHasCurrentSnapshot(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainSnapshotCurrentArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotCurrent(writer: XdrWriter, args: DomainSnapshotCurrentArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotCurrent', field, error);
  }
}

function readDomainSnapshotCurrent(reader: XdrReader): DomainSnapshot {
  return readDomainSnapshot(reader);
}

export interface DomainRevertToSnapshotArgs {
  readonly snapshot: DomainSnapshot;
  readonly flags?: number | undefined;
}

function writeDomainRevertToSnapshot(writer: XdrWriter, args: DomainRevertToSnapshotArgs): void {
  let field = 'snapshot';
  try {
    writeDomainSnapshot(writer, args.snapshot);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainRevertToSnapshot', field, error);
  }
}

export interface DomainSnapshotDeleteArgs {
  readonly snapshot: DomainSnapshot;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotDelete(writer: XdrWriter, args: DomainSnapshotDeleteArgs): void {
  let field = 'snapshot';
  try {
    writeDomainSnapshot(writer, args.snapshot);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotDelete', field, error);
  }
}

export interface DomainGetBlockInfoArgs {
  readonly domain: Domain;
  readonly path: string;
  readonly flags?: number | undefined;
}

function writeDomainGetBlockInfo(writer: XdrWriter, args: DomainGetBlockInfoArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'path';
    writeString(writer, args.path);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetBlockInfo', field, error);
  }
}

export interface DomainGetBlockInfoResult {
  readonly allocation: bigint;
  readonly capacity: bigint;
  readonly physical: bigint;
}

function readDomainGetBlockInfo(reader: XdrReader): DomainGetBlockInfoResult {
  return {
    allocation: reader.uint64(),
    capacity: reader.uint64(),
    physical: reader.uint64(),
  };
}

export interface DomainCreateWithFlagsArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainCreateWithFlags(writer: XdrWriter, args: DomainCreateWithFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainCreateWithFlags', field, error);
  }
}

function readDomainCreateWithFlags(reader: XdrReader): Domain {
  return readDomain(reader);
}

export interface DomainSetMemoryParametersArgs {
  readonly domain: Domain;
  readonly params: TypedParameterInput<DomainMemoryParameters>;
  readonly flags?: number | undefined;
}

function writeDomainSetMemoryParameters(writer: XdrWriter, args: DomainSetMemoryParametersArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainMemory, max: 16 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetMemoryParameters', field, error);
  }
}

export interface DomainGetMemoryParametersArgs {
  readonly domain: Domain;
  readonly nparams?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainGetMemoryParameters(writer: XdrWriter, args: DomainGetMemoryParametersArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'nparams';
    writer.int32(args.nparams ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetMemoryParameters', field, error);
  }
}

export interface DomainGetMemoryParametersResult {
  readonly params: TypedParameterResult<DomainMemoryParameters>;
  readonly nparams: number;
}

function readDomainGetMemoryParameters(reader: XdrReader): DomainGetMemoryParametersResult {
  return {
    params: readTypedParameters<DomainMemoryParameters>(reader, 16),
    nparams: reader.int32(),
  };
}

export interface DomainSetVcpusFlagsArgs {
  readonly domain: Domain;
  readonly nvcpus: number;
  readonly flags?: number | undefined;
}

function writeDomainSetVcpusFlags(writer: XdrWriter, args: DomainSetVcpusFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'nvcpus';
    writer.uint32(args.nvcpus);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetVcpusFlags', field, error);
  }
}

export interface DomainGetVcpusFlagsArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetVcpusFlags(writer: XdrWriter, args: DomainGetVcpusFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetVcpusFlags', field, error);
  }
}

function readDomainGetVcpusFlags(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainOpenConsoleArgs {
  readonly domain: Domain;
  readonly deviceName?: string | undefined;
  readonly flags?: number | undefined;
}

function writeDomainOpenConsole(writer: XdrWriter, args: DomainOpenConsoleArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'deviceName';
    writer.bool(args.deviceName !== undefined);
    if (args.deviceName !== undefined) writeString(writer, args.deviceName);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainOpenConsole', field, error);
  }
}

export interface DomainIsUpdatedArgs {
  readonly domain: Domain;
}

function writeDomainIsUpdated(writer: XdrWriter, args: DomainIsUpdatedArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainIsUpdated', field, error);
  }
}

function readDomainIsUpdated(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectGetSysinfoArgs {
  readonly flags?: number | undefined;
}

function writeConnectGetSysinfo(writer: XdrWriter, args: ConnectGetSysinfoArgs): void {
  let field = 'flags';
  try {
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectGetSysinfo', field, error);
  }
}

function readConnectGetSysinfo(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainSetMemoryFlagsArgs {
  readonly domain: Domain;
  readonly memory: bigint;
  readonly flags?: number | undefined;
}

function writeDomainSetMemoryFlags(writer: XdrWriter, args: DomainSetMemoryFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'memory';
    writer.uint64(args.memory);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetMemoryFlags', field, error);
  }
}

export interface DomainSetBlkioParametersArgs {
  readonly domain: Domain;
  readonly params: TypedParameterInput<DomainBlkioParameters>;
  readonly flags?: number | undefined;
}

function writeDomainSetBlkioParameters(writer: XdrWriter, args: DomainSetBlkioParametersArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainBlkio, max: 16 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetBlkioParameters', field, error);
  }
}

export interface DomainGetBlkioParametersArgs {
  readonly domain: Domain;
  readonly nparams?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainGetBlkioParameters(writer: XdrWriter, args: DomainGetBlkioParametersArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'nparams';
    writer.int32(args.nparams ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetBlkioParameters', field, error);
  }
}

export interface DomainGetBlkioParametersResult {
  readonly params: TypedParameterResult<DomainBlkioParameters>;
  readonly nparams: number;
}

function readDomainGetBlkioParameters(reader: XdrReader): DomainGetBlkioParametersResult {
  return {
    params: readTypedParameters<DomainBlkioParameters>(reader, 16),
    nparams: reader.int32(),
  };
}

export interface DomainMigrateSetMaxSpeedArgs {
  readonly domain: Domain;
  readonly bandwidth: bigint;
  readonly flags?: number | undefined;
}

function writeDomainMigrateSetMaxSpeed(writer: XdrWriter, args: DomainMigrateSetMaxSpeedArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'bandwidth';
    writer.uint64(args.bandwidth);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMigrateSetMaxSpeed', field, error);
  }
}

export interface StorageVolUploadArgs {
  readonly volume: StorageVolume;
  readonly offset?: bigint | undefined;
  readonly length?: bigint | undefined;
  readonly flags?: number | undefined;
}

function writeStorageVolUpload(writer: XdrWriter, args: StorageVolUploadArgs): void {
  let field = 'volume';
  try {
    writeStorageVolume(writer, args.volume);
    field = 'offset';
    writer.uint64(args.offset ?? 0n);
    field = 'length';
    writer.uint64(args.length ?? 0n);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storageVolUpload', field, error);
  }
}

export interface StorageVolDownloadArgs {
  readonly volume: StorageVolume;
  readonly offset?: bigint | undefined;
  readonly length?: bigint | undefined;
  readonly flags?: number | undefined;
}

function writeStorageVolDownload(writer: XdrWriter, args: StorageVolDownloadArgs): void {
  let field = 'volume';
  try {
    writeStorageVolume(writer, args.volume);
    field = 'offset';
    writer.uint64(args.offset ?? 0n);
    field = 'length';
    writer.uint64(args.length ?? 0n);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storageVolDownload', field, error);
  }
}

export interface DomainInjectNmiArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainInjectNmi(writer: XdrWriter, args: DomainInjectNmiArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainInjectNmi', field, error);
  }
}

export interface DomainScreenshotArgs {
  readonly domain: Domain;
  readonly screen?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainScreenshot(writer: XdrWriter, args: DomainScreenshotArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'screen';
    writer.uint32(args.screen ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainScreenshot', field, error);
  }
}

function readDomainScreenshot(reader: XdrReader): string | undefined {
  return reader.bool() ? reader.string(STRING_MAX) : undefined;
}

export interface DomainGetStateArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetState(writer: XdrWriter, args: DomainGetStateArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetState', field, error);
  }
}

export interface DomainGetStateResult {
  readonly state: number;
  readonly reason: number;
}

function readDomainGetState(reader: XdrReader): DomainGetStateResult {
  return {
    state: reader.int32(),
    reason: reader.int32(),
  };
}

export interface DomainMigrateBegin3Args {
  readonly domain: Domain;
  readonly xmlIn?: string | undefined;
  readonly flags?: bigint | undefined;
  readonly destinationName?: string | undefined;
  readonly bandwidth?: bigint | undefined;
}

function writeDomainMigrateBegin3(writer: XdrWriter, args: DomainMigrateBegin3Args): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'xmlIn';
    writer.bool(args.xmlIn !== undefined);
    if (args.xmlIn !== undefined) writeString(writer, args.xmlIn);
    field = 'flags';
    writer.uint64(args.flags ?? 0n);
    field = 'destinationName';
    writer.bool(args.destinationName !== undefined);
    if (args.destinationName !== undefined) writeString(writer, args.destinationName);
    field = 'bandwidth';
    writer.uint64(args.bandwidth ?? 0n);
  } catch (error) {
    throw argumentError('domainMigrateBegin3', field, error);
  }
}

export interface DomainMigrateBegin3Result {
  readonly cookieOut: Uint8Array;
  readonly xml: string;
}

function readDomainMigrateBegin3(reader: XdrReader): DomainMigrateBegin3Result {
  return {
    cookieOut: reader.opaque(4194304),
    xml: reader.string(STRING_MAX),
  };
}

export interface DomainMigratePrepare3Args {
  readonly cookieIn?: Uint8Array | undefined;
  readonly uriIn?: string | undefined;
  readonly flags?: bigint | undefined;
  readonly destinationName?: string | undefined;
  readonly bandwidth?: bigint | undefined;
  readonly domainXml: string;
}

function writeDomainMigratePrepare3(writer: XdrWriter, args: DomainMigratePrepare3Args): void {
  let field = 'cookieIn';
  try {
    writer.opaque(args.cookieIn ?? NO_BYTES, 4194304);
    field = 'uriIn';
    writer.bool(args.uriIn !== undefined);
    if (args.uriIn !== undefined) writeString(writer, args.uriIn);
    field = 'flags';
    writer.uint64(args.flags ?? 0n);
    field = 'destinationName';
    writer.bool(args.destinationName !== undefined);
    if (args.destinationName !== undefined) writeString(writer, args.destinationName);
    field = 'bandwidth';
    writer.uint64(args.bandwidth ?? 0n);
    field = 'domainXml';
    writeString(writer, args.domainXml);
  } catch (error) {
    throw argumentError('domainMigratePrepare3', field, error);
  }
}

export interface DomainMigratePrepare3Result {
  readonly cookieOut: Uint8Array;
  readonly uriOut: string | undefined;
}

function readDomainMigratePrepare3(reader: XdrReader): DomainMigratePrepare3Result {
  return {
    cookieOut: reader.opaque(4194304),
    uriOut: reader.bool() ? reader.string(STRING_MAX) : undefined,
  };
}

export interface DomainMigratePrepareTunnel3Args {
  readonly cookieIn?: Uint8Array | undefined;
  readonly flags?: bigint | undefined;
  readonly destinationName?: string | undefined;
  readonly bandwidth?: bigint | undefined;
  readonly domainXml: string;
}

function writeDomainMigratePrepareTunnel3(writer: XdrWriter, args: DomainMigratePrepareTunnel3Args): void {
  let field = 'cookieIn';
  try {
    writer.opaque(args.cookieIn ?? NO_BYTES, 4194304);
    field = 'flags';
    writer.uint64(args.flags ?? 0n);
    field = 'destinationName';
    writer.bool(args.destinationName !== undefined);
    if (args.destinationName !== undefined) writeString(writer, args.destinationName);
    field = 'bandwidth';
    writer.uint64(args.bandwidth ?? 0n);
    field = 'domainXml';
    writeString(writer, args.domainXml);
  } catch (error) {
    throw argumentError('domainMigratePrepareTunnel3', field, error);
  }
}

function readDomainMigratePrepareTunnel3(reader: XdrReader): Uint8Array {
  return reader.opaque(4194304);
}

export interface DomainMigratePerform3Args {
  readonly domain: Domain;
  readonly xmlIn?: string | undefined;
  readonly cookieIn?: Uint8Array | undefined;
  readonly destinationConnectionUri?: string | undefined;
  readonly uri?: string | undefined;
  readonly flags?: bigint | undefined;
  readonly destinationName?: string | undefined;
  readonly bandwidth?: bigint | undefined;
}

function writeDomainMigratePerform3(writer: XdrWriter, args: DomainMigratePerform3Args): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'xmlIn';
    writer.bool(args.xmlIn !== undefined);
    if (args.xmlIn !== undefined) writeString(writer, args.xmlIn);
    field = 'cookieIn';
    writer.opaque(args.cookieIn ?? NO_BYTES, 4194304);
    field = 'destinationConnectionUri';
    writer.bool(args.destinationConnectionUri !== undefined);
    if (args.destinationConnectionUri !== undefined) writeString(writer, args.destinationConnectionUri);
    field = 'uri';
    writer.bool(args.uri !== undefined);
    if (args.uri !== undefined) writeString(writer, args.uri);
    field = 'flags';
    writer.uint64(args.flags ?? 0n);
    field = 'destinationName';
    writer.bool(args.destinationName !== undefined);
    if (args.destinationName !== undefined) writeString(writer, args.destinationName);
    field = 'bandwidth';
    writer.uint64(args.bandwidth ?? 0n);
  } catch (error) {
    throw argumentError('domainMigratePerform3', field, error);
  }
}

function readDomainMigratePerform3(reader: XdrReader): Uint8Array {
  return reader.opaque(4194304);
}

export interface DomainMigrateFinish3Args {
  readonly destinationName: string;
  readonly cookieIn?: Uint8Array | undefined;
  readonly destinationConnectionUri?: string | undefined;
  readonly uri?: string | undefined;
  readonly flags?: bigint | undefined;
  readonly cancelled: number;
}

function writeDomainMigrateFinish3(writer: XdrWriter, args: DomainMigrateFinish3Args): void {
  let field = 'destinationName';
  try {
    writeString(writer, args.destinationName);
    field = 'cookieIn';
    writer.opaque(args.cookieIn ?? NO_BYTES, 4194304);
    field = 'destinationConnectionUri';
    writer.bool(args.destinationConnectionUri !== undefined);
    if (args.destinationConnectionUri !== undefined) writeString(writer, args.destinationConnectionUri);
    field = 'uri';
    writer.bool(args.uri !== undefined);
    if (args.uri !== undefined) writeString(writer, args.uri);
    field = 'flags';
    writer.uint64(args.flags ?? 0n);
    field = 'cancelled';
    writer.int32(args.cancelled);
  } catch (error) {
    throw argumentError('domainMigrateFinish3', field, error);
  }
}

export interface DomainMigrateFinish3Result {
  readonly domain: Domain;
  readonly cookieOut: Uint8Array;
}

function readDomainMigrateFinish3(reader: XdrReader): DomainMigrateFinish3Result {
  return {
    domain: readDomain(reader),
    cookieOut: reader.opaque(4194304),
  };
}

export interface DomainMigrateConfirm3Args {
  readonly domain: Domain;
  readonly cookieIn?: Uint8Array | undefined;
  readonly flags?: bigint | undefined;
  readonly cancelled: number;
}

function writeDomainMigrateConfirm3(writer: XdrWriter, args: DomainMigrateConfirm3Args): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'cookieIn';
    writer.opaque(args.cookieIn ?? NO_BYTES, 4194304);
    field = 'flags';
    writer.uint64(args.flags ?? 0n);
    field = 'cancelled';
    writer.int32(args.cancelled);
  } catch (error) {
    throw argumentError('domainMigrateConfirm3', field, error);
  }
}

export interface DomainSetSchedulerParametersFlagsArgs {
  readonly domain: Domain;
  readonly params: TypedParameterInput<DomainSchedulerParameters>;
  readonly flags?: number | undefined;
}

function writeDomainSetSchedulerParametersFlags(writer: XdrWriter, args: DomainSetSchedulerParametersFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainScheduler, max: 16 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetSchedulerParametersFlags', field, error);
  }
}

export interface InterfaceChangeBeginArgs {
  readonly flags?: number | undefined;
}

function writeInterfaceChangeBegin(writer: XdrWriter, args: InterfaceChangeBeginArgs): void {
  let field = 'flags';
  try {
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('interfaceChangeBegin', field, error);
  }
}

export interface InterfaceChangeCommitArgs {
  readonly flags?: number | undefined;
}

function writeInterfaceChangeCommit(writer: XdrWriter, args: InterfaceChangeCommitArgs): void {
  let field = 'flags';
  try {
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('interfaceChangeCommit', field, error);
  }
}

export interface InterfaceChangeRollbackArgs {
  readonly flags?: number | undefined;
}

function writeInterfaceChangeRollback(writer: XdrWriter, args: InterfaceChangeRollbackArgs): void {
  let field = 'flags';
  try {
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('interfaceChangeRollback', field, error);
  }
}

export interface DomainGetSchedulerParametersFlagsArgs {
  readonly domain: Domain;
  readonly nparams?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainGetSchedulerParametersFlags(writer: XdrWriter, args: DomainGetSchedulerParametersFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'nparams';
    writer.int32(args.nparams ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetSchedulerParametersFlags', field, error);
  }
}

function readDomainGetSchedulerParametersFlags(reader: XdrReader): TypedParameterResult<DomainSchedulerParameters> {
  return readTypedParameters<DomainSchedulerParameters>(reader, 16);
}

export interface DomainPinVcpuFlagsArgs {
  readonly domain: Domain;
  readonly vcpu: number;
  readonly cpuMap: Uint8Array;
  readonly flags?: number | undefined;
}

function writeDomainPinVcpuFlags(writer: XdrWriter, args: DomainPinVcpuFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'vcpu';
    writer.uint32(args.vcpu);
    field = 'cpuMap';
    writer.opaque(args.cpuMap, 2048);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainPinVcpuFlags', field, error);
  }
}

export interface DomainSendKeyArgs {
  readonly domain: Domain;
  readonly codeSet: number;
  readonly holdTime: number;
  readonly keyCodes: readonly number[];
  readonly flags?: number | undefined;
}

function writeDomainSendKey(writer: XdrWriter, args: DomainSendKeyArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'codeSet';
    writer.uint32(args.codeSet);
    field = 'holdTime';
    writer.uint32(args.holdTime);
    field = 'keyCodes';
    writeU32List(writer, args.keyCodes, 16);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSendKey', field, error);
  }
}

export interface NodeGetCpuStatsArgs {
  readonly cpuNum?: number | undefined;
  readonly nparams?: number | undefined;
  readonly flags?: number | undefined;
}

function writeNodeGetCpuStats(writer: XdrWriter, args: NodeGetCpuStatsArgs): void {
  let field = 'cpuNum';
  try {
    writer.int32(args.cpuNum ?? -1);
    field = 'nparams';
    writer.int32(args.nparams ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeGetCpuStats', field, error);
  }
}

export interface NodeGetCpuStatsResult {
  readonly params: Counters<NodeCpuStatsParameters>;
  readonly nparams: number;
}

function readNodeGetCpuStats(reader: XdrReader): NodeGetCpuStatsResult {
  return {
    params: readCounters<NodeCpuStatsParameters>(reader, 16),
    nparams: reader.int32(),
  };
}

export interface NodeGetMemoryStatsArgs {
  readonly nparams?: number | undefined;
  readonly cellNum?: number | undefined;
  readonly flags?: number | undefined;
}

function writeNodeGetMemoryStats(writer: XdrWriter, args: NodeGetMemoryStatsArgs): void {
  let field = 'nparams';
  try {
    writer.int32(args.nparams ?? 0);
    field = 'cellNum';
    writer.int32(args.cellNum ?? -1);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeGetMemoryStats', field, error);
  }
}

export interface NodeGetMemoryStatsResult {
  readonly params: Counters<NodeMemoryStatsParameters>;
  readonly nparams: number;
}

function readNodeGetMemoryStats(reader: XdrReader): NodeGetMemoryStatsResult {
  return {
    params: readCounters<NodeMemoryStatsParameters>(reader, 16),
    nparams: reader.int32(),
  };
}

export interface DomainGetControlInfoArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetControlInfo(writer: XdrWriter, args: DomainGetControlInfoArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetControlInfo', field, error);
  }
}

export interface DomainGetControlInfoResult {
  readonly state: number;
  readonly details: number;
  readonly stateTime: bigint;
}

function readDomainGetControlInfo(reader: XdrReader): DomainGetControlInfoResult {
  return {
    state: reader.uint32(),
    details: reader.uint32(),
    stateTime: reader.uint64(),
  };
}

export interface DomainGetVcpuPinInfoArgs {
  readonly domain: Domain;
  readonly ncpuMaps: number;
  readonly mapLength: number;
  readonly flags?: number | undefined;
}

function writeDomainGetVcpuPinInfo(writer: XdrWriter, args: DomainGetVcpuPinInfoArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'ncpuMaps';
    writer.int32(args.ncpuMaps);
    field = 'mapLength';
    writer.int32(args.mapLength);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetVcpuPinInfo', field, error);
  }
}

export interface DomainGetVcpuPinInfoResult {
  readonly cpuMaps: Uint8Array;
  readonly num: number;
}

function readDomainGetVcpuPinInfo(reader: XdrReader): DomainGetVcpuPinInfoResult {
  return {
    cpuMaps: reader.opaque(8388608),
    num: reader.int32(),
  };
}

export interface DomainUndefineFlagsArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainUndefineFlags(writer: XdrWriter, args: DomainUndefineFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainUndefineFlags', field, error);
  }
}

export interface DomainSaveFlagsArgs {
  readonly domain: Domain;
  readonly to: string;
  readonly xml?: string | undefined;
  readonly flags?: number | undefined;
}

function writeDomainSaveFlags(writer: XdrWriter, args: DomainSaveFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'to';
    writeString(writer, args.to);
    field = 'xml';
    writer.bool(args.xml !== undefined);
    if (args.xml !== undefined) writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSaveFlags', field, error);
  }
}

export interface DomainRestoreFlagsArgs {
  readonly from: string;
  readonly xml?: string | undefined;
  readonly flags?: number | undefined;
}

function writeDomainRestoreFlags(writer: XdrWriter, args: DomainRestoreFlagsArgs): void {
  let field = 'from';
  try {
    writeString(writer, args.from);
    field = 'xml';
    writer.bool(args.xml !== undefined);
    if (args.xml !== undefined) writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainRestoreFlags', field, error);
  }
}

export interface DomainDestroyFlagsArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainDestroyFlags(writer: XdrWriter, args: DomainDestroyFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainDestroyFlags', field, error);
  }
}

export interface DomainSaveImageGetXmlDescArgs {
  readonly file: string;
  readonly flags?: number | undefined;
}

function writeDomainSaveImageGetXmlDesc(writer: XdrWriter, args: DomainSaveImageGetXmlDescArgs): void {
  let field = 'file';
  try {
    writeString(writer, args.file);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSaveImageGetXmlDesc', field, error);
  }
}

function readDomainSaveImageGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainSaveImageDefineXmlArgs {
  readonly file: string;
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeDomainSaveImageDefineXml(writer: XdrWriter, args: DomainSaveImageDefineXmlArgs): void {
  let field = 'file';
  try {
    writeString(writer, args.file);
    field = 'xml';
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSaveImageDefineXml', field, error);
  }
}

export interface DomainBlockJobAbortArgs {
  readonly domain: Domain;
  readonly path: string;
  readonly flags?: number | undefined;
}

function writeDomainBlockJobAbort(writer: XdrWriter, args: DomainBlockJobAbortArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'path';
    writeString(writer, args.path);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainBlockJobAbort', field, error);
  }
}

export interface DomainGetBlockJobInfoArgs {
  readonly domain: Domain;
  readonly path: string;
  readonly flags?: number | undefined;
}

function writeDomainGetBlockJobInfo(writer: XdrWriter, args: DomainGetBlockJobInfoArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'path';
    writeString(writer, args.path);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetBlockJobInfo', field, error);
  }
}

export interface DomainGetBlockJobInfoResult {
  readonly found: number;
  readonly type: number;
  readonly bandwidth: bigint;
  readonly current: bigint;
  readonly end: bigint;
}

function readDomainGetBlockJobInfo(reader: XdrReader): DomainGetBlockJobInfoResult {
  return {
    found: reader.int32(),
    type: reader.int32(),
    bandwidth: reader.uint64(),
    current: reader.uint64(),
    end: reader.uint64(),
  };
}

export interface DomainBlockJobSetSpeedArgs {
  readonly domain: Domain;
  readonly path: string;
  readonly bandwidth: bigint;
  readonly flags?: number | undefined;
}

function writeDomainBlockJobSetSpeed(writer: XdrWriter, args: DomainBlockJobSetSpeedArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'path';
    writeString(writer, args.path);
    field = 'bandwidth';
    writer.uint64(args.bandwidth);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainBlockJobSetSpeed', field, error);
  }
}

export interface DomainBlockPullArgs {
  readonly domain: Domain;
  readonly path: string;
  readonly bandwidth?: bigint | undefined;
  readonly flags?: number | undefined;
}

function writeDomainBlockPull(writer: XdrWriter, args: DomainBlockPullArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'path';
    writeString(writer, args.path);
    field = 'bandwidth';
    writer.uint64(args.bandwidth ?? 0n);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainBlockPull', field, error);
  }
}

export interface DomainMigrateGetMaxSpeedArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainMigrateGetMaxSpeed(writer: XdrWriter, args: DomainMigrateGetMaxSpeedArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMigrateGetMaxSpeed', field, error);
  }
}

function readDomainMigrateGetMaxSpeed(reader: XdrReader): bigint {
  return reader.uint64();
}

export interface DomainBlockStatsFlagsArgs {
  readonly domain: Domain;
  readonly path: string;
  readonly nparams?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainBlockStatsFlags(writer: XdrWriter, args: DomainBlockStatsFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'path';
    writeString(writer, args.path);
    field = 'nparams';
    writer.int32(args.nparams ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainBlockStatsFlags', field, error);
  }
}

export interface DomainBlockStatsFlagsResult {
  readonly params: TypedParameterResult<DomainBlockStatsParameters>;
  readonly nparams: number;
}

function readDomainBlockStatsFlags(reader: XdrReader): DomainBlockStatsFlagsResult {
  return {
    params: readTypedParameters<DomainBlockStatsParameters>(reader, 16),
    nparams: reader.int32(),
  };
}

export interface DomainSnapshotGetParentArgs {
  readonly snapshot: DomainSnapshot;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotGetParent(writer: XdrWriter, args: DomainSnapshotGetParentArgs): void {
  let field = 'snapshot';
  try {
    writeDomainSnapshot(writer, args.snapshot);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotGetParent', field, error);
  }
}

function readDomainSnapshotGetParent(reader: XdrReader): DomainSnapshot {
  return readDomainSnapshot(reader);
}

export interface DomainResetArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainReset(writer: XdrWriter, args: DomainResetArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainReset', field, error);
  }
}

export interface DomainSnapshotNumChildrenArgs {
  readonly snapshot: DomainSnapshot;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotNumChildren(writer: XdrWriter, args: DomainSnapshotNumChildrenArgs): void {
  let field = 'snapshot';
  try {
    writeDomainSnapshot(writer, args.snapshot);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotNumChildren', field, error);
  }
}

function readDomainSnapshotNumChildren(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainSnapshotListChildrenNamesArgs {
  readonly snapshot: DomainSnapshot;
  readonly maxNames?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotListChildrenNames(writer: XdrWriter, args: DomainSnapshotListChildrenNamesArgs): void {
  let field = 'snapshot';
  try {
    writeDomainSnapshot(writer, args.snapshot);
    field = 'maxNames';
    writer.int32(args.maxNames ?? 16384);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotListChildrenNames', field, error);
  }
}

function readDomainSnapshotListChildrenNames(reader: XdrReader): readonly string[] {
  return readStringList(reader, 16384);
}

export interface DomainOpenGraphicsArgs {
  readonly domain: Domain;
  readonly index: number;
  readonly flags?: number | undefined;
}

function writeDomainOpenGraphics(writer: XdrWriter, args: DomainOpenGraphicsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'index';
    writer.uint32(args.index);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainOpenGraphics', field, error);
  }
}

export interface NodeSuspendForDurationArgs {
  readonly target: number;
  readonly duration: bigint;
  readonly flags?: number | undefined;
}

function writeNodeSuspendForDuration(writer: XdrWriter, args: NodeSuspendForDurationArgs): void {
  let field = 'target';
  try {
    writer.uint32(args.target);
    field = 'duration';
    writer.uint64(args.duration);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeSuspendForDuration', field, error);
  }
}

export interface DomainBlockResizeArgs {
  readonly domain: Domain;
  readonly disk: string;
  readonly size: bigint;
  readonly flags?: number | undefined;
}

function writeDomainBlockResize(writer: XdrWriter, args: DomainBlockResizeArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'disk';
    writeString(writer, args.disk);
    field = 'size';
    writer.uint64(args.size);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainBlockResize', field, error);
  }
}

export interface DomainSetBlockIoTuneArgs {
  readonly domain: Domain;
  readonly disk: string;
  readonly params: TypedParameterInput<DomainBlockIoTuneParameters>;
  readonly flags?: number | undefined;
}

function writeDomainSetBlockIoTune(writer: XdrWriter, args: DomainSetBlockIoTuneArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'disk';
    writeString(writer, args.disk);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainBlockIoTune, max: 32 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetBlockIoTune', field, error);
  }
}

export interface DomainGetBlockIoTuneArgs {
  readonly domain: Domain;
  readonly disk?: string | undefined;
  readonly nparams?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainGetBlockIoTune(writer: XdrWriter, args: DomainGetBlockIoTuneArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'disk';
    writer.bool(args.disk !== undefined);
    if (args.disk !== undefined) writeString(writer, args.disk);
    field = 'nparams';
    writer.int32(args.nparams ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetBlockIoTune', field, error);
  }
}

export interface DomainGetBlockIoTuneResult {
  readonly params: TypedParameterResult<DomainBlockIoTuneParameters>;
  readonly nparams: number;
}

function readDomainGetBlockIoTune(reader: XdrReader): DomainGetBlockIoTuneResult {
  return {
    params: readTypedParameters<DomainBlockIoTuneParameters>(reader, 32),
    nparams: reader.int32(),
  };
}

export interface DomainSetNumaParametersArgs {
  readonly domain: Domain;
  readonly params: TypedParameterInput<DomainNumaParameters>;
  readonly flags?: number | undefined;
}

function writeDomainSetNumaParameters(writer: XdrWriter, args: DomainSetNumaParametersArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainNuma, max: 16 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetNumaParameters', field, error);
  }
}

export interface DomainGetNumaParametersArgs {
  readonly domain: Domain;
  readonly nparams?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainGetNumaParameters(writer: XdrWriter, args: DomainGetNumaParametersArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'nparams';
    writer.int32(args.nparams ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetNumaParameters', field, error);
  }
}

export interface DomainGetNumaParametersResult {
  readonly params: TypedParameterResult<DomainNumaParameters>;
  readonly nparams: number;
}

function readDomainGetNumaParameters(reader: XdrReader): DomainGetNumaParametersResult {
  return {
    params: readTypedParameters<DomainNumaParameters>(reader, 16),
    nparams: reader.int32(),
  };
}

export interface DomainSetInterfaceParametersArgs {
  readonly domain: Domain;
  readonly device: string;
  readonly params: TypedParameterInput<DomainInterfaceParameters>;
  readonly flags?: number | undefined;
}

function writeDomainSetInterfaceParameters(writer: XdrWriter, args: DomainSetInterfaceParametersArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'device';
    writeString(writer, args.device);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainInterface, max: 16 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetInterfaceParameters', field, error);
  }
}

export interface DomainGetInterfaceParametersArgs {
  readonly domain: Domain;
  readonly device: string;
  readonly nparams?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainGetInterfaceParameters(writer: XdrWriter, args: DomainGetInterfaceParametersArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'device';
    writeString(writer, args.device);
    field = 'nparams';
    writer.int32(args.nparams ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetInterfaceParameters', field, error);
  }
}

export interface DomainGetInterfaceParametersResult {
  readonly params: TypedParameterResult<DomainInterfaceParameters>;
  readonly nparams: number;
}

function readDomainGetInterfaceParameters(reader: XdrReader): DomainGetInterfaceParametersResult {
  return {
    params: readTypedParameters<DomainInterfaceParameters>(reader, 16),
    nparams: reader.int32(),
  };
}

export interface DomainShutdownFlagsArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainShutdownFlags(writer: XdrWriter, args: DomainShutdownFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainShutdownFlags', field, error);
  }
}

export interface StorageVolWipePatternArgs {
  readonly volume: StorageVolume;
  readonly algorithm: number;
  readonly flags?: number | undefined;
}

function writeStorageVolWipePattern(writer: XdrWriter, args: StorageVolWipePatternArgs): void {
  let field = 'volume';
  try {
    writeStorageVolume(writer, args.volume);
    field = 'algorithm';
    writer.uint32(args.algorithm);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storageVolWipePattern', field, error);
  }
}

export interface StorageVolResizeArgs {
  readonly volume: StorageVolume;
  readonly capacity: bigint;
  readonly flags?: number | undefined;
}

function writeStorageVolResize(writer: XdrWriter, args: StorageVolResizeArgs): void {
  let field = 'volume';
  try {
    writeStorageVolume(writer, args.volume);
    field = 'capacity';
    writer.uint64(args.capacity);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storageVolResize', field, error);
  }
}

export interface DomainPmSuspendForDurationArgs {
  readonly domain: Domain;
  readonly target: number;
  readonly duration: bigint;
  readonly flags?: number | undefined;
}

function writeDomainPmSuspendForDuration(writer: XdrWriter, args: DomainPmSuspendForDurationArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'target';
    writer.uint32(args.target);
    field = 'duration';
    writer.uint64(args.duration);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainPmSuspendForDuration', field, error);
  }
}

export interface DomainGetCpuStatsArgs {
  readonly domain: Domain;
  readonly nparams?: number | undefined;
  readonly startCpu?: number | undefined;
  readonly ncpus?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainGetCpuStats(writer: XdrWriter, args: DomainGetCpuStatsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'nparams';
    writer.uint32(args.nparams ?? 0);
    field = 'startCpu';
    writer.int32(args.startCpu ?? -1);
    field = 'ncpus';
    writer.uint32(args.ncpus ?? 1);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetCpuStats', field, error);
  }
}

export interface DomainGetCpuStatsResult {
  readonly params: readonly TypedParameterResult<DomainCpuStatsParameters>[];
  readonly nparams: number;
}

function readDomainGetCpuStats(reader: XdrReader): DomainGetCpuStatsResult {
  return {
    params: readTypedParameterGroups<DomainCpuStatsParameters>(reader, 2048),
    nparams: reader.int32(),
  };
}

export interface DomainGetDiskErrorsArgs {
  readonly domain: Domain;
  readonly maxErrors?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainGetDiskErrors(writer: XdrWriter, args: DomainGetDiskErrorsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'maxErrors';
    writer.uint32(args.maxErrors ?? 256);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetDiskErrors', field, error);
  }
}

function readDomainGetDiskErrors(reader: XdrReader): readonly DomainDiskError[] {
  const errors = readDomainDiskErrorList(reader, 256);
  reader.int32();
  return errors;
}

export interface DomainSetMetadataArgs {
  readonly domain: Domain;
  readonly type: number;
  readonly metadata?: string | undefined;
  readonly key?: string | undefined;
  readonly uri?: string | undefined;
  readonly flags?: number | undefined;
}

function writeDomainSetMetadata(writer: XdrWriter, args: DomainSetMetadataArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'type';
    writer.int32(args.type);
    field = 'metadata';
    writer.bool(args.metadata !== undefined);
    if (args.metadata !== undefined) writeString(writer, args.metadata);
    field = 'key';
    writer.bool(args.key !== undefined);
    if (args.key !== undefined) writeString(writer, args.key);
    field = 'uri';
    writer.bool(args.uri !== undefined);
    if (args.uri !== undefined) writeString(writer, args.uri);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetMetadata', field, error);
  }
}

export interface DomainGetMetadataArgs {
  readonly domain: Domain;
  readonly type: number;
  readonly uri?: string | undefined;
  readonly flags?: number | undefined;
}

function writeDomainGetMetadata(writer: XdrWriter, args: DomainGetMetadataArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'type';
    writer.int32(args.type);
    field = 'uri';
    writer.bool(args.uri !== undefined);
    if (args.uri !== undefined) writeString(writer, args.uri);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetMetadata', field, error);
  }
}

function readDomainGetMetadata(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainBlockRebaseArgs {
  readonly domain: Domain;
  readonly path: string;
  readonly base?: string | undefined;
  readonly bandwidth?: bigint | undefined;
  readonly flags?: number | undefined;
}

function writeDomainBlockRebase(writer: XdrWriter, args: DomainBlockRebaseArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'path';
    writeString(writer, args.path);
    field = 'base';
    writer.bool(args.base !== undefined);
    if (args.base !== undefined) writeString(writer, args.base);
    field = 'bandwidth';
    writer.uint64(args.bandwidth ?? 0n);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainBlockRebase', field, error);
  }
}

export interface DomainPmWakeupArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainPmWakeup(writer: XdrWriter, args: DomainPmWakeupArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainPmWakeup', field, error);
  }
}

export interface DomainSnapshotIsCurrentArgs {
  readonly snapshot: DomainSnapshot;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotIsCurrent(writer: XdrWriter, args: DomainSnapshotIsCurrentArgs): void {
  let field = 'snapshot';
  try {
    writeDomainSnapshot(writer, args.snapshot);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotIsCurrent', field, error);
  }
}

function readDomainSnapshotIsCurrent(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainSnapshotHasMetadataArgs {
  readonly snapshot: DomainSnapshot;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotHasMetadata(writer: XdrWriter, args: DomainSnapshotHasMetadataArgs): void {
  let field = 'snapshot';
  try {
    writeDomainSnapshot(writer, args.snapshot);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotHasMetadata', field, error);
  }
}

function readDomainSnapshotHasMetadata(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectListAllDomainsArgs {
  readonly flags?: number | undefined;
}

function writeConnectListAllDomains(writer: XdrWriter, args: ConnectListAllDomainsArgs): void {
  let field = 'flags';
  try {
    writer.int32(1);
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectListAllDomains', field, error);
  }
}

function readConnectListAllDomains(reader: XdrReader): readonly Domain[] {
  const domains = readDomainList(reader, 16384);
  reader.uint32();
  return domains;
}

export interface DomainListAllSnapshotsArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainListAllSnapshots(writer: XdrWriter, args: DomainListAllSnapshotsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    writer.int32(1);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainListAllSnapshots', field, error);
  }
}

function readDomainListAllSnapshots(reader: XdrReader): readonly DomainSnapshot[] {
  const snapshots = readDomainSnapshotList(reader, 16384);
  reader.int32();
  return snapshots;
}

export interface DomainSnapshotListAllChildrenArgs {
  readonly snapshot: DomainSnapshot;
  readonly flags?: number | undefined;
}

function writeDomainSnapshotListAllChildren(writer: XdrWriter, args: DomainSnapshotListAllChildrenArgs): void {
  let field = 'snapshot';
  try {
    writeDomainSnapshot(writer, args.snapshot);
    writer.int32(1);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSnapshotListAllChildren', field, error);
  }
}

function readDomainSnapshotListAllChildren(reader: XdrReader): readonly DomainSnapshot[] {
  const snapshots = readDomainSnapshotList(reader, 16384);
  reader.int32();
  return snapshots;
}

export interface DomainGetHostnameArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetHostname(writer: XdrWriter, args: DomainGetHostnameArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetHostname', field, error);
  }
}

function readDomainGetHostname(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainGetSecurityLabelListArgs {
  readonly domain: Domain;
}

function writeDomainGetSecurityLabelList(writer: XdrWriter, args: DomainGetSecurityLabelListArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainGetSecurityLabelList', field, error);
  }
}

function readDomainGetSecurityLabelList(reader: XdrReader): readonly SecurityLabel[] {
  const labels = readSecurityLabelList(reader, 64);
  reader.int32();
  return labels;
}

export interface DomainPinEmulatorArgs {
  readonly domain: Domain;
  readonly cpuMap: Uint8Array;
  readonly flags?: number | undefined;
}

function writeDomainPinEmulator(writer: XdrWriter, args: DomainPinEmulatorArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'cpuMap';
    writer.opaque(args.cpuMap, 2048);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainPinEmulator', field, error);
  }
}

export interface DomainGetEmulatorPinInfoArgs {
  readonly domain: Domain;
  readonly mapLength: number;
  readonly flags?: number | undefined;
}

function writeDomainGetEmulatorPinInfo(writer: XdrWriter, args: DomainGetEmulatorPinInfoArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'mapLength';
    writer.int32(args.mapLength);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetEmulatorPinInfo', field, error);
  }
}

export interface DomainGetEmulatorPinInfoResult {
  readonly cpuMaps: Uint8Array;
  readonly count: number;
}

function readDomainGetEmulatorPinInfo(reader: XdrReader): DomainGetEmulatorPinInfoResult {
  return {
    cpuMaps: reader.opaque(8388608),
    count: reader.int32(),
  };
}

export interface ConnectListAllStoragePoolsArgs {
  readonly flags?: number | undefined;
}

function writeConnectListAllStoragePools(writer: XdrWriter, args: ConnectListAllStoragePoolsArgs): void {
  let field = 'flags';
  try {
    writer.int32(1);
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectListAllStoragePools', field, error);
  }
}

function readConnectListAllStoragePools(reader: XdrReader): readonly StoragePool[] {
  const pools = readStoragePoolList(reader, 16384);
  reader.uint32();
  return pools;
}

export interface StoragePoolListAllVolumesArgs {
  readonly pool: StoragePool;
  readonly flags?: number | undefined;
}

function writeStoragePoolListAllVolumes(writer: XdrWriter, args: StoragePoolListAllVolumesArgs): void {
  let field = 'pool';
  try {
    writeStoragePool(writer, args.pool);
    writer.int32(1);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storagePoolListAllVolumes', field, error);
  }
}

function readStoragePoolListAllVolumes(reader: XdrReader): readonly StorageVolume[] {
  const volumes = readStorageVolumeList(reader, 16384);
  reader.uint32();
  return volumes;
}

export interface ConnectListAllNetworksArgs {
  readonly flags?: number | undefined;
}

function writeConnectListAllNetworks(writer: XdrWriter, args: ConnectListAllNetworksArgs): void {
  let field = 'flags';
  try {
    writer.int32(1);
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectListAllNetworks', field, error);
  }
}

function readConnectListAllNetworks(reader: XdrReader): readonly Network[] {
  const networks = readNetworkList(reader, 16384);
  reader.uint32();
  return networks;
}

export interface ConnectListAllInterfacesArgs {
  readonly flags?: number | undefined;
}

function writeConnectListAllInterfaces(writer: XdrWriter, args: ConnectListAllInterfacesArgs): void {
  let field = 'flags';
  try {
    writer.int32(1);
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectListAllInterfaces', field, error);
  }
}

function readConnectListAllInterfaces(reader: XdrReader): readonly Interface[] {
  const interfaces = readInterfaceList(reader, 16384);
  reader.uint32();
  return interfaces;
}

export interface ConnectListAllNodeDevicesArgs {
  readonly flags?: number | undefined;
}

function writeConnectListAllNodeDevices(writer: XdrWriter, args: ConnectListAllNodeDevicesArgs): void {
  let field = 'flags';
  try {
    writer.int32(1);
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectListAllNodeDevices', field, error);
  }
}

function readConnectListAllNodeDevices(reader: XdrReader): readonly NodeDevice[] {
  const devices = readNodeDeviceList(reader, 65536);
  reader.uint32();
  return devices;
}

export interface ConnectListAllNwfiltersArgs {
  readonly flags?: number | undefined;
}

function writeConnectListAllNwfilters(writer: XdrWriter, args: ConnectListAllNwfiltersArgs): void {
  let field = 'flags';
  try {
    writer.int32(1);
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectListAllNwfilters', field, error);
  }
}

function readConnectListAllNwfilters(reader: XdrReader): readonly NetworkFilter[] {
  const filters = readNetworkFilterList(reader, 16384);
  reader.uint32();
  return filters;
}

export interface ConnectListAllSecretsArgs {
  readonly flags?: number | undefined;
}

function writeConnectListAllSecrets(writer: XdrWriter, args: ConnectListAllSecretsArgs): void {
  let field = 'flags';
  try {
    writer.int32(1);
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectListAllSecrets', field, error);
  }
}

function readConnectListAllSecrets(reader: XdrReader): readonly Secret[] {
  const secrets = readSecretList(reader, 16384);
  reader.uint32();
  return secrets;
}

export interface NodeSetMemoryParametersArgs {
  readonly params: TypedParameterInput<NodeMemoryParameters>;
  readonly flags?: number | undefined;
}

function writeNodeSetMemoryParameters(writer: XdrWriter, args: NodeSetMemoryParametersArgs): void {
  let field = 'params';
  try {
    writeTypedParameters(writer, args.params, { types: parameterTypes.NodeMemory, max: 64 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeSetMemoryParameters', field, error);
  }
}

export interface NodeGetMemoryParametersArgs {
  readonly nparams?: number | undefined;
  readonly flags?: number | undefined;
}

function writeNodeGetMemoryParameters(writer: XdrWriter, args: NodeGetMemoryParametersArgs): void {
  let field = 'nparams';
  try {
    writer.int32(args.nparams ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeGetMemoryParameters', field, error);
  }
}

export interface NodeGetMemoryParametersResult {
  readonly params: TypedParameterResult<NodeMemoryParameters>;
  readonly nparams: number;
}

function readNodeGetMemoryParameters(reader: XdrReader): NodeGetMemoryParametersResult {
  return {
    params: readTypedParameters<NodeMemoryParameters>(reader, 64),
    nparams: reader.int32(),
  };
}

export interface DomainBlockCommitArgs {
  readonly domain: Domain;
  readonly disk: string;
  readonly base?: string | undefined;
  readonly top?: string | undefined;
  readonly bandwidth?: bigint | undefined;
  readonly flags?: number | undefined;
}

function writeDomainBlockCommit(writer: XdrWriter, args: DomainBlockCommitArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'disk';
    writeString(writer, args.disk);
    field = 'base';
    writer.bool(args.base !== undefined);
    if (args.base !== undefined) writeString(writer, args.base);
    field = 'top';
    writer.bool(args.top !== undefined);
    if (args.top !== undefined) writeString(writer, args.top);
    field = 'bandwidth';
    writer.uint64(args.bandwidth ?? 0n);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainBlockCommit', field, error);
  }
}

export interface NetworkUpdateArgs {
  readonly network: Network;
  readonly command: number;
  readonly section: number;
  readonly parentIndex: number;
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeNetworkUpdate(writer: XdrWriter, args: NetworkUpdateArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
    field = 'command';
    writer.uint32(args.command);
    field = 'section';
    writer.uint32(args.section);
    field = 'parentIndex';
    writer.int32(args.parentIndex);
    field = 'xml';
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkUpdate', field, error);
  }
}

export interface NodeGetCpuMapArgs {
  readonly flags?: number | undefined;
}

function writeNodeGetCpuMap(writer: XdrWriter, args: NodeGetCpuMapArgs): void {
  let field = 'flags';
  try {
    writer.int32(1);
    writer.int32(1);
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeGetCpuMap', field, error);
  }
}

export interface NodeGetCpuMapResult {
  readonly cpuMap: Uint8Array;
  readonly online: number;
  readonly total: number;
}

function readNodeGetCpuMap(reader: XdrReader): NodeGetCpuMapResult {
  return {
    cpuMap: reader.opaque(2048),
    online: reader.uint32(),
    total: reader.int32(),
  };
}

export interface DomainFstrimArgs {
  readonly domain: Domain;
  readonly mountPoint?: string | undefined;
  readonly minimum: bigint;
  readonly flags?: number | undefined;
}

function writeDomainFstrim(writer: XdrWriter, args: DomainFstrimArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'mountPoint';
    writer.bool(args.mountPoint !== undefined);
    if (args.mountPoint !== undefined) writeString(writer, args.mountPoint);
    field = 'minimum';
    writer.uint64(args.minimum);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainFstrim', field, error);
  }
}

export interface DomainSendProcessSignalArgs {
  readonly domain: Domain;
  readonly pid: bigint;
  readonly signalNumber: number;
  readonly flags?: number | undefined;
}

function writeDomainSendProcessSignal(writer: XdrWriter, args: DomainSendProcessSignalArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'pid';
    writer.int64(args.pid);
    field = 'signalNumber';
    writer.uint32(args.signalNumber);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSendProcessSignal', field, error);
  }
}

export interface DomainOpenChannelArgs {
  readonly domain: Domain;
  readonly name?: string | undefined;
  readonly flags?: number | undefined;
}

function writeDomainOpenChannel(writer: XdrWriter, args: DomainOpenChannelArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'name';
    writer.bool(args.name !== undefined);
    if (args.name !== undefined) writeString(writer, args.name);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainOpenChannel', field, error);
  }
}

export interface NodeDeviceLookupScsiHostByWwnArgs {
  readonly wwnn: string;
  readonly wwpn: string;
  readonly flags?: number | undefined;
}

function writeNodeDeviceLookupScsiHostByWwn(writer: XdrWriter, args: NodeDeviceLookupScsiHostByWwnArgs): void {
  let field = 'wwnn';
  try {
    writeString(writer, args.wwnn);
    field = 'wwpn';
    writeString(writer, args.wwpn);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeDeviceLookupScsiHostByWwn', field, error);
  }
}

function readNodeDeviceLookupScsiHostByWwn(reader: XdrReader): NodeDevice {
  return readNodeDevice(reader);
}

export interface DomainGetJobStatsArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetJobStats(writer: XdrWriter, args: DomainGetJobStatsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetJobStats', field, error);
  }
}

export interface DomainGetJobStatsResult {
  readonly type: number;
  readonly params: TypedParameterResult<DomainJobStatsParameters>;
}

function readDomainGetJobStats(reader: XdrReader): DomainGetJobStatsResult {
  return {
    type: reader.int32(),
    params: readTypedParameters<DomainJobStatsParameters>(reader, 64),
  };
}

export interface DomainMigrateGetCompressionCacheArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainMigrateGetCompressionCache(writer: XdrWriter, args: DomainMigrateGetCompressionCacheArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMigrateGetCompressionCache', field, error);
  }
}

function readDomainMigrateGetCompressionCache(reader: XdrReader): bigint {
  return reader.uint64();
}

export interface DomainMigrateSetCompressionCacheArgs {
  readonly domain: Domain;
  readonly cacheSize: bigint;
  readonly flags?: number | undefined;
}

function writeDomainMigrateSetCompressionCache(writer: XdrWriter, args: DomainMigrateSetCompressionCacheArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'cacheSize';
    writer.uint64(args.cacheSize);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMigrateSetCompressionCache', field, error);
  }
}

export interface NodeDeviceDetachFlagsArgs {
  readonly name: string;
  readonly driverName?: string | undefined;
  readonly flags?: number | undefined;
}

function writeNodeDeviceDetachFlags(writer: XdrWriter, args: NodeDeviceDetachFlagsArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
    field = 'driverName';
    writer.bool(args.driverName !== undefined);
    if (args.driverName !== undefined) writeString(writer, args.driverName);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeDeviceDetachFlags', field, error);
  }
}

export interface DomainMigrateBegin3ParamsArgs {
  readonly domain: Domain;
  readonly params: TypedParameterInput<DomainMigrateParameters>;
  readonly flags?: number | undefined;
}

function writeDomainMigrateBegin3Params(writer: XdrWriter, args: DomainMigrateBegin3ParamsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainMigrate, max: 64 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMigrateBegin3Params', field, error);
  }
}

export interface DomainMigrateBegin3ParamsResult {
  readonly cookieOut: Uint8Array;
  readonly xml: string;
}

function readDomainMigrateBegin3Params(reader: XdrReader): DomainMigrateBegin3ParamsResult {
  return {
    cookieOut: reader.opaque(4194304),
    xml: reader.string(STRING_MAX),
  };
}

export interface DomainMigratePrepare3ParamsArgs {
  readonly params: TypedParameterInput<DomainMigrateParameters>;
  readonly cookieIn?: Uint8Array | undefined;
  readonly flags?: number | undefined;
}

function writeDomainMigratePrepare3Params(writer: XdrWriter, args: DomainMigratePrepare3ParamsArgs): void {
  let field = 'params';
  try {
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainMigrate, max: 64 });
    field = 'cookieIn';
    writer.opaque(args.cookieIn ?? NO_BYTES, 4194304);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMigratePrepare3Params', field, error);
  }
}

export interface DomainMigratePrepare3ParamsResult {
  readonly cookieOut: Uint8Array;
  readonly uriOut: string | undefined;
}

function readDomainMigratePrepare3Params(reader: XdrReader): DomainMigratePrepare3ParamsResult {
  return {
    cookieOut: reader.opaque(4194304),
    uriOut: reader.bool() ? reader.string(STRING_MAX) : undefined,
  };
}

export interface DomainMigratePrepareTunnel3ParamsArgs {
  readonly params: TypedParameterInput<DomainMigrateParameters>;
  readonly cookieIn?: Uint8Array | undefined;
  readonly flags?: number | undefined;
}

function writeDomainMigratePrepareTunnel3Params(writer: XdrWriter, args: DomainMigratePrepareTunnel3ParamsArgs): void {
  let field = 'params';
  try {
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainMigrate, max: 64 });
    field = 'cookieIn';
    writer.opaque(args.cookieIn ?? NO_BYTES, 4194304);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMigratePrepareTunnel3Params', field, error);
  }
}

function readDomainMigratePrepareTunnel3Params(reader: XdrReader): Uint8Array {
  return reader.opaque(4194304);
}

export interface DomainMigratePerform3ParamsArgs {
  readonly domain: Domain;
  readonly destinationConnectionUri?: string | undefined;
  readonly params: TypedParameterInput<DomainMigrateParameters>;
  readonly cookieIn?: Uint8Array | undefined;
  readonly flags?: number | undefined;
}

function writeDomainMigratePerform3Params(writer: XdrWriter, args: DomainMigratePerform3ParamsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'destinationConnectionUri';
    writer.bool(args.destinationConnectionUri !== undefined);
    if (args.destinationConnectionUri !== undefined) writeString(writer, args.destinationConnectionUri);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainMigrate, max: 64 });
    field = 'cookieIn';
    writer.opaque(args.cookieIn ?? NO_BYTES, 4194304);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMigratePerform3Params', field, error);
  }
}

function readDomainMigratePerform3Params(reader: XdrReader): Uint8Array {
  return reader.opaque(4194304);
}

export interface DomainMigrateFinish3ParamsArgs {
  readonly params: TypedParameterInput<DomainMigrateParameters>;
  readonly cookieIn?: Uint8Array | undefined;
  readonly flags?: number | undefined;
  readonly cancelled: number;
}

function writeDomainMigrateFinish3Params(writer: XdrWriter, args: DomainMigrateFinish3ParamsArgs): void {
  let field = 'params';
  try {
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainMigrate, max: 64 });
    field = 'cookieIn';
    writer.opaque(args.cookieIn ?? NO_BYTES, 4194304);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
    field = 'cancelled';
    writer.int32(args.cancelled);
  } catch (error) {
    throw argumentError('domainMigrateFinish3Params', field, error);
  }
}

export interface DomainMigrateFinish3ParamsResult {
  readonly domain: Domain;
  readonly cookieOut: Uint8Array;
}

function readDomainMigrateFinish3Params(reader: XdrReader): DomainMigrateFinish3ParamsResult {
  return {
    domain: readDomain(reader),
    cookieOut: reader.opaque(4194304),
  };
}

export interface DomainMigrateConfirm3ParamsArgs {
  readonly domain: Domain;
  readonly params: TypedParameterInput<DomainMigrateParameters>;
  readonly cookieIn?: Uint8Array | undefined;
  readonly flags?: number | undefined;
  readonly cancelled: number;
}

function writeDomainMigrateConfirm3Params(writer: XdrWriter, args: DomainMigrateConfirm3ParamsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainMigrate, max: 64 });
    field = 'cookieIn';
    writer.opaque(args.cookieIn ?? NO_BYTES, 4194304);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
    field = 'cancelled';
    writer.int32(args.cancelled);
  } catch (error) {
    throw argumentError('domainMigrateConfirm3Params', field, error);
  }
}

export interface DomainSetMemoryStatsPeriodArgs {
  readonly domain: Domain;
  readonly period: number;
  readonly flags?: number | undefined;
}

function writeDomainSetMemoryStatsPeriod(writer: XdrWriter, args: DomainSetMemoryStatsPeriodArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'period';
    writer.int32(args.period);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetMemoryStatsPeriod', field, error);
  }
}

export interface DomainCreateXmlWithFilesArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeDomainCreateXmlWithFiles(writer: XdrWriter, args: DomainCreateXmlWithFilesArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainCreateXmlWithFiles', field, error);
  }
}

function readDomainCreateXmlWithFiles(reader: XdrReader): Domain {
  return readDomain(reader);
}

export interface DomainCreateWithFilesArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainCreateWithFiles(writer: XdrWriter, args: DomainCreateWithFilesArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainCreateWithFiles', field, error);
  }
}

function readDomainCreateWithFiles(reader: XdrReader): Domain {
  return readDomain(reader);
}

export interface ConnectGetCpuModelNamesArgs {
  readonly architecture: string;
  readonly flags?: number | undefined;
}

function writeConnectGetCpuModelNames(writer: XdrWriter, args: ConnectGetCpuModelNamesArgs): void {
  let field = 'architecture';
  try {
    writeString(writer, args.architecture);
    writer.int32(1);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectGetCpuModelNames', field, error);
  }
}

function readConnectGetCpuModelNames(reader: XdrReader): readonly string[] {
  const models = readStringList(reader, 8192);
  reader.int32();
  return models;
}

export interface ConnectNetworkEventRegisterAnyArgs {
  readonly eventID: number;
  readonly network?: Network | undefined;
}

function writeConnectNetworkEventRegisterAny(writer: XdrWriter, args: ConnectNetworkEventRegisterAnyArgs): void {
  let field = 'eventID';
  try {
    writer.int32(args.eventID);
    field = 'network';
    writer.bool(args.network !== undefined);
    if (args.network !== undefined) writeNetwork(writer, args.network);
  } catch (error) {
    throw argumentError('connectNetworkEventRegisterAny', field, error);
  }
}

function readConnectNetworkEventRegisterAny(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectNetworkEventDeregisterAnyArgs {
  readonly callbackID: number;
}

function writeConnectNetworkEventDeregisterAny(writer: XdrWriter, args: ConnectNetworkEventDeregisterAnyArgs): void {
  let field = 'callbackID';
  try {
    writer.int32(args.callbackID);
  } catch (error) {
    throw argumentError('connectNetworkEventDeregisterAny', field, error);
  }
}

export interface ConnectDomainEventCallbackRegisterAnyArgs {
  readonly eventID: number;
  readonly domain?: Domain | undefined;
}

function writeConnectDomainEventCallbackRegisterAny(writer: XdrWriter, args: ConnectDomainEventCallbackRegisterAnyArgs): void {
  let field = 'eventID';
  try {
    writer.int32(args.eventID);
    field = 'domain';
    writer.bool(args.domain !== undefined);
    if (args.domain !== undefined) writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('connectDomainEventCallbackRegisterAny', field, error);
  }
}

function readConnectDomainEventCallbackRegisterAny(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectDomainEventCallbackDeregisterAnyArgs {
  readonly callbackID: number;
}

function writeConnectDomainEventCallbackDeregisterAny(writer: XdrWriter, args: ConnectDomainEventCallbackDeregisterAnyArgs): void {
  let field = 'callbackID';
  try {
    writer.int32(args.callbackID);
  } catch (error) {
    throw argumentError('connectDomainEventCallbackDeregisterAny', field, error);
  }
}

export interface DomainCoreDumpWithFormatArgs {
  readonly domain: Domain;
  readonly to: string;
  readonly dumpFormat: number;
  readonly flags?: number | undefined;
}

function writeDomainCoreDumpWithFormat(writer: XdrWriter, args: DomainCoreDumpWithFormatArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'to';
    writeString(writer, args.to);
    field = 'dumpFormat';
    writer.uint32(args.dumpFormat);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainCoreDumpWithFormat', field, error);
  }
}

export interface DomainFsfreezeArgs {
  readonly domain: Domain;
  readonly mountPoints?: readonly string[] | undefined;
  readonly flags?: number | undefined;
}

function writeDomainFsfreeze(writer: XdrWriter, args: DomainFsfreezeArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'mountPoints';
    writeStringList(writer, args.mountPoints ?? [], 256);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainFsfreeze', field, error);
  }
}

function readDomainFsfreeze(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainFsthawArgs {
  readonly domain: Domain;
  readonly mountPoints?: readonly string[] | undefined;
  readonly flags?: number | undefined;
}

function writeDomainFsthaw(writer: XdrWriter, args: DomainFsthawArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'mountPoints';
    writeStringList(writer, args.mountPoints ?? [], 256);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainFsthaw', field, error);
  }
}

function readDomainFsthaw(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainGetTimeArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetTime(writer: XdrWriter, args: DomainGetTimeArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetTime', field, error);
  }
}

export interface DomainGetTimeResult {
  readonly seconds: bigint;
  readonly nanoseconds: number;
}

function readDomainGetTime(reader: XdrReader): DomainGetTimeResult {
  return {
    seconds: reader.int64(),
    nanoseconds: reader.uint32(),
  };
}

export interface DomainSetTimeArgs {
  readonly domain: Domain;
  readonly seconds: bigint;
  readonly nanoseconds: number;
  readonly flags?: number | undefined;
}

function writeDomainSetTime(writer: XdrWriter, args: DomainSetTimeArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'seconds';
    writer.int64(args.seconds);
    field = 'nanoseconds';
    writer.uint32(args.nanoseconds);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetTime', field, error);
  }
}

export interface NodeGetFreePagesArgs {
  readonly pages: readonly number[];
  readonly startCell?: number | undefined;
  readonly cellCount: number;
  readonly flags?: number | undefined;
}

function writeNodeGetFreePages(writer: XdrWriter, args: NodeGetFreePagesArgs): void {
  let field = 'pages';
  try {
    writeU32List(writer, args.pages, 1024);
    field = 'startCell';
    writer.int32(args.startCell ?? 0);
    field = 'cellCount';
    writer.uint32(args.cellCount);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeGetFreePages', field, error);
  }
}

function readNodeGetFreePages(reader: XdrReader): readonly bigint[] {
  return readU64List(reader, 1024);
}

export interface NetworkGetDhcpLeasesArgs {
  readonly network: Network;
  readonly mac?: string | undefined;
  readonly flags?: number | undefined;
}

function writeNetworkGetDhcpLeases(writer: XdrWriter, args: NetworkGetDhcpLeasesArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
    field = 'mac';
    writer.bool(args.mac !== undefined);
    if (args.mac !== undefined) writeString(writer, args.mac);
    writer.int32(1);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkGetDhcpLeases', field, error);
  }
}

function readNetworkGetDhcpLeases(reader: XdrReader): readonly NetworkDhcpLease[] {
  const leases = readNetworkDhcpLeaseList(reader, 65536);
  reader.uint32();
  return leases;
}

export interface ConnectGetDomainCapabilitiesArgs {
  readonly emulatorBinary?: string | undefined;
  readonly architecture?: string | undefined;
  readonly machine?: string | undefined;
  readonly virtualizationType?: string | undefined;
  readonly flags?: number | undefined;
}

function writeConnectGetDomainCapabilities(writer: XdrWriter, args: ConnectGetDomainCapabilitiesArgs): void {
  let field = 'emulatorBinary';
  try {
    writer.bool(args.emulatorBinary !== undefined);
    if (args.emulatorBinary !== undefined) writeString(writer, args.emulatorBinary);
    field = 'architecture';
    writer.bool(args.architecture !== undefined);
    if (args.architecture !== undefined) writeString(writer, args.architecture);
    field = 'machine';
    writer.bool(args.machine !== undefined);
    if (args.machine !== undefined) writeString(writer, args.machine);
    field = 'virtualizationType';
    writer.bool(args.virtualizationType !== undefined);
    if (args.virtualizationType !== undefined) writeString(writer, args.virtualizationType);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectGetDomainCapabilities', field, error);
  }
}

function readConnectGetDomainCapabilities(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainOpenGraphicsFdArgs {
  readonly domain: Domain;
  readonly index: number;
  readonly flags?: number | undefined;
}

function writeDomainOpenGraphicsFd(writer: XdrWriter, args: DomainOpenGraphicsFdArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'index';
    writer.uint32(args.index);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainOpenGraphicsFd', field, error);
  }
}

export interface ConnectGetAllDomainStatsArgs {
  readonly domains?: readonly Domain[] | undefined;
  readonly stats?: number | undefined;
  readonly flags?: number | undefined;
}

function writeConnectGetAllDomainStats(writer: XdrWriter, args: ConnectGetAllDomainStatsArgs): void {
  let field = 'domains';
  try {
    writeDomainList(writer, args.domains ?? [], 16384);
    field = 'stats';
    writer.uint32(args.stats ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectGetAllDomainStats', field, error);
  }
}

function readConnectGetAllDomainStats(reader: XdrReader): readonly DomainStatsRecord[] {
  return readDomainStatsRecordList(reader, 16384);
}

export interface DomainBlockCopyArgs {
  readonly domain: Domain;
  readonly path: string;
  readonly destinationXml: string;
  readonly params: TypedParameterInput<DomainBlockCopyParameters>;
  readonly flags?: number | undefined;
}

function writeDomainBlockCopy(writer: XdrWriter, args: DomainBlockCopyArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'path';
    writeString(writer, args.path);
    field = 'destinationXml';
    writeString(writer, args.destinationXml);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainBlockCopy, max: 16 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainBlockCopy', field, error);
  }
}

export interface NodeAllocPagesArgs {
  readonly pageSizes: readonly number[];
  readonly pageCounts: readonly bigint[];
  readonly startCell?: number | undefined;
  readonly cellCount: number;
  readonly flags?: number | undefined;
}

function writeNodeAllocPages(writer: XdrWriter, args: NodeAllocPagesArgs): void {
  let field = 'pageSizes';
  try {
    writeU32List(writer, args.pageSizes, 1024);
    field = 'pageCounts';
    writeU64List(writer, args.pageCounts, 1024);
    field = 'startCell';
    writer.int32(args.startCell ?? 0);
    field = 'cellCount';
    writer.uint32(args.cellCount);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeAllocPages', field, error);
  }
}

function readNodeAllocPages(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainGetFsinfoArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetFsinfo(writer: XdrWriter, args: DomainGetFsinfoArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetFsinfo', field, error);
  }
}

function readDomainGetFsinfo(reader: XdrReader): readonly DomainFilesystem[] {
  const info = readDomainFilesystemList(reader, 256);
  reader.uint32();
  return info;
}

export interface DomainDefineXmlFlagsArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeDomainDefineXmlFlags(writer: XdrWriter, args: DomainDefineXmlFlagsArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainDefineXmlFlags', field, error);
  }
}

function readDomainDefineXmlFlags(reader: XdrReader): Domain {
  return readDomain(reader);
}

export interface DomainGetIothreadInfoArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetIothreadInfo(writer: XdrWriter, args: DomainGetIothreadInfoArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetIothreadInfo', field, error);
  }
}

function readDomainGetIothreadInfo(reader: XdrReader): readonly DomainIothread[] {
  const info = readDomainIothreadList(reader, 16384);
  reader.uint32();
  return info;
}

export interface DomainPinIothreadArgs {
  readonly domain: Domain;
  readonly iothreadId: number;
  readonly cpuMap: Uint8Array;
  readonly flags?: number | undefined;
}

function writeDomainPinIothread(writer: XdrWriter, args: DomainPinIothreadArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'iothreadId';
    writer.uint32(args.iothreadId);
    field = 'cpuMap';
    writer.opaque(args.cpuMap, 2048);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainPinIothread', field, error);
  }
}

export interface DomainInterfaceAddressesArgs {
  readonly domain: Domain;
  readonly source: number;
  readonly flags?: number | undefined;
}

function writeDomainInterfaceAddresses(writer: XdrWriter, args: DomainInterfaceAddressesArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'source';
    writer.uint32(args.source);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainInterfaceAddresses', field, error);
  }
}

function readDomainInterfaceAddresses(reader: XdrReader): readonly DomainInterface[] {
  return readDomainInterfaceList(reader, 2048);
}

export interface DomainAddIothreadArgs {
  readonly domain: Domain;
  readonly iothreadId: number;
  readonly flags?: number | undefined;
}

function writeDomainAddIothread(writer: XdrWriter, args: DomainAddIothreadArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'iothreadId';
    writer.uint32(args.iothreadId);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainAddIothread', field, error);
  }
}

export interface DomainDelIothreadArgs {
  readonly domain: Domain;
  readonly iothreadId: number;
  readonly flags?: number | undefined;
}

function writeDomainDelIothread(writer: XdrWriter, args: DomainDelIothreadArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'iothreadId';
    writer.uint32(args.iothreadId);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainDelIothread', field, error);
  }
}

export interface DomainSetUserPasswordArgs {
  readonly domain: Domain;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly flags?: number | undefined;
}

function writeDomainSetUserPassword(writer: XdrWriter, args: DomainSetUserPasswordArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'user';
    writer.bool(args.user !== undefined);
    if (args.user !== undefined) writeString(writer, args.user);
    field = 'password';
    writer.bool(args.password !== undefined);
    if (args.password !== undefined) writeString(writer, args.password);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetUserPassword', field, error);
  }
}

export interface DomainRenameArgs {
  readonly domain: Domain;
  readonly newName?: string | undefined;
  readonly flags?: number | undefined;
}

function writeDomainRename(writer: XdrWriter, args: DomainRenameArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'newName';
    writer.bool(args.newName !== undefined);
    if (args.newName !== undefined) writeString(writer, args.newName);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainRename', field, error);
  }
}

function readDomainRename(reader: XdrReader): number {
  return reader.int32();
}



export interface DomainMigrateStartPostCopyArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainMigrateStartPostCopy(writer: XdrWriter, args: DomainMigrateStartPostCopyArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMigrateStartPostCopy', field, error);
  }
}

export interface DomainGetPerfEventsArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetPerfEvents(writer: XdrWriter, args: DomainGetPerfEventsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetPerfEvents', field, error);
  }
}

function readDomainGetPerfEvents(reader: XdrReader): TypedParameterResult<DomainPerfEventsParameters> {
  return readTypedParameters<DomainPerfEventsParameters>(reader, 64);
}

export interface DomainSetPerfEventsArgs {
  readonly domain: Domain;
  readonly params: TypedParameterInput<DomainPerfEventsParameters>;
  readonly flags?: number | undefined;
}

function writeDomainSetPerfEvents(writer: XdrWriter, args: DomainSetPerfEventsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainPerfEvents, max: 64 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetPerfEvents', field, error);
  }
}

export interface ConnectStoragePoolEventRegisterAnyArgs {
  readonly eventID: number;
  readonly pool?: StoragePool | undefined;
}

function writeConnectStoragePoolEventRegisterAny(writer: XdrWriter, args: ConnectStoragePoolEventRegisterAnyArgs): void {
  let field = 'eventID';
  try {
    writer.int32(args.eventID);
    field = 'pool';
    writer.bool(args.pool !== undefined);
    if (args.pool !== undefined) writeStoragePool(writer, args.pool);
  } catch (error) {
    throw argumentError('connectStoragePoolEventRegisterAny', field, error);
  }
}

function readConnectStoragePoolEventRegisterAny(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectStoragePoolEventDeregisterAnyArgs {
  readonly callbackID: number;
}

function writeConnectStoragePoolEventDeregisterAny(writer: XdrWriter, args: ConnectStoragePoolEventDeregisterAnyArgs): void {
  let field = 'callbackID';
  try {
    writer.int32(args.callbackID);
  } catch (error) {
    throw argumentError('connectStoragePoolEventDeregisterAny', field, error);
  }
}

export interface DomainGetGuestVcpusArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetGuestVcpus(writer: XdrWriter, args: DomainGetGuestVcpusArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetGuestVcpus', field, error);
  }
}

function readDomainGetGuestVcpus(reader: XdrReader): TypedParameterResult<DomainGuestVcpusParameters> {
  return readTypedParameters<DomainGuestVcpusParameters>(reader, 64);
}

export interface DomainSetGuestVcpusArgs {
  readonly domain: Domain;
  readonly cpuMap: string;
  readonly state: number;
  readonly flags?: number | undefined;
}

function writeDomainSetGuestVcpus(writer: XdrWriter, args: DomainSetGuestVcpusArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'cpuMap';
    writeString(writer, args.cpuMap);
    field = 'state';
    writer.int32(args.state);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetGuestVcpus', field, error);
  }
}

export interface ConnectNodeDeviceEventRegisterAnyArgs {
  readonly eventID: number;
  readonly device?: NodeDevice | undefined;
}

function writeConnectNodeDeviceEventRegisterAny(writer: XdrWriter, args: ConnectNodeDeviceEventRegisterAnyArgs): void {
  let field = 'eventID';
  try {
    writer.int32(args.eventID);
    field = 'device';
    writer.bool(args.device !== undefined);
    if (args.device !== undefined) writeNodeDevice(writer, args.device);
  } catch (error) {
    throw argumentError('connectNodeDeviceEventRegisterAny', field, error);
  }
}

function readConnectNodeDeviceEventRegisterAny(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectNodeDeviceEventDeregisterAnyArgs {
  readonly callbackID: number;
}

function writeConnectNodeDeviceEventDeregisterAny(writer: XdrWriter, args: ConnectNodeDeviceEventDeregisterAnyArgs): void {
  let field = 'callbackID';
  try {
    writer.int32(args.callbackID);
  } catch (error) {
    throw argumentError('connectNodeDeviceEventDeregisterAny', field, error);
  }
}

export interface StorageVolGetInfoFlagsArgs {
  readonly volume: StorageVolume;
  readonly flags?: number | undefined;
}

function writeStorageVolGetInfoFlags(writer: XdrWriter, args: StorageVolGetInfoFlagsArgs): void {
  let field = 'volume';
  try {
    writeStorageVolume(writer, args.volume);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('storageVolGetInfoFlags', field, error);
  }
}

export interface StorageVolGetInfoFlagsResult {
  readonly type: number;
  readonly capacity: bigint;
  readonly allocation: bigint;
}

function readStorageVolGetInfoFlags(reader: XdrReader): StorageVolGetInfoFlagsResult {
  return {
    type: reader.int32(),
    capacity: reader.uint64(),
    allocation: reader.uint64(),
  };
}

export interface ConnectSecretEventRegisterAnyArgs {
  readonly eventID: number;
  readonly secret?: Secret | undefined;
}

function writeConnectSecretEventRegisterAny(writer: XdrWriter, args: ConnectSecretEventRegisterAnyArgs): void {
  let field = 'eventID';
  try {
    writer.int32(args.eventID);
    field = 'secret';
    writer.bool(args.secret !== undefined);
    if (args.secret !== undefined) writeSecret(writer, args.secret);
  } catch (error) {
    throw argumentError('connectSecretEventRegisterAny', field, error);
  }
}

function readConnectSecretEventRegisterAny(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectSecretEventDeregisterAnyArgs {
  readonly callbackID: number;
}

function writeConnectSecretEventDeregisterAny(writer: XdrWriter, args: ConnectSecretEventDeregisterAnyArgs): void {
  let field = 'callbackID';
  try {
    writer.int32(args.callbackID);
  } catch (error) {
    throw argumentError('connectSecretEventDeregisterAny', field, error);
  }
}

export interface DomainSetVcpuArgs {
  readonly domain: Domain;
  readonly cpuMap: string;
  readonly state: number;
  readonly flags?: number | undefined;
}

function writeDomainSetVcpu(writer: XdrWriter, args: DomainSetVcpuArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'cpuMap';
    writeString(writer, args.cpuMap);
    field = 'state';
    writer.int32(args.state);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetVcpu', field, error);
  }
}

export interface DomainSetBlockThresholdArgs {
  readonly domain: Domain;
  readonly device: string;
  readonly threshold: bigint;
  readonly flags?: number | undefined;
}

function writeDomainSetBlockThreshold(writer: XdrWriter, args: DomainSetBlockThresholdArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'device';
    writeString(writer, args.device);
    field = 'threshold';
    writer.uint64(args.threshold);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetBlockThreshold', field, error);
  }
}

export interface DomainMigrateGetMaxDowntimeArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainMigrateGetMaxDowntime(writer: XdrWriter, args: DomainMigrateGetMaxDowntimeArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainMigrateGetMaxDowntime', field, error);
  }
}

function readDomainMigrateGetMaxDowntime(reader: XdrReader): bigint {
  return reader.uint64();
}

export interface DomainManagedSaveGetXmlDescArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainManagedSaveGetXmlDesc(writer: XdrWriter, args: DomainManagedSaveGetXmlDescArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainManagedSaveGetXmlDesc', field, error);
  }
}

function readDomainManagedSaveGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainManagedSaveDefineXmlArgs {
  readonly domain: Domain;
  readonly xml?: string | undefined;
  readonly flags?: number | undefined;
}

function writeDomainManagedSaveDefineXml(writer: XdrWriter, args: DomainManagedSaveDefineXmlArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'xml';
    writer.bool(args.xml !== undefined);
    if (args.xml !== undefined) writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainManagedSaveDefineXml', field, error);
  }
}

export interface DomainSetLifecycleActionArgs {
  readonly domain: Domain;
  readonly type: number;
  readonly action: number;
  readonly flags?: number | undefined;
}

function writeDomainSetLifecycleAction(writer: XdrWriter, args: DomainSetLifecycleActionArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'type';
    writer.uint32(args.type);
    field = 'action';
    writer.uint32(args.action);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetLifecycleAction', field, error);
  }
}

export interface StoragePoolLookupByTargetPathArgs {
  readonly path: string;
}

function writeStoragePoolLookupByTargetPath(writer: XdrWriter, args: StoragePoolLookupByTargetPathArgs): void {
  let field = 'path';
  try {
    writeString(writer, args.path);
  } catch (error) {
    throw argumentError('storagePoolLookupByTargetPath', field, error);
  }
}

function readStoragePoolLookupByTargetPath(reader: XdrReader): StoragePool {
  return readStoragePool(reader);
}

export interface DomainDetachDeviceAliasArgs {
  readonly domain: Domain;
  readonly alias: string;
  readonly flags?: number | undefined;
}

function writeDomainDetachDeviceAlias(writer: XdrWriter, args: DomainDetachDeviceAliasArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'alias';
    writeString(writer, args.alias);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainDetachDeviceAlias', field, error);
  }
}

export interface ConnectCompareHypervisorCpuArgs {
  readonly emulator?: string | undefined;
  readonly architecture?: string | undefined;
  readonly machine?: string | undefined;
  readonly virtualizationType?: string | undefined;
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeConnectCompareHypervisorCpu(writer: XdrWriter, args: ConnectCompareHypervisorCpuArgs): void {
  let field = 'emulator';
  try {
    writer.bool(args.emulator !== undefined);
    if (args.emulator !== undefined) writeString(writer, args.emulator);
    field = 'architecture';
    writer.bool(args.architecture !== undefined);
    if (args.architecture !== undefined) writeString(writer, args.architecture);
    field = 'machine';
    writer.bool(args.machine !== undefined);
    if (args.machine !== undefined) writeString(writer, args.machine);
    field = 'virtualizationType';
    writer.bool(args.virtualizationType !== undefined);
    if (args.virtualizationType !== undefined) writeString(writer, args.virtualizationType);
    field = 'xml';
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectCompareHypervisorCpu', field, error);
  }
}

function readConnectCompareHypervisorCpu(reader: XdrReader): number {
  return reader.int32();
}

export interface ConnectBaselineHypervisorCpuArgs {
  readonly emulator?: string | undefined;
  readonly architecture?: string | undefined;
  readonly machine?: string | undefined;
  readonly virtualizationType?: string | undefined;
  readonly xmls: readonly string[];
  readonly flags?: number | undefined;
}

function writeConnectBaselineHypervisorCpu(writer: XdrWriter, args: ConnectBaselineHypervisorCpuArgs): void {
  let field = 'emulator';
  try {
    writer.bool(args.emulator !== undefined);
    if (args.emulator !== undefined) writeString(writer, args.emulator);
    field = 'architecture';
    writer.bool(args.architecture !== undefined);
    if (args.architecture !== undefined) writeString(writer, args.architecture);
    field = 'machine';
    writer.bool(args.machine !== undefined);
    if (args.machine !== undefined) writeString(writer, args.machine);
    field = 'virtualizationType';
    writer.bool(args.virtualizationType !== undefined);
    if (args.virtualizationType !== undefined) writeString(writer, args.virtualizationType);
    field = 'xmls';
    writeStringList(writer, args.xmls, 256);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectBaselineHypervisorCpu', field, error);
  }
}

function readConnectBaselineHypervisorCpu(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface NodeGetSevInfoArgs {
  readonly nparams?: number | undefined;
  readonly flags?: number | undefined;
}

function writeNodeGetSevInfo(writer: XdrWriter, args: NodeGetSevInfoArgs): void {
  let field = 'nparams';
  try {
    writer.int32(args.nparams ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeGetSevInfo', field, error);
  }
}

export interface NodeGetSevInfoResult {
  readonly params: TypedParameterResult<NodeSevInfoParameters>;
  readonly nparams: number;
}

function readNodeGetSevInfo(reader: XdrReader): NodeGetSevInfoResult {
  return {
    params: readTypedParameters<NodeSevInfoParameters>(reader, 64),
    nparams: reader.int32(),
  };
}

export interface DomainGetLaunchSecurityInfoArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetLaunchSecurityInfo(writer: XdrWriter, args: DomainGetLaunchSecurityInfoArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetLaunchSecurityInfo', field, error);
  }
}

function readDomainGetLaunchSecurityInfo(reader: XdrReader): TypedParameterResult<DomainLaunchSecurityInfoParameters> {
  return readTypedParameters<DomainLaunchSecurityInfoParameters>(reader, 64);
}

export interface NwfilterBindingLookupByPortDevArgs {
  readonly name: string;
}

function writeNwfilterBindingLookupByPortDev(writer: XdrWriter, args: NwfilterBindingLookupByPortDevArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('nwfilterBindingLookupByPortDev', field, error);
  }
}

function readNwfilterBindingLookupByPortDev(reader: XdrReader): NetworkFilterBinding {
  return readNetworkFilterBinding(reader);
}

export interface NwfilterBindingGetXmlDescArgs {
  readonly binding: NetworkFilterBinding;
  readonly flags?: number | undefined;
}

function writeNwfilterBindingGetXmlDesc(writer: XdrWriter, args: NwfilterBindingGetXmlDescArgs): void {
  let field = 'binding';
  try {
    writeNetworkFilterBinding(writer, args.binding);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nwfilterBindingGetXmlDesc', field, error);
  }
}

function readNwfilterBindingGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface NwfilterBindingCreateXmlArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeNwfilterBindingCreateXml(writer: XdrWriter, args: NwfilterBindingCreateXmlArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nwfilterBindingCreateXml', field, error);
  }
}

function readNwfilterBindingCreateXml(reader: XdrReader): NetworkFilterBinding {
  return readNetworkFilterBinding(reader);
}

export interface NwfilterBindingDeleteArgs {
  readonly binding: NetworkFilterBinding;
}

function writeNwfilterBindingDelete(writer: XdrWriter, args: NwfilterBindingDeleteArgs): void {
  let field = 'binding';
  try {
    writeNetworkFilterBinding(writer, args.binding);
  } catch (error) {
    throw argumentError('nwfilterBindingDelete', field, error);
  }
}

export interface ConnectListAllNwfilterBindingsArgs {
  readonly flags?: number | undefined;
}

function writeConnectListAllNwfilterBindings(writer: XdrWriter, args: ConnectListAllNwfilterBindingsArgs): void {
  let field = 'flags';
  try {
    writer.int32(1);
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectListAllNwfilterBindings', field, error);
  }
}

function readConnectListAllNwfilterBindings(reader: XdrReader): readonly NetworkFilterBinding[] {
  const bindings = readNetworkFilterBindingList(reader, 16384);
  reader.uint32();
  return bindings;
}

export interface DomainSetIothreadParamsArgs {
  readonly domain: Domain;
  readonly iothreadId: number;
  readonly params: TypedParameterInput<DomainIothreadParameters>;
  readonly flags?: number | undefined;
}

function writeDomainSetIothreadParams(writer: XdrWriter, args: DomainSetIothreadParamsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'iothreadId';
    writer.uint32(args.iothreadId);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainIothread, max: 64 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetIothreadParams', field, error);
  }
}

export interface ConnectGetStoragePoolCapabilitiesArgs {
  readonly flags?: number | undefined;
}

function writeConnectGetStoragePoolCapabilities(writer: XdrWriter, args: ConnectGetStoragePoolCapabilitiesArgs): void {
  let field = 'flags';
  try {
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectGetStoragePoolCapabilities', field, error);
  }
}

function readConnectGetStoragePoolCapabilities(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface NetworkListAllPortsArgs {
  readonly network: Network;
  readonly flags?: number | undefined;
}

function writeNetworkListAllPorts(writer: XdrWriter, args: NetworkListAllPortsArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
    writer.int32(1);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkListAllPorts', field, error);
  }
}

function readNetworkListAllPorts(reader: XdrReader): readonly NetworkPort[] {
  const ports = readNetworkPortList(reader, 16384);
  reader.uint32();
  return ports;
}

export interface NetworkPortLookupByUuidArgs {
  readonly network: Network;
  readonly uuid: string;
}

function writeNetworkPortLookupByUuid(writer: XdrWriter, args: NetworkPortLookupByUuidArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
    field = 'uuid';
    writeUuid(writer, args.uuid);
  } catch (error) {
    throw argumentError('networkPortLookupByUuid', field, error);
  }
}

function readNetworkPortLookupByUuid(reader: XdrReader): NetworkPort {
  return readNetworkPort(reader);
}

export interface NetworkPortCreateXmlArgs {
  readonly network: Network;
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeNetworkPortCreateXml(writer: XdrWriter, args: NetworkPortCreateXmlArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
    field = 'xml';
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkPortCreateXml', field, error);
  }
}

function readNetworkPortCreateXml(reader: XdrReader): NetworkPort {
  return readNetworkPort(reader);
}

export interface NetworkPortGetParametersArgs {
  readonly port: NetworkPort;
  readonly nparams?: number | undefined;
  readonly flags?: number | undefined;
}

function writeNetworkPortGetParameters(writer: XdrWriter, args: NetworkPortGetParametersArgs): void {
  let field = 'port';
  try {
    writeNetworkPort(writer, args.port);
    field = 'nparams';
    writer.int32(args.nparams ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkPortGetParameters', field, error);
  }
}

export interface NetworkPortGetParametersResult {
  readonly params: TypedParameterResult<NetworkPortParameters>;
  readonly nparams: number;
}

function readNetworkPortGetParameters(reader: XdrReader): NetworkPortGetParametersResult {
  return {
    params: readTypedParameters<NetworkPortParameters>(reader, 16),
    nparams: reader.int32(),
  };
}

export interface NetworkPortSetParametersArgs {
  readonly port: NetworkPort;
  readonly params: TypedParameterInput<NetworkPortParameters>;
  readonly flags?: number | undefined;
}

function writeNetworkPortSetParameters(writer: XdrWriter, args: NetworkPortSetParametersArgs): void {
  let field = 'port';
  try {
    writeNetworkPort(writer, args.port);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.NetworkPort, max: 16 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkPortSetParameters', field, error);
  }
}

export interface NetworkPortGetXmlDescArgs {
  readonly port: NetworkPort;
  readonly flags?: number | undefined;
}

function writeNetworkPortGetXmlDesc(writer: XdrWriter, args: NetworkPortGetXmlDescArgs): void {
  let field = 'port';
  try {
    writeNetworkPort(writer, args.port);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkPortGetXmlDesc', field, error);
  }
}

function readNetworkPortGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface NetworkPortDeleteArgs {
  readonly port: NetworkPort;
  readonly flags?: number | undefined;
}

function writeNetworkPortDelete(writer: XdrWriter, args: NetworkPortDeleteArgs): void {
  let field = 'port';
  try {
    writeNetworkPort(writer, args.port);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkPortDelete', field, error);
  }
}

export interface DomainCheckpointCreateXmlArgs {
  readonly domain: Domain;
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeDomainCheckpointCreateXml(writer: XdrWriter, args: DomainCheckpointCreateXmlArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'xml';
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainCheckpointCreateXml', field, error);
  }
}

function readDomainCheckpointCreateXml(reader: XdrReader): DomainCheckpoint {
  return readDomainCheckpoint(reader);
}

export interface DomainCheckpointGetXmlDescArgs {
  readonly checkpoint: DomainCheckpoint;
  readonly flags?: number | undefined;
}

function writeDomainCheckpointGetXmlDesc(writer: XdrWriter, args: DomainCheckpointGetXmlDescArgs): void {
  let field = 'checkpoint';
  try {
    writeDomainCheckpoint(writer, args.checkpoint);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainCheckpointGetXmlDesc', field, error);
  }
}

function readDomainCheckpointGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainListAllCheckpointsArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainListAllCheckpoints(writer: XdrWriter, args: DomainListAllCheckpointsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    writer.int32(1);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainListAllCheckpoints', field, error);
  }
}

function readDomainListAllCheckpoints(reader: XdrReader): readonly DomainCheckpoint[] {
  const checkpoints = readDomainCheckpointList(reader, 16384);
  reader.int32();
  return checkpoints;
}

export interface DomainCheckpointListAllChildrenArgs {
  readonly checkpoint: DomainCheckpoint;
  readonly flags?: number | undefined;
}

function writeDomainCheckpointListAllChildren(writer: XdrWriter, args: DomainCheckpointListAllChildrenArgs): void {
  let field = 'checkpoint';
  try {
    writeDomainCheckpoint(writer, args.checkpoint);
    writer.int32(1);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainCheckpointListAllChildren', field, error);
  }
}

function readDomainCheckpointListAllChildren(reader: XdrReader): readonly DomainCheckpoint[] {
  const checkpoints = readDomainCheckpointList(reader, 16384);
  reader.int32();
  return checkpoints;
}

export interface DomainCheckpointLookupByNameArgs {
  readonly domain: Domain;
  readonly name: string;
  readonly flags?: number | undefined;
}

function writeDomainCheckpointLookupByName(writer: XdrWriter, args: DomainCheckpointLookupByNameArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'name';
    writeString(writer, args.name);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainCheckpointLookupByName', field, error);
  }
}

function readDomainCheckpointLookupByName(reader: XdrReader): DomainCheckpoint {
  return readDomainCheckpoint(reader);
}

export interface DomainCheckpointGetParentArgs {
  readonly checkpoint: DomainCheckpoint;
  readonly flags?: number | undefined;
}

function writeDomainCheckpointGetParent(writer: XdrWriter, args: DomainCheckpointGetParentArgs): void {
  let field = 'checkpoint';
  try {
    writeDomainCheckpoint(writer, args.checkpoint);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainCheckpointGetParent', field, error);
  }
}

function readDomainCheckpointGetParent(reader: XdrReader): DomainCheckpoint {
  return readDomainCheckpoint(reader);
}

export interface DomainCheckpointDeleteArgs {
  readonly checkpoint: DomainCheckpoint;
  readonly flags?: number | undefined;
}

function writeDomainCheckpointDelete(writer: XdrWriter, args: DomainCheckpointDeleteArgs): void {
  let field = 'checkpoint';
  try {
    writeDomainCheckpoint(writer, args.checkpoint);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainCheckpointDelete', field, error);
  }
}

export interface DomainGetGuestInfoArgs {
  readonly domain: Domain;
  readonly types?: number | undefined;
  readonly flags?: number | undefined;
}

function writeDomainGetGuestInfo(writer: XdrWriter, args: DomainGetGuestInfoArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'types';
    writer.uint32(args.types ?? 0);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetGuestInfo', field, error);
  }
}

function readDomainGetGuestInfo(reader: XdrReader): TypedParameterResult<DomainGuestInfoParameters> {
  return readTypedParameters<DomainGuestInfoParameters>(reader, 2048);
}

export interface ConnectSetIdentityArgs {
  readonly params: TypedParameterInput<ConnectIdentityParameters>;
  readonly flags?: number | undefined;
}

function writeConnectSetIdentity(writer: XdrWriter, args: ConnectSetIdentityArgs): void {
  let field = 'params';
  try {
    writeTypedParameters(writer, args.params, { types: parameterTypes.ConnectIdentity, max: 20 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('connectSetIdentity', field, error);
  }
}

export interface DomainAgentSetResponseTimeoutArgs {
  readonly domain: Domain;
  readonly timeout: number;
  readonly flags?: number | undefined;
}

function writeDomainAgentSetResponseTimeout(writer: XdrWriter, args: DomainAgentSetResponseTimeoutArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'timeout';
    writer.int32(args.timeout);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainAgentSetResponseTimeout', field, error);
  }
}

function readDomainAgentSetResponseTimeout(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainBackupBeginArgs {
  readonly domain: Domain;
  readonly backupXml: string;
  readonly checkpointXml?: string | undefined;
  readonly flags?: number | undefined;
}

function writeDomainBackupBegin(writer: XdrWriter, args: DomainBackupBeginArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'backupXml';
    writeString(writer, args.backupXml);
    field = 'checkpointXml';
    writer.bool(args.checkpointXml !== undefined);
    if (args.checkpointXml !== undefined) writeString(writer, args.checkpointXml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainBackupBegin', field, error);
  }
}

export interface DomainBackupGetXmlDescArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainBackupGetXmlDesc(writer: XdrWriter, args: DomainBackupGetXmlDescArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainBackupGetXmlDesc', field, error);
  }
}

function readDomainBackupGetXmlDesc(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface DomainAuthorizedSshKeysGetArgs {
  readonly domain: Domain;
  readonly user: string;
  readonly flags?: number | undefined;
}

function writeDomainAuthorizedSshKeysGet(writer: XdrWriter, args: DomainAuthorizedSshKeysGetArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'user';
    writeString(writer, args.user);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainAuthorizedSshKeysGet', field, error);
  }
}

function readDomainAuthorizedSshKeysGet(reader: XdrReader): readonly string[] {
  return readStringList(reader, 2048);
}

export interface DomainAuthorizedSshKeysSetArgs {
  readonly domain: Domain;
  readonly user: string;
  readonly keys: readonly string[];
  readonly flags?: number | undefined;
}

function writeDomainAuthorizedSshKeysSet(writer: XdrWriter, args: DomainAuthorizedSshKeysSetArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'user';
    writeString(writer, args.user);
    field = 'keys';
    writeStringList(writer, args.keys, 2048);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainAuthorizedSshKeysSet', field, error);
  }
}

export interface DomainGetMessagesArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainGetMessages(writer: XdrWriter, args: DomainGetMessagesArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGetMessages', field, error);
  }
}

function readDomainGetMessages(reader: XdrReader): readonly string[] {
  return readStringList(reader, 2048);
}

export interface DomainStartDirtyRateCalcArgs {
  readonly domain: Domain;
  readonly seconds: number;
  readonly flags?: number | undefined;
}

function writeDomainStartDirtyRateCalc(writer: XdrWriter, args: DomainStartDirtyRateCalcArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'seconds';
    writer.int32(args.seconds);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainStartDirtyRateCalc', field, error);
  }
}

export interface NodeDeviceDefineXmlArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeNodeDeviceDefineXml(writer: XdrWriter, args: NodeDeviceDefineXmlArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeDeviceDefineXml', field, error);
  }
}

function readNodeDeviceDefineXml(reader: XdrReader): NodeDevice {
  return readNodeDevice(reader);
}

export interface NodeDeviceUndefineArgs {
  readonly name: string;
  readonly flags?: number | undefined;
}

function writeNodeDeviceUndefine(writer: XdrWriter, args: NodeDeviceUndefineArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeDeviceUndefine', field, error);
  }
}

export interface NodeDeviceCreateArgs {
  readonly name: string;
  readonly flags?: number | undefined;
}

function writeNodeDeviceCreate(writer: XdrWriter, args: NodeDeviceCreateArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeDeviceCreate', field, error);
  }
}

export interface NwfilterDefineXmlFlagsArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeNwfilterDefineXmlFlags(writer: XdrWriter, args: NwfilterDefineXmlFlagsArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nwfilterDefineXmlFlags', field, error);
  }
}

function readNwfilterDefineXmlFlags(reader: XdrReader): NetworkFilter {
  return readNetworkFilter(reader);
}

export interface NetworkDefineXmlFlagsArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeNetworkDefineXmlFlags(writer: XdrWriter, args: NetworkDefineXmlFlagsArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkDefineXmlFlags', field, error);
  }
}

function readNetworkDefineXmlFlags(reader: XdrReader): Network {
  return readNetwork(reader);
}

export interface NodeDeviceGetAutostartArgs {
  readonly name: string;
}

function writeNodeDeviceGetAutostart(writer: XdrWriter, args: NodeDeviceGetAutostartArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('nodeDeviceGetAutostart', field, error);
  }
}

function readNodeDeviceGetAutostart(reader: XdrReader): number {
  return reader.int32();
}

export interface NodeDeviceSetAutostartArgs {
  readonly name: string;
  readonly autostart: number;
}

function writeNodeDeviceSetAutostart(writer: XdrWriter, args: NodeDeviceSetAutostartArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
    field = 'autostart';
    writer.int32(args.autostart);
  } catch (error) {
    throw argumentError('nodeDeviceSetAutostart', field, error);
  }
}

export interface NodeDeviceIsPersistentArgs {
  readonly name: string;
}

function writeNodeDeviceIsPersistent(writer: XdrWriter, args: NodeDeviceIsPersistentArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('nodeDeviceIsPersistent', field, error);
  }
}

function readNodeDeviceIsPersistent(reader: XdrReader): number {
  return reader.int32();
}

export interface NodeDeviceIsActiveArgs {
  readonly name: string;
}

function writeNodeDeviceIsActive(writer: XdrWriter, args: NodeDeviceIsActiveArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
  } catch (error) {
    throw argumentError('nodeDeviceIsActive', field, error);
  }
}

function readNodeDeviceIsActive(reader: XdrReader): number {
  return reader.int32();
}

export interface NetworkCreateXmlFlagsArgs {
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeNetworkCreateXmlFlags(writer: XdrWriter, args: NetworkCreateXmlFlagsArgs): void {
  let field = 'xml';
  try {
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkCreateXmlFlags', field, error);
  }
}

function readNetworkCreateXmlFlags(reader: XdrReader): Network {
  return readNetwork(reader);
}

export interface DomainSetLaunchSecurityStateArgs {
  readonly domain: Domain;
  readonly params: TypedParameterInput<DomainLaunchSecurityStateParameters>;
  readonly flags?: number | undefined;
}

function writeDomainSetLaunchSecurityState(writer: XdrWriter, args: DomainSetLaunchSecurityStateArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainLaunchSecurityState, max: 64 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetLaunchSecurityState', field, error);
  }
}

export interface DomainSaveParamsArgs {
  readonly domain: Domain;
  readonly params: TypedParameterInput<DomainSaveParameters>;
  readonly flags?: number | undefined;
}

function writeDomainSaveParams(writer: XdrWriter, args: DomainSaveParamsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainSave, max: 64 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSaveParams', field, error);
  }
}

export interface DomainRestoreParamsArgs {
  readonly params: TypedParameterInput<DomainSaveParameters>;
  readonly flags?: number | undefined;
}

function writeDomainRestoreParams(writer: XdrWriter, args: DomainRestoreParamsArgs): void {
  let field = 'params';
  try {
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainSave, max: 64 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainRestoreParams', field, error);
  }
}

export interface DomainAbortJobFlagsArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeDomainAbortJobFlags(writer: XdrWriter, args: DomainAbortJobFlagsArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainAbortJobFlags', field, error);
  }
}

export interface DomainFdAssociateArgs {
  readonly domain: Domain;
  readonly name: string;
  readonly flags?: number | undefined;
}

function writeDomainFdAssociate(writer: XdrWriter, args: DomainFdAssociateArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'name';
    writeString(writer, args.name);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainFdAssociate', field, error);
  }
}

export interface NetworkSetMetadataArgs {
  readonly network: Network;
  readonly type: number;
  readonly metadata?: string | undefined;
  readonly key?: string | undefined;
  readonly uri?: string | undefined;
  readonly flags?: number | undefined;
}

function writeNetworkSetMetadata(writer: XdrWriter, args: NetworkSetMetadataArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
    field = 'type';
    writer.int32(args.type);
    field = 'metadata';
    writer.bool(args.metadata !== undefined);
    if (args.metadata !== undefined) writeString(writer, args.metadata);
    field = 'key';
    writer.bool(args.key !== undefined);
    if (args.key !== undefined) writeString(writer, args.key);
    field = 'uri';
    writer.bool(args.uri !== undefined);
    if (args.uri !== undefined) writeString(writer, args.uri);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkSetMetadata', field, error);
  }
}

export interface NetworkGetMetadataArgs {
  readonly network: Network;
  readonly type: number;
  readonly uri?: string | undefined;
  readonly flags?: number | undefined;
}

function writeNetworkGetMetadata(writer: XdrWriter, args: NetworkGetMetadataArgs): void {
  let field = 'network';
  try {
    writeNetwork(writer, args.network);
    field = 'type';
    writer.int32(args.type);
    field = 'uri';
    writer.bool(args.uri !== undefined);
    if (args.uri !== undefined) writeString(writer, args.uri);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('networkGetMetadata', field, error);
  }
}

function readNetworkGetMetadata(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface NodeDeviceUpdateArgs {
  readonly name: string;
  readonly xml: string;
  readonly flags?: number | undefined;
}

function writeNodeDeviceUpdate(writer: XdrWriter, args: NodeDeviceUpdateArgs): void {
  let field = 'name';
  try {
    writeString(writer, args.name);
    field = 'xml';
    writeString(writer, args.xml);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('nodeDeviceUpdate', field, error);
  }
}

export interface DomainGraphicsReloadArgs {
  readonly domain: Domain;
  readonly type: number;
  readonly flags?: number | undefined;
}

function writeDomainGraphicsReload(writer: XdrWriter, args: DomainGraphicsReloadArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'type';
    writer.uint32(args.type);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainGraphicsReload', field, error);
  }
}

export interface DomainGetAutostartOnceArgs {
  readonly domain: Domain;
}

function writeDomainGetAutostartOnce(writer: XdrWriter, args: DomainGetAutostartOnceArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
  } catch (error) {
    throw argumentError('domainGetAutostartOnce', field, error);
  }
}

function readDomainGetAutostartOnce(reader: XdrReader): number {
  return reader.int32();
}

export interface DomainSetAutostartOnceArgs {
  readonly domain: Domain;
  readonly autostart: number;
}

function writeDomainSetAutostartOnce(writer: XdrWriter, args: DomainSetAutostartOnceArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'autostart';
    writer.int32(args.autostart);
  } catch (error) {
    throw argumentError('domainSetAutostartOnce', field, error);
  }
}

export interface DomainSetThrottleGroupArgs {
  readonly domain: Domain;
  readonly group: string;
  readonly params: TypedParameterInput<DomainBlockIoTuneParameters>;
  readonly flags?: number | undefined;
}

function writeDomainSetThrottleGroup(writer: XdrWriter, args: DomainSetThrottleGroupArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'group';
    writeString(writer, args.group);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainBlockIoTune, max: 32 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainSetThrottleGroup', field, error);
  }
}

export interface DomainDelThrottleGroupArgs {
  readonly domain: Domain;
  readonly group?: string | undefined;
  readonly flags?: number | undefined;
}

function writeDomainDelThrottleGroup(writer: XdrWriter, args: DomainDelThrottleGroupArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'group';
    writer.bool(args.group !== undefined);
    if (args.group !== undefined) writeString(writer, args.group);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainDelThrottleGroup', field, error);
  }
}

export interface DomainAnnounceInterfaceArgs {
  readonly domain: Domain;
  readonly device?: string | undefined;
  readonly params: TypedParameterInput<DomainAnnounceInterfaceParameters>;
  readonly flags?: number | undefined;
}

function writeDomainAnnounceInterface(writer: XdrWriter, args: DomainAnnounceInterfaceArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'device';
    writer.bool(args.device !== undefined);
    if (args.device !== undefined) writeString(writer, args.device);
    field = 'params';
    writeTypedParameters(writer, args.params, { types: parameterTypes.DomainAnnounceInterface, max: 16 });
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('domainAnnounceInterface', field, error);
  }
}

export interface QemuDomainMonitorCommandArgs {
  readonly domain: Domain;
  readonly command: string;
  readonly flags?: number | undefined;
}

function writeQemuDomainMonitorCommand(writer: XdrWriter, args: QemuDomainMonitorCommandArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'command';
    writeString(writer, args.command);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('qemuDomainMonitorCommand', field, error);
  }
}

function readQemuDomainMonitorCommand(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface QemuDomainAttachArgs {
  readonly pid: number;
  readonly flags?: number | undefined;
}

function writeQemuDomainAttach(writer: XdrWriter, args: QemuDomainAttachArgs): void {
  let field = 'pid';
  try {
    writer.uint32(args.pid);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('qemuDomainAttach', field, error);
  }
}

function readQemuDomainAttach(reader: XdrReader): Domain {
  return readDomain(reader);
}

export interface QemuDomainAgentCommandArgs {
  readonly domain: Domain;
  readonly command: string;
  readonly timeout: number;
  readonly flags?: number | undefined;
}

function writeQemuDomainAgentCommand(writer: XdrWriter, args: QemuDomainAgentCommandArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'command';
    writeString(writer, args.command);
    field = 'timeout';
    writer.int32(args.timeout);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('qemuDomainAgentCommand', field, error);
  }
}

function readQemuDomainAgentCommand(reader: XdrReader): string | undefined {
  return reader.bool() ? reader.string(STRING_MAX) : undefined;
}

export interface QemuConnectDomainMonitorEventRegisterArgs {
  readonly domain?: Domain | undefined;
  readonly event?: string | undefined;
  readonly flags?: number | undefined;
}

function writeQemuConnectDomainMonitorEventRegister(writer: XdrWriter, args: QemuConnectDomainMonitorEventRegisterArgs): void {
  let field = 'domain';
  try {
    writer.bool(args.domain !== undefined);
    if (args.domain !== undefined) writeDomain(writer, args.domain);
    field = 'event';
    writer.bool(args.event !== undefined);
    if (args.event !== undefined) writeString(writer, args.event);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('qemuConnectDomainMonitorEventRegister', field, error);
  }
}

function readQemuConnectDomainMonitorEventRegister(reader: XdrReader): number {
  return reader.int32();
}

export interface QemuConnectDomainMonitorEventDeregisterArgs {
  readonly callbackID: number;
}

function writeQemuConnectDomainMonitorEventDeregister(writer: XdrWriter, args: QemuConnectDomainMonitorEventDeregisterArgs): void {
  let field = 'callbackID';
  try {
    writer.int32(args.callbackID);
  } catch (error) {
    throw argumentError('qemuConnectDomainMonitorEventDeregister', field, error);
  }
}

export interface QemuDomainMonitorCommandWithFilesArgs {
  readonly domain: Domain;
  readonly command: string;
  readonly flags?: number | undefined;
}

function writeQemuDomainMonitorCommandWithFiles(writer: XdrWriter, args: QemuDomainMonitorCommandWithFilesArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'command';
    writeString(writer, args.command);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('qemuDomainMonitorCommandWithFiles', field, error);
  }
}

function readQemuDomainMonitorCommandWithFiles(reader: XdrReader): string {
  return reader.string(STRING_MAX);
}

export interface LxcDomainOpenNamespaceArgs {
  readonly domain: Domain;
  readonly flags?: number | undefined;
}

function writeLxcDomainOpenNamespace(writer: XdrWriter, args: LxcDomainOpenNamespaceArgs): void {
  let field = 'domain';
  try {
    writeDomain(writer, args.domain);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('lxcDomainOpenNamespace', field, error);
  }
}

export interface AdminConnectOpenArgs {
  readonly flags?: number | undefined;
}

function writeAdminConnectOpen(writer: XdrWriter, args: AdminConnectOpenArgs): void {
  let field = 'flags';
  try {
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('adminConnectOpen', field, error);
  }
}


export interface AdminServerUpdateTlsFilesArgs {
  readonly server: string;
  readonly flags?: number | undefined;
}

function writeAdminServerUpdateTlsFiles(writer: XdrWriter, args: AdminServerUpdateTlsFilesArgs): void {
  let field = 'server';
  try {
    writeString(writer, args.server);
    field = 'flags';
    writer.uint32(args.flags ?? 0);
  } catch (error) {
    throw argumentError('adminServerUpdateTlsFiles', field, error);
  }
}

/** The type of `procedures`: every call by name. */
export interface ProcedureTable {
  readonly connectOpen: Procedure<ConnectOpenArgs, void>;
  readonly connectClose: Procedure<void, void>;
  readonly connectGetType: Procedure<void, string>;
  readonly connectGetVersion: Procedure<void, bigint>;
  readonly connectGetMaxVcpus: Procedure<ConnectGetMaxVcpusArgs, number>;
  readonly nodeGetInfo: Procedure<void, NodeGetInfoResult>;
  readonly connectGetCapabilities: Procedure<void, string>;
  readonly domainAttachDevice: Procedure<DomainAttachDeviceArgs, void>;
  readonly domainCreate: Procedure<DomainCreateArgs, void>;
  readonly domainCreateXml: Procedure<DomainCreateXmlArgs, Domain>;
  readonly domainDefineXml: Procedure<DomainDefineXmlArgs, Domain>;
  readonly domainDestroy: Procedure<DomainDestroyArgs, void>;
  readonly domainDetachDevice: Procedure<DomainDetachDeviceArgs, void>;
  readonly domainGetXmlDesc: Procedure<DomainGetXmlDescArgs, string>;
  readonly domainGetAutostart: Procedure<DomainGetAutostartArgs, number>;
  readonly domainGetInfo: Procedure<DomainGetInfoArgs, DomainGetInfoResult>;
  readonly domainGetMaxMemory: Procedure<DomainGetMaxMemoryArgs, bigint>;
  readonly domainGetMaxVcpus: Procedure<DomainGetMaxVcpusArgs, number>;
  readonly domainGetOsType: Procedure<DomainGetOsTypeArgs, string>;
  readonly domainGetVcpus: Procedure<DomainGetVcpusArgs, DomainGetVcpusResult>;
  readonly connectListDefinedDomains: Procedure<ConnectListDefinedDomainsArgs, readonly string[]>;
  readonly domainLookupById: Procedure<DomainLookupByIdArgs, Domain>;
  readonly domainLookupByName: Procedure<DomainLookupByNameArgs, Domain>;
  readonly domainLookupByUuid: Procedure<DomainLookupByUuidArgs, Domain>;
  readonly connectNumOfDefinedDomains: Procedure<void, number>;
  readonly domainPinVcpu: Procedure<DomainPinVcpuArgs, void>;
  readonly domainReboot: Procedure<DomainRebootArgs, void>;
  readonly domainResume: Procedure<DomainResumeArgs, void>;
  readonly domainSetAutostart: Procedure<DomainSetAutostartArgs, void>;
  readonly domainSetMaxMemory: Procedure<DomainSetMaxMemoryArgs, void>;
  readonly domainSetMemory: Procedure<DomainSetMemoryArgs, void>;
  readonly domainSetVcpus: Procedure<DomainSetVcpusArgs, void>;
  readonly domainShutdown: Procedure<DomainShutdownArgs, void>;
  readonly domainSuspend: Procedure<DomainSuspendArgs, void>;
  readonly domainUndefine: Procedure<DomainUndefineArgs, void>;
  readonly connectListDefinedNetworks: Procedure<ConnectListDefinedNetworksArgs, readonly string[]>;
  readonly connectListDomains: Procedure<ConnectListDomainsArgs, readonly number[]>;
  readonly connectListNetworks: Procedure<ConnectListNetworksArgs, readonly string[]>;
  readonly networkCreate: Procedure<NetworkCreateArgs, void>;
  readonly networkCreateXml: Procedure<NetworkCreateXmlArgs, Network>;
  readonly networkDefineXml: Procedure<NetworkDefineXmlArgs, Network>;
  readonly networkDestroy: Procedure<NetworkDestroyArgs, void>;
  readonly networkGetXmlDesc: Procedure<NetworkGetXmlDescArgs, string>;
  readonly networkGetAutostart: Procedure<NetworkGetAutostartArgs, number>;
  readonly networkGetBridgeName: Procedure<NetworkGetBridgeNameArgs, string>;
  readonly networkLookupByName: Procedure<NetworkLookupByNameArgs, Network>;
  readonly networkLookupByUuid: Procedure<NetworkLookupByUuidArgs, Network>;
  readonly networkSetAutostart: Procedure<NetworkSetAutostartArgs, void>;
  readonly networkUndefine: Procedure<NetworkUndefineArgs, void>;
  readonly connectNumOfDefinedNetworks: Procedure<void, number>;
  readonly connectNumOfDomains: Procedure<void, number>;
  readonly connectNumOfNetworks: Procedure<void, number>;
  readonly domainCoreDump: Procedure<DomainCoreDumpArgs, void>;
  readonly domainRestore: Procedure<DomainRestoreArgs, void>;
  readonly domainSave: Procedure<DomainSaveArgs, void>;
  readonly domainGetSchedulerType: Procedure<DomainGetSchedulerTypeArgs, DomainGetSchedulerTypeResult>;
  readonly domainGetSchedulerParameters: Procedure<DomainGetSchedulerParametersArgs, TypedParameterResult<DomainSchedulerParameters>>;
  readonly domainSetSchedulerParameters: Procedure<DomainSetSchedulerParametersArgs, void>;
  readonly connectGetHostname: Procedure<void, string>;
  readonly connectSupportsFeature: Procedure<ConnectSupportsFeatureArgs, number>;
  readonly domainMigratePrepare: Procedure<DomainMigratePrepareArgs, DomainMigratePrepareResult>;
  readonly domainMigratePerform: Procedure<DomainMigratePerformArgs, void>;
  readonly domainMigrateFinish: Procedure<DomainMigrateFinishArgs, Domain>;
  readonly domainBlockStats: Procedure<DomainBlockStatsArgs, DomainBlockStatsResult>;
  readonly domainInterfaceStats: Procedure<DomainInterfaceStatsArgs, DomainInterfaceStatsResult>;
  readonly authList: Procedure<void, readonly number[]>;
  readonly authSaslInit: Procedure<void, string>;
  readonly authSaslStart: Procedure<AuthSaslStartArgs, AuthSaslStartResult>;
  readonly authSaslStep: Procedure<AuthSaslStepArgs, AuthSaslStepResult>;
  readonly authPolkit: Procedure<void, number>;
  readonly connectNumOfStoragePools: Procedure<void, number>;
  readonly connectListStoragePools: Procedure<ConnectListStoragePoolsArgs, readonly string[]>;
  readonly connectNumOfDefinedStoragePools: Procedure<void, number>;
  readonly connectListDefinedStoragePools: Procedure<ConnectListDefinedStoragePoolsArgs, readonly string[]>;
  readonly connectFindStoragePoolSources: Procedure<ConnectFindStoragePoolSourcesArgs, string>;
  readonly storagePoolCreateXml: Procedure<StoragePoolCreateXmlArgs, StoragePool>;
  readonly storagePoolDefineXml: Procedure<StoragePoolDefineXmlArgs, StoragePool>;
  readonly storagePoolCreate: Procedure<StoragePoolCreateArgs, void>;
  readonly storagePoolBuild: Procedure<StoragePoolBuildArgs, void>;
  readonly storagePoolDestroy: Procedure<StoragePoolDestroyArgs, void>;
  readonly storagePoolDelete: Procedure<StoragePoolDeleteArgs, void>;
  readonly storagePoolUndefine: Procedure<StoragePoolUndefineArgs, void>;
  readonly storagePoolRefresh: Procedure<StoragePoolRefreshArgs, void>;
  readonly storagePoolLookupByName: Procedure<StoragePoolLookupByNameArgs, StoragePool>;
  readonly storagePoolLookupByUuid: Procedure<StoragePoolLookupByUuidArgs, StoragePool>;
  readonly storagePoolLookupByVolume: Procedure<StoragePoolLookupByVolumeArgs, StoragePool>;
  readonly storagePoolGetInfo: Procedure<StoragePoolGetInfoArgs, StoragePoolGetInfoResult>;
  readonly storagePoolGetXmlDesc: Procedure<StoragePoolGetXmlDescArgs, string>;
  readonly storagePoolGetAutostart: Procedure<StoragePoolGetAutostartArgs, number>;
  readonly storagePoolSetAutostart: Procedure<StoragePoolSetAutostartArgs, void>;
  readonly storagePoolNumOfVolumes: Procedure<StoragePoolNumOfVolumesArgs, number>;
  readonly storagePoolListVolumes: Procedure<StoragePoolListVolumesArgs, readonly string[]>;
  readonly storageVolCreateXml: Procedure<StorageVolCreateXmlArgs, StorageVolume>;
  readonly storageVolDelete: Procedure<StorageVolDeleteArgs, void>;
  readonly storageVolLookupByName: Procedure<StorageVolLookupByNameArgs, StorageVolume>;
  readonly storageVolLookupByKey: Procedure<StorageVolLookupByKeyArgs, StorageVolume>;
  readonly storageVolLookupByPath: Procedure<StorageVolLookupByPathArgs, StorageVolume>;
  readonly storageVolGetInfo: Procedure<StorageVolGetInfoArgs, StorageVolGetInfoResult>;
  readonly storageVolGetXmlDesc: Procedure<StorageVolGetXmlDescArgs, string>;
  readonly storageVolGetPath: Procedure<StorageVolGetPathArgs, string>;
  readonly nodeGetCellsFreeMemory: Procedure<NodeGetCellsFreeMemoryArgs, readonly bigint[]>;
  readonly nodeGetFreeMemory: Procedure<void, bigint>;
  readonly domainBlockPeek: Procedure<DomainBlockPeekArgs, Uint8Array>;
  readonly domainMemoryPeek: Procedure<DomainMemoryPeekArgs, Uint8Array>;
  readonly connectDomainEventRegister: Procedure<void, number>;
  readonly connectDomainEventDeregister: Procedure<void, number>;
  readonly domainMigratePrepare2: Procedure<DomainMigratePrepare2Args, DomainMigratePrepare2Result>;
  readonly domainMigrateFinish2: Procedure<DomainMigrateFinish2Args, Domain>;
  readonly connectGetUri: Procedure<void, string>;
  readonly nodeNumOfDevices: Procedure<NodeNumOfDevicesArgs, number>;
  readonly nodeListDevices: Procedure<NodeListDevicesArgs, readonly string[]>;
  readonly nodeDeviceLookupByName: Procedure<NodeDeviceLookupByNameArgs, NodeDevice>;
  readonly nodeDeviceGetXmlDesc: Procedure<NodeDeviceGetXmlDescArgs, string>;
  readonly nodeDeviceGetParent: Procedure<NodeDeviceGetParentArgs, string | undefined>;
  readonly nodeDeviceNumOfCaps: Procedure<NodeDeviceNumOfCapsArgs, number>;
  readonly nodeDeviceListCaps: Procedure<NodeDeviceListCapsArgs, readonly string[]>;
  readonly nodeDeviceDettach: Procedure<NodeDeviceDettachArgs, void>;
  readonly nodeDeviceReAttach: Procedure<NodeDeviceReAttachArgs, void>;
  readonly nodeDeviceReset: Procedure<NodeDeviceResetArgs, void>;
  readonly domainGetSecurityLabel: Procedure<DomainGetSecurityLabelArgs, DomainGetSecurityLabelResult>;
  readonly nodeGetSecurityModel: Procedure<void, NodeGetSecurityModelResult>;
  readonly nodeDeviceCreateXml: Procedure<NodeDeviceCreateXmlArgs, NodeDevice>;
  readonly nodeDeviceDestroy: Procedure<NodeDeviceDestroyArgs, void>;
  readonly storageVolCreateXmlFrom: Procedure<StorageVolCreateXmlFromArgs, StorageVolume>;
  readonly connectNumOfInterfaces: Procedure<void, number>;
  readonly connectListInterfaces: Procedure<ConnectListInterfacesArgs, readonly string[]>;
  readonly interfaceLookupByName: Procedure<InterfaceLookupByNameArgs, Interface>;
  readonly interfaceLookupByMacString: Procedure<InterfaceLookupByMacStringArgs, Interface>;
  readonly interfaceGetXmlDesc: Procedure<InterfaceGetXmlDescArgs, string>;
  readonly interfaceDefineXml: Procedure<InterfaceDefineXmlArgs, Interface>;
  readonly interfaceUndefine: Procedure<InterfaceUndefineArgs, void>;
  readonly interfaceCreate: Procedure<InterfaceCreateArgs, void>;
  readonly interfaceDestroy: Procedure<InterfaceDestroyArgs, void>;
  readonly connectDomainXmlFromNative: Procedure<ConnectDomainXmlFromNativeArgs, string>;
  readonly connectDomainXmlToNative: Procedure<ConnectDomainXmlToNativeArgs, string>;
  readonly connectNumOfDefinedInterfaces: Procedure<void, number>;
  readonly connectListDefinedInterfaces: Procedure<ConnectListDefinedInterfacesArgs, readonly string[]>;
  readonly connectNumOfSecrets: Procedure<void, number>;
  readonly connectListSecrets: Procedure<ConnectListSecretsArgs, readonly string[]>;
  readonly secretLookupByUuid: Procedure<SecretLookupByUuidArgs, Secret>;
  readonly secretDefineXml: Procedure<SecretDefineXmlArgs, Secret>;
  readonly secretGetXmlDesc: Procedure<SecretGetXmlDescArgs, string>;
  readonly secretSetValue: Procedure<SecretSetValueArgs, void>;
  readonly secretGetValue: Procedure<SecretGetValueArgs, Uint8Array>;
  readonly secretUndefine: Procedure<SecretUndefineArgs, void>;
  readonly secretLookupByUsage: Procedure<SecretLookupByUsageArgs, Secret>;
  readonly domainMigratePrepareTunnel: StreamProcedure<DomainMigratePrepareTunnelArgs, void>;
  readonly connectIsSecure: Procedure<void, number>;
  readonly domainIsActive: Procedure<DomainIsActiveArgs, number>;
  readonly domainIsPersistent: Procedure<DomainIsPersistentArgs, number>;
  readonly networkIsActive: Procedure<NetworkIsActiveArgs, number>;
  readonly networkIsPersistent: Procedure<NetworkIsPersistentArgs, number>;
  readonly storagePoolIsActive: Procedure<StoragePoolIsActiveArgs, number>;
  readonly storagePoolIsPersistent: Procedure<StoragePoolIsPersistentArgs, number>;
  readonly interfaceIsActive: Procedure<InterfaceIsActiveArgs, number>;
  readonly connectGetLibVersion: Procedure<void, bigint>;
  readonly connectCompareCpu: Procedure<ConnectCompareCpuArgs, number>;
  readonly domainMemoryStats: Procedure<DomainMemoryStatsArgs, readonly DomainMemoryStat[]>;
  readonly domainAttachDeviceFlags: Procedure<DomainAttachDeviceFlagsArgs, void>;
  readonly domainDetachDeviceFlags: Procedure<DomainDetachDeviceFlagsArgs, void>;
  readonly connectBaselineCpu: Procedure<ConnectBaselineCpuArgs, string>;
  readonly domainGetJobInfo: Procedure<DomainGetJobInfoArgs, DomainGetJobInfoResult>;
  readonly domainAbortJob: Procedure<DomainAbortJobArgs, void>;
  readonly storageVolWipe: Procedure<StorageVolWipeArgs, void>;
  readonly domainMigrateSetMaxDowntime: Procedure<DomainMigrateSetMaxDowntimeArgs, void>;
  readonly connectDomainEventRegisterAny: Procedure<ConnectDomainEventRegisterAnyArgs, void>;
  readonly connectDomainEventDeregisterAny: Procedure<ConnectDomainEventDeregisterAnyArgs, void>;
  readonly domainUpdateDeviceFlags: Procedure<DomainUpdateDeviceFlagsArgs, void>;
  readonly nwfilterLookupByName: Procedure<NwfilterLookupByNameArgs, NetworkFilter>;
  readonly nwfilterLookupByUuid: Procedure<NwfilterLookupByUuidArgs, NetworkFilter>;
  readonly nwfilterGetXmlDesc: Procedure<NwfilterGetXmlDescArgs, string>;
  readonly connectNumOfNwfilters: Procedure<void, number>;
  readonly connectListNwfilters: Procedure<ConnectListNwfiltersArgs, readonly string[]>;
  readonly nwfilterDefineXml: Procedure<NwfilterDefineXmlArgs, NetworkFilter>;
  readonly nwfilterUndefine: Procedure<NwfilterUndefineArgs, void>;
  readonly domainManagedSave: Procedure<DomainManagedSaveArgs, void>;
  readonly domainHasManagedSaveImage: Procedure<DomainHasManagedSaveImageArgs, number>;
  readonly domainManagedSaveRemove: Procedure<DomainManagedSaveRemoveArgs, void>;
  readonly domainSnapshotCreateXml: Procedure<DomainSnapshotCreateXmlArgs, DomainSnapshot>;
  readonly domainSnapshotGetXmlDesc: Procedure<DomainSnapshotGetXmlDescArgs, string>;
  readonly domainSnapshotNum: Procedure<DomainSnapshotNumArgs, number>;
  readonly domainSnapshotListNames: Procedure<DomainSnapshotListNamesArgs, readonly string[]>;
  readonly domainSnapshotLookupByName: Procedure<DomainSnapshotLookupByNameArgs, DomainSnapshot>;
  readonly domainHasCurrentSnapshot: Procedure<DomainHasCurrentSnapshotArgs, number>;
  readonly domainSnapshotCurrent: Procedure<DomainSnapshotCurrentArgs, DomainSnapshot>;
  readonly domainRevertToSnapshot: Procedure<DomainRevertToSnapshotArgs, void>;
  readonly domainSnapshotDelete: Procedure<DomainSnapshotDeleteArgs, void>;
  readonly domainGetBlockInfo: Procedure<DomainGetBlockInfoArgs, DomainGetBlockInfoResult>;
  readonly domainCreateWithFlags: Procedure<DomainCreateWithFlagsArgs, Domain>;
  readonly domainSetMemoryParameters: Procedure<DomainSetMemoryParametersArgs, void>;
  readonly domainGetMemoryParameters: Procedure<DomainGetMemoryParametersArgs, DomainGetMemoryParametersResult>;
  readonly domainSetVcpusFlags: Procedure<DomainSetVcpusFlagsArgs, void>;
  readonly domainGetVcpusFlags: Procedure<DomainGetVcpusFlagsArgs, number>;
  readonly domainOpenConsole: StreamProcedure<DomainOpenConsoleArgs, void>;
  readonly domainIsUpdated: Procedure<DomainIsUpdatedArgs, number>;
  readonly connectGetSysinfo: Procedure<ConnectGetSysinfoArgs, string>;
  readonly domainSetMemoryFlags: Procedure<DomainSetMemoryFlagsArgs, void>;
  readonly domainSetBlkioParameters: Procedure<DomainSetBlkioParametersArgs, void>;
  readonly domainGetBlkioParameters: Procedure<DomainGetBlkioParametersArgs, DomainGetBlkioParametersResult>;
  readonly domainMigrateSetMaxSpeed: Procedure<DomainMigrateSetMaxSpeedArgs, void>;
  readonly storageVolUpload: StreamProcedure<StorageVolUploadArgs, void>;
  readonly storageVolDownload: StreamProcedure<StorageVolDownloadArgs, void>;
  readonly domainInjectNmi: Procedure<DomainInjectNmiArgs, void>;
  readonly domainScreenshot: StreamProcedure<DomainScreenshotArgs, string | undefined>;
  readonly domainGetState: Procedure<DomainGetStateArgs, DomainGetStateResult>;
  readonly domainMigrateBegin3: Procedure<DomainMigrateBegin3Args, DomainMigrateBegin3Result>;
  readonly domainMigratePrepare3: Procedure<DomainMigratePrepare3Args, DomainMigratePrepare3Result>;
  readonly domainMigratePrepareTunnel3: StreamProcedure<DomainMigratePrepareTunnel3Args, Uint8Array>;
  readonly domainMigratePerform3: Procedure<DomainMigratePerform3Args, Uint8Array>;
  readonly domainMigrateFinish3: Procedure<DomainMigrateFinish3Args, DomainMigrateFinish3Result>;
  readonly domainMigrateConfirm3: Procedure<DomainMigrateConfirm3Args, void>;
  readonly domainSetSchedulerParametersFlags: Procedure<DomainSetSchedulerParametersFlagsArgs, void>;
  readonly interfaceChangeBegin: Procedure<InterfaceChangeBeginArgs, void>;
  readonly interfaceChangeCommit: Procedure<InterfaceChangeCommitArgs, void>;
  readonly interfaceChangeRollback: Procedure<InterfaceChangeRollbackArgs, void>;
  readonly domainGetSchedulerParametersFlags: Procedure<DomainGetSchedulerParametersFlagsArgs, TypedParameterResult<DomainSchedulerParameters>>;
  readonly domainPinVcpuFlags: Procedure<DomainPinVcpuFlagsArgs, void>;
  readonly domainSendKey: Procedure<DomainSendKeyArgs, void>;
  readonly nodeGetCpuStats: Procedure<NodeGetCpuStatsArgs, NodeGetCpuStatsResult>;
  readonly nodeGetMemoryStats: Procedure<NodeGetMemoryStatsArgs, NodeGetMemoryStatsResult>;
  readonly domainGetControlInfo: Procedure<DomainGetControlInfoArgs, DomainGetControlInfoResult>;
  readonly domainGetVcpuPinInfo: Procedure<DomainGetVcpuPinInfoArgs, DomainGetVcpuPinInfoResult>;
  readonly domainUndefineFlags: Procedure<DomainUndefineFlagsArgs, void>;
  readonly domainSaveFlags: Procedure<DomainSaveFlagsArgs, void>;
  readonly domainRestoreFlags: Procedure<DomainRestoreFlagsArgs, void>;
  readonly domainDestroyFlags: Procedure<DomainDestroyFlagsArgs, void>;
  readonly domainSaveImageGetXmlDesc: Procedure<DomainSaveImageGetXmlDescArgs, string>;
  readonly domainSaveImageDefineXml: Procedure<DomainSaveImageDefineXmlArgs, void>;
  readonly domainBlockJobAbort: Procedure<DomainBlockJobAbortArgs, void>;
  readonly domainGetBlockJobInfo: Procedure<DomainGetBlockJobInfoArgs, DomainGetBlockJobInfoResult>;
  readonly domainBlockJobSetSpeed: Procedure<DomainBlockJobSetSpeedArgs, void>;
  readonly domainBlockPull: Procedure<DomainBlockPullArgs, void>;
  readonly domainMigrateGetMaxSpeed: Procedure<DomainMigrateGetMaxSpeedArgs, bigint>;
  readonly domainBlockStatsFlags: Procedure<DomainBlockStatsFlagsArgs, DomainBlockStatsFlagsResult>;
  readonly domainSnapshotGetParent: Procedure<DomainSnapshotGetParentArgs, DomainSnapshot>;
  readonly domainReset: Procedure<DomainResetArgs, void>;
  readonly domainSnapshotNumChildren: Procedure<DomainSnapshotNumChildrenArgs, number>;
  readonly domainSnapshotListChildrenNames: Procedure<DomainSnapshotListChildrenNamesArgs, readonly string[]>;
  readonly domainOpenGraphics: Procedure<DomainOpenGraphicsArgs, void>;
  readonly nodeSuspendForDuration: Procedure<NodeSuspendForDurationArgs, void>;
  readonly domainBlockResize: Procedure<DomainBlockResizeArgs, void>;
  readonly domainSetBlockIoTune: Procedure<DomainSetBlockIoTuneArgs, void>;
  readonly domainGetBlockIoTune: Procedure<DomainGetBlockIoTuneArgs, DomainGetBlockIoTuneResult>;
  readonly domainSetNumaParameters: Procedure<DomainSetNumaParametersArgs, void>;
  readonly domainGetNumaParameters: Procedure<DomainGetNumaParametersArgs, DomainGetNumaParametersResult>;
  readonly domainSetInterfaceParameters: Procedure<DomainSetInterfaceParametersArgs, void>;
  readonly domainGetInterfaceParameters: Procedure<DomainGetInterfaceParametersArgs, DomainGetInterfaceParametersResult>;
  readonly domainShutdownFlags: Procedure<DomainShutdownFlagsArgs, void>;
  readonly storageVolWipePattern: Procedure<StorageVolWipePatternArgs, void>;
  readonly storageVolResize: Procedure<StorageVolResizeArgs, void>;
  readonly domainPmSuspendForDuration: Procedure<DomainPmSuspendForDurationArgs, void>;
  readonly domainGetCpuStats: Procedure<DomainGetCpuStatsArgs, DomainGetCpuStatsResult>;
  readonly domainGetDiskErrors: Procedure<DomainGetDiskErrorsArgs, readonly DomainDiskError[]>;
  readonly domainSetMetadata: Procedure<DomainSetMetadataArgs, void>;
  readonly domainGetMetadata: Procedure<DomainGetMetadataArgs, string>;
  readonly domainBlockRebase: Procedure<DomainBlockRebaseArgs, void>;
  readonly domainPmWakeup: Procedure<DomainPmWakeupArgs, void>;
  readonly domainSnapshotIsCurrent: Procedure<DomainSnapshotIsCurrentArgs, number>;
  readonly domainSnapshotHasMetadata: Procedure<DomainSnapshotHasMetadataArgs, number>;
  readonly connectListAllDomains: Procedure<ConnectListAllDomainsArgs, readonly Domain[]>;
  readonly domainListAllSnapshots: Procedure<DomainListAllSnapshotsArgs, readonly DomainSnapshot[]>;
  readonly domainSnapshotListAllChildren: Procedure<DomainSnapshotListAllChildrenArgs, readonly DomainSnapshot[]>;
  readonly domainGetHostname: Procedure<DomainGetHostnameArgs, string>;
  readonly domainGetSecurityLabelList: Procedure<DomainGetSecurityLabelListArgs, readonly SecurityLabel[]>;
  readonly domainPinEmulator: Procedure<DomainPinEmulatorArgs, void>;
  readonly domainGetEmulatorPinInfo: Procedure<DomainGetEmulatorPinInfoArgs, DomainGetEmulatorPinInfoResult>;
  readonly connectListAllStoragePools: Procedure<ConnectListAllStoragePoolsArgs, readonly StoragePool[]>;
  readonly storagePoolListAllVolumes: Procedure<StoragePoolListAllVolumesArgs, readonly StorageVolume[]>;
  readonly connectListAllNetworks: Procedure<ConnectListAllNetworksArgs, readonly Network[]>;
  readonly connectListAllInterfaces: Procedure<ConnectListAllInterfacesArgs, readonly Interface[]>;
  readonly connectListAllNodeDevices: Procedure<ConnectListAllNodeDevicesArgs, readonly NodeDevice[]>;
  readonly connectListAllNwfilters: Procedure<ConnectListAllNwfiltersArgs, readonly NetworkFilter[]>;
  readonly connectListAllSecrets: Procedure<ConnectListAllSecretsArgs, readonly Secret[]>;
  readonly nodeSetMemoryParameters: Procedure<NodeSetMemoryParametersArgs, void>;
  readonly nodeGetMemoryParameters: Procedure<NodeGetMemoryParametersArgs, NodeGetMemoryParametersResult>;
  readonly domainBlockCommit: Procedure<DomainBlockCommitArgs, void>;
  readonly networkUpdate: Procedure<NetworkUpdateArgs, void>;
  readonly nodeGetCpuMap: Procedure<NodeGetCpuMapArgs, NodeGetCpuMapResult>;
  readonly domainFstrim: Procedure<DomainFstrimArgs, void>;
  readonly domainSendProcessSignal: Procedure<DomainSendProcessSignalArgs, void>;
  readonly domainOpenChannel: StreamProcedure<DomainOpenChannelArgs, void>;
  readonly nodeDeviceLookupScsiHostByWwn: Procedure<NodeDeviceLookupScsiHostByWwnArgs, NodeDevice>;
  readonly domainGetJobStats: Procedure<DomainGetJobStatsArgs, DomainGetJobStatsResult>;
  readonly domainMigrateGetCompressionCache: Procedure<DomainMigrateGetCompressionCacheArgs, bigint>;
  readonly domainMigrateSetCompressionCache: Procedure<DomainMigrateSetCompressionCacheArgs, void>;
  readonly nodeDeviceDetachFlags: Procedure<NodeDeviceDetachFlagsArgs, void>;
  readonly domainMigrateBegin3Params: Procedure<DomainMigrateBegin3ParamsArgs, DomainMigrateBegin3ParamsResult>;
  readonly domainMigratePrepare3Params: Procedure<DomainMigratePrepare3ParamsArgs, DomainMigratePrepare3ParamsResult>;
  readonly domainMigratePrepareTunnel3Params: StreamProcedure<DomainMigratePrepareTunnel3ParamsArgs, Uint8Array>;
  readonly domainMigratePerform3Params: Procedure<DomainMigratePerform3ParamsArgs, Uint8Array>;
  readonly domainMigrateFinish3Params: Procedure<DomainMigrateFinish3ParamsArgs, DomainMigrateFinish3ParamsResult>;
  readonly domainMigrateConfirm3Params: Procedure<DomainMigrateConfirm3ParamsArgs, void>;
  readonly domainSetMemoryStatsPeriod: Procedure<DomainSetMemoryStatsPeriodArgs, void>;
  readonly domainCreateXmlWithFiles: Procedure<DomainCreateXmlWithFilesArgs, Domain>;
  readonly domainCreateWithFiles: Procedure<DomainCreateWithFilesArgs, Domain>;
  readonly connectGetCpuModelNames: Procedure<ConnectGetCpuModelNamesArgs, readonly string[]>;
  readonly connectNetworkEventRegisterAny: Procedure<ConnectNetworkEventRegisterAnyArgs, number>;
  readonly connectNetworkEventDeregisterAny: Procedure<ConnectNetworkEventDeregisterAnyArgs, void>;
  readonly connectDomainEventCallbackRegisterAny: Procedure<ConnectDomainEventCallbackRegisterAnyArgs, number>;
  readonly connectDomainEventCallbackDeregisterAny: Procedure<ConnectDomainEventCallbackDeregisterAnyArgs, void>;
  readonly domainCoreDumpWithFormat: Procedure<DomainCoreDumpWithFormatArgs, void>;
  readonly domainFsfreeze: Procedure<DomainFsfreezeArgs, number>;
  readonly domainFsthaw: Procedure<DomainFsthawArgs, number>;
  readonly domainGetTime: Procedure<DomainGetTimeArgs, DomainGetTimeResult>;
  readonly domainSetTime: Procedure<DomainSetTimeArgs, void>;
  readonly nodeGetFreePages: Procedure<NodeGetFreePagesArgs, readonly bigint[]>;
  readonly networkGetDhcpLeases: Procedure<NetworkGetDhcpLeasesArgs, readonly NetworkDhcpLease[]>;
  readonly connectGetDomainCapabilities: Procedure<ConnectGetDomainCapabilitiesArgs, string>;
  readonly domainOpenGraphicsFd: Procedure<DomainOpenGraphicsFdArgs, void>;
  readonly connectGetAllDomainStats: Procedure<ConnectGetAllDomainStatsArgs, readonly DomainStatsRecord[]>;
  readonly domainBlockCopy: Procedure<DomainBlockCopyArgs, void>;
  readonly nodeAllocPages: Procedure<NodeAllocPagesArgs, number>;
  readonly domainGetFsinfo: Procedure<DomainGetFsinfoArgs, readonly DomainFilesystem[]>;
  readonly domainDefineXmlFlags: Procedure<DomainDefineXmlFlagsArgs, Domain>;
  readonly domainGetIothreadInfo: Procedure<DomainGetIothreadInfoArgs, readonly DomainIothread[]>;
  readonly domainPinIothread: Procedure<DomainPinIothreadArgs, void>;
  readonly domainInterfaceAddresses: Procedure<DomainInterfaceAddressesArgs, readonly DomainInterface[]>;
  readonly domainAddIothread: Procedure<DomainAddIothreadArgs, void>;
  readonly domainDelIothread: Procedure<DomainDelIothreadArgs, void>;
  readonly domainSetUserPassword: Procedure<DomainSetUserPasswordArgs, void>;
  readonly domainRename: Procedure<DomainRenameArgs, number>;
  readonly connectRegisterCloseCallback: Procedure<void, void>;
  readonly connectUnregisterCloseCallback: Procedure<void, void>;
  readonly domainMigrateStartPostCopy: Procedure<DomainMigrateStartPostCopyArgs, void>;
  readonly domainGetPerfEvents: Procedure<DomainGetPerfEventsArgs, TypedParameterResult<DomainPerfEventsParameters>>;
  readonly domainSetPerfEvents: Procedure<DomainSetPerfEventsArgs, void>;
  readonly connectStoragePoolEventRegisterAny: Procedure<ConnectStoragePoolEventRegisterAnyArgs, number>;
  readonly connectStoragePoolEventDeregisterAny: Procedure<ConnectStoragePoolEventDeregisterAnyArgs, void>;
  readonly domainGetGuestVcpus: Procedure<DomainGetGuestVcpusArgs, TypedParameterResult<DomainGuestVcpusParameters>>;
  readonly domainSetGuestVcpus: Procedure<DomainSetGuestVcpusArgs, void>;
  readonly connectNodeDeviceEventRegisterAny: Procedure<ConnectNodeDeviceEventRegisterAnyArgs, number>;
  readonly connectNodeDeviceEventDeregisterAny: Procedure<ConnectNodeDeviceEventDeregisterAnyArgs, void>;
  readonly storageVolGetInfoFlags: Procedure<StorageVolGetInfoFlagsArgs, StorageVolGetInfoFlagsResult>;
  readonly connectSecretEventRegisterAny: Procedure<ConnectSecretEventRegisterAnyArgs, number>;
  readonly connectSecretEventDeregisterAny: Procedure<ConnectSecretEventDeregisterAnyArgs, void>;
  readonly domainSetVcpu: Procedure<DomainSetVcpuArgs, void>;
  readonly domainSetBlockThreshold: Procedure<DomainSetBlockThresholdArgs, void>;
  readonly domainMigrateGetMaxDowntime: Procedure<DomainMigrateGetMaxDowntimeArgs, bigint>;
  readonly domainManagedSaveGetXmlDesc: Procedure<DomainManagedSaveGetXmlDescArgs, string>;
  readonly domainManagedSaveDefineXml: Procedure<DomainManagedSaveDefineXmlArgs, void>;
  readonly domainSetLifecycleAction: Procedure<DomainSetLifecycleActionArgs, void>;
  readonly storagePoolLookupByTargetPath: Procedure<StoragePoolLookupByTargetPathArgs, StoragePool>;
  readonly domainDetachDeviceAlias: Procedure<DomainDetachDeviceAliasArgs, void>;
  readonly connectCompareHypervisorCpu: Procedure<ConnectCompareHypervisorCpuArgs, number>;
  readonly connectBaselineHypervisorCpu: Procedure<ConnectBaselineHypervisorCpuArgs, string>;
  readonly nodeGetSevInfo: Procedure<NodeGetSevInfoArgs, NodeGetSevInfoResult>;
  readonly domainGetLaunchSecurityInfo: Procedure<DomainGetLaunchSecurityInfoArgs, TypedParameterResult<DomainLaunchSecurityInfoParameters>>;
  readonly nwfilterBindingLookupByPortDev: Procedure<NwfilterBindingLookupByPortDevArgs, NetworkFilterBinding>;
  readonly nwfilterBindingGetXmlDesc: Procedure<NwfilterBindingGetXmlDescArgs, string>;
  readonly nwfilterBindingCreateXml: Procedure<NwfilterBindingCreateXmlArgs, NetworkFilterBinding>;
  readonly nwfilterBindingDelete: Procedure<NwfilterBindingDeleteArgs, void>;
  readonly connectListAllNwfilterBindings: Procedure<ConnectListAllNwfilterBindingsArgs, readonly NetworkFilterBinding[]>;
  readonly domainSetIothreadParams: Procedure<DomainSetIothreadParamsArgs, void>;
  readonly connectGetStoragePoolCapabilities: Procedure<ConnectGetStoragePoolCapabilitiesArgs, string>;
  readonly networkListAllPorts: Procedure<NetworkListAllPortsArgs, readonly NetworkPort[]>;
  readonly networkPortLookupByUuid: Procedure<NetworkPortLookupByUuidArgs, NetworkPort>;
  readonly networkPortCreateXml: Procedure<NetworkPortCreateXmlArgs, NetworkPort>;
  readonly networkPortGetParameters: Procedure<NetworkPortGetParametersArgs, NetworkPortGetParametersResult>;
  readonly networkPortSetParameters: Procedure<NetworkPortSetParametersArgs, void>;
  readonly networkPortGetXmlDesc: Procedure<NetworkPortGetXmlDescArgs, string>;
  readonly networkPortDelete: Procedure<NetworkPortDeleteArgs, void>;
  readonly domainCheckpointCreateXml: Procedure<DomainCheckpointCreateXmlArgs, DomainCheckpoint>;
  readonly domainCheckpointGetXmlDesc: Procedure<DomainCheckpointGetXmlDescArgs, string>;
  readonly domainListAllCheckpoints: Procedure<DomainListAllCheckpointsArgs, readonly DomainCheckpoint[]>;
  readonly domainCheckpointListAllChildren: Procedure<DomainCheckpointListAllChildrenArgs, readonly DomainCheckpoint[]>;
  readonly domainCheckpointLookupByName: Procedure<DomainCheckpointLookupByNameArgs, DomainCheckpoint>;
  readonly domainCheckpointGetParent: Procedure<DomainCheckpointGetParentArgs, DomainCheckpoint>;
  readonly domainCheckpointDelete: Procedure<DomainCheckpointDeleteArgs, void>;
  readonly domainGetGuestInfo: Procedure<DomainGetGuestInfoArgs, TypedParameterResult<DomainGuestInfoParameters>>;
  readonly connectSetIdentity: Procedure<ConnectSetIdentityArgs, void>;
  readonly domainAgentSetResponseTimeout: Procedure<DomainAgentSetResponseTimeoutArgs, number>;
  readonly domainBackupBegin: Procedure<DomainBackupBeginArgs, void>;
  readonly domainBackupGetXmlDesc: Procedure<DomainBackupGetXmlDescArgs, string>;
  readonly domainAuthorizedSshKeysGet: Procedure<DomainAuthorizedSshKeysGetArgs, readonly string[]>;
  readonly domainAuthorizedSshKeysSet: Procedure<DomainAuthorizedSshKeysSetArgs, void>;
  readonly domainGetMessages: Procedure<DomainGetMessagesArgs, readonly string[]>;
  readonly domainStartDirtyRateCalc: Procedure<DomainStartDirtyRateCalcArgs, void>;
  readonly nodeDeviceDefineXml: Procedure<NodeDeviceDefineXmlArgs, NodeDevice>;
  readonly nodeDeviceUndefine: Procedure<NodeDeviceUndefineArgs, void>;
  readonly nodeDeviceCreate: Procedure<NodeDeviceCreateArgs, void>;
  readonly nwfilterDefineXmlFlags: Procedure<NwfilterDefineXmlFlagsArgs, NetworkFilter>;
  readonly networkDefineXmlFlags: Procedure<NetworkDefineXmlFlagsArgs, Network>;
  readonly nodeDeviceGetAutostart: Procedure<NodeDeviceGetAutostartArgs, number>;
  readonly nodeDeviceSetAutostart: Procedure<NodeDeviceSetAutostartArgs, void>;
  readonly nodeDeviceIsPersistent: Procedure<NodeDeviceIsPersistentArgs, number>;
  readonly nodeDeviceIsActive: Procedure<NodeDeviceIsActiveArgs, number>;
  readonly networkCreateXmlFlags: Procedure<NetworkCreateXmlFlagsArgs, Network>;
  readonly domainSetLaunchSecurityState: Procedure<DomainSetLaunchSecurityStateArgs, void>;
  readonly domainSaveParams: Procedure<DomainSaveParamsArgs, void>;
  readonly domainRestoreParams: Procedure<DomainRestoreParamsArgs, void>;
  readonly domainAbortJobFlags: Procedure<DomainAbortJobFlagsArgs, void>;
  readonly domainFdAssociate: Procedure<DomainFdAssociateArgs, void>;
  readonly networkSetMetadata: Procedure<NetworkSetMetadataArgs, void>;
  readonly networkGetMetadata: Procedure<NetworkGetMetadataArgs, string>;
  readonly nodeDeviceUpdate: Procedure<NodeDeviceUpdateArgs, void>;
  readonly domainGraphicsReload: Procedure<DomainGraphicsReloadArgs, void>;
  readonly domainGetAutostartOnce: Procedure<DomainGetAutostartOnceArgs, number>;
  readonly domainSetAutostartOnce: Procedure<DomainSetAutostartOnceArgs, void>;
  readonly domainSetThrottleGroup: Procedure<DomainSetThrottleGroupArgs, void>;
  readonly domainDelThrottleGroup: Procedure<DomainDelThrottleGroupArgs, void>;
  readonly domainAnnounceInterface: Procedure<DomainAnnounceInterfaceArgs, void>;
  readonly qemuDomainMonitorCommand: Procedure<QemuDomainMonitorCommandArgs, string>;
  readonly qemuDomainAttach: Procedure<QemuDomainAttachArgs, Domain>;
  readonly qemuDomainAgentCommand: Procedure<QemuDomainAgentCommandArgs, string | undefined>;
  readonly qemuConnectDomainMonitorEventRegister: Procedure<QemuConnectDomainMonitorEventRegisterArgs, number>;
  readonly qemuConnectDomainMonitorEventDeregister: Procedure<QemuConnectDomainMonitorEventDeregisterArgs, void>;
  readonly qemuDomainMonitorCommandWithFiles: Procedure<QemuDomainMonitorCommandWithFilesArgs, string>;
  readonly lxcDomainOpenNamespace: Procedure<LxcDomainOpenNamespaceArgs, void>;
  readonly adminConnectOpen: Procedure<AdminConnectOpenArgs, void>;
  readonly adminConnectClose: Procedure<void, void>;
  readonly adminServerUpdateTlsFiles: Procedure<AdminServerUpdateTlsFilesArgs, void>;
}

/** Every call of the remote, QEMU and LXC programs, and those of the admin program that are used. */
export const procedures: ProcedureTable = {
  connectOpen: {
    program: 0x20008086,
    number: 1,
    name: 'connectOpen',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectOpen,
    readResult: readNothing,
  },
  connectClose: {
    program: 0x20008086,
    number: 2,
    name: 'connectClose',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readNothing,
  },
  connectGetType: {
    program: 0x20008086,
    number: 3,
    name: 'connectGetType',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectGetType,
  },
  connectGetVersion: {
    program: 0x20008086,
    number: 4,
    name: 'connectGetVersion',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectGetVersion,
  },
  connectGetMaxVcpus: {
    program: 0x20008086,
    number: 5,
    name: 'connectGetMaxVcpus',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectGetMaxVcpus,
    readResult: readConnectGetMaxVcpus,
  },
  nodeGetInfo: {
    program: 0x20008086,
    number: 6,
    name: 'nodeGetInfo',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readNodeGetInfo,
  },
  connectGetCapabilities: {
    program: 0x20008086,
    number: 7,
    name: 'connectGetCapabilities',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectGetCapabilities,
  },
  domainAttachDevice: {
    program: 0x20008086,
    number: 8,
    name: 'domainAttachDevice',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainAttachDevice,
    readResult: readNothing,
  },
  domainCreate: {
    program: 0x20008086,
    number: 9,
    name: 'domainCreate',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainCreate,
    readResult: readNothing,
  },
  domainCreateXml: {
    program: 0x20008086,
    number: 10,
    name: 'domainCreateXml',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainCreateXml,
    readResult: readDomainCreateXml,
  },
  domainDefineXml: {
    program: 0x20008086,
    number: 11,
    name: 'domainDefineXml',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainDefineXml,
    readResult: readDomainDefineXml,
  },
  domainDestroy: {
    program: 0x20008086,
    number: 12,
    name: 'domainDestroy',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainDestroy,
    readResult: readNothing,
  },
  domainDetachDevice: {
    program: 0x20008086,
    number: 13,
    name: 'domainDetachDevice',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainDetachDevice,
    readResult: readNothing,
  },
  domainGetXmlDesc: {
    program: 0x20008086,
    number: 14,
    name: 'domainGetXmlDesc',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetXmlDesc,
    readResult: readDomainGetXmlDesc,
  },
  domainGetAutostart: {
    program: 0x20008086,
    number: 15,
    name: 'domainGetAutostart',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetAutostart,
    readResult: readDomainGetAutostart,
  },
  domainGetInfo: {
    program: 0x20008086,
    number: 16,
    name: 'domainGetInfo',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetInfo,
    readResult: readDomainGetInfo,
  },
  domainGetMaxMemory: {
    program: 0x20008086,
    number: 17,
    name: 'domainGetMaxMemory',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetMaxMemory,
    readResult: readDomainGetMaxMemory,
  },
  domainGetMaxVcpus: {
    program: 0x20008086,
    number: 18,
    name: 'domainGetMaxVcpus',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetMaxVcpus,
    readResult: readDomainGetMaxVcpus,
  },
  domainGetOsType: {
    program: 0x20008086,
    number: 19,
    name: 'domainGetOsType',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetOsType,
    readResult: readDomainGetOsType,
  },
  domainGetVcpus: {
    program: 0x20008086,
    number: 20,
    name: 'domainGetVcpus',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetVcpus,
    readResult: readDomainGetVcpus,
  },
  connectListDefinedDomains: {
    program: 0x20008086,
    number: 21,
    name: 'connectListDefinedDomains',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListDefinedDomains,
    readResult: readConnectListDefinedDomains,
  },
  domainLookupById: {
    program: 0x20008086,
    number: 22,
    name: 'domainLookupById',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainLookupById,
    readResult: readDomainLookupById,
  },
  domainLookupByName: {
    program: 0x20008086,
    number: 23,
    name: 'domainLookupByName',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainLookupByName,
    readResult: readDomainLookupByName,
  },
  domainLookupByUuid: {
    program: 0x20008086,
    number: 24,
    name: 'domainLookupByUuid',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainLookupByUuid,
    readResult: readDomainLookupByUuid,
  },
  connectNumOfDefinedDomains: {
    program: 0x20008086,
    number: 25,
    name: 'connectNumOfDefinedDomains',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectNumOfDefinedDomains,
  },
  domainPinVcpu: {
    program: 0x20008086,
    number: 26,
    name: 'domainPinVcpu',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainPinVcpu,
    readResult: readNothing,
  },
  domainReboot: {
    program: 0x20008086,
    number: 27,
    name: 'domainReboot',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainReboot,
    readResult: readNothing,
  },
  domainResume: {
    program: 0x20008086,
    number: 28,
    name: 'domainResume',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainResume,
    readResult: readNothing,
  },
  domainSetAutostart: {
    program: 0x20008086,
    number: 29,
    name: 'domainSetAutostart',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetAutostart,
    readResult: readNothing,
  },
  domainSetMaxMemory: {
    program: 0x20008086,
    number: 30,
    name: 'domainSetMaxMemory',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetMaxMemory,
    readResult: readNothing,
  },
  domainSetMemory: {
    program: 0x20008086,
    number: 31,
    name: 'domainSetMemory',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetMemory,
    readResult: readNothing,
  },
  domainSetVcpus: {
    program: 0x20008086,
    number: 32,
    name: 'domainSetVcpus',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetVcpus,
    readResult: readNothing,
  },
  domainShutdown: {
    program: 0x20008086,
    number: 33,
    name: 'domainShutdown',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainShutdown,
    readResult: readNothing,
  },
  domainSuspend: {
    program: 0x20008086,
    number: 34,
    name: 'domainSuspend',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSuspend,
    readResult: readNothing,
  },
  domainUndefine: {
    program: 0x20008086,
    number: 35,
    name: 'domainUndefine',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainUndefine,
    readResult: readNothing,
  },
  connectListDefinedNetworks: {
    program: 0x20008086,
    number: 36,
    name: 'connectListDefinedNetworks',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListDefinedNetworks,
    readResult: readConnectListDefinedNetworks,
  },
  connectListDomains: {
    program: 0x20008086,
    number: 37,
    name: 'connectListDomains',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListDomains,
    readResult: readConnectListDomains,
  },
  connectListNetworks: {
    program: 0x20008086,
    number: 38,
    name: 'connectListNetworks',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListNetworks,
    readResult: readConnectListNetworks,
  },
  networkCreate: {
    program: 0x20008086,
    number: 39,
    name: 'networkCreate',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNetworkCreate,
    readResult: readNothing,
  },
  networkCreateXml: {
    program: 0x20008086,
    number: 40,
    name: 'networkCreateXml',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNetworkCreateXml,
    readResult: readNetworkCreateXml,
  },
  networkDefineXml: {
    program: 0x20008086,
    number: 41,
    name: 'networkDefineXml',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkDefineXml,
    readResult: readNetworkDefineXml,
  },
  networkDestroy: {
    program: 0x20008086,
    number: 42,
    name: 'networkDestroy',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkDestroy,
    readResult: readNothing,
  },
  networkGetXmlDesc: {
    program: 0x20008086,
    number: 43,
    name: 'networkGetXmlDesc',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkGetXmlDesc,
    readResult: readNetworkGetXmlDesc,
  },
  networkGetAutostart: {
    program: 0x20008086,
    number: 44,
    name: 'networkGetAutostart',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkGetAutostart,
    readResult: readNetworkGetAutostart,
  },
  networkGetBridgeName: {
    program: 0x20008086,
    number: 45,
    name: 'networkGetBridgeName',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkGetBridgeName,
    readResult: readNetworkGetBridgeName,
  },
  networkLookupByName: {
    program: 0x20008086,
    number: 46,
    name: 'networkLookupByName',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkLookupByName,
    readResult: readNetworkLookupByName,
  },
  networkLookupByUuid: {
    program: 0x20008086,
    number: 47,
    name: 'networkLookupByUuid',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkLookupByUuid,
    readResult: readNetworkLookupByUuid,
  },
  networkSetAutostart: {
    program: 0x20008086,
    number: 48,
    name: 'networkSetAutostart',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkSetAutostart,
    readResult: readNothing,
  },
  networkUndefine: {
    program: 0x20008086,
    number: 49,
    name: 'networkUndefine',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkUndefine,
    readResult: readNothing,
  },
  connectNumOfDefinedNetworks: {
    program: 0x20008086,
    number: 50,
    name: 'connectNumOfDefinedNetworks',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectNumOfDefinedNetworks,
  },
  connectNumOfDomains: {
    program: 0x20008086,
    number: 51,
    name: 'connectNumOfDomains',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectNumOfDomains,
  },
  connectNumOfNetworks: {
    program: 0x20008086,
    number: 52,
    name: 'connectNumOfNetworks',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectNumOfNetworks,
  },
  domainCoreDump: {
    program: 0x20008086,
    number: 53,
    name: 'domainCoreDump',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainCoreDump,
    readResult: readNothing,
  },
  domainRestore: {
    program: 0x20008086,
    number: 54,
    name: 'domainRestore',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainRestore,
    readResult: readNothing,
  },
  domainSave: {
    program: 0x20008086,
    number: 55,
    name: 'domainSave',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSave,
    readResult: readNothing,
  },
  domainGetSchedulerType: {
    program: 0x20008086,
    number: 56,
    name: 'domainGetSchedulerType',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetSchedulerType,
    readResult: readDomainGetSchedulerType,
  },
  domainGetSchedulerParameters: {
    program: 0x20008086,
    number: 57,
    name: 'domainGetSchedulerParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetSchedulerParameters,
    readResult: readDomainGetSchedulerParameters,
  },
  domainSetSchedulerParameters: {
    program: 0x20008086,
    number: 58,
    name: 'domainSetSchedulerParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetSchedulerParameters,
    readResult: readNothing,
  },
  connectGetHostname: {
    program: 0x20008086,
    number: 59,
    name: 'connectGetHostname',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectGetHostname,
  },
  connectSupportsFeature: {
    program: 0x20008086,
    number: 60,
    name: 'connectSupportsFeature',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectSupportsFeature,
    readResult: readConnectSupportsFeature,
  },
  domainMigratePrepare: {
    program: 0x20008086,
    number: 61,
    name: 'domainMigratePrepare',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigratePrepare,
    readResult: readDomainMigratePrepare,
  },
  domainMigratePerform: {
    program: 0x20008086,
    number: 62,
    name: 'domainMigratePerform',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigratePerform,
    readResult: readNothing,
  },
  domainMigrateFinish: {
    program: 0x20008086,
    number: 63,
    name: 'domainMigrateFinish',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateFinish,
    readResult: readDomainMigrateFinish,
  },
  domainBlockStats: {
    program: 0x20008086,
    number: 64,
    name: 'domainBlockStats',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainBlockStats,
    readResult: readDomainBlockStats,
  },
  domainInterfaceStats: {
    program: 0x20008086,
    number: 65,
    name: 'domainInterfaceStats',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainInterfaceStats,
    readResult: readDomainInterfaceStats,
  },
  authList: {
    program: 0x20008086,
    number: 66,
    name: 'authList',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readAuthList,
  },
  authSaslInit: {
    program: 0x20008086,
    number: 67,
    name: 'authSaslInit',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readAuthSaslInit,
  },
  authSaslStart: {
    program: 0x20008086,
    number: 68,
    name: 'authSaslStart',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeAuthSaslStart,
    readResult: readAuthSaslStart,
  },
  authSaslStep: {
    program: 0x20008086,
    number: 69,
    name: 'authSaslStep',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeAuthSaslStep,
    readResult: readAuthSaslStep,
  },
  authPolkit: {
    program: 0x20008086,
    number: 70,
    name: 'authPolkit',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readAuthPolkit,
  },
  connectNumOfStoragePools: {
    program: 0x20008086,
    number: 71,
    name: 'connectNumOfStoragePools',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectNumOfStoragePools,
  },
  connectListStoragePools: {
    program: 0x20008086,
    number: 72,
    name: 'connectListStoragePools',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListStoragePools,
    readResult: readConnectListStoragePools,
  },
  connectNumOfDefinedStoragePools: {
    program: 0x20008086,
    number: 73,
    name: 'connectNumOfDefinedStoragePools',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectNumOfDefinedStoragePools,
  },
  connectListDefinedStoragePools: {
    program: 0x20008086,
    number: 74,
    name: 'connectListDefinedStoragePools',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListDefinedStoragePools,
    readResult: readConnectListDefinedStoragePools,
  },
  connectFindStoragePoolSources: {
    program: 0x20008086,
    number: 75,
    name: 'connectFindStoragePoolSources',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeConnectFindStoragePoolSources,
    readResult: readConnectFindStoragePoolSources,
  },
  storagePoolCreateXml: {
    program: 0x20008086,
    number: 76,
    name: 'storagePoolCreateXml',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolCreateXml,
    readResult: readStoragePoolCreateXml,
  },
  storagePoolDefineXml: {
    program: 0x20008086,
    number: 77,
    name: 'storagePoolDefineXml',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolDefineXml,
    readResult: readStoragePoolDefineXml,
  },
  storagePoolCreate: {
    program: 0x20008086,
    number: 78,
    name: 'storagePoolCreate',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolCreate,
    readResult: readNothing,
  },
  storagePoolBuild: {
    program: 0x20008086,
    number: 79,
    name: 'storagePoolBuild',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolBuild,
    readResult: readNothing,
  },
  storagePoolDestroy: {
    program: 0x20008086,
    number: 80,
    name: 'storagePoolDestroy',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolDestroy,
    readResult: readNothing,
  },
  storagePoolDelete: {
    program: 0x20008086,
    number: 81,
    name: 'storagePoolDelete',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolDelete,
    readResult: readNothing,
  },
  storagePoolUndefine: {
    program: 0x20008086,
    number: 82,
    name: 'storagePoolUndefine',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolUndefine,
    readResult: readNothing,
  },
  storagePoolRefresh: {
    program: 0x20008086,
    number: 83,
    name: 'storagePoolRefresh',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolRefresh,
    readResult: readNothing,
  },
  storagePoolLookupByName: {
    program: 0x20008086,
    number: 84,
    name: 'storagePoolLookupByName',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolLookupByName,
    readResult: readStoragePoolLookupByName,
  },
  storagePoolLookupByUuid: {
    program: 0x20008086,
    number: 85,
    name: 'storagePoolLookupByUuid',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolLookupByUuid,
    readResult: readStoragePoolLookupByUuid,
  },
  storagePoolLookupByVolume: {
    program: 0x20008086,
    number: 86,
    name: 'storagePoolLookupByVolume',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolLookupByVolume,
    readResult: readStoragePoolLookupByVolume,
  },
  storagePoolGetInfo: {
    program: 0x20008086,
    number: 87,
    name: 'storagePoolGetInfo',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolGetInfo,
    readResult: readStoragePoolGetInfo,
  },
  storagePoolGetXmlDesc: {
    program: 0x20008086,
    number: 88,
    name: 'storagePoolGetXmlDesc',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolGetXmlDesc,
    readResult: readStoragePoolGetXmlDesc,
  },
  storagePoolGetAutostart: {
    program: 0x20008086,
    number: 89,
    name: 'storagePoolGetAutostart',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolGetAutostart,
    readResult: readStoragePoolGetAutostart,
  },
  storagePoolSetAutostart: {
    program: 0x20008086,
    number: 90,
    name: 'storagePoolSetAutostart',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolSetAutostart,
    readResult: readNothing,
  },
  storagePoolNumOfVolumes: {
    program: 0x20008086,
    number: 91,
    name: 'storagePoolNumOfVolumes',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolNumOfVolumes,
    readResult: readStoragePoolNumOfVolumes,
  },
  storagePoolListVolumes: {
    program: 0x20008086,
    number: 92,
    name: 'storagePoolListVolumes',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolListVolumes,
    readResult: readStoragePoolListVolumes,
  },
  storageVolCreateXml: {
    program: 0x20008086,
    number: 93,
    name: 'storageVolCreateXml',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolCreateXml,
    readResult: readStorageVolCreateXml,
  },
  storageVolDelete: {
    program: 0x20008086,
    number: 94,
    name: 'storageVolDelete',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolDelete,
    readResult: readNothing,
  },
  storageVolLookupByName: {
    program: 0x20008086,
    number: 95,
    name: 'storageVolLookupByName',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolLookupByName,
    readResult: readStorageVolLookupByName,
  },
  storageVolLookupByKey: {
    program: 0x20008086,
    number: 96,
    name: 'storageVolLookupByKey',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolLookupByKey,
    readResult: readStorageVolLookupByKey,
  },
  storageVolLookupByPath: {
    program: 0x20008086,
    number: 97,
    name: 'storageVolLookupByPath',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolLookupByPath,
    readResult: readStorageVolLookupByPath,
  },
  storageVolGetInfo: {
    program: 0x20008086,
    number: 98,
    name: 'storageVolGetInfo',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolGetInfo,
    readResult: readStorageVolGetInfo,
  },
  storageVolGetXmlDesc: {
    program: 0x20008086,
    number: 99,
    name: 'storageVolGetXmlDesc',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolGetXmlDesc,
    readResult: readStorageVolGetXmlDesc,
  },
  storageVolGetPath: {
    program: 0x20008086,
    number: 100,
    name: 'storageVolGetPath',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolGetPath,
    readResult: readStorageVolGetPath,
  },
  nodeGetCellsFreeMemory: {
    program: 0x20008086,
    number: 101,
    name: 'nodeGetCellsFreeMemory',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeGetCellsFreeMemory,
    readResult: readNodeGetCellsFreeMemory,
  },
  nodeGetFreeMemory: {
    program: 0x20008086,
    number: 102,
    name: 'nodeGetFreeMemory',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readNodeGetFreeMemory,
  },
  domainBlockPeek: {
    program: 0x20008086,
    number: 103,
    name: 'domainBlockPeek',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainBlockPeek,
    readResult: readDomainBlockPeek,
  },
  domainMemoryPeek: {
    program: 0x20008086,
    number: 104,
    name: 'domainMemoryPeek',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMemoryPeek,
    readResult: readDomainMemoryPeek,
  },
  connectDomainEventRegister: {
    program: 0x20008086,
    number: 105,
    name: 'connectDomainEventRegister',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectDomainEventRegister,
  },
  connectDomainEventDeregister: {
    program: 0x20008086,
    number: 106,
    name: 'connectDomainEventDeregister',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectDomainEventDeregister,
  },
  domainMigratePrepare2: {
    program: 0x20008086,
    number: 108,
    name: 'domainMigratePrepare2',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigratePrepare2,
    readResult: readDomainMigratePrepare2,
  },
  domainMigrateFinish2: {
    program: 0x20008086,
    number: 109,
    name: 'domainMigrateFinish2',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateFinish2,
    readResult: readDomainMigrateFinish2,
  },
  connectGetUri: {
    program: 0x20008086,
    number: 110,
    name: 'connectGetUri',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectGetUri,
  },
  nodeNumOfDevices: {
    program: 0x20008086,
    number: 111,
    name: 'nodeNumOfDevices',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeNumOfDevices,
    readResult: readNodeNumOfDevices,
  },
  nodeListDevices: {
    program: 0x20008086,
    number: 112,
    name: 'nodeListDevices',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeListDevices,
    readResult: readNodeListDevices,
  },
  nodeDeviceLookupByName: {
    program: 0x20008086,
    number: 113,
    name: 'nodeDeviceLookupByName',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceLookupByName,
    readResult: readNodeDeviceLookupByName,
  },
  nodeDeviceGetXmlDesc: {
    program: 0x20008086,
    number: 114,
    name: 'nodeDeviceGetXmlDesc',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceGetXmlDesc,
    readResult: readNodeDeviceGetXmlDesc,
  },
  nodeDeviceGetParent: {
    program: 0x20008086,
    number: 115,
    name: 'nodeDeviceGetParent',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceGetParent,
    readResult: readNodeDeviceGetParent,
  },
  nodeDeviceNumOfCaps: {
    program: 0x20008086,
    number: 116,
    name: 'nodeDeviceNumOfCaps',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceNumOfCaps,
    readResult: readNodeDeviceNumOfCaps,
  },
  nodeDeviceListCaps: {
    program: 0x20008086,
    number: 117,
    name: 'nodeDeviceListCaps',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceListCaps,
    readResult: readNodeDeviceListCaps,
  },
  nodeDeviceDettach: {
    program: 0x20008086,
    number: 118,
    name: 'nodeDeviceDettach',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceDettach,
    readResult: readNothing,
  },
  nodeDeviceReAttach: {
    program: 0x20008086,
    number: 119,
    name: 'nodeDeviceReAttach',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceReAttach,
    readResult: readNothing,
  },
  nodeDeviceReset: {
    program: 0x20008086,
    number: 120,
    name: 'nodeDeviceReset',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceReset,
    readResult: readNothing,
  },
  domainGetSecurityLabel: {
    program: 0x20008086,
    number: 121,
    name: 'domainGetSecurityLabel',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetSecurityLabel,
    readResult: readDomainGetSecurityLabel,
  },
  nodeGetSecurityModel: {
    program: 0x20008086,
    number: 122,
    name: 'nodeGetSecurityModel',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readNodeGetSecurityModel,
  },
  nodeDeviceCreateXml: {
    program: 0x20008086,
    number: 123,
    name: 'nodeDeviceCreateXml',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceCreateXml,
    readResult: readNodeDeviceCreateXml,
  },
  nodeDeviceDestroy: {
    program: 0x20008086,
    number: 124,
    name: 'nodeDeviceDestroy',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceDestroy,
    readResult: readNothing,
  },
  storageVolCreateXmlFrom: {
    program: 0x20008086,
    number: 125,
    name: 'storageVolCreateXmlFrom',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolCreateXmlFrom,
    readResult: readStorageVolCreateXmlFrom,
  },
  connectNumOfInterfaces: {
    program: 0x20008086,
    number: 126,
    name: 'connectNumOfInterfaces',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectNumOfInterfaces,
  },
  connectListInterfaces: {
    program: 0x20008086,
    number: 127,
    name: 'connectListInterfaces',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListInterfaces,
    readResult: readConnectListInterfaces,
  },
  interfaceLookupByName: {
    program: 0x20008086,
    number: 128,
    name: 'interfaceLookupByName',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeInterfaceLookupByName,
    readResult: readInterfaceLookupByName,
  },
  interfaceLookupByMacString: {
    program: 0x20008086,
    number: 129,
    name: 'interfaceLookupByMacString',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeInterfaceLookupByMacString,
    readResult: readInterfaceLookupByMacString,
  },
  interfaceGetXmlDesc: {
    program: 0x20008086,
    number: 130,
    name: 'interfaceGetXmlDesc',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeInterfaceGetXmlDesc,
    readResult: readInterfaceGetXmlDesc,
  },
  interfaceDefineXml: {
    program: 0x20008086,
    number: 131,
    name: 'interfaceDefineXml',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeInterfaceDefineXml,
    readResult: readInterfaceDefineXml,
  },
  interfaceUndefine: {
    program: 0x20008086,
    number: 132,
    name: 'interfaceUndefine',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeInterfaceUndefine,
    readResult: readNothing,
  },
  interfaceCreate: {
    program: 0x20008086,
    number: 133,
    name: 'interfaceCreate',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeInterfaceCreate,
    readResult: readNothing,
  },
  interfaceDestroy: {
    program: 0x20008086,
    number: 134,
    name: 'interfaceDestroy',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeInterfaceDestroy,
    readResult: readNothing,
  },
  connectDomainXmlFromNative: {
    program: 0x20008086,
    number: 135,
    name: 'connectDomainXmlFromNative',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeConnectDomainXmlFromNative,
    readResult: readConnectDomainXmlFromNative,
  },
  connectDomainXmlToNative: {
    program: 0x20008086,
    number: 136,
    name: 'connectDomainXmlToNative',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeConnectDomainXmlToNative,
    readResult: readConnectDomainXmlToNative,
  },
  connectNumOfDefinedInterfaces: {
    program: 0x20008086,
    number: 137,
    name: 'connectNumOfDefinedInterfaces',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectNumOfDefinedInterfaces,
  },
  connectListDefinedInterfaces: {
    program: 0x20008086,
    number: 138,
    name: 'connectListDefinedInterfaces',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListDefinedInterfaces,
    readResult: readConnectListDefinedInterfaces,
  },
  connectNumOfSecrets: {
    program: 0x20008086,
    number: 139,
    name: 'connectNumOfSecrets',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectNumOfSecrets,
  },
  connectListSecrets: {
    program: 0x20008086,
    number: 140,
    name: 'connectListSecrets',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListSecrets,
    readResult: readConnectListSecrets,
  },
  secretLookupByUuid: {
    program: 0x20008086,
    number: 141,
    name: 'secretLookupByUuid',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeSecretLookupByUuid,
    readResult: readSecretLookupByUuid,
  },
  secretDefineXml: {
    program: 0x20008086,
    number: 142,
    name: 'secretDefineXml',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeSecretDefineXml,
    readResult: readSecretDefineXml,
  },
  secretGetXmlDesc: {
    program: 0x20008086,
    number: 143,
    name: 'secretGetXmlDesc',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeSecretGetXmlDesc,
    readResult: readSecretGetXmlDesc,
  },
  secretSetValue: {
    program: 0x20008086,
    number: 144,
    name: 'secretSetValue',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeSecretSetValue,
    readResult: readNothing,
  },
  secretGetValue: {
    program: 0x20008086,
    number: 145,
    name: 'secretGetValue',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeSecretGetValue,
    readResult: readSecretGetValue,
  },
  secretUndefine: {
    program: 0x20008086,
    number: 146,
    name: 'secretUndefine',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeSecretUndefine,
    readResult: readNothing,
  },
  secretLookupByUsage: {
    program: 0x20008086,
    number: 147,
    name: 'secretLookupByUsage',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeSecretLookupByUsage,
    readResult: readSecretLookupByUsage,
  },
  domainMigratePrepareTunnel: {
    program: 0x20008086,
    number: 148,
    name: 'domainMigratePrepareTunnel',
    isHighPriority: false,
    passesFileDescriptors: false,
    stream: 'write',
    writeArgs: writeDomainMigratePrepareTunnel,
    readResult: readNothing,
  },
  connectIsSecure: {
    program: 0x20008086,
    number: 149,
    name: 'connectIsSecure',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectIsSecure,
  },
  domainIsActive: {
    program: 0x20008086,
    number: 150,
    name: 'domainIsActive',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainIsActive,
    readResult: readDomainIsActive,
  },
  domainIsPersistent: {
    program: 0x20008086,
    number: 151,
    name: 'domainIsPersistent',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainIsPersistent,
    readResult: readDomainIsPersistent,
  },
  networkIsActive: {
    program: 0x20008086,
    number: 152,
    name: 'networkIsActive',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkIsActive,
    readResult: readNetworkIsActive,
  },
  networkIsPersistent: {
    program: 0x20008086,
    number: 153,
    name: 'networkIsPersistent',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkIsPersistent,
    readResult: readNetworkIsPersistent,
  },
  storagePoolIsActive: {
    program: 0x20008086,
    number: 154,
    name: 'storagePoolIsActive',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolIsActive,
    readResult: readStoragePoolIsActive,
  },
  storagePoolIsPersistent: {
    program: 0x20008086,
    number: 155,
    name: 'storagePoolIsPersistent',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolIsPersistent,
    readResult: readStoragePoolIsPersistent,
  },
  interfaceIsActive: {
    program: 0x20008086,
    number: 156,
    name: 'interfaceIsActive',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeInterfaceIsActive,
    readResult: readInterfaceIsActive,
  },
  connectGetLibVersion: {
    program: 0x20008086,
    number: 157,
    name: 'connectGetLibVersion',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectGetLibVersion,
  },
  connectCompareCpu: {
    program: 0x20008086,
    number: 158,
    name: 'connectCompareCpu',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectCompareCpu,
    readResult: readConnectCompareCpu,
  },
  domainMemoryStats: {
    program: 0x20008086,
    number: 159,
    name: 'domainMemoryStats',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMemoryStats,
    readResult: readDomainMemoryStats,
  },
  domainAttachDeviceFlags: {
    program: 0x20008086,
    number: 160,
    name: 'domainAttachDeviceFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainAttachDeviceFlags,
    readResult: readNothing,
  },
  domainDetachDeviceFlags: {
    program: 0x20008086,
    number: 161,
    name: 'domainDetachDeviceFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainDetachDeviceFlags,
    readResult: readNothing,
  },
  connectBaselineCpu: {
    program: 0x20008086,
    number: 162,
    name: 'connectBaselineCpu',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeConnectBaselineCpu,
    readResult: readConnectBaselineCpu,
  },
  domainGetJobInfo: {
    program: 0x20008086,
    number: 163,
    name: 'domainGetJobInfo',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetJobInfo,
    readResult: readDomainGetJobInfo,
  },
  domainAbortJob: {
    program: 0x20008086,
    number: 164,
    name: 'domainAbortJob',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainAbortJob,
    readResult: readNothing,
  },
  storageVolWipe: {
    program: 0x20008086,
    number: 165,
    name: 'storageVolWipe',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolWipe,
    readResult: readNothing,
  },
  domainMigrateSetMaxDowntime: {
    program: 0x20008086,
    number: 166,
    name: 'domainMigrateSetMaxDowntime',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateSetMaxDowntime,
    readResult: readNothing,
  },
  connectDomainEventRegisterAny: {
    program: 0x20008086,
    number: 167,
    name: 'connectDomainEventRegisterAny',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectDomainEventRegisterAny,
    readResult: readNothing,
  },
  connectDomainEventDeregisterAny: {
    program: 0x20008086,
    number: 168,
    name: 'connectDomainEventDeregisterAny',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectDomainEventDeregisterAny,
    readResult: readNothing,
  },
  domainUpdateDeviceFlags: {
    program: 0x20008086,
    number: 174,
    name: 'domainUpdateDeviceFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainUpdateDeviceFlags,
    readResult: readNothing,
  },
  nwfilterLookupByName: {
    program: 0x20008086,
    number: 175,
    name: 'nwfilterLookupByName',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNwfilterLookupByName,
    readResult: readNwfilterLookupByName,
  },
  nwfilterLookupByUuid: {
    program: 0x20008086,
    number: 176,
    name: 'nwfilterLookupByUuid',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNwfilterLookupByUuid,
    readResult: readNwfilterLookupByUuid,
  },
  nwfilterGetXmlDesc: {
    program: 0x20008086,
    number: 177,
    name: 'nwfilterGetXmlDesc',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNwfilterGetXmlDesc,
    readResult: readNwfilterGetXmlDesc,
  },
  connectNumOfNwfilters: {
    program: 0x20008086,
    number: 178,
    name: 'connectNumOfNwfilters',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readConnectNumOfNwfilters,
  },
  connectListNwfilters: {
    program: 0x20008086,
    number: 179,
    name: 'connectListNwfilters',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListNwfilters,
    readResult: readConnectListNwfilters,
  },
  nwfilterDefineXml: {
    program: 0x20008086,
    number: 180,
    name: 'nwfilterDefineXml',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNwfilterDefineXml,
    readResult: readNwfilterDefineXml,
  },
  nwfilterUndefine: {
    program: 0x20008086,
    number: 181,
    name: 'nwfilterUndefine',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNwfilterUndefine,
    readResult: readNothing,
  },
  domainManagedSave: {
    program: 0x20008086,
    number: 182,
    name: 'domainManagedSave',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainManagedSave,
    readResult: readNothing,
  },
  domainHasManagedSaveImage: {
    program: 0x20008086,
    number: 183,
    name: 'domainHasManagedSaveImage',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainHasManagedSaveImage,
    readResult: readDomainHasManagedSaveImage,
  },
  domainManagedSaveRemove: {
    program: 0x20008086,
    number: 184,
    name: 'domainManagedSaveRemove',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainManagedSaveRemove,
    readResult: readNothing,
  },
  domainSnapshotCreateXml: {
    program: 0x20008086,
    number: 185,
    name: 'domainSnapshotCreateXml',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotCreateXml,
    readResult: readDomainSnapshotCreateXml,
  },
  domainSnapshotGetXmlDesc: {
    program: 0x20008086,
    number: 186,
    name: 'domainSnapshotGetXmlDesc',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotGetXmlDesc,
    readResult: readDomainSnapshotGetXmlDesc,
  },
  domainSnapshotNum: {
    program: 0x20008086,
    number: 187,
    name: 'domainSnapshotNum',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotNum,
    readResult: readDomainSnapshotNum,
  },
  domainSnapshotListNames: {
    program: 0x20008086,
    number: 188,
    name: 'domainSnapshotListNames',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotListNames,
    readResult: readDomainSnapshotListNames,
  },
  domainSnapshotLookupByName: {
    program: 0x20008086,
    number: 189,
    name: 'domainSnapshotLookupByName',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotLookupByName,
    readResult: readDomainSnapshotLookupByName,
  },
  domainHasCurrentSnapshot: {
    program: 0x20008086,
    number: 190,
    name: 'domainHasCurrentSnapshot',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainHasCurrentSnapshot,
    readResult: readDomainHasCurrentSnapshot,
  },
  domainSnapshotCurrent: {
    program: 0x20008086,
    number: 191,
    name: 'domainSnapshotCurrent',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotCurrent,
    readResult: readDomainSnapshotCurrent,
  },
  domainRevertToSnapshot: {
    program: 0x20008086,
    number: 192,
    name: 'domainRevertToSnapshot',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainRevertToSnapshot,
    readResult: readNothing,
  },
  domainSnapshotDelete: {
    program: 0x20008086,
    number: 193,
    name: 'domainSnapshotDelete',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotDelete,
    readResult: readNothing,
  },
  domainGetBlockInfo: {
    program: 0x20008086,
    number: 194,
    name: 'domainGetBlockInfo',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetBlockInfo,
    readResult: readDomainGetBlockInfo,
  },
  domainCreateWithFlags: {
    program: 0x20008086,
    number: 196,
    name: 'domainCreateWithFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainCreateWithFlags,
    readResult: readDomainCreateWithFlags,
  },
  domainSetMemoryParameters: {
    program: 0x20008086,
    number: 197,
    name: 'domainSetMemoryParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetMemoryParameters,
    readResult: readNothing,
  },
  domainGetMemoryParameters: {
    program: 0x20008086,
    number: 198,
    name: 'domainGetMemoryParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetMemoryParameters,
    readResult: readDomainGetMemoryParameters,
  },
  domainSetVcpusFlags: {
    program: 0x20008086,
    number: 199,
    name: 'domainSetVcpusFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetVcpusFlags,
    readResult: readNothing,
  },
  domainGetVcpusFlags: {
    program: 0x20008086,
    number: 200,
    name: 'domainGetVcpusFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetVcpusFlags,
    readResult: readDomainGetVcpusFlags,
  },
  domainOpenConsole: {
    program: 0x20008086,
    number: 201,
    name: 'domainOpenConsole',
    isHighPriority: false,
    passesFileDescriptors: false,
    stream: 'both',
    writeArgs: writeDomainOpenConsole,
    readResult: readNothing,
  },
  domainIsUpdated: {
    program: 0x20008086,
    number: 202,
    name: 'domainIsUpdated',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainIsUpdated,
    readResult: readDomainIsUpdated,
  },
  connectGetSysinfo: {
    program: 0x20008086,
    number: 203,
    name: 'connectGetSysinfo',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectGetSysinfo,
    readResult: readConnectGetSysinfo,
  },
  domainSetMemoryFlags: {
    program: 0x20008086,
    number: 204,
    name: 'domainSetMemoryFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetMemoryFlags,
    readResult: readNothing,
  },
  domainSetBlkioParameters: {
    program: 0x20008086,
    number: 205,
    name: 'domainSetBlkioParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetBlkioParameters,
    readResult: readNothing,
  },
  domainGetBlkioParameters: {
    program: 0x20008086,
    number: 206,
    name: 'domainGetBlkioParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetBlkioParameters,
    readResult: readDomainGetBlkioParameters,
  },
  domainMigrateSetMaxSpeed: {
    program: 0x20008086,
    number: 207,
    name: 'domainMigrateSetMaxSpeed',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateSetMaxSpeed,
    readResult: readNothing,
  },
  storageVolUpload: {
    program: 0x20008086,
    number: 208,
    name: 'storageVolUpload',
    isHighPriority: false,
    passesFileDescriptors: false,
    stream: 'write',
    writeArgs: writeStorageVolUpload,
    readResult: readNothing,
  },
  storageVolDownload: {
    program: 0x20008086,
    number: 209,
    name: 'storageVolDownload',
    isHighPriority: false,
    passesFileDescriptors: false,
    stream: 'read',
    writeArgs: writeStorageVolDownload,
    readResult: readNothing,
  },
  domainInjectNmi: {
    program: 0x20008086,
    number: 210,
    name: 'domainInjectNmi',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainInjectNmi,
    readResult: readNothing,
  },
  domainScreenshot: {
    program: 0x20008086,
    number: 211,
    name: 'domainScreenshot',
    isHighPriority: false,
    passesFileDescriptors: false,
    stream: 'read',
    writeArgs: writeDomainScreenshot,
    readResult: readDomainScreenshot,
  },
  domainGetState: {
    program: 0x20008086,
    number: 212,
    name: 'domainGetState',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetState,
    readResult: readDomainGetState,
  },
  domainMigrateBegin3: {
    program: 0x20008086,
    number: 213,
    name: 'domainMigrateBegin3',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateBegin3,
    readResult: readDomainMigrateBegin3,
  },
  domainMigratePrepare3: {
    program: 0x20008086,
    number: 214,
    name: 'domainMigratePrepare3',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigratePrepare3,
    readResult: readDomainMigratePrepare3,
  },
  domainMigratePrepareTunnel3: {
    program: 0x20008086,
    number: 215,
    name: 'domainMigratePrepareTunnel3',
    isHighPriority: false,
    passesFileDescriptors: false,
    stream: 'write',
    writeArgs: writeDomainMigratePrepareTunnel3,
    readResult: readDomainMigratePrepareTunnel3,
  },
  domainMigratePerform3: {
    program: 0x20008086,
    number: 216,
    name: 'domainMigratePerform3',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigratePerform3,
    readResult: readDomainMigratePerform3,
  },
  domainMigrateFinish3: {
    program: 0x20008086,
    number: 217,
    name: 'domainMigrateFinish3',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateFinish3,
    readResult: readDomainMigrateFinish3,
  },
  domainMigrateConfirm3: {
    program: 0x20008086,
    number: 218,
    name: 'domainMigrateConfirm3',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateConfirm3,
    readResult: readNothing,
  },
  domainSetSchedulerParametersFlags: {
    program: 0x20008086,
    number: 219,
    name: 'domainSetSchedulerParametersFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetSchedulerParametersFlags,
    readResult: readNothing,
  },
  interfaceChangeBegin: {
    program: 0x20008086,
    number: 220,
    name: 'interfaceChangeBegin',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeInterfaceChangeBegin,
    readResult: readNothing,
  },
  interfaceChangeCommit: {
    program: 0x20008086,
    number: 221,
    name: 'interfaceChangeCommit',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeInterfaceChangeCommit,
    readResult: readNothing,
  },
  interfaceChangeRollback: {
    program: 0x20008086,
    number: 222,
    name: 'interfaceChangeRollback',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeInterfaceChangeRollback,
    readResult: readNothing,
  },
  domainGetSchedulerParametersFlags: {
    program: 0x20008086,
    number: 223,
    name: 'domainGetSchedulerParametersFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetSchedulerParametersFlags,
    readResult: readDomainGetSchedulerParametersFlags,
  },
  domainPinVcpuFlags: {
    program: 0x20008086,
    number: 225,
    name: 'domainPinVcpuFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainPinVcpuFlags,
    readResult: readNothing,
  },
  domainSendKey: {
    program: 0x20008086,
    number: 226,
    name: 'domainSendKey',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSendKey,
    readResult: readNothing,
  },
  nodeGetCpuStats: {
    program: 0x20008086,
    number: 227,
    name: 'nodeGetCpuStats',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeGetCpuStats,
    readResult: readNodeGetCpuStats,
  },
  nodeGetMemoryStats: {
    program: 0x20008086,
    number: 228,
    name: 'nodeGetMemoryStats',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeGetMemoryStats,
    readResult: readNodeGetMemoryStats,
  },
  domainGetControlInfo: {
    program: 0x20008086,
    number: 229,
    name: 'domainGetControlInfo',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetControlInfo,
    readResult: readDomainGetControlInfo,
  },
  domainGetVcpuPinInfo: {
    program: 0x20008086,
    number: 230,
    name: 'domainGetVcpuPinInfo',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetVcpuPinInfo,
    readResult: readDomainGetVcpuPinInfo,
  },
  domainUndefineFlags: {
    program: 0x20008086,
    number: 231,
    name: 'domainUndefineFlags',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainUndefineFlags,
    readResult: readNothing,
  },
  domainSaveFlags: {
    program: 0x20008086,
    number: 232,
    name: 'domainSaveFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSaveFlags,
    readResult: readNothing,
  },
  domainRestoreFlags: {
    program: 0x20008086,
    number: 233,
    name: 'domainRestoreFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainRestoreFlags,
    readResult: readNothing,
  },
  domainDestroyFlags: {
    program: 0x20008086,
    number: 234,
    name: 'domainDestroyFlags',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainDestroyFlags,
    readResult: readNothing,
  },
  domainSaveImageGetXmlDesc: {
    program: 0x20008086,
    number: 235,
    name: 'domainSaveImageGetXmlDesc',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSaveImageGetXmlDesc,
    readResult: readDomainSaveImageGetXmlDesc,
  },
  domainSaveImageDefineXml: {
    program: 0x20008086,
    number: 236,
    name: 'domainSaveImageDefineXml',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSaveImageDefineXml,
    readResult: readNothing,
  },
  domainBlockJobAbort: {
    program: 0x20008086,
    number: 237,
    name: 'domainBlockJobAbort',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainBlockJobAbort,
    readResult: readNothing,
  },
  domainGetBlockJobInfo: {
    program: 0x20008086,
    number: 238,
    name: 'domainGetBlockJobInfo',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetBlockJobInfo,
    readResult: readDomainGetBlockJobInfo,
  },
  domainBlockJobSetSpeed: {
    program: 0x20008086,
    number: 239,
    name: 'domainBlockJobSetSpeed',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainBlockJobSetSpeed,
    readResult: readNothing,
  },
  domainBlockPull: {
    program: 0x20008086,
    number: 240,
    name: 'domainBlockPull',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainBlockPull,
    readResult: readNothing,
  },
  domainMigrateGetMaxSpeed: {
    program: 0x20008086,
    number: 242,
    name: 'domainMigrateGetMaxSpeed',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateGetMaxSpeed,
    readResult: readDomainMigrateGetMaxSpeed,
  },
  domainBlockStatsFlags: {
    program: 0x20008086,
    number: 243,
    name: 'domainBlockStatsFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainBlockStatsFlags,
    readResult: readDomainBlockStatsFlags,
  },
  domainSnapshotGetParent: {
    program: 0x20008086,
    number: 244,
    name: 'domainSnapshotGetParent',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotGetParent,
    readResult: readDomainSnapshotGetParent,
  },
  domainReset: {
    program: 0x20008086,
    number: 245,
    name: 'domainReset',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainReset,
    readResult: readNothing,
  },
  domainSnapshotNumChildren: {
    program: 0x20008086,
    number: 246,
    name: 'domainSnapshotNumChildren',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotNumChildren,
    readResult: readDomainSnapshotNumChildren,
  },
  domainSnapshotListChildrenNames: {
    program: 0x20008086,
    number: 247,
    name: 'domainSnapshotListChildrenNames',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotListChildrenNames,
    readResult: readDomainSnapshotListChildrenNames,
  },
  domainOpenGraphics: {
    program: 0x20008086,
    number: 249,
    name: 'domainOpenGraphics',
    isHighPriority: false,
    passesFileDescriptors: true,
    writeArgs: writeDomainOpenGraphics,
    readResult: readNothing,
  },
  nodeSuspendForDuration: {
    program: 0x20008086,
    number: 250,
    name: 'nodeSuspendForDuration',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeSuspendForDuration,
    readResult: readNothing,
  },
  domainBlockResize: {
    program: 0x20008086,
    number: 251,
    name: 'domainBlockResize',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainBlockResize,
    readResult: readNothing,
  },
  domainSetBlockIoTune: {
    program: 0x20008086,
    number: 252,
    name: 'domainSetBlockIoTune',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetBlockIoTune,
    readResult: readNothing,
  },
  domainGetBlockIoTune: {
    program: 0x20008086,
    number: 253,
    name: 'domainGetBlockIoTune',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetBlockIoTune,
    readResult: readDomainGetBlockIoTune,
  },
  domainSetNumaParameters: {
    program: 0x20008086,
    number: 254,
    name: 'domainSetNumaParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetNumaParameters,
    readResult: readNothing,
  },
  domainGetNumaParameters: {
    program: 0x20008086,
    number: 255,
    name: 'domainGetNumaParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetNumaParameters,
    readResult: readDomainGetNumaParameters,
  },
  domainSetInterfaceParameters: {
    program: 0x20008086,
    number: 256,
    name: 'domainSetInterfaceParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetInterfaceParameters,
    readResult: readNothing,
  },
  domainGetInterfaceParameters: {
    program: 0x20008086,
    number: 257,
    name: 'domainGetInterfaceParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetInterfaceParameters,
    readResult: readDomainGetInterfaceParameters,
  },
  domainShutdownFlags: {
    program: 0x20008086,
    number: 258,
    name: 'domainShutdownFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainShutdownFlags,
    readResult: readNothing,
  },
  storageVolWipePattern: {
    program: 0x20008086,
    number: 259,
    name: 'storageVolWipePattern',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolWipePattern,
    readResult: readNothing,
  },
  storageVolResize: {
    program: 0x20008086,
    number: 260,
    name: 'storageVolResize',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolResize,
    readResult: readNothing,
  },
  domainPmSuspendForDuration: {
    program: 0x20008086,
    number: 261,
    name: 'domainPmSuspendForDuration',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainPmSuspendForDuration,
    readResult: readNothing,
  },
  domainGetCpuStats: {
    program: 0x20008086,
    number: 262,
    name: 'domainGetCpuStats',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetCpuStats,
    readResult: readDomainGetCpuStats,
  },
  domainGetDiskErrors: {
    program: 0x20008086,
    number: 263,
    name: 'domainGetDiskErrors',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetDiskErrors,
    readResult: readDomainGetDiskErrors,
  },
  domainSetMetadata: {
    program: 0x20008086,
    number: 264,
    name: 'domainSetMetadata',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetMetadata,
    readResult: readNothing,
  },
  domainGetMetadata: {
    program: 0x20008086,
    number: 265,
    name: 'domainGetMetadata',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetMetadata,
    readResult: readDomainGetMetadata,
  },
  domainBlockRebase: {
    program: 0x20008086,
    number: 266,
    name: 'domainBlockRebase',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainBlockRebase,
    readResult: readNothing,
  },
  domainPmWakeup: {
    program: 0x20008086,
    number: 267,
    name: 'domainPmWakeup',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainPmWakeup,
    readResult: readNothing,
  },
  domainSnapshotIsCurrent: {
    program: 0x20008086,
    number: 271,
    name: 'domainSnapshotIsCurrent',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotIsCurrent,
    readResult: readDomainSnapshotIsCurrent,
  },
  domainSnapshotHasMetadata: {
    program: 0x20008086,
    number: 272,
    name: 'domainSnapshotHasMetadata',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotHasMetadata,
    readResult: readDomainSnapshotHasMetadata,
  },
  connectListAllDomains: {
    program: 0x20008086,
    number: 273,
    name: 'connectListAllDomains',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListAllDomains,
    readResult: readConnectListAllDomains,
  },
  domainListAllSnapshots: {
    program: 0x20008086,
    number: 274,
    name: 'domainListAllSnapshots',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainListAllSnapshots,
    readResult: readDomainListAllSnapshots,
  },
  domainSnapshotListAllChildren: {
    program: 0x20008086,
    number: 275,
    name: 'domainSnapshotListAllChildren',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSnapshotListAllChildren,
    readResult: readDomainSnapshotListAllChildren,
  },
  domainGetHostname: {
    program: 0x20008086,
    number: 277,
    name: 'domainGetHostname',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetHostname,
    readResult: readDomainGetHostname,
  },
  domainGetSecurityLabelList: {
    program: 0x20008086,
    number: 278,
    name: 'domainGetSecurityLabelList',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetSecurityLabelList,
    readResult: readDomainGetSecurityLabelList,
  },
  domainPinEmulator: {
    program: 0x20008086,
    number: 279,
    name: 'domainPinEmulator',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainPinEmulator,
    readResult: readNothing,
  },
  domainGetEmulatorPinInfo: {
    program: 0x20008086,
    number: 280,
    name: 'domainGetEmulatorPinInfo',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetEmulatorPinInfo,
    readResult: readDomainGetEmulatorPinInfo,
  },
  connectListAllStoragePools: {
    program: 0x20008086,
    number: 281,
    name: 'connectListAllStoragePools',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListAllStoragePools,
    readResult: readConnectListAllStoragePools,
  },
  storagePoolListAllVolumes: {
    program: 0x20008086,
    number: 282,
    name: 'storagePoolListAllVolumes',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolListAllVolumes,
    readResult: readStoragePoolListAllVolumes,
  },
  connectListAllNetworks: {
    program: 0x20008086,
    number: 283,
    name: 'connectListAllNetworks',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListAllNetworks,
    readResult: readConnectListAllNetworks,
  },
  connectListAllInterfaces: {
    program: 0x20008086,
    number: 284,
    name: 'connectListAllInterfaces',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListAllInterfaces,
    readResult: readConnectListAllInterfaces,
  },
  connectListAllNodeDevices: {
    program: 0x20008086,
    number: 285,
    name: 'connectListAllNodeDevices',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListAllNodeDevices,
    readResult: readConnectListAllNodeDevices,
  },
  connectListAllNwfilters: {
    program: 0x20008086,
    number: 286,
    name: 'connectListAllNwfilters',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListAllNwfilters,
    readResult: readConnectListAllNwfilters,
  },
  connectListAllSecrets: {
    program: 0x20008086,
    number: 287,
    name: 'connectListAllSecrets',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListAllSecrets,
    readResult: readConnectListAllSecrets,
  },
  nodeSetMemoryParameters: {
    program: 0x20008086,
    number: 288,
    name: 'nodeSetMemoryParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeSetMemoryParameters,
    readResult: readNothing,
  },
  nodeGetMemoryParameters: {
    program: 0x20008086,
    number: 289,
    name: 'nodeGetMemoryParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeGetMemoryParameters,
    readResult: readNodeGetMemoryParameters,
  },
  domainBlockCommit: {
    program: 0x20008086,
    number: 290,
    name: 'domainBlockCommit',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainBlockCommit,
    readResult: readNothing,
  },
  networkUpdate: {
    program: 0x20008086,
    number: 291,
    name: 'networkUpdate',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkUpdate,
    readResult: readNothing,
  },
  nodeGetCpuMap: {
    program: 0x20008086,
    number: 293,
    name: 'nodeGetCpuMap',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeGetCpuMap,
    readResult: readNodeGetCpuMap,
  },
  domainFstrim: {
    program: 0x20008086,
    number: 294,
    name: 'domainFstrim',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainFstrim,
    readResult: readNothing,
  },
  domainSendProcessSignal: {
    program: 0x20008086,
    number: 295,
    name: 'domainSendProcessSignal',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSendProcessSignal,
    readResult: readNothing,
  },
  domainOpenChannel: {
    program: 0x20008086,
    number: 296,
    name: 'domainOpenChannel',
    isHighPriority: false,
    passesFileDescriptors: false,
    stream: 'both',
    writeArgs: writeDomainOpenChannel,
    readResult: readNothing,
  },
  nodeDeviceLookupScsiHostByWwn: {
    program: 0x20008086,
    number: 297,
    name: 'nodeDeviceLookupScsiHostByWwn',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceLookupScsiHostByWwn,
    readResult: readNodeDeviceLookupScsiHostByWwn,
  },
  domainGetJobStats: {
    program: 0x20008086,
    number: 298,
    name: 'domainGetJobStats',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetJobStats,
    readResult: readDomainGetJobStats,
  },
  domainMigrateGetCompressionCache: {
    program: 0x20008086,
    number: 299,
    name: 'domainMigrateGetCompressionCache',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateGetCompressionCache,
    readResult: readDomainMigrateGetCompressionCache,
  },
  domainMigrateSetCompressionCache: {
    program: 0x20008086,
    number: 300,
    name: 'domainMigrateSetCompressionCache',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateSetCompressionCache,
    readResult: readNothing,
  },
  nodeDeviceDetachFlags: {
    program: 0x20008086,
    number: 301,
    name: 'nodeDeviceDetachFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceDetachFlags,
    readResult: readNothing,
  },
  domainMigrateBegin3Params: {
    program: 0x20008086,
    number: 302,
    name: 'domainMigrateBegin3Params',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateBegin3Params,
    readResult: readDomainMigrateBegin3Params,
  },
  domainMigratePrepare3Params: {
    program: 0x20008086,
    number: 303,
    name: 'domainMigratePrepare3Params',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigratePrepare3Params,
    readResult: readDomainMigratePrepare3Params,
  },
  domainMigratePrepareTunnel3Params: {
    program: 0x20008086,
    number: 304,
    name: 'domainMigratePrepareTunnel3Params',
    isHighPriority: false,
    passesFileDescriptors: false,
    stream: 'write',
    writeArgs: writeDomainMigratePrepareTunnel3Params,
    readResult: readDomainMigratePrepareTunnel3Params,
  },
  domainMigratePerform3Params: {
    program: 0x20008086,
    number: 305,
    name: 'domainMigratePerform3Params',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigratePerform3Params,
    readResult: readDomainMigratePerform3Params,
  },
  domainMigrateFinish3Params: {
    program: 0x20008086,
    number: 306,
    name: 'domainMigrateFinish3Params',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateFinish3Params,
    readResult: readDomainMigrateFinish3Params,
  },
  domainMigrateConfirm3Params: {
    program: 0x20008086,
    number: 307,
    name: 'domainMigrateConfirm3Params',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateConfirm3Params,
    readResult: readNothing,
  },
  domainSetMemoryStatsPeriod: {
    program: 0x20008086,
    number: 308,
    name: 'domainSetMemoryStatsPeriod',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetMemoryStatsPeriod,
    readResult: readNothing,
  },
  domainCreateXmlWithFiles: {
    program: 0x20008086,
    number: 309,
    name: 'domainCreateXmlWithFiles',
    isHighPriority: false,
    passesFileDescriptors: true,
    writeArgs: writeDomainCreateXmlWithFiles,
    readResult: readDomainCreateXmlWithFiles,
  },
  domainCreateWithFiles: {
    program: 0x20008086,
    number: 310,
    name: 'domainCreateWithFiles',
    isHighPriority: false,
    passesFileDescriptors: true,
    writeArgs: writeDomainCreateWithFiles,
    readResult: readDomainCreateWithFiles,
  },
  connectGetCpuModelNames: {
    program: 0x20008086,
    number: 312,
    name: 'connectGetCpuModelNames',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeConnectGetCpuModelNames,
    readResult: readConnectGetCpuModelNames,
  },
  connectNetworkEventRegisterAny: {
    program: 0x20008086,
    number: 313,
    name: 'connectNetworkEventRegisterAny',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectNetworkEventRegisterAny,
    readResult: readConnectNetworkEventRegisterAny,
  },
  connectNetworkEventDeregisterAny: {
    program: 0x20008086,
    number: 314,
    name: 'connectNetworkEventDeregisterAny',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectNetworkEventDeregisterAny,
    readResult: readNothing,
  },
  connectDomainEventCallbackRegisterAny: {
    program: 0x20008086,
    number: 316,
    name: 'connectDomainEventCallbackRegisterAny',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectDomainEventCallbackRegisterAny,
    readResult: readConnectDomainEventCallbackRegisterAny,
  },
  connectDomainEventCallbackDeregisterAny: {
    program: 0x20008086,
    number: 317,
    name: 'connectDomainEventCallbackDeregisterAny',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectDomainEventCallbackDeregisterAny,
    readResult: readNothing,
  },
  domainCoreDumpWithFormat: {
    program: 0x20008086,
    number: 334,
    name: 'domainCoreDumpWithFormat',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainCoreDumpWithFormat,
    readResult: readNothing,
  },
  domainFsfreeze: {
    program: 0x20008086,
    number: 335,
    name: 'domainFsfreeze',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainFsfreeze,
    readResult: readDomainFsfreeze,
  },
  domainFsthaw: {
    program: 0x20008086,
    number: 336,
    name: 'domainFsthaw',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainFsthaw,
    readResult: readDomainFsthaw,
  },
  domainGetTime: {
    program: 0x20008086,
    number: 337,
    name: 'domainGetTime',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetTime,
    readResult: readDomainGetTime,
  },
  domainSetTime: {
    program: 0x20008086,
    number: 338,
    name: 'domainSetTime',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetTime,
    readResult: readNothing,
  },
  nodeGetFreePages: {
    program: 0x20008086,
    number: 340,
    name: 'nodeGetFreePages',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeGetFreePages,
    readResult: readNodeGetFreePages,
  },
  networkGetDhcpLeases: {
    program: 0x20008086,
    number: 341,
    name: 'networkGetDhcpLeases',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNetworkGetDhcpLeases,
    readResult: readNetworkGetDhcpLeases,
  },
  connectGetDomainCapabilities: {
    program: 0x20008086,
    number: 342,
    name: 'connectGetDomainCapabilities',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeConnectGetDomainCapabilities,
    readResult: readConnectGetDomainCapabilities,
  },
  domainOpenGraphicsFd: {
    program: 0x20008086,
    number: 343,
    name: 'domainOpenGraphicsFd',
    isHighPriority: false,
    passesFileDescriptors: true,
    writeArgs: writeDomainOpenGraphicsFd,
    readResult: readNothing,
  },
  connectGetAllDomainStats: {
    program: 0x20008086,
    number: 344,
    name: 'connectGetAllDomainStats',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeConnectGetAllDomainStats,
    readResult: readConnectGetAllDomainStats,
  },
  domainBlockCopy: {
    program: 0x20008086,
    number: 345,
    name: 'domainBlockCopy',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainBlockCopy,
    readResult: readNothing,
  },
  nodeAllocPages: {
    program: 0x20008086,
    number: 347,
    name: 'nodeAllocPages',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeAllocPages,
    readResult: readNodeAllocPages,
  },
  domainGetFsinfo: {
    program: 0x20008086,
    number: 349,
    name: 'domainGetFsinfo',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetFsinfo,
    readResult: readDomainGetFsinfo,
  },
  domainDefineXmlFlags: {
    program: 0x20008086,
    number: 350,
    name: 'domainDefineXmlFlags',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainDefineXmlFlags,
    readResult: readDomainDefineXmlFlags,
  },
  domainGetIothreadInfo: {
    program: 0x20008086,
    number: 351,
    name: 'domainGetIothreadInfo',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetIothreadInfo,
    readResult: readDomainGetIothreadInfo,
  },
  domainPinIothread: {
    program: 0x20008086,
    number: 352,
    name: 'domainPinIothread',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainPinIothread,
    readResult: readNothing,
  },
  domainInterfaceAddresses: {
    program: 0x20008086,
    number: 353,
    name: 'domainInterfaceAddresses',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainInterfaceAddresses,
    readResult: readDomainInterfaceAddresses,
  },
  domainAddIothread: {
    program: 0x20008086,
    number: 355,
    name: 'domainAddIothread',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainAddIothread,
    readResult: readNothing,
  },
  domainDelIothread: {
    program: 0x20008086,
    number: 356,
    name: 'domainDelIothread',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainDelIothread,
    readResult: readNothing,
  },
  domainSetUserPassword: {
    program: 0x20008086,
    number: 357,
    name: 'domainSetUserPassword',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetUserPassword,
    readResult: readNothing,
  },
  domainRename: {
    program: 0x20008086,
    number: 358,
    name: 'domainRename',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainRename,
    readResult: readDomainRename,
  },
  connectRegisterCloseCallback: {
    program: 0x20008086,
    number: 360,
    name: 'connectRegisterCloseCallback',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readNothing,
  },
  connectUnregisterCloseCallback: {
    program: 0x20008086,
    number: 361,
    name: 'connectUnregisterCloseCallback',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readNothing,
  },
  domainMigrateStartPostCopy: {
    program: 0x20008086,
    number: 364,
    name: 'domainMigrateStartPostCopy',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateStartPostCopy,
    readResult: readNothing,
  },
  domainGetPerfEvents: {
    program: 0x20008086,
    number: 365,
    name: 'domainGetPerfEvents',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetPerfEvents,
    readResult: readDomainGetPerfEvents,
  },
  domainSetPerfEvents: {
    program: 0x20008086,
    number: 366,
    name: 'domainSetPerfEvents',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetPerfEvents,
    readResult: readNothing,
  },
  connectStoragePoolEventRegisterAny: {
    program: 0x20008086,
    number: 368,
    name: 'connectStoragePoolEventRegisterAny',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectStoragePoolEventRegisterAny,
    readResult: readConnectStoragePoolEventRegisterAny,
  },
  connectStoragePoolEventDeregisterAny: {
    program: 0x20008086,
    number: 369,
    name: 'connectStoragePoolEventDeregisterAny',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectStoragePoolEventDeregisterAny,
    readResult: readNothing,
  },
  domainGetGuestVcpus: {
    program: 0x20008086,
    number: 371,
    name: 'domainGetGuestVcpus',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetGuestVcpus,
    readResult: readDomainGetGuestVcpus,
  },
  domainSetGuestVcpus: {
    program: 0x20008086,
    number: 372,
    name: 'domainSetGuestVcpus',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetGuestVcpus,
    readResult: readNothing,
  },
  connectNodeDeviceEventRegisterAny: {
    program: 0x20008086,
    number: 374,
    name: 'connectNodeDeviceEventRegisterAny',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectNodeDeviceEventRegisterAny,
    readResult: readConnectNodeDeviceEventRegisterAny,
  },
  connectNodeDeviceEventDeregisterAny: {
    program: 0x20008086,
    number: 375,
    name: 'connectNodeDeviceEventDeregisterAny',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectNodeDeviceEventDeregisterAny,
    readResult: readNothing,
  },
  storageVolGetInfoFlags: {
    program: 0x20008086,
    number: 378,
    name: 'storageVolGetInfoFlags',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStorageVolGetInfoFlags,
    readResult: readStorageVolGetInfoFlags,
  },
  connectSecretEventRegisterAny: {
    program: 0x20008086,
    number: 380,
    name: 'connectSecretEventRegisterAny',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectSecretEventRegisterAny,
    readResult: readConnectSecretEventRegisterAny,
  },
  connectSecretEventDeregisterAny: {
    program: 0x20008086,
    number: 381,
    name: 'connectSecretEventDeregisterAny',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectSecretEventDeregisterAny,
    readResult: readNothing,
  },
  domainSetVcpu: {
    program: 0x20008086,
    number: 384,
    name: 'domainSetVcpu',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetVcpu,
    readResult: readNothing,
  },
  domainSetBlockThreshold: {
    program: 0x20008086,
    number: 386,
    name: 'domainSetBlockThreshold',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetBlockThreshold,
    readResult: readNothing,
  },
  domainMigrateGetMaxDowntime: {
    program: 0x20008086,
    number: 387,
    name: 'domainMigrateGetMaxDowntime',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainMigrateGetMaxDowntime,
    readResult: readDomainMigrateGetMaxDowntime,
  },
  domainManagedSaveGetXmlDesc: {
    program: 0x20008086,
    number: 388,
    name: 'domainManagedSaveGetXmlDesc',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainManagedSaveGetXmlDesc,
    readResult: readDomainManagedSaveGetXmlDesc,
  },
  domainManagedSaveDefineXml: {
    program: 0x20008086,
    number: 389,
    name: 'domainManagedSaveDefineXml',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainManagedSaveDefineXml,
    readResult: readNothing,
  },
  domainSetLifecycleAction: {
    program: 0x20008086,
    number: 390,
    name: 'domainSetLifecycleAction',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetLifecycleAction,
    readResult: readNothing,
  },
  storagePoolLookupByTargetPath: {
    program: 0x20008086,
    number: 391,
    name: 'storagePoolLookupByTargetPath',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeStoragePoolLookupByTargetPath,
    readResult: readStoragePoolLookupByTargetPath,
  },
  domainDetachDeviceAlias: {
    program: 0x20008086,
    number: 392,
    name: 'domainDetachDeviceAlias',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainDetachDeviceAlias,
    readResult: readNothing,
  },
  connectCompareHypervisorCpu: {
    program: 0x20008086,
    number: 393,
    name: 'connectCompareHypervisorCpu',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeConnectCompareHypervisorCpu,
    readResult: readConnectCompareHypervisorCpu,
  },
  connectBaselineHypervisorCpu: {
    program: 0x20008086,
    number: 394,
    name: 'connectBaselineHypervisorCpu',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeConnectBaselineHypervisorCpu,
    readResult: readConnectBaselineHypervisorCpu,
  },
  nodeGetSevInfo: {
    program: 0x20008086,
    number: 395,
    name: 'nodeGetSevInfo',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeGetSevInfo,
    readResult: readNodeGetSevInfo,
  },
  domainGetLaunchSecurityInfo: {
    program: 0x20008086,
    number: 396,
    name: 'domainGetLaunchSecurityInfo',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetLaunchSecurityInfo,
    readResult: readDomainGetLaunchSecurityInfo,
  },
  nwfilterBindingLookupByPortDev: {
    program: 0x20008086,
    number: 397,
    name: 'nwfilterBindingLookupByPortDev',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNwfilterBindingLookupByPortDev,
    readResult: readNwfilterBindingLookupByPortDev,
  },
  nwfilterBindingGetXmlDesc: {
    program: 0x20008086,
    number: 398,
    name: 'nwfilterBindingGetXmlDesc',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNwfilterBindingGetXmlDesc,
    readResult: readNwfilterBindingGetXmlDesc,
  },
  nwfilterBindingCreateXml: {
    program: 0x20008086,
    number: 399,
    name: 'nwfilterBindingCreateXml',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNwfilterBindingCreateXml,
    readResult: readNwfilterBindingCreateXml,
  },
  nwfilterBindingDelete: {
    program: 0x20008086,
    number: 400,
    name: 'nwfilterBindingDelete',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNwfilterBindingDelete,
    readResult: readNothing,
  },
  connectListAllNwfilterBindings: {
    program: 0x20008086,
    number: 401,
    name: 'connectListAllNwfilterBindings',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeConnectListAllNwfilterBindings,
    readResult: readConnectListAllNwfilterBindings,
  },
  domainSetIothreadParams: {
    program: 0x20008086,
    number: 402,
    name: 'domainSetIothreadParams',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetIothreadParams,
    readResult: readNothing,
  },
  connectGetStoragePoolCapabilities: {
    program: 0x20008086,
    number: 403,
    name: 'connectGetStoragePoolCapabilities',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeConnectGetStoragePoolCapabilities,
    readResult: readConnectGetStoragePoolCapabilities,
  },
  networkListAllPorts: {
    program: 0x20008086,
    number: 404,
    name: 'networkListAllPorts',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkListAllPorts,
    readResult: readNetworkListAllPorts,
  },
  networkPortLookupByUuid: {
    program: 0x20008086,
    number: 405,
    name: 'networkPortLookupByUuid',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkPortLookupByUuid,
    readResult: readNetworkPortLookupByUuid,
  },
  networkPortCreateXml: {
    program: 0x20008086,
    number: 406,
    name: 'networkPortCreateXml',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNetworkPortCreateXml,
    readResult: readNetworkPortCreateXml,
  },
  networkPortGetParameters: {
    program: 0x20008086,
    number: 407,
    name: 'networkPortGetParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNetworkPortGetParameters,
    readResult: readNetworkPortGetParameters,
  },
  networkPortSetParameters: {
    program: 0x20008086,
    number: 408,
    name: 'networkPortSetParameters',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNetworkPortSetParameters,
    readResult: readNothing,
  },
  networkPortGetXmlDesc: {
    program: 0x20008086,
    number: 409,
    name: 'networkPortGetXmlDesc',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNetworkPortGetXmlDesc,
    readResult: readNetworkPortGetXmlDesc,
  },
  networkPortDelete: {
    program: 0x20008086,
    number: 410,
    name: 'networkPortDelete',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNetworkPortDelete,
    readResult: readNothing,
  },
  domainCheckpointCreateXml: {
    program: 0x20008086,
    number: 411,
    name: 'domainCheckpointCreateXml',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainCheckpointCreateXml,
    readResult: readDomainCheckpointCreateXml,
  },
  domainCheckpointGetXmlDesc: {
    program: 0x20008086,
    number: 412,
    name: 'domainCheckpointGetXmlDesc',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainCheckpointGetXmlDesc,
    readResult: readDomainCheckpointGetXmlDesc,
  },
  domainListAllCheckpoints: {
    program: 0x20008086,
    number: 413,
    name: 'domainListAllCheckpoints',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainListAllCheckpoints,
    readResult: readDomainListAllCheckpoints,
  },
  domainCheckpointListAllChildren: {
    program: 0x20008086,
    number: 414,
    name: 'domainCheckpointListAllChildren',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainCheckpointListAllChildren,
    readResult: readDomainCheckpointListAllChildren,
  },
  domainCheckpointLookupByName: {
    program: 0x20008086,
    number: 415,
    name: 'domainCheckpointLookupByName',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainCheckpointLookupByName,
    readResult: readDomainCheckpointLookupByName,
  },
  domainCheckpointGetParent: {
    program: 0x20008086,
    number: 416,
    name: 'domainCheckpointGetParent',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainCheckpointGetParent,
    readResult: readDomainCheckpointGetParent,
  },
  domainCheckpointDelete: {
    program: 0x20008086,
    number: 417,
    name: 'domainCheckpointDelete',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainCheckpointDelete,
    readResult: readNothing,
  },
  domainGetGuestInfo: {
    program: 0x20008086,
    number: 418,
    name: 'domainGetGuestInfo',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetGuestInfo,
    readResult: readDomainGetGuestInfo,
  },
  connectSetIdentity: {
    program: 0x20008086,
    number: 419,
    name: 'connectSetIdentity',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeConnectSetIdentity,
    readResult: readNothing,
  },
  domainAgentSetResponseTimeout: {
    program: 0x20008086,
    number: 420,
    name: 'domainAgentSetResponseTimeout',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainAgentSetResponseTimeout,
    readResult: readDomainAgentSetResponseTimeout,
  },
  domainBackupBegin: {
    program: 0x20008086,
    number: 421,
    name: 'domainBackupBegin',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainBackupBegin,
    readResult: readNothing,
  },
  domainBackupGetXmlDesc: {
    program: 0x20008086,
    number: 422,
    name: 'domainBackupGetXmlDesc',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainBackupGetXmlDesc,
    readResult: readDomainBackupGetXmlDesc,
  },
  domainAuthorizedSshKeysGet: {
    program: 0x20008086,
    number: 424,
    name: 'domainAuthorizedSshKeysGet',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainAuthorizedSshKeysGet,
    readResult: readDomainAuthorizedSshKeysGet,
  },
  domainAuthorizedSshKeysSet: {
    program: 0x20008086,
    number: 425,
    name: 'domainAuthorizedSshKeysSet',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainAuthorizedSshKeysSet,
    readResult: readNothing,
  },
  domainGetMessages: {
    program: 0x20008086,
    number: 426,
    name: 'domainGetMessages',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetMessages,
    readResult: readDomainGetMessages,
  },
  domainStartDirtyRateCalc: {
    program: 0x20008086,
    number: 427,
    name: 'domainStartDirtyRateCalc',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainStartDirtyRateCalc,
    readResult: readNothing,
  },
  nodeDeviceDefineXml: {
    program: 0x20008086,
    number: 428,
    name: 'nodeDeviceDefineXml',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceDefineXml,
    readResult: readNodeDeviceDefineXml,
  },
  nodeDeviceUndefine: {
    program: 0x20008086,
    number: 429,
    name: 'nodeDeviceUndefine',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceUndefine,
    readResult: readNothing,
  },
  nodeDeviceCreate: {
    program: 0x20008086,
    number: 430,
    name: 'nodeDeviceCreate',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceCreate,
    readResult: readNothing,
  },
  nwfilterDefineXmlFlags: {
    program: 0x20008086,
    number: 431,
    name: 'nwfilterDefineXmlFlags',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNwfilterDefineXmlFlags,
    readResult: readNwfilterDefineXmlFlags,
  },
  networkDefineXmlFlags: {
    program: 0x20008086,
    number: 432,
    name: 'networkDefineXmlFlags',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkDefineXmlFlags,
    readResult: readNetworkDefineXmlFlags,
  },
  nodeDeviceGetAutostart: {
    program: 0x20008086,
    number: 433,
    name: 'nodeDeviceGetAutostart',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceGetAutostart,
    readResult: readNodeDeviceGetAutostart,
  },
  nodeDeviceSetAutostart: {
    program: 0x20008086,
    number: 434,
    name: 'nodeDeviceSetAutostart',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceSetAutostart,
    readResult: readNothing,
  },
  nodeDeviceIsPersistent: {
    program: 0x20008086,
    number: 435,
    name: 'nodeDeviceIsPersistent',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceIsPersistent,
    readResult: readNodeDeviceIsPersistent,
  },
  nodeDeviceIsActive: {
    program: 0x20008086,
    number: 436,
    name: 'nodeDeviceIsActive',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceIsActive,
    readResult: readNodeDeviceIsActive,
  },
  networkCreateXmlFlags: {
    program: 0x20008086,
    number: 437,
    name: 'networkCreateXmlFlags',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNetworkCreateXmlFlags,
    readResult: readNetworkCreateXmlFlags,
  },
  domainSetLaunchSecurityState: {
    program: 0x20008086,
    number: 439,
    name: 'domainSetLaunchSecurityState',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetLaunchSecurityState,
    readResult: readNothing,
  },
  domainSaveParams: {
    program: 0x20008086,
    number: 440,
    name: 'domainSaveParams',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSaveParams,
    readResult: readNothing,
  },
  domainRestoreParams: {
    program: 0x20008086,
    number: 441,
    name: 'domainRestoreParams',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainRestoreParams,
    readResult: readNothing,
  },
  domainAbortJobFlags: {
    program: 0x20008086,
    number: 442,
    name: 'domainAbortJobFlags',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainAbortJobFlags,
    readResult: readNothing,
  },
  domainFdAssociate: {
    program: 0x20008086,
    number: 443,
    name: 'domainFdAssociate',
    isHighPriority: false,
    passesFileDescriptors: true,
    writeArgs: writeDomainFdAssociate,
    readResult: readNothing,
  },
  networkSetMetadata: {
    program: 0x20008086,
    number: 444,
    name: 'networkSetMetadata',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNetworkSetMetadata,
    readResult: readNothing,
  },
  networkGetMetadata: {
    program: 0x20008086,
    number: 445,
    name: 'networkGetMetadata',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNetworkGetMetadata,
    readResult: readNetworkGetMetadata,
  },
  nodeDeviceUpdate: {
    program: 0x20008086,
    number: 447,
    name: 'nodeDeviceUpdate',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeNodeDeviceUpdate,
    readResult: readNothing,
  },
  domainGraphicsReload: {
    program: 0x20008086,
    number: 448,
    name: 'domainGraphicsReload',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainGraphicsReload,
    readResult: readNothing,
  },
  domainGetAutostartOnce: {
    program: 0x20008086,
    number: 449,
    name: 'domainGetAutostartOnce',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainGetAutostartOnce,
    readResult: readDomainGetAutostartOnce,
  },
  domainSetAutostartOnce: {
    program: 0x20008086,
    number: 450,
    name: 'domainSetAutostartOnce',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetAutostartOnce,
    readResult: readNothing,
  },
  domainSetThrottleGroup: {
    program: 0x20008086,
    number: 451,
    name: 'domainSetThrottleGroup',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainSetThrottleGroup,
    readResult: readNothing,
  },
  domainDelThrottleGroup: {
    program: 0x20008086,
    number: 452,
    name: 'domainDelThrottleGroup',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainDelThrottleGroup,
    readResult: readNothing,
  },
  domainAnnounceInterface: {
    program: 0x20008086,
    number: 456,
    name: 'domainAnnounceInterface',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeDomainAnnounceInterface,
    readResult: readNothing,
  },
  qemuDomainMonitorCommand: {
    program: 0x20008087,
    number: 1,
    name: 'qemuDomainMonitorCommand',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeQemuDomainMonitorCommand,
    readResult: readQemuDomainMonitorCommand,
  },
  qemuDomainAttach: {
    program: 0x20008087,
    number: 2,
    name: 'qemuDomainAttach',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeQemuDomainAttach,
    readResult: readQemuDomainAttach,
  },
  qemuDomainAgentCommand: {
    program: 0x20008087,
    number: 3,
    name: 'qemuDomainAgentCommand',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeQemuDomainAgentCommand,
    readResult: readQemuDomainAgentCommand,
  },
  qemuConnectDomainMonitorEventRegister: {
    program: 0x20008087,
    number: 4,
    name: 'qemuConnectDomainMonitorEventRegister',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeQemuConnectDomainMonitorEventRegister,
    readResult: readQemuConnectDomainMonitorEventRegister,
  },
  qemuConnectDomainMonitorEventDeregister: {
    program: 0x20008087,
    number: 5,
    name: 'qemuConnectDomainMonitorEventDeregister',
    isHighPriority: true,
    passesFileDescriptors: false,
    writeArgs: writeQemuConnectDomainMonitorEventDeregister,
    readResult: readNothing,
  },
  qemuDomainMonitorCommandWithFiles: {
    program: 0x20008087,
    number: 7,
    name: 'qemuDomainMonitorCommandWithFiles',
    isHighPriority: false,
    passesFileDescriptors: true,
    writeArgs: writeQemuDomainMonitorCommandWithFiles,
    readResult: readQemuDomainMonitorCommandWithFiles,
  },
  lxcDomainOpenNamespace: {
    program: 0x00068000,
    number: 1,
    name: 'lxcDomainOpenNamespace',
    isHighPriority: false,
    passesFileDescriptors: true,
    writeArgs: writeLxcDomainOpenNamespace,
    readResult: readNothing,
  },
  adminConnectOpen: {
    program: 0x06900690,
    number: 1,
    name: 'adminConnectOpen',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeAdminConnectOpen,
    readResult: readNothing,
  },
  adminConnectClose: {
    program: 0x06900690,
    number: 2,
    name: 'adminConnectClose',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeNothing,
    readResult: readNothing,
  },
  adminServerUpdateTlsFiles: {
    program: 0x06900690,
    number: 18,
    name: 'adminServerUpdateTlsFiles',
    isHighPriority: false,
    passesFileDescriptors: false,
    writeArgs: writeAdminServerUpdateTlsFiles,
    readResult: readNothing,
  },
};
