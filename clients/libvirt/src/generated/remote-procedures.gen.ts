// Written by 'npm run generate' from clients/libvirt/schema. Change the schema or the generator instead.

import type { LibvirtStream, OpenedStream } from '../libvirt-stream.ts';
import type { CallOptions, Procedure, StreamProcedure } from '../procedure.ts';
import type { Counters, TypedParameterResult } from '../typed-parameters.ts';
import type { DomainBlkioParameters, DomainBlockIoTuneParameters, DomainBlockStatsParameters, DomainCpuStatsParameters, DomainGuestInfoParameters, DomainGuestVcpusParameters, DomainInterfaceParameters, DomainLaunchSecurityInfoParameters, DomainMemoryParameters, DomainNumaParameters, DomainPerfEventsParameters, DomainSchedulerParameters, NetworkPortParameters, NodeCpuStatsParameters, NodeMemoryParameters, NodeMemoryStatsParameters, NodeSevInfoParameters } from './parameter-sets.gen.ts';
import { procedures } from './procedures.gen.ts';
import type { ConnectBaselineCpuArgs, ConnectBaselineHypervisorCpuArgs, ConnectCompareCpuArgs, ConnectCompareHypervisorCpuArgs, ConnectDomainXmlFromNativeArgs, ConnectDomainXmlToNativeArgs, ConnectFindStoragePoolSourcesArgs, ConnectGetAllDomainStatsArgs, ConnectGetCpuModelNamesArgs, ConnectGetDomainCapabilitiesArgs, ConnectGetMaxVcpusArgs, ConnectGetStoragePoolCapabilitiesArgs, ConnectGetSysinfoArgs, ConnectListAllDomainsArgs, ConnectListAllInterfacesArgs, ConnectListAllNetworksArgs, ConnectListAllNodeDevicesArgs, ConnectListAllNwfilterBindingsArgs, ConnectListAllNwfiltersArgs, ConnectListAllSecretsArgs, ConnectListAllStoragePoolsArgs, ConnectListDefinedDomainsArgs, ConnectListDefinedInterfacesArgs, ConnectListDefinedNetworksArgs, ConnectListDefinedStoragePoolsArgs, ConnectListDomainsArgs, ConnectListInterfacesArgs, ConnectListNetworksArgs, ConnectListNwfiltersArgs, ConnectListSecretsArgs, ConnectListStoragePoolsArgs, ConnectSetIdentityArgs, ConnectSupportsFeatureArgs, DomainAbortJobArgs, DomainAbortJobFlagsArgs, DomainAddIothreadArgs, DomainAgentSetResponseTimeoutArgs, DomainAnnounceInterfaceArgs, DomainAttachDeviceArgs, DomainAttachDeviceFlagsArgs, DomainAuthorizedSshKeysGetArgs, DomainAuthorizedSshKeysSetArgs, DomainBackupBeginArgs, DomainBackupGetXmlDescArgs, DomainBlockCommitArgs, DomainBlockCopyArgs, DomainBlockJobAbortArgs, DomainBlockJobSetSpeedArgs, DomainBlockPeekArgs, DomainBlockPullArgs, DomainBlockRebaseArgs, DomainBlockResizeArgs, DomainBlockStatsArgs, DomainBlockStatsFlagsArgs, DomainBlockStatsResult, DomainCheckpointCreateXmlArgs, DomainCheckpointDeleteArgs, DomainCheckpointGetParentArgs, DomainCheckpointGetXmlDescArgs, DomainCheckpointListAllChildrenArgs, DomainCheckpointLookupByNameArgs, DomainCoreDumpArgs, DomainCoreDumpWithFormatArgs, DomainCreateArgs, DomainCreateWithFilesArgs, DomainCreateWithFlagsArgs, DomainCreateXmlArgs, DomainCreateXmlWithFilesArgs, DomainDefineXmlArgs, DomainDefineXmlFlagsArgs, DomainDelIothreadArgs, DomainDelThrottleGroupArgs, DomainDestroyArgs, DomainDestroyFlagsArgs, DomainDetachDeviceAliasArgs, DomainDetachDeviceArgs, DomainDetachDeviceFlagsArgs, DomainFdAssociateArgs, DomainFsfreezeArgs, DomainFsthawArgs, DomainFstrimArgs, DomainGetAutostartArgs, DomainGetAutostartOnceArgs, DomainGetBlkioParametersArgs, DomainGetBlockInfoArgs, DomainGetBlockInfoResult, DomainGetBlockIoTuneArgs, DomainGetBlockJobInfoArgs, DomainGetBlockJobInfoResult, DomainGetControlInfoArgs, DomainGetControlInfoResult, DomainGetCpuStatsArgs, DomainGetDiskErrorsArgs, DomainGetEmulatorPinInfoArgs, DomainGetEmulatorPinInfoResult, DomainGetFsinfoArgs, DomainGetGuestInfoArgs, DomainGetGuestVcpusArgs, DomainGetHostnameArgs, DomainGetInfoArgs, DomainGetInfoResult, DomainGetInterfaceParametersArgs, DomainGetIothreadInfoArgs, DomainGetJobInfoArgs, DomainGetJobInfoResult, DomainGetJobStatsArgs, DomainGetJobStatsResult, DomainGetLaunchSecurityInfoArgs, DomainGetMaxMemoryArgs, DomainGetMaxVcpusArgs, DomainGetMemoryParametersArgs, DomainGetMessagesArgs, DomainGetMetadataArgs, DomainGetNumaParametersArgs, DomainGetOsTypeArgs, DomainGetPerfEventsArgs, DomainGetSchedulerParametersArgs, DomainGetSchedulerParametersFlagsArgs, DomainGetSchedulerTypeArgs, DomainGetSchedulerTypeResult, DomainGetSecurityLabelArgs, DomainGetSecurityLabelListArgs, DomainGetSecurityLabelResult, DomainGetStateArgs, DomainGetStateResult, DomainGetTimeArgs, DomainGetTimeResult, DomainGetVcpuPinInfoArgs, DomainGetVcpuPinInfoResult, DomainGetVcpusArgs, DomainGetVcpusFlagsArgs, DomainGetVcpusResult, DomainGetXmlDescArgs, DomainGraphicsReloadArgs, DomainHasCurrentSnapshotArgs, DomainHasManagedSaveImageArgs, DomainInjectNmiArgs, DomainInterfaceAddressesArgs, DomainInterfaceStatsArgs, DomainInterfaceStatsResult, DomainIsActiveArgs, DomainIsPersistentArgs, DomainIsUpdatedArgs, DomainListAllCheckpointsArgs, DomainListAllSnapshotsArgs, DomainLookupByIdArgs, DomainLookupByNameArgs, DomainLookupByUuidArgs, DomainManagedSaveArgs, DomainManagedSaveDefineXmlArgs, DomainManagedSaveGetXmlDescArgs, DomainManagedSaveRemoveArgs, DomainMemoryPeekArgs, DomainMemoryStatsArgs, DomainMigrateBegin3Args, DomainMigrateBegin3ParamsArgs, DomainMigrateBegin3ParamsResult, DomainMigrateBegin3Result, DomainMigrateConfirm3Args, DomainMigrateConfirm3ParamsArgs, DomainMigrateFinish2Args, DomainMigrateFinish3Args, DomainMigrateFinish3ParamsArgs, DomainMigrateFinish3ParamsResult, DomainMigrateFinish3Result, DomainMigrateFinishArgs, DomainMigrateGetCompressionCacheArgs, DomainMigrateGetMaxDowntimeArgs, DomainMigrateGetMaxSpeedArgs, DomainMigratePerform3Args, DomainMigratePerform3ParamsArgs, DomainMigratePerformArgs, DomainMigratePrepare2Args, DomainMigratePrepare2Result, DomainMigratePrepare3Args, DomainMigratePrepare3ParamsArgs, DomainMigratePrepare3ParamsResult, DomainMigratePrepare3Result, DomainMigratePrepareArgs, DomainMigratePrepareResult, DomainMigratePrepareTunnel3Args, DomainMigratePrepareTunnel3ParamsArgs, DomainMigratePrepareTunnelArgs, DomainMigrateSetCompressionCacheArgs, DomainMigrateSetMaxDowntimeArgs, DomainMigrateSetMaxSpeedArgs, DomainMigrateStartPostCopyArgs, DomainOpenChannelArgs, DomainOpenConsoleArgs, DomainOpenGraphicsArgs, DomainOpenGraphicsFdArgs, DomainPinEmulatorArgs, DomainPinIothreadArgs, DomainPinVcpuArgs, DomainPinVcpuFlagsArgs, DomainPmSuspendForDurationArgs, DomainPmWakeupArgs, DomainRebootArgs, DomainRenameArgs, DomainResetArgs, DomainRestoreArgs, DomainRestoreFlagsArgs, DomainRestoreParamsArgs, DomainResumeArgs, DomainRevertToSnapshotArgs, DomainSaveArgs, DomainSaveFlagsArgs, DomainSaveImageDefineXmlArgs, DomainSaveImageGetXmlDescArgs, DomainSaveParamsArgs, DomainScreenshotArgs, DomainSendKeyArgs, DomainSendProcessSignalArgs, DomainSetAutostartArgs, DomainSetAutostartOnceArgs, DomainSetBlkioParametersArgs, DomainSetBlockIoTuneArgs, DomainSetBlockThresholdArgs, DomainSetGuestVcpusArgs, DomainSetInterfaceParametersArgs, DomainSetIothreadParamsArgs, DomainSetLaunchSecurityStateArgs, DomainSetLifecycleActionArgs, DomainSetMaxMemoryArgs, DomainSetMemoryArgs, DomainSetMemoryFlagsArgs, DomainSetMemoryParametersArgs, DomainSetMemoryStatsPeriodArgs, DomainSetMetadataArgs, DomainSetNumaParametersArgs, DomainSetPerfEventsArgs, DomainSetSchedulerParametersArgs, DomainSetSchedulerParametersFlagsArgs, DomainSetThrottleGroupArgs, DomainSetTimeArgs, DomainSetUserPasswordArgs, DomainSetVcpuArgs, DomainSetVcpusArgs, DomainSetVcpusFlagsArgs, DomainShutdownArgs, DomainShutdownFlagsArgs, DomainSnapshotCreateXmlArgs, DomainSnapshotCurrentArgs, DomainSnapshotDeleteArgs, DomainSnapshotGetParentArgs, DomainSnapshotGetXmlDescArgs, DomainSnapshotHasMetadataArgs, DomainSnapshotIsCurrentArgs, DomainSnapshotListAllChildrenArgs, DomainSnapshotListChildrenNamesArgs, DomainSnapshotListNamesArgs, DomainSnapshotLookupByNameArgs, DomainSnapshotNumArgs, DomainSnapshotNumChildrenArgs, DomainStartDirtyRateCalcArgs, DomainSuspendArgs, DomainUndefineArgs, DomainUndefineFlagsArgs, DomainUpdateDeviceFlagsArgs, InterfaceChangeBeginArgs, InterfaceChangeCommitArgs, InterfaceChangeRollbackArgs, InterfaceCreateArgs, InterfaceDefineXmlArgs, InterfaceDestroyArgs, InterfaceGetXmlDescArgs, InterfaceIsActiveArgs, InterfaceLookupByMacStringArgs, InterfaceLookupByNameArgs, InterfaceUndefineArgs, LxcDomainOpenNamespaceArgs, NetworkCreateArgs, NetworkCreateXmlArgs, NetworkCreateXmlFlagsArgs, NetworkDefineXmlArgs, NetworkDefineXmlFlagsArgs, NetworkDestroyArgs, NetworkGetAutostartArgs, NetworkGetBridgeNameArgs, NetworkGetDhcpLeasesArgs, NetworkGetMetadataArgs, NetworkGetXmlDescArgs, NetworkIsActiveArgs, NetworkIsPersistentArgs, NetworkListAllPortsArgs, NetworkLookupByNameArgs, NetworkLookupByUuidArgs, NetworkPortCreateXmlArgs, NetworkPortDeleteArgs, NetworkPortGetParametersArgs, NetworkPortGetXmlDescArgs, NetworkPortLookupByUuidArgs, NetworkPortSetParametersArgs, NetworkSetAutostartArgs, NetworkSetMetadataArgs, NetworkUndefineArgs, NetworkUpdateArgs, NodeAllocPagesArgs, NodeDeviceCreateArgs, NodeDeviceCreateXmlArgs, NodeDeviceDefineXmlArgs, NodeDeviceDestroyArgs, NodeDeviceDetachFlagsArgs, NodeDeviceDettachArgs, NodeDeviceGetAutostartArgs, NodeDeviceGetParentArgs, NodeDeviceGetXmlDescArgs, NodeDeviceIsActiveArgs, NodeDeviceIsPersistentArgs, NodeDeviceListCapsArgs, NodeDeviceLookupByNameArgs, NodeDeviceLookupScsiHostByWwnArgs, NodeDeviceNumOfCapsArgs, NodeDeviceReAttachArgs, NodeDeviceResetArgs, NodeDeviceSetAutostartArgs, NodeDeviceUndefineArgs, NodeDeviceUpdateArgs, NodeGetCellsFreeMemoryArgs, NodeGetCpuMapArgs, NodeGetCpuMapResult, NodeGetCpuStatsArgs, NodeGetFreePagesArgs, NodeGetInfoResult, NodeGetMemoryParametersArgs, NodeGetMemoryStatsArgs, NodeGetSecurityModelResult, NodeGetSevInfoArgs, NodeListDevicesArgs, NodeNumOfDevicesArgs, NodeSetMemoryParametersArgs, NodeSuspendForDurationArgs, NwfilterBindingCreateXmlArgs, NwfilterBindingDeleteArgs, NwfilterBindingGetXmlDescArgs, NwfilterBindingLookupByPortDevArgs, NwfilterDefineXmlArgs, NwfilterDefineXmlFlagsArgs, NwfilterGetXmlDescArgs, NwfilterLookupByNameArgs, NwfilterLookupByUuidArgs, NwfilterUndefineArgs, QemuDomainAgentCommandArgs, QemuDomainAttachArgs, QemuDomainMonitorCommandArgs, QemuDomainMonitorCommandWithFilesArgs, SecretDefineXmlArgs, SecretGetValueArgs, SecretGetXmlDescArgs, SecretLookupByUsageArgs, SecretLookupByUuidArgs, SecretSetValueArgs, SecretUndefineArgs, StoragePoolBuildArgs, StoragePoolCreateArgs, StoragePoolCreateXmlArgs, StoragePoolDefineXmlArgs, StoragePoolDeleteArgs, StoragePoolDestroyArgs, StoragePoolGetAutostartArgs, StoragePoolGetInfoArgs, StoragePoolGetInfoResult, StoragePoolGetXmlDescArgs, StoragePoolIsActiveArgs, StoragePoolIsPersistentArgs, StoragePoolListAllVolumesArgs, StoragePoolListVolumesArgs, StoragePoolLookupByNameArgs, StoragePoolLookupByTargetPathArgs, StoragePoolLookupByUuidArgs, StoragePoolLookupByVolumeArgs, StoragePoolNumOfVolumesArgs, StoragePoolRefreshArgs, StoragePoolSetAutostartArgs, StoragePoolUndefineArgs, StorageVolCreateXmlArgs, StorageVolCreateXmlFromArgs, StorageVolDeleteArgs, StorageVolDownloadArgs, StorageVolGetInfoArgs, StorageVolGetInfoFlagsArgs, StorageVolGetInfoFlagsResult, StorageVolGetInfoResult, StorageVolGetPathArgs, StorageVolGetXmlDescArgs, StorageVolLookupByKeyArgs, StorageVolLookupByNameArgs, StorageVolLookupByPathArgs, StorageVolResizeArgs, StorageVolUploadArgs, StorageVolWipeArgs, StorageVolWipePatternArgs } from './procedures.gen.ts';
import type { Domain, DomainCheckpoint, DomainDiskError, DomainFilesystem, DomainInterface, DomainIothread, DomainMemoryStat, DomainSnapshot, DomainStatsRecord, Interface, Network, NetworkDhcpLease, NetworkFilter, NetworkFilterBinding, NetworkPort, NodeDevice, Secret, SecurityLabel, StoragePool, StorageVolume } from './structs.gen.ts';

/**
 * A method for every call that libvirt knows, except those that a connection makes by itself. `flags` may always be
 * left out; a result with one field is given as it is; a call without a result resolves when the daemon is done.
 */
export abstract class RemoteProcedures {
  protected abstract call<Args, Result>(
    procedure: Procedure<Args, Result>,
    args: Args,
    options?: CallOptions,
  ): Promise<Result>;

  protected abstract openStream<Args, Result>(
    procedure: StreamProcedure<Args, Result>,
    args: Args,
    options?: CallOptions,
  ): Promise<OpenedStream<Result>>;

  /** Procedure 3: connect get type. Gives `type`. Served even when all ordinary workers of the daemon are busy. */
  connectGetType(options?: CallOptions): Promise<string> {
    return this.call(procedures.connectGetType, undefined, options);
  }

  /** Procedure 4: connect get version. Gives `hypervisorVersion`. Served even when all ordinary workers of the daemon are busy. */
  connectGetVersion(options?: CallOptions): Promise<bigint> {
    return this.call(procedures.connectGetVersion, undefined, options);
  }

  /** Procedure 5: connect get max vcpus. Gives `maxVcpus`. Served even when all ordinary workers of the daemon are busy. */
  connectGetMaxVcpus(args: ConnectGetMaxVcpusArgs = {}, options?: CallOptions): Promise<number> {
    return this.call(procedures.connectGetMaxVcpus, args, options);
  }

  /** Procedure 6: node get info. Served even when all ordinary workers of the daemon are busy. */
  nodeGetInfo(options?: CallOptions): Promise<NodeGetInfoResult> {
    return this.call(procedures.nodeGetInfo, undefined, options);
  }

  /** Procedure 7: connect get capabilities. Gives `capabilities`. */
  connectGetCapabilities(options?: CallOptions): Promise<string> {
    return this.call(procedures.connectGetCapabilities, undefined, options);
  }

  /** Procedure 8: domain attach device. */
  domainAttachDevice(args: DomainAttachDeviceArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainAttachDevice, args, options);
  }

  /** Procedure 9: domain create. */
  domainCreate(args: DomainCreateArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainCreate, args, options);
  }

  /** Procedure 10: domain create xml. Gives `domain`. */
  domainCreateXml(args: DomainCreateXmlArgs, options?: CallOptions): Promise<Domain> {
    return this.call(procedures.domainCreateXml, args, options);
  }

  /** Procedure 11: domain define xml. Gives `domain`. Served even when all ordinary workers of the daemon are busy. */
  domainDefineXml(args: DomainDefineXmlArgs, options?: CallOptions): Promise<Domain> {
    return this.call(procedures.domainDefineXml, args, options);
  }

  /** Procedure 12: domain destroy. Served even when all ordinary workers of the daemon are busy. */
  domainDestroy(args: DomainDestroyArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainDestroy, args, options);
  }

  /** Procedure 13: domain detach device. */
  domainDetachDevice(args: DomainDetachDeviceArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainDetachDevice, args, options);
  }

  /** Procedure 14: domain get xml desc. Gives `xml`. */
  domainGetXmlDesc(args: DomainGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.domainGetXmlDesc, args, options);
  }

  /** Procedure 15: domain get autostart. Gives `autostart`. Served even when all ordinary workers of the daemon are busy. */
  domainGetAutostart(args: DomainGetAutostartArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainGetAutostart, args, options);
  }

  /** Procedure 16: domain get info. */
  domainGetInfo(args: DomainGetInfoArgs, options?: CallOptions): Promise<DomainGetInfoResult> {
    return this.call(procedures.domainGetInfo, args, options);
  }

  /** Procedure 17: domain get max memory. Gives `memory`. Served even when all ordinary workers of the daemon are busy. */
  domainGetMaxMemory(args: DomainGetMaxMemoryArgs, options?: CallOptions): Promise<bigint> {
    return this.call(procedures.domainGetMaxMemory, args, options);
  }

  /** Procedure 18: domain get max vcpus. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  domainGetMaxVcpus(args: DomainGetMaxVcpusArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainGetMaxVcpus, args, options);
  }

  /** Procedure 19: domain get os type. Gives `type`. Served even when all ordinary workers of the daemon are busy. */
  domainGetOsType(args: DomainGetOsTypeArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.domainGetOsType, args, options);
  }

  /** Procedure 20: domain get vcpus. Served even when all ordinary workers of the daemon are busy. */
  domainGetVcpus(args: DomainGetVcpusArgs, options?: CallOptions): Promise<DomainGetVcpusResult> {
    return this.call(procedures.domainGetVcpus, args, options);
  }

  /** Procedure 21: connect list defined domains. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  connectListDefinedDomains(args: ConnectListDefinedDomainsArgs = {}, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.connectListDefinedDomains, args, options);
  }

  /** Procedure 22: domain lookup by id. Gives `domain`. Served even when all ordinary workers of the daemon are busy. */
  domainLookupById(args: DomainLookupByIdArgs, options?: CallOptions): Promise<Domain> {
    return this.call(procedures.domainLookupById, args, options);
  }

  /** Procedure 23: domain lookup by name. Gives `domain`. Served even when all ordinary workers of the daemon are busy. */
  domainLookupByName(args: DomainLookupByNameArgs, options?: CallOptions): Promise<Domain> {
    return this.call(procedures.domainLookupByName, args, options);
  }

  /** Procedure 24: domain lookup by uuid. Gives `domain`. Served even when all ordinary workers of the daemon are busy. */
  domainLookupByUuid(args: DomainLookupByUuidArgs, options?: CallOptions): Promise<Domain> {
    return this.call(procedures.domainLookupByUuid, args, options);
  }

  /** Procedure 25: connect num of defined domains. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  connectNumOfDefinedDomains(options?: CallOptions): Promise<number> {
    return this.call(procedures.connectNumOfDefinedDomains, undefined, options);
  }

  /** Procedure 26: domain pin vcpu. */
  domainPinVcpu(args: DomainPinVcpuArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainPinVcpu, args, options);
  }

  /** Procedure 27: domain reboot. */
  domainReboot(args: DomainRebootArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainReboot, args, options);
  }

  /** Procedure 28: domain resume. */
  domainResume(args: DomainResumeArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainResume, args, options);
  }

  /** Procedure 29: domain set autostart. Served even when all ordinary workers of the daemon are busy. */
  domainSetAutostart(args: DomainSetAutostartArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetAutostart, args, options);
  }

  /** Procedure 30: domain set max memory. Served even when all ordinary workers of the daemon are busy. */
  domainSetMaxMemory(args: DomainSetMaxMemoryArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetMaxMemory, args, options);
  }

  /** Procedure 31: domain set memory. */
  domainSetMemory(args: DomainSetMemoryArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetMemory, args, options);
  }

  /** Procedure 32: domain set vcpus. */
  domainSetVcpus(args: DomainSetVcpusArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetVcpus, args, options);
  }

  /** Procedure 33: domain shutdown. */
  domainShutdown(args: DomainShutdownArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainShutdown, args, options);
  }

  /** Procedure 34: domain suspend. */
  domainSuspend(args: DomainSuspendArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSuspend, args, options);
  }

  /** Procedure 35: domain undefine. Served even when all ordinary workers of the daemon are busy. */
  domainUndefine(args: DomainUndefineArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainUndefine, args, options);
  }

  /** Procedure 36: connect list defined networks. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  connectListDefinedNetworks(args: ConnectListDefinedNetworksArgs = {}, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.connectListDefinedNetworks, args, options);
  }

  /** Procedure 37: connect list domains. Gives `ids`. Served even when all ordinary workers of the daemon are busy. */
  connectListDomains(args: ConnectListDomainsArgs = {}, options?: CallOptions): Promise<readonly number[]> {
    return this.call(procedures.connectListDomains, args, options);
  }

  /** Procedure 38: connect list networks. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  connectListNetworks(args: ConnectListNetworksArgs = {}, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.connectListNetworks, args, options);
  }

  /** Procedure 39: network create. */
  networkCreate(args: NetworkCreateArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.networkCreate, args, options);
  }

  /** Procedure 40: network create xml. Gives `network`. */
  networkCreateXml(args: NetworkCreateXmlArgs, options?: CallOptions): Promise<Network> {
    return this.call(procedures.networkCreateXml, args, options);
  }

  /** Procedure 41: network define xml. Gives `network`. Served even when all ordinary workers of the daemon are busy. */
  networkDefineXml(args: NetworkDefineXmlArgs, options?: CallOptions): Promise<Network> {
    return this.call(procedures.networkDefineXml, args, options);
  }

  /** Procedure 42: network destroy. Served even when all ordinary workers of the daemon are busy. */
  networkDestroy(args: NetworkDestroyArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.networkDestroy, args, options);
  }

  /** Procedure 43: network get xml desc. Gives `xml`. Served even when all ordinary workers of the daemon are busy. */
  networkGetXmlDesc(args: NetworkGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.networkGetXmlDesc, args, options);
  }

  /** Procedure 44: network get autostart. Gives `autostart`. Served even when all ordinary workers of the daemon are busy. */
  networkGetAutostart(args: NetworkGetAutostartArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.networkGetAutostart, args, options);
  }

  /** Procedure 45: network get bridge name. Gives `name`. Served even when all ordinary workers of the daemon are busy. */
  networkGetBridgeName(args: NetworkGetBridgeNameArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.networkGetBridgeName, args, options);
  }

  /** Procedure 46: network lookup by name. Gives `network`. Served even when all ordinary workers of the daemon are busy. */
  networkLookupByName(args: NetworkLookupByNameArgs, options?: CallOptions): Promise<Network> {
    return this.call(procedures.networkLookupByName, args, options);
  }

  /** Procedure 47: network lookup by uuid. Gives `network`. Served even when all ordinary workers of the daemon are busy. */
  networkLookupByUuid(args: NetworkLookupByUuidArgs, options?: CallOptions): Promise<Network> {
    return this.call(procedures.networkLookupByUuid, args, options);
  }

  /** Procedure 48: network set autostart. Served even when all ordinary workers of the daemon are busy. */
  networkSetAutostart(args: NetworkSetAutostartArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.networkSetAutostart, args, options);
  }

  /** Procedure 49: network undefine. Served even when all ordinary workers of the daemon are busy. */
  networkUndefine(args: NetworkUndefineArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.networkUndefine, args, options);
  }

  /** Procedure 50: connect num of defined networks. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  connectNumOfDefinedNetworks(options?: CallOptions): Promise<number> {
    return this.call(procedures.connectNumOfDefinedNetworks, undefined, options);
  }

  /** Procedure 51: connect num of domains. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  connectNumOfDomains(options?: CallOptions): Promise<number> {
    return this.call(procedures.connectNumOfDomains, undefined, options);
  }

  /** Procedure 52: connect num of networks. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  connectNumOfNetworks(options?: CallOptions): Promise<number> {
    return this.call(procedures.connectNumOfNetworks, undefined, options);
  }

  /** Procedure 53: domain core dump. */
  domainCoreDump(args: DomainCoreDumpArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainCoreDump, args, options);
  }

  /** Procedure 54: domain restore. */
  domainRestore(args: DomainRestoreArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainRestore, args, options);
  }

  /** Procedure 55: domain save. */
  domainSave(args: DomainSaveArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSave, args, options);
  }

  /** Procedure 56: domain get scheduler type. */
  domainGetSchedulerType(args: DomainGetSchedulerTypeArgs, options?: CallOptions): Promise<DomainGetSchedulerTypeResult> {
    return this.call(procedures.domainGetSchedulerType, args, options);
  }

  /** Procedure 57: domain get scheduler parameters. Asks for the number of parameters first, unless `nparams` says it. */
  async domainGetSchedulerParameters(args: DomainGetSchedulerParametersArgs, options?: CallOptions): Promise<TypedParameterResult<DomainSchedulerParameters>> {
    const nparams = args.nparams ?? (await this.domainGetSchedulerType({ domain: args.domain }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.domainGetSchedulerParameters, { ...args, nparams }, options);
    return result;
  }

  /** Procedure 58: domain set scheduler parameters. */
  domainSetSchedulerParameters(args: DomainSetSchedulerParametersArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetSchedulerParameters, args, options);
  }

  /** Procedure 59: connect get hostname. Gives `hostname`. Served even when all ordinary workers of the daemon are busy. */
  connectGetHostname(options?: CallOptions): Promise<string> {
    return this.call(procedures.connectGetHostname, undefined, options);
  }

  /** Procedure 60: connect supports feature. Gives `supported`. Served even when all ordinary workers of the daemon are busy. */
  connectSupportsFeature(args: ConnectSupportsFeatureArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.connectSupportsFeature, args, options);
  }

  /** Procedure 61: domain migrate prepare. */
  domainMigratePrepare(args: DomainMigratePrepareArgs = {}, options?: CallOptions): Promise<DomainMigratePrepareResult> {
    return this.call(procedures.domainMigratePrepare, args, options);
  }

  /** Procedure 62: domain migrate perform. */
  domainMigratePerform(args: DomainMigratePerformArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainMigratePerform, args, options);
  }

  /** Procedure 63: domain migrate finish. Gives `domain`. */
  domainMigrateFinish(args: DomainMigrateFinishArgs, options?: CallOptions): Promise<Domain> {
    return this.call(procedures.domainMigrateFinish, args, options);
  }

  /** Procedure 64: domain block stats. */
  domainBlockStats(args: DomainBlockStatsArgs, options?: CallOptions): Promise<DomainBlockStatsResult> {
    return this.call(procedures.domainBlockStats, args, options);
  }

  /** Procedure 65: domain interface stats. Served even when all ordinary workers of the daemon are busy. */
  domainInterfaceStats(args: DomainInterfaceStatsArgs, options?: CallOptions): Promise<DomainInterfaceStatsResult> {
    return this.call(procedures.domainInterfaceStats, args, options);
  }

  /** Procedure 71: connect num of storage pools. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  connectNumOfStoragePools(options?: CallOptions): Promise<number> {
    return this.call(procedures.connectNumOfStoragePools, undefined, options);
  }

  /** Procedure 72: connect list storage pools. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  connectListStoragePools(args: ConnectListStoragePoolsArgs = {}, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.connectListStoragePools, args, options);
  }

  /** Procedure 73: connect num of defined storage pools. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  connectNumOfDefinedStoragePools(options?: CallOptions): Promise<number> {
    return this.call(procedures.connectNumOfDefinedStoragePools, undefined, options);
  }

  /** Procedure 74: connect list defined storage pools. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  connectListDefinedStoragePools(args: ConnectListDefinedStoragePoolsArgs = {}, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.connectListDefinedStoragePools, args, options);
  }

  /** Procedure 75: connect find storage pool sources. Gives `xml`. */
  connectFindStoragePoolSources(args: ConnectFindStoragePoolSourcesArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.connectFindStoragePoolSources, args, options);
  }

  /** Procedure 76: storage pool create xml. Gives `pool`. */
  storagePoolCreateXml(args: StoragePoolCreateXmlArgs, options?: CallOptions): Promise<StoragePool> {
    return this.call(procedures.storagePoolCreateXml, args, options);
  }

  /** Procedure 77: storage pool define xml. Gives `pool`. Served even when all ordinary workers of the daemon are busy. */
  storagePoolDefineXml(args: StoragePoolDefineXmlArgs, options?: CallOptions): Promise<StoragePool> {
    return this.call(procedures.storagePoolDefineXml, args, options);
  }

  /** Procedure 78: storage pool create. */
  storagePoolCreate(args: StoragePoolCreateArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.storagePoolCreate, args, options);
  }

  /** Procedure 79: storage pool build. */
  storagePoolBuild(args: StoragePoolBuildArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.storagePoolBuild, args, options);
  }

  /** Procedure 80: storage pool destroy. Served even when all ordinary workers of the daemon are busy. */
  storagePoolDestroy(args: StoragePoolDestroyArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.storagePoolDestroy, args, options);
  }

  /** Procedure 81: storage pool delete. */
  storagePoolDelete(args: StoragePoolDeleteArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.storagePoolDelete, args, options);
  }

  /** Procedure 82: storage pool undefine. Served even when all ordinary workers of the daemon are busy. */
  storagePoolUndefine(args: StoragePoolUndefineArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.storagePoolUndefine, args, options);
  }

  /** Procedure 83: storage pool refresh. */
  storagePoolRefresh(args: StoragePoolRefreshArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.storagePoolRefresh, args, options);
  }

  /** Procedure 84: storage pool lookup by name. Gives `pool`. Served even when all ordinary workers of the daemon are busy. */
  storagePoolLookupByName(args: StoragePoolLookupByNameArgs, options?: CallOptions): Promise<StoragePool> {
    return this.call(procedures.storagePoolLookupByName, args, options);
  }

  /** Procedure 85: storage pool lookup by uuid. Gives `pool`. Served even when all ordinary workers of the daemon are busy. */
  storagePoolLookupByUuid(args: StoragePoolLookupByUuidArgs, options?: CallOptions): Promise<StoragePool> {
    return this.call(procedures.storagePoolLookupByUuid, args, options);
  }

  /** Procedure 86: storage pool lookup by volume. Gives `pool`. Served even when all ordinary workers of the daemon are busy. */
  storagePoolLookupByVolume(args: StoragePoolLookupByVolumeArgs, options?: CallOptions): Promise<StoragePool> {
    return this.call(procedures.storagePoolLookupByVolume, args, options);
  }

  /** Procedure 87: storage pool get info. Served even when all ordinary workers of the daemon are busy. */
  storagePoolGetInfo(args: StoragePoolGetInfoArgs, options?: CallOptions): Promise<StoragePoolGetInfoResult> {
    return this.call(procedures.storagePoolGetInfo, args, options);
  }

  /** Procedure 88: storage pool get xml desc. Gives `xml`. Served even when all ordinary workers of the daemon are busy. */
  storagePoolGetXmlDesc(args: StoragePoolGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.storagePoolGetXmlDesc, args, options);
  }

  /** Procedure 89: storage pool get autostart. Gives `autostart`. Served even when all ordinary workers of the daemon are busy. */
  storagePoolGetAutostart(args: StoragePoolGetAutostartArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.storagePoolGetAutostart, args, options);
  }

  /** Procedure 90: storage pool set autostart. Served even when all ordinary workers of the daemon are busy. */
  storagePoolSetAutostart(args: StoragePoolSetAutostartArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.storagePoolSetAutostart, args, options);
  }

  /** Procedure 91: storage pool num of volumes. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  storagePoolNumOfVolumes(args: StoragePoolNumOfVolumesArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.storagePoolNumOfVolumes, args, options);
  }

  /** Procedure 92: storage pool list volumes. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  storagePoolListVolumes(args: StoragePoolListVolumesArgs, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.storagePoolListVolumes, args, options);
  }

  /** Procedure 93: storage vol create xml. Gives `volume`. */
  storageVolCreateXml(args: StorageVolCreateXmlArgs, options?: CallOptions): Promise<StorageVolume> {
    return this.call(procedures.storageVolCreateXml, args, options);
  }

  /** Procedure 94: storage vol delete. */
  storageVolDelete(args: StorageVolDeleteArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.storageVolDelete, args, options);
  }

  /** Procedure 95: storage vol lookup by name. Gives `volume`. Served even when all ordinary workers of the daemon are busy. */
  storageVolLookupByName(args: StorageVolLookupByNameArgs, options?: CallOptions): Promise<StorageVolume> {
    return this.call(procedures.storageVolLookupByName, args, options);
  }

  /** Procedure 96: storage vol lookup by key. Gives `volume`. Served even when all ordinary workers of the daemon are busy. */
  storageVolLookupByKey(args: StorageVolLookupByKeyArgs, options?: CallOptions): Promise<StorageVolume> {
    return this.call(procedures.storageVolLookupByKey, args, options);
  }

  /** Procedure 97: storage vol lookup by path. Gives `volume`. Served even when all ordinary workers of the daemon are busy. */
  storageVolLookupByPath(args: StorageVolLookupByPathArgs, options?: CallOptions): Promise<StorageVolume> {
    return this.call(procedures.storageVolLookupByPath, args, options);
  }

  /** Procedure 98: storage vol get info. Served even when all ordinary workers of the daemon are busy. */
  storageVolGetInfo(args: StorageVolGetInfoArgs, options?: CallOptions): Promise<StorageVolGetInfoResult> {
    return this.call(procedures.storageVolGetInfo, args, options);
  }

  /** Procedure 99: storage vol get xml desc. Gives `xml`. Served even when all ordinary workers of the daemon are busy. */
  storageVolGetXmlDesc(args: StorageVolGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.storageVolGetXmlDesc, args, options);
  }

  /** Procedure 100: storage vol get path. Gives `name`. Served even when all ordinary workers of the daemon are busy. */
  storageVolGetPath(args: StorageVolGetPathArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.storageVolGetPath, args, options);
  }

  /** Procedure 101: node get cells free memory. Gives `cells`. Served even when all ordinary workers of the daemon are busy. */
  nodeGetCellsFreeMemory(args: NodeGetCellsFreeMemoryArgs = {}, options?: CallOptions): Promise<readonly bigint[]> {
    return this.call(procedures.nodeGetCellsFreeMemory, args, options);
  }

  /** Procedure 102: node get free memory. Gives `freeMemory`. Served even when all ordinary workers of the daemon are busy. */
  nodeGetFreeMemory(options?: CallOptions): Promise<bigint> {
    return this.call(procedures.nodeGetFreeMemory, undefined, options);
  }

  /** Procedure 103: domain block peek. Gives `buffer`. */
  domainBlockPeek(args: DomainBlockPeekArgs, options?: CallOptions): Promise<Uint8Array> {
    return this.call(procedures.domainBlockPeek, args, options);
  }

  /** Procedure 104: domain memory peek. Gives `buffer`. */
  domainMemoryPeek(args: DomainMemoryPeekArgs, options?: CallOptions): Promise<Uint8Array> {
    return this.call(procedures.domainMemoryPeek, args, options);
  }

  /** Procedure 108: domain migrate prepare2. */
  domainMigratePrepare2(args: DomainMigratePrepare2Args, options?: CallOptions): Promise<DomainMigratePrepare2Result> {
    return this.call(procedures.domainMigratePrepare2, args, options);
  }

  /** Procedure 109: domain migrate finish2. Gives `domain`. */
  domainMigrateFinish2(args: DomainMigrateFinish2Args, options?: CallOptions): Promise<Domain> {
    return this.call(procedures.domainMigrateFinish2, args, options);
  }

  /** Procedure 110: connect get uri. Gives `uri`. Served even when all ordinary workers of the daemon are busy. */
  connectGetUri(options?: CallOptions): Promise<string> {
    return this.call(procedures.connectGetUri, undefined, options);
  }

  /** Procedure 111: node num of devices. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  nodeNumOfDevices(args: NodeNumOfDevicesArgs = {}, options?: CallOptions): Promise<number> {
    return this.call(procedures.nodeNumOfDevices, args, options);
  }

  /** Procedure 112: node list devices. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  nodeListDevices(args: NodeListDevicesArgs = {}, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.nodeListDevices, args, options);
  }

  /** Procedure 113: node device lookup by name. Gives `device`. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceLookupByName(args: NodeDeviceLookupByNameArgs, options?: CallOptions): Promise<NodeDevice> {
    return this.call(procedures.nodeDeviceLookupByName, args, options);
  }

  /** Procedure 114: node device get xml desc. Gives `xml`. */
  nodeDeviceGetXmlDesc(args: NodeDeviceGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.nodeDeviceGetXmlDesc, args, options);
  }

  /** Procedure 115: node device get parent. Gives `parentName`. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceGetParent(args: NodeDeviceGetParentArgs, options?: CallOptions): Promise<string | undefined> {
    return this.call(procedures.nodeDeviceGetParent, args, options);
  }

  /** Procedure 116: node device num of caps. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceNumOfCaps(args: NodeDeviceNumOfCapsArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.nodeDeviceNumOfCaps, args, options);
  }

  /** Procedure 117: node device list caps. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceListCaps(args: NodeDeviceListCapsArgs, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.nodeDeviceListCaps, args, options);
  }

  /** Procedure 118: node device dettach. */
  nodeDeviceDettach(args: NodeDeviceDettachArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nodeDeviceDettach, args, options);
  }

  /** Procedure 119: node device re attach. */
  nodeDeviceReAttach(args: NodeDeviceReAttachArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nodeDeviceReAttach, args, options);
  }

  /** Procedure 120: node device reset. */
  nodeDeviceReset(args: NodeDeviceResetArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nodeDeviceReset, args, options);
  }

  /** Procedure 121: domain get security label. Served even when all ordinary workers of the daemon are busy. */
  domainGetSecurityLabel(args: DomainGetSecurityLabelArgs, options?: CallOptions): Promise<DomainGetSecurityLabelResult> {
    return this.call(procedures.domainGetSecurityLabel, args, options);
  }

  /** Procedure 122: node get security model. Served even when all ordinary workers of the daemon are busy. */
  nodeGetSecurityModel(options?: CallOptions): Promise<NodeGetSecurityModelResult> {
    return this.call(procedures.nodeGetSecurityModel, undefined, options);
  }

  /** Procedure 123: node device create xml. Gives `device`. */
  nodeDeviceCreateXml(args: NodeDeviceCreateXmlArgs, options?: CallOptions): Promise<NodeDevice> {
    return this.call(procedures.nodeDeviceCreateXml, args, options);
  }

  /** Procedure 124: node device destroy. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceDestroy(args: NodeDeviceDestroyArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nodeDeviceDestroy, args, options);
  }

  /** Procedure 125: storage vol create xml from. Gives `volume`. */
  storageVolCreateXmlFrom(args: StorageVolCreateXmlFromArgs, options?: CallOptions): Promise<StorageVolume> {
    return this.call(procedures.storageVolCreateXmlFrom, args, options);
  }

  /** Procedure 126: connect num of interfaces. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  connectNumOfInterfaces(options?: CallOptions): Promise<number> {
    return this.call(procedures.connectNumOfInterfaces, undefined, options);
  }

  /** Procedure 127: connect list interfaces. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  connectListInterfaces(args: ConnectListInterfacesArgs = {}, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.connectListInterfaces, args, options);
  }

  /** Procedure 128: interface lookup by name. Gives `interface`. Served even when all ordinary workers of the daemon are busy. */
  interfaceLookupByName(args: InterfaceLookupByNameArgs, options?: CallOptions): Promise<Interface> {
    return this.call(procedures.interfaceLookupByName, args, options);
  }

  /** Procedure 129: interface lookup by mac string. Gives `interface`. Served even when all ordinary workers of the daemon are busy. */
  interfaceLookupByMacString(args: InterfaceLookupByMacStringArgs, options?: CallOptions): Promise<Interface> {
    return this.call(procedures.interfaceLookupByMacString, args, options);
  }

  /** Procedure 130: interface get xml desc. Gives `xml`. */
  interfaceGetXmlDesc(args: InterfaceGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.interfaceGetXmlDesc, args, options);
  }

  /** Procedure 131: interface define xml. Gives `interface`. Served even when all ordinary workers of the daemon are busy. */
  interfaceDefineXml(args: InterfaceDefineXmlArgs, options?: CallOptions): Promise<Interface> {
    return this.call(procedures.interfaceDefineXml, args, options);
  }

  /** Procedure 132: interface undefine. Served even when all ordinary workers of the daemon are busy. */
  interfaceUndefine(args: InterfaceUndefineArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.interfaceUndefine, args, options);
  }

  /** Procedure 133: interface create. */
  interfaceCreate(args: InterfaceCreateArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.interfaceCreate, args, options);
  }

  /** Procedure 134: interface destroy. Served even when all ordinary workers of the daemon are busy. */
  interfaceDestroy(args: InterfaceDestroyArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.interfaceDestroy, args, options);
  }

  /** Procedure 135: connect domain xml from native. Gives `domainXml`. */
  connectDomainXmlFromNative(args: ConnectDomainXmlFromNativeArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.connectDomainXmlFromNative, args, options);
  }

  /** Procedure 136: connect domain xml to native. Gives `nativeConfig`. */
  connectDomainXmlToNative(args: ConnectDomainXmlToNativeArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.connectDomainXmlToNative, args, options);
  }

  /** Procedure 137: connect num of defined interfaces. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  connectNumOfDefinedInterfaces(options?: CallOptions): Promise<number> {
    return this.call(procedures.connectNumOfDefinedInterfaces, undefined, options);
  }

  /** Procedure 138: connect list defined interfaces. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  connectListDefinedInterfaces(args: ConnectListDefinedInterfacesArgs = {}, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.connectListDefinedInterfaces, args, options);
  }

  /** Procedure 139: connect num of secrets. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  connectNumOfSecrets(options?: CallOptions): Promise<number> {
    return this.call(procedures.connectNumOfSecrets, undefined, options);
  }

  /** Procedure 140: connect list secrets. Gives `uuids`. Served even when all ordinary workers of the daemon are busy. */
  connectListSecrets(args: ConnectListSecretsArgs = {}, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.connectListSecrets, args, options);
  }

  /** Procedure 141: secret lookup by uuid. Gives `secret`. Served even when all ordinary workers of the daemon are busy. */
  secretLookupByUuid(args: SecretLookupByUuidArgs, options?: CallOptions): Promise<Secret> {
    return this.call(procedures.secretLookupByUuid, args, options);
  }

  /** Procedure 142: secret define xml. Gives `secret`. Served even when all ordinary workers of the daemon are busy. */
  secretDefineXml(args: SecretDefineXmlArgs, options?: CallOptions): Promise<Secret> {
    return this.call(procedures.secretDefineXml, args, options);
  }

  /** Procedure 143: secret get xml desc. Gives `xml`. Served even when all ordinary workers of the daemon are busy. */
  secretGetXmlDesc(args: SecretGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.secretGetXmlDesc, args, options);
  }

  /** Procedure 144: secret set value. Served even when all ordinary workers of the daemon are busy. */
  secretSetValue(args: SecretSetValueArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.secretSetValue, args, options);
  }

  /** Procedure 145: secret get value. Gives `value`. Served even when all ordinary workers of the daemon are busy. */
  secretGetValue(args: SecretGetValueArgs, options?: CallOptions): Promise<Uint8Array> {
    return this.call(procedures.secretGetValue, args, options);
  }

  /** Procedure 146: secret undefine. Served even when all ordinary workers of the daemon are busy. */
  secretUndefine(args: SecretUndefineArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.secretUndefine, args, options);
  }

  /** Procedure 147: secret lookup by usage. Gives `secret`. Served even when all ordinary workers of the daemon are busy. */
  secretLookupByUsage(args: SecretLookupByUsageArgs, options?: CallOptions): Promise<Secret> {
    return this.call(procedures.secretLookupByUsage, args, options);
  }

  /** Procedure 148: domain migrate prepare tunnel. Opens a stream to write to. */
  async domainMigratePrepareTunnel(args: DomainMigratePrepareTunnelArgs, options?: CallOptions): Promise<LibvirtStream> {
    const opened = await this.openStream(procedures.domainMigratePrepareTunnel, args, options);
    return opened.stream;
  }

  /** Procedure 149: connect is secure. Gives `secure`. Served even when all ordinary workers of the daemon are busy. */
  connectIsSecure(options?: CallOptions): Promise<number> {
    return this.call(procedures.connectIsSecure, undefined, options);
  }

  /** Procedure 150: domain is active. Gives `active`. Served even when all ordinary workers of the daemon are busy. */
  domainIsActive(args: DomainIsActiveArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainIsActive, args, options);
  }

  /** Procedure 151: domain is persistent. Gives `persistent`. Served even when all ordinary workers of the daemon are busy. */
  domainIsPersistent(args: DomainIsPersistentArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainIsPersistent, args, options);
  }

  /** Procedure 152: network is active. Gives `active`. Served even when all ordinary workers of the daemon are busy. */
  networkIsActive(args: NetworkIsActiveArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.networkIsActive, args, options);
  }

  /** Procedure 153: network is persistent. Gives `persistent`. Served even when all ordinary workers of the daemon are busy. */
  networkIsPersistent(args: NetworkIsPersistentArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.networkIsPersistent, args, options);
  }

  /** Procedure 154: storage pool is active. Gives `active`. Served even when all ordinary workers of the daemon are busy. */
  storagePoolIsActive(args: StoragePoolIsActiveArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.storagePoolIsActive, args, options);
  }

  /** Procedure 155: storage pool is persistent. Gives `persistent`. Served even when all ordinary workers of the daemon are busy. */
  storagePoolIsPersistent(args: StoragePoolIsPersistentArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.storagePoolIsPersistent, args, options);
  }

  /** Procedure 156: interface is active. Gives `active`. Served even when all ordinary workers of the daemon are busy. */
  interfaceIsActive(args: InterfaceIsActiveArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.interfaceIsActive, args, options);
  }

  /** Procedure 157: connect get lib version. Gives `libraryVersion`. Served even when all ordinary workers of the daemon are busy. */
  connectGetLibVersion(options?: CallOptions): Promise<bigint> {
    return this.call(procedures.connectGetLibVersion, undefined, options);
  }

  /** Procedure 158: connect compare cpu. Gives `result`. Served even when all ordinary workers of the daemon are busy. */
  connectCompareCpu(args: ConnectCompareCpuArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.connectCompareCpu, args, options);
  }

  /** Procedure 159: domain memory stats. Gives `stats`. */
  domainMemoryStats(args: DomainMemoryStatsArgs, options?: CallOptions): Promise<readonly DomainMemoryStat[]> {
    return this.call(procedures.domainMemoryStats, args, options);
  }

  /** Procedure 160: domain attach device flags. */
  domainAttachDeviceFlags(args: DomainAttachDeviceFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainAttachDeviceFlags, args, options);
  }

  /** Procedure 161: domain detach device flags. */
  domainDetachDeviceFlags(args: DomainDetachDeviceFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainDetachDeviceFlags, args, options);
  }

  /** Procedure 162: connect baseline cpu. Gives `cpu`. */
  connectBaselineCpu(args: ConnectBaselineCpuArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.connectBaselineCpu, args, options);
  }

  /** Procedure 163: domain get job info. */
  domainGetJobInfo(args: DomainGetJobInfoArgs, options?: CallOptions): Promise<DomainGetJobInfoResult> {
    return this.call(procedures.domainGetJobInfo, args, options);
  }

  /** Procedure 164: domain abort job. */
  domainAbortJob(args: DomainAbortJobArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainAbortJob, args, options);
  }

  /** Procedure 165: storage vol wipe. */
  storageVolWipe(args: StorageVolWipeArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.storageVolWipe, args, options);
  }

  /** Procedure 166: domain migrate set max downtime. */
  domainMigrateSetMaxDowntime(args: DomainMigrateSetMaxDowntimeArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainMigrateSetMaxDowntime, args, options);
  }

  /** Procedure 174: domain update device flags. */
  domainUpdateDeviceFlags(args: DomainUpdateDeviceFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainUpdateDeviceFlags, args, options);
  }

  /** Procedure 175: nwfilter lookup by name. Gives `networkFilter`. Served even when all ordinary workers of the daemon are busy. */
  nwfilterLookupByName(args: NwfilterLookupByNameArgs, options?: CallOptions): Promise<NetworkFilter> {
    return this.call(procedures.nwfilterLookupByName, args, options);
  }

  /** Procedure 176: nwfilter lookup by uuid. Gives `networkFilter`. Served even when all ordinary workers of the daemon are busy. */
  nwfilterLookupByUuid(args: NwfilterLookupByUuidArgs, options?: CallOptions): Promise<NetworkFilter> {
    return this.call(procedures.nwfilterLookupByUuid, args, options);
  }

  /** Procedure 177: nwfilter get xml desc. Gives `xml`. Served even when all ordinary workers of the daemon are busy. */
  nwfilterGetXmlDesc(args: NwfilterGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.nwfilterGetXmlDesc, args, options);
  }

  /** Procedure 178: connect num of nwfilters. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  connectNumOfNwfilters(options?: CallOptions): Promise<number> {
    return this.call(procedures.connectNumOfNwfilters, undefined, options);
  }

  /** Procedure 179: connect list nwfilters. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  connectListNwfilters(args: ConnectListNwfiltersArgs = {}, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.connectListNwfilters, args, options);
  }

  /** Procedure 180: nwfilter define xml. Gives `networkFilter`. Served even when all ordinary workers of the daemon are busy. */
  nwfilterDefineXml(args: NwfilterDefineXmlArgs, options?: CallOptions): Promise<NetworkFilter> {
    return this.call(procedures.nwfilterDefineXml, args, options);
  }

  /** Procedure 181: nwfilter undefine. Served even when all ordinary workers of the daemon are busy. */
  nwfilterUndefine(args: NwfilterUndefineArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nwfilterUndefine, args, options);
  }

  /** Procedure 182: domain managed save. */
  domainManagedSave(args: DomainManagedSaveArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainManagedSave, args, options);
  }

  /** Procedure 183: domain has managed save image. Gives `result`. */
  domainHasManagedSaveImage(args: DomainHasManagedSaveImageArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainHasManagedSaveImage, args, options);
  }

  /** Procedure 184: domain managed save remove. */
  domainManagedSaveRemove(args: DomainManagedSaveRemoveArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainManagedSaveRemove, args, options);
  }

  /** Procedure 185: domain snapshot create xml. Gives `snapshot`. */
  domainSnapshotCreateXml(args: DomainSnapshotCreateXmlArgs, options?: CallOptions): Promise<DomainSnapshot> {
    return this.call(procedures.domainSnapshotCreateXml, args, options);
  }

  /** Procedure 186: domain snapshot get xml desc. Gives `xml`. Served even when all ordinary workers of the daemon are busy. */
  domainSnapshotGetXmlDesc(args: DomainSnapshotGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.domainSnapshotGetXmlDesc, args, options);
  }

  /** Procedure 187: domain snapshot num. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  domainSnapshotNum(args: DomainSnapshotNumArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainSnapshotNum, args, options);
  }

  /** Procedure 188: domain snapshot list names. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  domainSnapshotListNames(args: DomainSnapshotListNamesArgs, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.domainSnapshotListNames, args, options);
  }

  /** Procedure 189: domain snapshot lookup by name. Gives `snapshot`. Served even when all ordinary workers of the daemon are busy. */
  domainSnapshotLookupByName(args: DomainSnapshotLookupByNameArgs, options?: CallOptions): Promise<DomainSnapshot> {
    return this.call(procedures.domainSnapshotLookupByName, args, options);
  }

  /** Procedure 190: domain has current snapshot. Gives `result`. */
  domainHasCurrentSnapshot(args: DomainHasCurrentSnapshotArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainHasCurrentSnapshot, args, options);
  }

  /** Procedure 191: domain snapshot current. Gives `snapshot`. */
  domainSnapshotCurrent(args: DomainSnapshotCurrentArgs, options?: CallOptions): Promise<DomainSnapshot> {
    return this.call(procedures.domainSnapshotCurrent, args, options);
  }

  /** Procedure 192: domain revert to snapshot. */
  domainRevertToSnapshot(args: DomainRevertToSnapshotArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainRevertToSnapshot, args, options);
  }

  /** Procedure 193: domain snapshot delete. */
  domainSnapshotDelete(args: DomainSnapshotDeleteArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSnapshotDelete, args, options);
  }

  /** Procedure 194: domain get block info. */
  domainGetBlockInfo(args: DomainGetBlockInfoArgs, options?: CallOptions): Promise<DomainGetBlockInfoResult> {
    return this.call(procedures.domainGetBlockInfo, args, options);
  }

  /** Procedure 196: domain create with flags. Gives `domain`. */
  domainCreateWithFlags(args: DomainCreateWithFlagsArgs, options?: CallOptions): Promise<Domain> {
    return this.call(procedures.domainCreateWithFlags, args, options);
  }

  /** Procedure 197: domain set memory parameters. */
  domainSetMemoryParameters(args: DomainSetMemoryParametersArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetMemoryParameters, args, options);
  }

  /** Procedure 198: domain get memory parameters. Asks for the number of parameters first, unless `nparams` says it. */
  async domainGetMemoryParameters(args: DomainGetMemoryParametersArgs, options?: CallOptions): Promise<TypedParameterResult<DomainMemoryParameters>> {
    const nparams = args.nparams ?? (await this.call(procedures.domainGetMemoryParameters, { ...args, nparams: 0 }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.domainGetMemoryParameters, { ...args, nparams }, options);
    return result.params;
  }

  /** Procedure 199: domain set vcpus flags. */
  domainSetVcpusFlags(args: DomainSetVcpusFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetVcpusFlags, args, options);
  }

  /** Procedure 200: domain get vcpus flags. Gives `num`. */
  domainGetVcpusFlags(args: DomainGetVcpusFlagsArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainGetVcpusFlags, args, options);
  }

  /** Procedure 201: domain open console. Opens a stream to read from and write to. */
  async domainOpenConsole(args: DomainOpenConsoleArgs, options?: CallOptions): Promise<LibvirtStream> {
    const opened = await this.openStream(procedures.domainOpenConsole, args, options);
    return opened.stream;
  }

  /** Procedure 202: domain is updated. Gives `updated`. Served even when all ordinary workers of the daemon are busy. */
  domainIsUpdated(args: DomainIsUpdatedArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainIsUpdated, args, options);
  }

  /** Procedure 203: connect get sysinfo. Gives `sysinfo`. Served even when all ordinary workers of the daemon are busy. */
  connectGetSysinfo(args: ConnectGetSysinfoArgs = {}, options?: CallOptions): Promise<string> {
    return this.call(procedures.connectGetSysinfo, args, options);
  }

  /** Procedure 204: domain set memory flags. */
  domainSetMemoryFlags(args: DomainSetMemoryFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetMemoryFlags, args, options);
  }

  /** Procedure 205: domain set blkio parameters. */
  domainSetBlkioParameters(args: DomainSetBlkioParametersArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetBlkioParameters, args, options);
  }

  /** Procedure 206: domain get blkio parameters. Asks for the number of parameters first, unless `nparams` says it. */
  async domainGetBlkioParameters(args: DomainGetBlkioParametersArgs, options?: CallOptions): Promise<TypedParameterResult<DomainBlkioParameters>> {
    const nparams = args.nparams ?? (await this.call(procedures.domainGetBlkioParameters, { ...args, nparams: 0 }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.domainGetBlkioParameters, { ...args, nparams }, options);
    return result.params;
  }

  /** Procedure 207: domain migrate set max speed. */
  domainMigrateSetMaxSpeed(args: DomainMigrateSetMaxSpeedArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainMigrateSetMaxSpeed, args, options);
  }

  /** Procedure 208: storage vol upload. Opens a stream to write to. */
  async storageVolUpload(args: StorageVolUploadArgs, options?: CallOptions): Promise<LibvirtStream> {
    const opened = await this.openStream(procedures.storageVolUpload, args, options);
    return opened.stream;
  }

  /** Procedure 209: storage vol download. Opens a stream to read from. */
  async storageVolDownload(args: StorageVolDownloadArgs, options?: CallOptions): Promise<LibvirtStream> {
    const opened = await this.openStream(procedures.storageVolDownload, args, options);
    return opened.stream;
  }

  /** Procedure 210: domain inject nmi. */
  domainInjectNmi(args: DomainInjectNmiArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainInjectNmi, args, options);
  }

  /** Procedure 211: domain screenshot. Gives `mime`. Opens a stream to read from. */
  domainScreenshot(args: DomainScreenshotArgs, options?: CallOptions): Promise<OpenedStream<string | undefined>> {
    return this.openStream(procedures.domainScreenshot, args, options);
  }

  /** Procedure 212: domain get state. Served even when all ordinary workers of the daemon are busy. */
  domainGetState(args: DomainGetStateArgs, options?: CallOptions): Promise<DomainGetStateResult> {
    return this.call(procedures.domainGetState, args, options);
  }

  /** Procedure 213: domain migrate begin3. */
  domainMigrateBegin3(args: DomainMigrateBegin3Args, options?: CallOptions): Promise<DomainMigrateBegin3Result> {
    return this.call(procedures.domainMigrateBegin3, args, options);
  }

  /** Procedure 214: domain migrate prepare3. */
  domainMigratePrepare3(args: DomainMigratePrepare3Args, options?: CallOptions): Promise<DomainMigratePrepare3Result> {
    return this.call(procedures.domainMigratePrepare3, args, options);
  }

  /** Procedure 215: domain migrate prepare tunnel3. Gives `cookieOut`. Opens a stream to write to. */
  domainMigratePrepareTunnel3(args: DomainMigratePrepareTunnel3Args, options?: CallOptions): Promise<OpenedStream<Uint8Array>> {
    return this.openStream(procedures.domainMigratePrepareTunnel3, args, options);
  }

  /** Procedure 216: domain migrate perform3. Gives `cookieOut`. */
  domainMigratePerform3(args: DomainMigratePerform3Args, options?: CallOptions): Promise<Uint8Array> {
    return this.call(procedures.domainMigratePerform3, args, options);
  }

  /** Procedure 217: domain migrate finish3. */
  domainMigrateFinish3(args: DomainMigrateFinish3Args, options?: CallOptions): Promise<DomainMigrateFinish3Result> {
    return this.call(procedures.domainMigrateFinish3, args, options);
  }

  /** Procedure 218: domain migrate confirm3. */
  domainMigrateConfirm3(args: DomainMigrateConfirm3Args, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainMigrateConfirm3, args, options);
  }

  /** Procedure 219: domain set scheduler parameters flags. */
  domainSetSchedulerParametersFlags(args: DomainSetSchedulerParametersFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetSchedulerParametersFlags, args, options);
  }

  /** Procedure 220: interface change begin. */
  interfaceChangeBegin(args: InterfaceChangeBeginArgs = {}, options?: CallOptions): Promise<void> {
    return this.call(procedures.interfaceChangeBegin, args, options);
  }

  /** Procedure 221: interface change commit. */
  interfaceChangeCommit(args: InterfaceChangeCommitArgs = {}, options?: CallOptions): Promise<void> {
    return this.call(procedures.interfaceChangeCommit, args, options);
  }

  /** Procedure 222: interface change rollback. */
  interfaceChangeRollback(args: InterfaceChangeRollbackArgs = {}, options?: CallOptions): Promise<void> {
    return this.call(procedures.interfaceChangeRollback, args, options);
  }

  /** Procedure 223: domain get scheduler parameters flags. Asks for the number of parameters first, unless `nparams` says it. */
  async domainGetSchedulerParametersFlags(args: DomainGetSchedulerParametersFlagsArgs, options?: CallOptions): Promise<TypedParameterResult<DomainSchedulerParameters>> {
    const nparams = args.nparams ?? (await this.domainGetSchedulerType({ domain: args.domain }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.domainGetSchedulerParametersFlags, { ...args, nparams }, options);
    return result;
  }

  /** Procedure 225: domain pin vcpu flags. */
  domainPinVcpuFlags(args: DomainPinVcpuFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainPinVcpuFlags, args, options);
  }

  /** Procedure 226: domain send key. */
  domainSendKey(args: DomainSendKeyArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSendKey, args, options);
  }

  /** Procedure 227: node get cpu stats. Asks for the number of parameters first, unless `nparams` says it. Served even when all ordinary workers of the daemon are busy. */
  async nodeGetCpuStats(args: NodeGetCpuStatsArgs = {}, options?: CallOptions): Promise<Counters<NodeCpuStatsParameters>> {
    const nparams = args.nparams ?? (await this.call(procedures.nodeGetCpuStats, { ...args, nparams: 0 }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.nodeGetCpuStats, { ...args, nparams }, options);
    return result.params;
  }

  /** Procedure 228: node get memory stats. Asks for the number of parameters first, unless `nparams` says it. Served even when all ordinary workers of the daemon are busy. */
  async nodeGetMemoryStats(args: NodeGetMemoryStatsArgs = {}, options?: CallOptions): Promise<Counters<NodeMemoryStatsParameters>> {
    const nparams = args.nparams ?? (await this.call(procedures.nodeGetMemoryStats, { ...args, nparams: 0 }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.nodeGetMemoryStats, { ...args, nparams }, options);
    return result.params;
  }

  /** Procedure 229: domain get control info. Served even when all ordinary workers of the daemon are busy. */
  domainGetControlInfo(args: DomainGetControlInfoArgs, options?: CallOptions): Promise<DomainGetControlInfoResult> {
    return this.call(procedures.domainGetControlInfo, args, options);
  }

  /** Procedure 230: domain get vcpu pin info. */
  domainGetVcpuPinInfo(args: DomainGetVcpuPinInfoArgs, options?: CallOptions): Promise<DomainGetVcpuPinInfoResult> {
    return this.call(procedures.domainGetVcpuPinInfo, args, options);
  }

  /** Procedure 231: domain undefine flags. Served even when all ordinary workers of the daemon are busy. */
  domainUndefineFlags(args: DomainUndefineFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainUndefineFlags, args, options);
  }

  /** Procedure 232: domain save flags. */
  domainSaveFlags(args: DomainSaveFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSaveFlags, args, options);
  }

  /** Procedure 233: domain restore flags. */
  domainRestoreFlags(args: DomainRestoreFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainRestoreFlags, args, options);
  }

  /** Procedure 234: domain destroy flags. Served even when all ordinary workers of the daemon are busy. */
  domainDestroyFlags(args: DomainDestroyFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainDestroyFlags, args, options);
  }

  /** Procedure 235: domain save image get xml desc. Gives `xml`. Served even when all ordinary workers of the daemon are busy. */
  domainSaveImageGetXmlDesc(args: DomainSaveImageGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.domainSaveImageGetXmlDesc, args, options);
  }

  /** Procedure 236: domain save image define xml. Served even when all ordinary workers of the daemon are busy. */
  domainSaveImageDefineXml(args: DomainSaveImageDefineXmlArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSaveImageDefineXml, args, options);
  }

  /** Procedure 237: domain block job abort. */
  domainBlockJobAbort(args: DomainBlockJobAbortArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainBlockJobAbort, args, options);
  }

  /** Procedure 238: domain get block job info. */
  domainGetBlockJobInfo(args: DomainGetBlockJobInfoArgs, options?: CallOptions): Promise<DomainGetBlockJobInfoResult> {
    return this.call(procedures.domainGetBlockJobInfo, args, options);
  }

  /** Procedure 239: domain block job set speed. */
  domainBlockJobSetSpeed(args: DomainBlockJobSetSpeedArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainBlockJobSetSpeed, args, options);
  }

  /** Procedure 240: domain block pull. */
  domainBlockPull(args: DomainBlockPullArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainBlockPull, args, options);
  }

  /** Procedure 242: domain migrate get max speed. Gives `bandwidth`. */
  domainMigrateGetMaxSpeed(args: DomainMigrateGetMaxSpeedArgs, options?: CallOptions): Promise<bigint> {
    return this.call(procedures.domainMigrateGetMaxSpeed, args, options);
  }

  /** Procedure 243: domain block stats flags. Asks for the number of parameters first, unless `nparams` says it. */
  async domainBlockStatsFlags(args: DomainBlockStatsFlagsArgs, options?: CallOptions): Promise<TypedParameterResult<DomainBlockStatsParameters>> {
    const nparams = args.nparams ?? (await this.call(procedures.domainBlockStatsFlags, { ...args, nparams: 0 }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.domainBlockStatsFlags, { ...args, nparams }, options);
    return result.params;
  }

  /** Procedure 244: domain snapshot get parent. Gives `snapshot`. Served even when all ordinary workers of the daemon are busy. */
  domainSnapshotGetParent(args: DomainSnapshotGetParentArgs, options?: CallOptions): Promise<DomainSnapshot> {
    return this.call(procedures.domainSnapshotGetParent, args, options);
  }

  /** Procedure 245: domain reset. */
  domainReset(args: DomainResetArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainReset, args, options);
  }

  /** Procedure 246: domain snapshot num children. Gives `num`. Served even when all ordinary workers of the daemon are busy. */
  domainSnapshotNumChildren(args: DomainSnapshotNumChildrenArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainSnapshotNumChildren, args, options);
  }

  /** Procedure 247: domain snapshot list children names. Gives `names`. Served even when all ordinary workers of the daemon are busy. */
  domainSnapshotListChildrenNames(args: DomainSnapshotListChildrenNamesArgs, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.domainSnapshotListChildrenNames, args, options);
  }

  /**
   * Procedure 249: domain open graphics.
   * It passes file descriptors, which Node.js cannot do: the connection refuses it with `unsupported`.
   */
  domainOpenGraphics(args: DomainOpenGraphicsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainOpenGraphics, args, options);
  }

  /** Procedure 250: node suspend for duration. */
  nodeSuspendForDuration(args: NodeSuspendForDurationArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nodeSuspendForDuration, args, options);
  }

  /** Procedure 251: domain block resize. */
  domainBlockResize(args: DomainBlockResizeArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainBlockResize, args, options);
  }

  /** Procedure 252: domain set block io tune. */
  domainSetBlockIoTune(args: DomainSetBlockIoTuneArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetBlockIoTune, args, options);
  }

  /** Procedure 253: domain get block io tune. Asks for the number of parameters first, unless `nparams` says it. */
  async domainGetBlockIoTune(args: DomainGetBlockIoTuneArgs, options?: CallOptions): Promise<TypedParameterResult<DomainBlockIoTuneParameters>> {
    const nparams = args.nparams ?? (await this.call(procedures.domainGetBlockIoTune, { ...args, nparams: 0 }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.domainGetBlockIoTune, { ...args, nparams }, options);
    return result.params;
  }

  /** Procedure 254: domain set numa parameters. */
  domainSetNumaParameters(args: DomainSetNumaParametersArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetNumaParameters, args, options);
  }

  /** Procedure 255: domain get numa parameters. Asks for the number of parameters first, unless `nparams` says it. */
  async domainGetNumaParameters(args: DomainGetNumaParametersArgs, options?: CallOptions): Promise<TypedParameterResult<DomainNumaParameters>> {
    const nparams = args.nparams ?? (await this.call(procedures.domainGetNumaParameters, { ...args, nparams: 0 }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.domainGetNumaParameters, { ...args, nparams }, options);
    return result.params;
  }

  /** Procedure 256: domain set interface parameters. */
  domainSetInterfaceParameters(args: DomainSetInterfaceParametersArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetInterfaceParameters, args, options);
  }

  /** Procedure 257: domain get interface parameters. Asks for the number of parameters first, unless `nparams` says it. */
  async domainGetInterfaceParameters(args: DomainGetInterfaceParametersArgs, options?: CallOptions): Promise<TypedParameterResult<DomainInterfaceParameters>> {
    const nparams = args.nparams ?? (await this.call(procedures.domainGetInterfaceParameters, { ...args, nparams: 0 }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.domainGetInterfaceParameters, { ...args, nparams }, options);
    return result.params;
  }

  /** Procedure 258: domain shutdown flags. */
  domainShutdownFlags(args: DomainShutdownFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainShutdownFlags, args, options);
  }

  /** Procedure 259: storage vol wipe pattern. */
  storageVolWipePattern(args: StorageVolWipePatternArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.storageVolWipePattern, args, options);
  }

  /** Procedure 260: storage vol resize. */
  storageVolResize(args: StorageVolResizeArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.storageVolResize, args, options);
  }

  /** Procedure 261: domain pm suspend for duration. */
  domainPmSuspendForDuration(args: DomainPmSuspendForDurationArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainPmSuspendForDuration, args, options);
  }

  /** Procedure 262: domain get cpu stats. Asks for the number of parameters first, unless `nparams` says it. */
  async domainGetCpuStats(args: DomainGetCpuStatsArgs, options?: CallOptions): Promise<readonly TypedParameterResult<DomainCpuStatsParameters>[]> {
    const nparams = args.nparams ?? (await this.call(procedures.domainGetCpuStats, { ...args, nparams: 0 }, options)).nparams;
    if (nparams <= 0) return [];
    const result = await this.call(procedures.domainGetCpuStats, { ...args, nparams }, options);
    return result.params;
  }

  /** Procedure 263: domain get disk errors. Gives `errors`. */
  domainGetDiskErrors(args: DomainGetDiskErrorsArgs, options?: CallOptions): Promise<readonly DomainDiskError[]> {
    return this.call(procedures.domainGetDiskErrors, args, options);
  }

  /** Procedure 264: domain set metadata. */
  domainSetMetadata(args: DomainSetMetadataArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetMetadata, args, options);
  }

  /** Procedure 265: domain get metadata. Gives `metadata`. */
  domainGetMetadata(args: DomainGetMetadataArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.domainGetMetadata, args, options);
  }

  /** Procedure 266: domain block rebase. */
  domainBlockRebase(args: DomainBlockRebaseArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainBlockRebase, args, options);
  }

  /** Procedure 267: domain pm wakeup. */
  domainPmWakeup(args: DomainPmWakeupArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainPmWakeup, args, options);
  }

  /** Procedure 271: domain snapshot is current. Gives `current`. */
  domainSnapshotIsCurrent(args: DomainSnapshotIsCurrentArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainSnapshotIsCurrent, args, options);
  }

  /** Procedure 272: domain snapshot has metadata. Gives `metadata`. */
  domainSnapshotHasMetadata(args: DomainSnapshotHasMetadataArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainSnapshotHasMetadata, args, options);
  }

  /** Procedure 273: connect list all domains. Gives `domains`. Served even when all ordinary workers of the daemon are busy. */
  connectListAllDomains(args: ConnectListAllDomainsArgs = {}, options?: CallOptions): Promise<readonly Domain[]> {
    return this.call(procedures.connectListAllDomains, args, options);
  }

  /** Procedure 274: domain list all snapshots. Gives `snapshots`. Served even when all ordinary workers of the daemon are busy. */
  domainListAllSnapshots(args: DomainListAllSnapshotsArgs, options?: CallOptions): Promise<readonly DomainSnapshot[]> {
    return this.call(procedures.domainListAllSnapshots, args, options);
  }

  /** Procedure 275: domain snapshot list all children. Gives `snapshots`. Served even when all ordinary workers of the daemon are busy. */
  domainSnapshotListAllChildren(args: DomainSnapshotListAllChildrenArgs, options?: CallOptions): Promise<readonly DomainSnapshot[]> {
    return this.call(procedures.domainSnapshotListAllChildren, args, options);
  }

  /** Procedure 277: domain get hostname. Gives `hostname`. */
  domainGetHostname(args: DomainGetHostnameArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.domainGetHostname, args, options);
  }

  /** Procedure 278: domain get security label list. Gives `labels`. Served even when all ordinary workers of the daemon are busy. */
  domainGetSecurityLabelList(args: DomainGetSecurityLabelListArgs, options?: CallOptions): Promise<readonly SecurityLabel[]> {
    return this.call(procedures.domainGetSecurityLabelList, args, options);
  }

  /** Procedure 279: domain pin emulator. */
  domainPinEmulator(args: DomainPinEmulatorArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainPinEmulator, args, options);
  }

  /** Procedure 280: domain get emulator pin info. */
  domainGetEmulatorPinInfo(args: DomainGetEmulatorPinInfoArgs, options?: CallOptions): Promise<DomainGetEmulatorPinInfoResult> {
    return this.call(procedures.domainGetEmulatorPinInfo, args, options);
  }

  /** Procedure 281: connect list all storage pools. Gives `pools`. Served even when all ordinary workers of the daemon are busy. */
  connectListAllStoragePools(args: ConnectListAllStoragePoolsArgs = {}, options?: CallOptions): Promise<readonly StoragePool[]> {
    return this.call(procedures.connectListAllStoragePools, args, options);
  }

  /** Procedure 282: storage pool list all volumes. Gives `volumes`. Served even when all ordinary workers of the daemon are busy. */
  storagePoolListAllVolumes(args: StoragePoolListAllVolumesArgs, options?: CallOptions): Promise<readonly StorageVolume[]> {
    return this.call(procedures.storagePoolListAllVolumes, args, options);
  }

  /** Procedure 283: connect list all networks. Gives `networks`. Served even when all ordinary workers of the daemon are busy. */
  connectListAllNetworks(args: ConnectListAllNetworksArgs = {}, options?: CallOptions): Promise<readonly Network[]> {
    return this.call(procedures.connectListAllNetworks, args, options);
  }

  /** Procedure 284: connect list all interfaces. Gives `interfaces`. Served even when all ordinary workers of the daemon are busy. */
  connectListAllInterfaces(args: ConnectListAllInterfacesArgs = {}, options?: CallOptions): Promise<readonly Interface[]> {
    return this.call(procedures.connectListAllInterfaces, args, options);
  }

  /** Procedure 285: connect list all node devices. Gives `devices`. Served even when all ordinary workers of the daemon are busy. */
  connectListAllNodeDevices(args: ConnectListAllNodeDevicesArgs = {}, options?: CallOptions): Promise<readonly NodeDevice[]> {
    return this.call(procedures.connectListAllNodeDevices, args, options);
  }

  /** Procedure 286: connect list all nwfilters. Gives `filters`. Served even when all ordinary workers of the daemon are busy. */
  connectListAllNwfilters(args: ConnectListAllNwfiltersArgs = {}, options?: CallOptions): Promise<readonly NetworkFilter[]> {
    return this.call(procedures.connectListAllNwfilters, args, options);
  }

  /** Procedure 287: connect list all secrets. Gives `secrets`. Served even when all ordinary workers of the daemon are busy. */
  connectListAllSecrets(args: ConnectListAllSecretsArgs = {}, options?: CallOptions): Promise<readonly Secret[]> {
    return this.call(procedures.connectListAllSecrets, args, options);
  }

  /** Procedure 288: node set memory parameters. */
  nodeSetMemoryParameters(args: NodeSetMemoryParametersArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nodeSetMemoryParameters, args, options);
  }

  /** Procedure 289: node get memory parameters. Asks for the number of parameters first, unless `nparams` says it. */
  async nodeGetMemoryParameters(args: NodeGetMemoryParametersArgs = {}, options?: CallOptions): Promise<TypedParameterResult<NodeMemoryParameters>> {
    const nparams = args.nparams ?? (await this.call(procedures.nodeGetMemoryParameters, { ...args, nparams: 0 }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.nodeGetMemoryParameters, { ...args, nparams }, options);
    return result.params;
  }

  /** Procedure 290: domain block commit. */
  domainBlockCommit(args: DomainBlockCommitArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainBlockCommit, args, options);
  }

  /** Procedure 291: network update. Served even when all ordinary workers of the daemon are busy. */
  networkUpdate(args: NetworkUpdateArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.networkUpdate, args, options);
  }

  /** Procedure 293: node get cpu map. */
  nodeGetCpuMap(args: NodeGetCpuMapArgs = {}, options?: CallOptions): Promise<NodeGetCpuMapResult> {
    return this.call(procedures.nodeGetCpuMap, args, options);
  }

  /** Procedure 294: domain fstrim. */
  domainFstrim(args: DomainFstrimArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainFstrim, args, options);
  }

  /** Procedure 295: domain send process signal. */
  domainSendProcessSignal(args: DomainSendProcessSignalArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSendProcessSignal, args, options);
  }

  /** Procedure 296: domain open channel. Opens a stream to read from and write to. */
  async domainOpenChannel(args: DomainOpenChannelArgs, options?: CallOptions): Promise<LibvirtStream> {
    const opened = await this.openStream(procedures.domainOpenChannel, args, options);
    return opened.stream;
  }

  /** Procedure 297: node device lookup scsi host by wwn. Gives `device`. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceLookupScsiHostByWwn(args: NodeDeviceLookupScsiHostByWwnArgs, options?: CallOptions): Promise<NodeDevice> {
    return this.call(procedures.nodeDeviceLookupScsiHostByWwn, args, options);
  }

  /** Procedure 298: domain get job stats. */
  domainGetJobStats(args: DomainGetJobStatsArgs, options?: CallOptions): Promise<DomainGetJobStatsResult> {
    return this.call(procedures.domainGetJobStats, args, options);
  }

  /** Procedure 299: domain migrate get compression cache. Gives `cacheSize`. */
  domainMigrateGetCompressionCache(args: DomainMigrateGetCompressionCacheArgs, options?: CallOptions): Promise<bigint> {
    return this.call(procedures.domainMigrateGetCompressionCache, args, options);
  }

  /** Procedure 300: domain migrate set compression cache. */
  domainMigrateSetCompressionCache(args: DomainMigrateSetCompressionCacheArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainMigrateSetCompressionCache, args, options);
  }

  /** Procedure 301: node device detach flags. */
  nodeDeviceDetachFlags(args: NodeDeviceDetachFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nodeDeviceDetachFlags, args, options);
  }

  /** Procedure 302: domain migrate begin3 params. */
  domainMigrateBegin3Params(args: DomainMigrateBegin3ParamsArgs, options?: CallOptions): Promise<DomainMigrateBegin3ParamsResult> {
    return this.call(procedures.domainMigrateBegin3Params, args, options);
  }

  /** Procedure 303: domain migrate prepare3 params. */
  domainMigratePrepare3Params(args: DomainMigratePrepare3ParamsArgs, options?: CallOptions): Promise<DomainMigratePrepare3ParamsResult> {
    return this.call(procedures.domainMigratePrepare3Params, args, options);
  }

  /** Procedure 304: domain migrate prepare tunnel3 params. Gives `cookieOut`. Opens a stream to write to. */
  domainMigratePrepareTunnel3Params(args: DomainMigratePrepareTunnel3ParamsArgs, options?: CallOptions): Promise<OpenedStream<Uint8Array>> {
    return this.openStream(procedures.domainMigratePrepareTunnel3Params, args, options);
  }

  /** Procedure 305: domain migrate perform3 params. Gives `cookieOut`. */
  domainMigratePerform3Params(args: DomainMigratePerform3ParamsArgs, options?: CallOptions): Promise<Uint8Array> {
    return this.call(procedures.domainMigratePerform3Params, args, options);
  }

  /** Procedure 306: domain migrate finish3 params. */
  domainMigrateFinish3Params(args: DomainMigrateFinish3ParamsArgs, options?: CallOptions): Promise<DomainMigrateFinish3ParamsResult> {
    return this.call(procedures.domainMigrateFinish3Params, args, options);
  }

  /** Procedure 307: domain migrate confirm3 params. */
  domainMigrateConfirm3Params(args: DomainMigrateConfirm3ParamsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainMigrateConfirm3Params, args, options);
  }

  /** Procedure 308: domain set memory stats period. */
  domainSetMemoryStatsPeriod(args: DomainSetMemoryStatsPeriodArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetMemoryStatsPeriod, args, options);
  }

  /**
   * Procedure 309: domain create xml with files. Gives `domain`.
   * It passes file descriptors, which Node.js cannot do: the connection refuses it with `unsupported`.
   */
  domainCreateXmlWithFiles(args: DomainCreateXmlWithFilesArgs, options?: CallOptions): Promise<Domain> {
    return this.call(procedures.domainCreateXmlWithFiles, args, options);
  }

  /**
   * Procedure 310: domain create with files. Gives `domain`.
   * It passes file descriptors, which Node.js cannot do: the connection refuses it with `unsupported`.
   */
  domainCreateWithFiles(args: DomainCreateWithFilesArgs, options?: CallOptions): Promise<Domain> {
    return this.call(procedures.domainCreateWithFiles, args, options);
  }

  /** Procedure 312: connect get cpu model names. Gives `models`. */
  connectGetCpuModelNames(args: ConnectGetCpuModelNamesArgs, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.connectGetCpuModelNames, args, options);
  }

  /** Procedure 334: domain core dump with format. */
  domainCoreDumpWithFormat(args: DomainCoreDumpWithFormatArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainCoreDumpWithFormat, args, options);
  }

  /** Procedure 335: domain fsfreeze. Gives `filesystems`. */
  domainFsfreeze(args: DomainFsfreezeArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainFsfreeze, args, options);
  }

  /** Procedure 336: domain fsthaw. Gives `filesystems`. */
  domainFsthaw(args: DomainFsthawArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainFsthaw, args, options);
  }

  /** Procedure 337: domain get time. */
  domainGetTime(args: DomainGetTimeArgs, options?: CallOptions): Promise<DomainGetTimeResult> {
    return this.call(procedures.domainGetTime, args, options);
  }

  /** Procedure 338: domain set time. */
  domainSetTime(args: DomainSetTimeArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetTime, args, options);
  }

  /** Procedure 340: node get free pages. Gives `counts`. Served even when all ordinary workers of the daemon are busy. */
  nodeGetFreePages(args: NodeGetFreePagesArgs, options?: CallOptions): Promise<readonly bigint[]> {
    return this.call(procedures.nodeGetFreePages, args, options);
  }

  /** Procedure 341: network get dhcp leases. Gives `leases`. */
  networkGetDhcpLeases(args: NetworkGetDhcpLeasesArgs, options?: CallOptions): Promise<readonly NetworkDhcpLease[]> {
    return this.call(procedures.networkGetDhcpLeases, args, options);
  }

  /** Procedure 342: connect get domain capabilities. Gives `capabilities`. */
  connectGetDomainCapabilities(args: ConnectGetDomainCapabilitiesArgs = {}, options?: CallOptions): Promise<string> {
    return this.call(procedures.connectGetDomainCapabilities, args, options);
  }

  /**
   * Procedure 343: domain open graphics fd.
   * It passes file descriptors, which Node.js cannot do: the connection refuses it with `unsupported`.
   */
  domainOpenGraphicsFd(args: DomainOpenGraphicsFdArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainOpenGraphicsFd, args, options);
  }

  /** Procedure 344: connect get all domain stats. Gives `records`. */
  connectGetAllDomainStats(args: ConnectGetAllDomainStatsArgs = {}, options?: CallOptions): Promise<readonly DomainStatsRecord[]> {
    return this.call(procedures.connectGetAllDomainStats, args, options);
  }

  /** Procedure 345: domain block copy. */
  domainBlockCopy(args: DomainBlockCopyArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainBlockCopy, args, options);
  }

  /** Procedure 347: node alloc pages. Gives `ret`. */
  nodeAllocPages(args: NodeAllocPagesArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.nodeAllocPages, args, options);
  }

  /** Procedure 349: domain get fsinfo. Gives `info`. */
  domainGetFsinfo(args: DomainGetFsinfoArgs, options?: CallOptions): Promise<readonly DomainFilesystem[]> {
    return this.call(procedures.domainGetFsinfo, args, options);
  }

  /** Procedure 350: domain define xml flags. Gives `domain`. Served even when all ordinary workers of the daemon are busy. */
  domainDefineXmlFlags(args: DomainDefineXmlFlagsArgs, options?: CallOptions): Promise<Domain> {
    return this.call(procedures.domainDefineXmlFlags, args, options);
  }

  /** Procedure 351: domain get iothread info. Gives `info`. */
  domainGetIothreadInfo(args: DomainGetIothreadInfoArgs, options?: CallOptions): Promise<readonly DomainIothread[]> {
    return this.call(procedures.domainGetIothreadInfo, args, options);
  }

  /** Procedure 352: domain pin iothread. */
  domainPinIothread(args: DomainPinIothreadArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainPinIothread, args, options);
  }

  /** Procedure 353: domain interface addresses. Gives `interfaces`. */
  domainInterfaceAddresses(args: DomainInterfaceAddressesArgs, options?: CallOptions): Promise<readonly DomainInterface[]> {
    return this.call(procedures.domainInterfaceAddresses, args, options);
  }

  /** Procedure 355: domain add iothread. */
  domainAddIothread(args: DomainAddIothreadArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainAddIothread, args, options);
  }

  /** Procedure 356: domain del iothread. */
  domainDelIothread(args: DomainDelIothreadArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainDelIothread, args, options);
  }

  /** Procedure 357: domain set user password. */
  domainSetUserPassword(args: DomainSetUserPasswordArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetUserPassword, args, options);
  }

  /** Procedure 358: domain rename. Gives `returnCode`. */
  domainRename(args: DomainRenameArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainRename, args, options);
  }

  /** Procedure 364: domain migrate start post copy. */
  domainMigrateStartPostCopy(args: DomainMigrateStartPostCopyArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainMigrateStartPostCopy, args, options);
  }

  /** Procedure 365: domain get perf events. Gives `params`. */
  domainGetPerfEvents(args: DomainGetPerfEventsArgs, options?: CallOptions): Promise<TypedParameterResult<DomainPerfEventsParameters>> {
    return this.call(procedures.domainGetPerfEvents, args, options);
  }

  /** Procedure 366: domain set perf events. */
  domainSetPerfEvents(args: DomainSetPerfEventsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetPerfEvents, args, options);
  }

  /** Procedure 371: domain get guest vcpus. Gives `params`. */
  domainGetGuestVcpus(args: DomainGetGuestVcpusArgs, options?: CallOptions): Promise<TypedParameterResult<DomainGuestVcpusParameters>> {
    return this.call(procedures.domainGetGuestVcpus, args, options);
  }

  /** Procedure 372: domain set guest vcpus. */
  domainSetGuestVcpus(args: DomainSetGuestVcpusArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetGuestVcpus, args, options);
  }

  /** Procedure 378: storage vol get info flags. Served even when all ordinary workers of the daemon are busy. */
  storageVolGetInfoFlags(args: StorageVolGetInfoFlagsArgs, options?: CallOptions): Promise<StorageVolGetInfoFlagsResult> {
    return this.call(procedures.storageVolGetInfoFlags, args, options);
  }

  /** Procedure 384: domain set vcpu. */
  domainSetVcpu(args: DomainSetVcpuArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetVcpu, args, options);
  }

  /** Procedure 386: domain set block threshold. */
  domainSetBlockThreshold(args: DomainSetBlockThresholdArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetBlockThreshold, args, options);
  }

  /** Procedure 387: domain migrate get max downtime. Gives `downtime`. */
  domainMigrateGetMaxDowntime(args: DomainMigrateGetMaxDowntimeArgs, options?: CallOptions): Promise<bigint> {
    return this.call(procedures.domainMigrateGetMaxDowntime, args, options);
  }

  /** Procedure 388: domain managed save get xml desc. Gives `xml`. */
  domainManagedSaveGetXmlDesc(args: DomainManagedSaveGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.domainManagedSaveGetXmlDesc, args, options);
  }

  /** Procedure 389: domain managed save define xml. */
  domainManagedSaveDefineXml(args: DomainManagedSaveDefineXmlArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainManagedSaveDefineXml, args, options);
  }

  /** Procedure 390: domain set lifecycle action. */
  domainSetLifecycleAction(args: DomainSetLifecycleActionArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetLifecycleAction, args, options);
  }

  /** Procedure 391: storage pool lookup by target path. Gives `pool`. Served even when all ordinary workers of the daemon are busy. */
  storagePoolLookupByTargetPath(args: StoragePoolLookupByTargetPathArgs, options?: CallOptions): Promise<StoragePool> {
    return this.call(procedures.storagePoolLookupByTargetPath, args, options);
  }

  /** Procedure 392: domain detach device alias. */
  domainDetachDeviceAlias(args: DomainDetachDeviceAliasArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainDetachDeviceAlias, args, options);
  }

  /** Procedure 393: connect compare hypervisor cpu. Gives `result`. */
  connectCompareHypervisorCpu(args: ConnectCompareHypervisorCpuArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.connectCompareHypervisorCpu, args, options);
  }

  /** Procedure 394: connect baseline hypervisor cpu. Gives `cpu`. */
  connectBaselineHypervisorCpu(args: ConnectBaselineHypervisorCpuArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.connectBaselineHypervisorCpu, args, options);
  }

  /** Procedure 395: node get sev info. Asks for the number of parameters first, unless `nparams` says it. */
  async nodeGetSevInfo(args: NodeGetSevInfoArgs = {}, options?: CallOptions): Promise<TypedParameterResult<NodeSevInfoParameters>> {
    const nparams = args.nparams ?? (await this.call(procedures.nodeGetSevInfo, { ...args, nparams: 0 }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.nodeGetSevInfo, { ...args, nparams }, options);
    return result.params;
  }

  /** Procedure 396: domain get launch security info. Gives `params`. */
  domainGetLaunchSecurityInfo(args: DomainGetLaunchSecurityInfoArgs, options?: CallOptions): Promise<TypedParameterResult<DomainLaunchSecurityInfoParameters>> {
    return this.call(procedures.domainGetLaunchSecurityInfo, args, options);
  }

  /** Procedure 397: nwfilter binding lookup by port dev. Gives `binding`. Served even when all ordinary workers of the daemon are busy. */
  nwfilterBindingLookupByPortDev(args: NwfilterBindingLookupByPortDevArgs, options?: CallOptions): Promise<NetworkFilterBinding> {
    return this.call(procedures.nwfilterBindingLookupByPortDev, args, options);
  }

  /** Procedure 398: nwfilter binding get xml desc. Gives `xml`. Served even when all ordinary workers of the daemon are busy. */
  nwfilterBindingGetXmlDesc(args: NwfilterBindingGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.nwfilterBindingGetXmlDesc, args, options);
  }

  /** Procedure 399: nwfilter binding create xml. Gives `binding`. Served even when all ordinary workers of the daemon are busy. */
  nwfilterBindingCreateXml(args: NwfilterBindingCreateXmlArgs, options?: CallOptions): Promise<NetworkFilterBinding> {
    return this.call(procedures.nwfilterBindingCreateXml, args, options);
  }

  /** Procedure 400: nwfilter binding delete. Served even when all ordinary workers of the daemon are busy. */
  nwfilterBindingDelete(args: NwfilterBindingDeleteArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nwfilterBindingDelete, args, options);
  }

  /** Procedure 401: connect list all nwfilter bindings. Gives `bindings`. Served even when all ordinary workers of the daemon are busy. */
  connectListAllNwfilterBindings(args: ConnectListAllNwfilterBindingsArgs = {}, options?: CallOptions): Promise<readonly NetworkFilterBinding[]> {
    return this.call(procedures.connectListAllNwfilterBindings, args, options);
  }

  /** Procedure 402: domain set iothread params. */
  domainSetIothreadParams(args: DomainSetIothreadParamsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetIothreadParams, args, options);
  }

  /** Procedure 403: connect get storage pool capabilities. Gives `capabilities`. */
  connectGetStoragePoolCapabilities(args: ConnectGetStoragePoolCapabilitiesArgs = {}, options?: CallOptions): Promise<string> {
    return this.call(procedures.connectGetStoragePoolCapabilities, args, options);
  }

  /** Procedure 404: network list all ports. Gives `ports`. Served even when all ordinary workers of the daemon are busy. */
  networkListAllPorts(args: NetworkListAllPortsArgs, options?: CallOptions): Promise<readonly NetworkPort[]> {
    return this.call(procedures.networkListAllPorts, args, options);
  }

  /** Procedure 405: network port lookup by uuid. Gives `port`. Served even when all ordinary workers of the daemon are busy. */
  networkPortLookupByUuid(args: NetworkPortLookupByUuidArgs, options?: CallOptions): Promise<NetworkPort> {
    return this.call(procedures.networkPortLookupByUuid, args, options);
  }

  /** Procedure 406: network port create xml. Gives `port`. */
  networkPortCreateXml(args: NetworkPortCreateXmlArgs, options?: CallOptions): Promise<NetworkPort> {
    return this.call(procedures.networkPortCreateXml, args, options);
  }

  /** Procedure 407: network port get parameters. Asks for the number of parameters first, unless `nparams` says it. */
  async networkPortGetParameters(args: NetworkPortGetParametersArgs, options?: CallOptions): Promise<TypedParameterResult<NetworkPortParameters>> {
    const nparams = args.nparams ?? (await this.call(procedures.networkPortGetParameters, { ...args, nparams: 0 }, options)).nparams;
    if (nparams <= 0) return {};
    const result = await this.call(procedures.networkPortGetParameters, { ...args, nparams }, options);
    return result.params;
  }

  /** Procedure 408: network port set parameters. */
  networkPortSetParameters(args: NetworkPortSetParametersArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.networkPortSetParameters, args, options);
  }

  /** Procedure 409: network port get xml desc. Gives `xml`. */
  networkPortGetXmlDesc(args: NetworkPortGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.networkPortGetXmlDesc, args, options);
  }

  /** Procedure 410: network port delete. */
  networkPortDelete(args: NetworkPortDeleteArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.networkPortDelete, args, options);
  }

  /** Procedure 411: domain checkpoint create xml. Gives `checkpoint`. */
  domainCheckpointCreateXml(args: DomainCheckpointCreateXmlArgs, options?: CallOptions): Promise<DomainCheckpoint> {
    return this.call(procedures.domainCheckpointCreateXml, args, options);
  }

  /** Procedure 412: domain checkpoint get xml desc. Gives `xml`. */
  domainCheckpointGetXmlDesc(args: DomainCheckpointGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.domainCheckpointGetXmlDesc, args, options);
  }

  /** Procedure 413: domain list all checkpoints. Gives `checkpoints`. Served even when all ordinary workers of the daemon are busy. */
  domainListAllCheckpoints(args: DomainListAllCheckpointsArgs, options?: CallOptions): Promise<readonly DomainCheckpoint[]> {
    return this.call(procedures.domainListAllCheckpoints, args, options);
  }

  /** Procedure 414: domain checkpoint list all children. Gives `checkpoints`. Served even when all ordinary workers of the daemon are busy. */
  domainCheckpointListAllChildren(args: DomainCheckpointListAllChildrenArgs, options?: CallOptions): Promise<readonly DomainCheckpoint[]> {
    return this.call(procedures.domainCheckpointListAllChildren, args, options);
  }

  /** Procedure 415: domain checkpoint lookup by name. Gives `checkpoint`. Served even when all ordinary workers of the daemon are busy. */
  domainCheckpointLookupByName(args: DomainCheckpointLookupByNameArgs, options?: CallOptions): Promise<DomainCheckpoint> {
    return this.call(procedures.domainCheckpointLookupByName, args, options);
  }

  /** Procedure 416: domain checkpoint get parent. Gives `parent`. Served even when all ordinary workers of the daemon are busy. */
  domainCheckpointGetParent(args: DomainCheckpointGetParentArgs, options?: CallOptions): Promise<DomainCheckpoint> {
    return this.call(procedures.domainCheckpointGetParent, args, options);
  }

  /** Procedure 417: domain checkpoint delete. */
  domainCheckpointDelete(args: DomainCheckpointDeleteArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainCheckpointDelete, args, options);
  }

  /** Procedure 418: domain get guest info. Gives `params`. */
  domainGetGuestInfo(args: DomainGetGuestInfoArgs, options?: CallOptions): Promise<TypedParameterResult<DomainGuestInfoParameters>> {
    return this.call(procedures.domainGetGuestInfo, args, options);
  }

  /** Procedure 419: connect set identity. */
  connectSetIdentity(args: ConnectSetIdentityArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.connectSetIdentity, args, options);
  }

  /** Procedure 420: domain agent set response timeout. Gives `result`. */
  domainAgentSetResponseTimeout(args: DomainAgentSetResponseTimeoutArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainAgentSetResponseTimeout, args, options);
  }

  /** Procedure 421: domain backup begin. */
  domainBackupBegin(args: DomainBackupBeginArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainBackupBegin, args, options);
  }

  /** Procedure 422: domain backup get xml desc. Gives `xml`. Served even when all ordinary workers of the daemon are busy. */
  domainBackupGetXmlDesc(args: DomainBackupGetXmlDescArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.domainBackupGetXmlDesc, args, options);
  }

  /** Procedure 424: domain authorized ssh keys get. Gives `keys`. */
  domainAuthorizedSshKeysGet(args: DomainAuthorizedSshKeysGetArgs, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.domainAuthorizedSshKeysGet, args, options);
  }

  /** Procedure 425: domain authorized ssh keys set. */
  domainAuthorizedSshKeysSet(args: DomainAuthorizedSshKeysSetArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainAuthorizedSshKeysSet, args, options);
  }

  /** Procedure 426: domain get messages. Gives `messages`. */
  domainGetMessages(args: DomainGetMessagesArgs, options?: CallOptions): Promise<readonly string[]> {
    return this.call(procedures.domainGetMessages, args, options);
  }

  /** Procedure 427: domain start dirty rate calc. */
  domainStartDirtyRateCalc(args: DomainStartDirtyRateCalcArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainStartDirtyRateCalc, args, options);
  }

  /** Procedure 428: node device define xml. Gives `device`. */
  nodeDeviceDefineXml(args: NodeDeviceDefineXmlArgs, options?: CallOptions): Promise<NodeDevice> {
    return this.call(procedures.nodeDeviceDefineXml, args, options);
  }

  /** Procedure 429: node device undefine. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceUndefine(args: NodeDeviceUndefineArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nodeDeviceUndefine, args, options);
  }

  /** Procedure 430: node device create. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceCreate(args: NodeDeviceCreateArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nodeDeviceCreate, args, options);
  }

  /** Procedure 431: nwfilter define xml flags. Gives `networkFilter`. Served even when all ordinary workers of the daemon are busy. */
  nwfilterDefineXmlFlags(args: NwfilterDefineXmlFlagsArgs, options?: CallOptions): Promise<NetworkFilter> {
    return this.call(procedures.nwfilterDefineXmlFlags, args, options);
  }

  /** Procedure 432: network define xml flags. Gives `network`. Served even when all ordinary workers of the daemon are busy. */
  networkDefineXmlFlags(args: NetworkDefineXmlFlagsArgs, options?: CallOptions): Promise<Network> {
    return this.call(procedures.networkDefineXmlFlags, args, options);
  }

  /** Procedure 433: node device get autostart. Gives `autostart`. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceGetAutostart(args: NodeDeviceGetAutostartArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.nodeDeviceGetAutostart, args, options);
  }

  /** Procedure 434: node device set autostart. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceSetAutostart(args: NodeDeviceSetAutostartArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nodeDeviceSetAutostart, args, options);
  }

  /** Procedure 435: node device is persistent. Gives `persistent`. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceIsPersistent(args: NodeDeviceIsPersistentArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.nodeDeviceIsPersistent, args, options);
  }

  /** Procedure 436: node device is active. Gives `active`. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceIsActive(args: NodeDeviceIsActiveArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.nodeDeviceIsActive, args, options);
  }

  /** Procedure 437: network create xml flags. Gives `network`. Served even when all ordinary workers of the daemon are busy. */
  networkCreateXmlFlags(args: NetworkCreateXmlFlagsArgs, options?: CallOptions): Promise<Network> {
    return this.call(procedures.networkCreateXmlFlags, args, options);
  }

  /** Procedure 439: domain set launch security state. */
  domainSetLaunchSecurityState(args: DomainSetLaunchSecurityStateArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetLaunchSecurityState, args, options);
  }

  /** Procedure 440: domain save params. */
  domainSaveParams(args: DomainSaveParamsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSaveParams, args, options);
  }

  /** Procedure 441: domain restore params. */
  domainRestoreParams(args: DomainRestoreParamsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainRestoreParams, args, options);
  }

  /** Procedure 442: domain abort job flags. */
  domainAbortJobFlags(args: DomainAbortJobFlagsArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainAbortJobFlags, args, options);
  }

  /**
   * Procedure 443: domain fd associate.
   * It passes file descriptors, which Node.js cannot do: the connection refuses it with `unsupported`.
   */
  domainFdAssociate(args: DomainFdAssociateArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainFdAssociate, args, options);
  }

  /** Procedure 444: network set metadata. */
  networkSetMetadata(args: NetworkSetMetadataArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.networkSetMetadata, args, options);
  }

  /** Procedure 445: network get metadata. Gives `metadata`. */
  networkGetMetadata(args: NetworkGetMetadataArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.networkGetMetadata, args, options);
  }

  /** Procedure 447: node device update. Served even when all ordinary workers of the daemon are busy. */
  nodeDeviceUpdate(args: NodeDeviceUpdateArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.nodeDeviceUpdate, args, options);
  }

  /** Procedure 448: domain graphics reload. */
  domainGraphicsReload(args: DomainGraphicsReloadArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainGraphicsReload, args, options);
  }

  /** Procedure 449: domain get autostart once. Gives `autostart`. Served even when all ordinary workers of the daemon are busy. */
  domainGetAutostartOnce(args: DomainGetAutostartOnceArgs, options?: CallOptions): Promise<number> {
    return this.call(procedures.domainGetAutostartOnce, args, options);
  }

  /** Procedure 450: domain set autostart once. Served even when all ordinary workers of the daemon are busy. */
  domainSetAutostartOnce(args: DomainSetAutostartOnceArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetAutostartOnce, args, options);
  }

  /** Procedure 451: domain set throttle group. */
  domainSetThrottleGroup(args: DomainSetThrottleGroupArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainSetThrottleGroup, args, options);
  }

  /** Procedure 452: domain del throttle group. */
  domainDelThrottleGroup(args: DomainDelThrottleGroupArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainDelThrottleGroup, args, options);
  }

  /** Procedure 456: domain announce interface. */
  domainAnnounceInterface(args: DomainAnnounceInterfaceArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.domainAnnounceInterface, args, options);
  }

  /** Procedure 1: qemu domain monitor command. Gives `result`. */
  qemuDomainMonitorCommand(args: QemuDomainMonitorCommandArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.qemuDomainMonitorCommand, args, options);
  }

  /** Procedure 2: qemu domain attach. Gives `domain`. */
  qemuDomainAttach(args: QemuDomainAttachArgs, options?: CallOptions): Promise<Domain> {
    return this.call(procedures.qemuDomainAttach, args, options);
  }

  /** Procedure 3: qemu domain agent command. Gives `result`. */
  qemuDomainAgentCommand(args: QemuDomainAgentCommandArgs, options?: CallOptions): Promise<string | undefined> {
    return this.call(procedures.qemuDomainAgentCommand, args, options);
  }

  /**
   * Procedure 7: qemu domain monitor command with files. Gives `result`.
   * It passes file descriptors, which Node.js cannot do: the connection refuses it with `unsupported`.
   */
  qemuDomainMonitorCommandWithFiles(args: QemuDomainMonitorCommandWithFilesArgs, options?: CallOptions): Promise<string> {
    return this.call(procedures.qemuDomainMonitorCommandWithFiles, args, options);
  }

  /**
   * Procedure 1: lxc domain open namespace.
   * It passes file descriptors, which Node.js cannot do: the connection refuses it with `unsupported`.
   */
  lxcDomainOpenNamespace(args: LxcDomainOpenNamespaceArgs, options?: CallOptions): Promise<void> {
    return this.call(procedures.lxcDomainOpenNamespace, args, options);
  }
}
