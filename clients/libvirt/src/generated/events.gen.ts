// Written by 'npm run generate' from clients/libvirt/schema. Change the schema or the generator instead.

import type { XdrReader } from '@smalt/xdr';
import type { CallbackEvent, EventMessage, ObjectEventMessage } from '../procedure.ts';
import { readTypedParameters, type TypedParameterResult } from '../typed-parameters.ts';
import { STRING_MAX } from '../wire-string.ts';
import type { DomainJobStatsParameters, DomainTunableParameters } from './parameter-sets.gen.ts';
import { readDomain, readGraphicsAddress, readGraphicsIdentityList, readNetwork, readNodeDevice, readSecret, readStoragePool, type Domain, type GraphicsAddress, type GraphicsIdentity, type Network, type NodeDevice, type Secret, type StoragePool } from './structs.gen.ts';

export interface DomainEventLifecycleMessage {
  readonly domain: Domain;
  readonly event: number;
  readonly detail: number;
}

function readDomainEventLifecycle(reader: XdrReader): DomainEventLifecycleMessage {
  return {
    domain: readDomain(reader),
    event: reader.int32(),
    detail: reader.int32(),
  };
}

export interface DomainEventRebootMessage {
  readonly domain: Domain;
}

function readDomainEventReboot(reader: XdrReader): DomainEventRebootMessage {
  return {
    domain: readDomain(reader),
  };
}

export interface DomainEventRtcChangeMessage {
  readonly domain: Domain;
  readonly offset: bigint;
}

function readDomainEventRtcChange(reader: XdrReader): DomainEventRtcChangeMessage {
  return {
    domain: readDomain(reader),
    offset: reader.int64(),
  };
}

export interface DomainEventWatchdogMessage {
  readonly domain: Domain;
  readonly action: number;
}

function readDomainEventWatchdog(reader: XdrReader): DomainEventWatchdogMessage {
  return {
    domain: readDomain(reader),
    action: reader.int32(),
  };
}

export interface DomainEventIoErrorMessage {
  readonly domain: Domain;
  readonly sourcePath: string;
  readonly deviceAlias: string;
  readonly action: number;
}

function readDomainEventIoError(reader: XdrReader): DomainEventIoErrorMessage {
  return {
    domain: readDomain(reader),
    sourcePath: reader.string(STRING_MAX),
    deviceAlias: reader.string(STRING_MAX),
    action: reader.int32(),
  };
}

export interface DomainEventGraphicsMessage {
  readonly domain: Domain;
  readonly phase: number;
  readonly local: GraphicsAddress;
  readonly remote: GraphicsAddress;
  readonly authScheme: string;
  readonly subject: readonly GraphicsIdentity[];
}

function readDomainEventGraphics(reader: XdrReader): DomainEventGraphicsMessage {
  return {
    domain: readDomain(reader),
    phase: reader.int32(),
    local: readGraphicsAddress(reader),
    remote: readGraphicsAddress(reader),
    authScheme: reader.string(STRING_MAX),
    subject: readGraphicsIdentityList(reader, 20),
  };
}

export interface DomainEventIoErrorReasonMessage {
  readonly domain: Domain;
  readonly sourcePath: string;
  readonly deviceAlias: string;
  readonly action: number;
  readonly reason: string;
}

function readDomainEventIoErrorReason(reader: XdrReader): DomainEventIoErrorReasonMessage {
  return {
    domain: readDomain(reader),
    sourcePath: reader.string(STRING_MAX),
    deviceAlias: reader.string(STRING_MAX),
    action: reader.int32(),
    reason: reader.string(STRING_MAX),
  };
}

export interface DomainEventControlErrorMessage {
  readonly domain: Domain;
}

function readDomainEventControlError(reader: XdrReader): DomainEventControlErrorMessage {
  return {
    domain: readDomain(reader),
  };
}

export interface DomainEventBlockJobMessage {
  readonly domain: Domain;
  readonly path: string;
  readonly type: number;
  readonly status: number;
}

function readDomainEventBlockJob(reader: XdrReader): DomainEventBlockJobMessage {
  return {
    domain: readDomain(reader),
    path: reader.string(STRING_MAX),
    type: reader.int32(),
    status: reader.int32(),
  };
}

export interface DomainEventDiskChangeMessage {
  readonly domain: Domain;
  readonly oldSourcePath: string | undefined;
  readonly newSourcePath: string | undefined;
  readonly deviceAlias: string;
  readonly reason: number;
}

function readDomainEventDiskChange(reader: XdrReader): DomainEventDiskChangeMessage {
  return {
    domain: readDomain(reader),
    oldSourcePath: reader.bool() ? reader.string(STRING_MAX) : undefined,
    newSourcePath: reader.bool() ? reader.string(STRING_MAX) : undefined,
    deviceAlias: reader.string(STRING_MAX),
    reason: reader.int32(),
  };
}

export interface DomainEventTrayChangeMessage {
  readonly domain: Domain;
  readonly deviceAlias: string;
  readonly reason: number;
}

function readDomainEventTrayChange(reader: XdrReader): DomainEventTrayChangeMessage {
  return {
    domain: readDomain(reader),
    deviceAlias: reader.string(STRING_MAX),
    reason: reader.int32(),
  };
}

export interface DomainEventPmwakeupMessage {
  readonly domain: Domain;
}

function readDomainEventPmwakeup(reader: XdrReader): DomainEventPmwakeupMessage {
  return {
    domain: readDomain(reader),
  };
}

export interface DomainEventPmsuspendMessage {
  readonly domain: Domain;
}

function readDomainEventPmsuspend(reader: XdrReader): DomainEventPmsuspendMessage {
  return {
    domain: readDomain(reader),
  };
}

export interface DomainEventBalloonChangeMessage {
  readonly domain: Domain;
  readonly actual: bigint;
}

function readDomainEventBalloonChange(reader: XdrReader): DomainEventBalloonChangeMessage {
  return {
    domain: readDomain(reader),
    actual: reader.uint64(),
  };
}

export interface DomainEventPmsuspendDiskMessage {
  readonly domain: Domain;
}

function readDomainEventPmsuspendDisk(reader: XdrReader): DomainEventPmsuspendDiskMessage {
  return {
    domain: readDomain(reader),
  };
}

export interface DomainEventDeviceRemovedMessage {
  readonly domain: Domain;
  readonly deviceAlias: string;
}

function readDomainEventDeviceRemoved(reader: XdrReader): DomainEventDeviceRemovedMessage {
  return {
    domain: readDomain(reader),
    deviceAlias: reader.string(STRING_MAX),
  };
}

export interface NetworkLifecycleEvent {
  readonly kind: 'lifecycle';
  readonly network: Network;
  readonly event: number;
  readonly detail: number;
}

function readNetworkEventLifecycle(reader: XdrReader): CallbackEvent<NetworkLifecycleEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'lifecycle',
      network: readNetwork(reader),
      event: reader.int32(),
      detail: reader.int32(),
    },
  };
}

export interface DomainLifecycleEvent {
  readonly kind: 'lifecycle';
  readonly domain: Domain;
  readonly event: number;
  readonly detail: number;
}

function readDomainEventCallbackLifecycle(reader: XdrReader): CallbackEvent<DomainLifecycleEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'lifecycle',
      domain: readDomain(reader),
      event: reader.int32(),
      detail: reader.int32(),
    },
  };
}

export interface DomainRebootEvent {
  readonly kind: 'reboot';
  readonly domain: Domain;
}

function readDomainEventCallbackReboot(reader: XdrReader): CallbackEvent<DomainRebootEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'reboot',
      domain: readDomain(reader),
    },
  };
}

export interface DomainRtcChangeEvent {
  readonly kind: 'rtc-change';
  readonly domain: Domain;
  readonly offset: bigint;
}

function readDomainEventCallbackRtcChange(reader: XdrReader): CallbackEvent<DomainRtcChangeEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'rtc-change',
      domain: readDomain(reader),
      offset: reader.int64(),
    },
  };
}

export interface DomainWatchdogEvent {
  readonly kind: 'watchdog';
  readonly domain: Domain;
  readonly action: number;
}

function readDomainEventCallbackWatchdog(reader: XdrReader): CallbackEvent<DomainWatchdogEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'watchdog',
      domain: readDomain(reader),
      action: reader.int32(),
    },
  };
}

export interface DomainIoErrorEvent {
  readonly kind: 'io-error';
  readonly domain: Domain;
  readonly sourcePath: string;
  readonly deviceAlias: string;
  readonly action: number;
}

function readDomainEventCallbackIoError(reader: XdrReader): CallbackEvent<DomainIoErrorEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'io-error',
      domain: readDomain(reader),
      sourcePath: reader.string(STRING_MAX),
      deviceAlias: reader.string(STRING_MAX),
      action: reader.int32(),
    },
  };
}

export interface DomainGraphicsEvent {
  readonly kind: 'graphics';
  readonly domain: Domain;
  readonly phase: number;
  readonly local: GraphicsAddress;
  readonly remote: GraphicsAddress;
  readonly authScheme: string;
  readonly subject: readonly GraphicsIdentity[];
}

function readDomainEventCallbackGraphics(reader: XdrReader): CallbackEvent<DomainGraphicsEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'graphics',
      domain: readDomain(reader),
      phase: reader.int32(),
      local: readGraphicsAddress(reader),
      remote: readGraphicsAddress(reader),
      authScheme: reader.string(STRING_MAX),
      subject: readGraphicsIdentityList(reader, 20),
    },
  };
}

export interface DomainIoErrorReasonEvent {
  readonly kind: 'io-error-reason';
  readonly domain: Domain;
  readonly sourcePath: string;
  readonly deviceAlias: string;
  readonly action: number;
  readonly reason: string;
}

function readDomainEventCallbackIoErrorReason(reader: XdrReader): CallbackEvent<DomainIoErrorReasonEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'io-error-reason',
      domain: readDomain(reader),
      sourcePath: reader.string(STRING_MAX),
      deviceAlias: reader.string(STRING_MAX),
      action: reader.int32(),
      reason: reader.string(STRING_MAX),
    },
  };
}

export interface DomainControlErrorEvent {
  readonly kind: 'control-error';
  readonly domain: Domain;
}

function readDomainEventCallbackControlError(reader: XdrReader): CallbackEvent<DomainControlErrorEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'control-error',
      domain: readDomain(reader),
    },
  };
}

export interface DomainBlockJobEvent {
  readonly kind: 'block-job';
  readonly domain: Domain;
  readonly path: string;
  readonly type: number;
  readonly status: number;
}

function readDomainEventCallbackBlockJob(reader: XdrReader): CallbackEvent<DomainBlockJobEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'block-job',
      domain: readDomain(reader),
      path: reader.string(STRING_MAX),
      type: reader.int32(),
      status: reader.int32(),
    },
  };
}

export interface DomainDiskChangeEvent {
  readonly kind: 'disk-change';
  readonly domain: Domain;
  readonly oldSourcePath: string | undefined;
  readonly newSourcePath: string | undefined;
  readonly deviceAlias: string;
  readonly reason: number;
}

function readDomainEventCallbackDiskChange(reader: XdrReader): CallbackEvent<DomainDiskChangeEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'disk-change',
      domain: readDomain(reader),
      oldSourcePath: reader.bool() ? reader.string(STRING_MAX) : undefined,
      newSourcePath: reader.bool() ? reader.string(STRING_MAX) : undefined,
      deviceAlias: reader.string(STRING_MAX),
      reason: reader.int32(),
    },
  };
}

export interface DomainTrayChangeEvent {
  readonly kind: 'tray-change';
  readonly domain: Domain;
  readonly deviceAlias: string;
  readonly reason: number;
}

function readDomainEventCallbackTrayChange(reader: XdrReader): CallbackEvent<DomainTrayChangeEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'tray-change',
      domain: readDomain(reader),
      deviceAlias: reader.string(STRING_MAX),
      reason: reader.int32(),
    },
  };
}

export interface DomainPmWakeupEvent {
  readonly kind: 'pm-wakeup';
  readonly reason: number;
  readonly domain: Domain;
}

function readDomainEventCallbackPmwakeup(reader: XdrReader): CallbackEvent<DomainPmWakeupEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'pm-wakeup',
      reason: reader.int32(),
      domain: readDomain(reader),
    },
  };
}

export interface DomainPmSuspendEvent {
  readonly kind: 'pm-suspend';
  readonly reason: number;
  readonly domain: Domain;
}

function readDomainEventCallbackPmsuspend(reader: XdrReader): CallbackEvent<DomainPmSuspendEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'pm-suspend',
      reason: reader.int32(),
      domain: readDomain(reader),
    },
  };
}

export interface DomainBalloonChangeEvent {
  readonly kind: 'balloon-change';
  readonly domain: Domain;
  readonly actual: bigint;
}

function readDomainEventCallbackBalloonChange(reader: XdrReader): CallbackEvent<DomainBalloonChangeEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'balloon-change',
      domain: readDomain(reader),
      actual: reader.uint64(),
    },
  };
}

export interface DomainPmSuspendDiskEvent {
  readonly kind: 'pm-suspend-disk';
  readonly reason: number;
  readonly domain: Domain;
}

function readDomainEventCallbackPmsuspendDisk(reader: XdrReader): CallbackEvent<DomainPmSuspendDiskEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'pm-suspend-disk',
      reason: reader.int32(),
      domain: readDomain(reader),
    },
  };
}

export interface DomainDeviceRemovedEvent {
  readonly kind: 'device-removed';
  readonly domain: Domain;
  readonly deviceAlias: string;
}

function readDomainEventCallbackDeviceRemoved(reader: XdrReader): CallbackEvent<DomainDeviceRemovedEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'device-removed',
      domain: readDomain(reader),
      deviceAlias: reader.string(STRING_MAX),
    },
  };
}

export interface DomainBlockJob2Event {
  readonly kind: 'block-job-2';
  readonly domain: Domain;
  readonly disk: string;
  readonly type: number;
  readonly status: number;
}

function readDomainEventBlockJob2(reader: XdrReader): CallbackEvent<DomainBlockJob2Event> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'block-job-2',
      domain: readDomain(reader),
      disk: reader.string(STRING_MAX),
      type: reader.int32(),
      status: reader.int32(),
    },
  };
}

export interface DomainTunableEvent {
  readonly kind: 'tunable';
  readonly domain: Domain;
  readonly params: TypedParameterResult<DomainTunableParameters>;
}

function readDomainEventCallbackTunable(reader: XdrReader): CallbackEvent<DomainTunableEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'tunable',
      domain: readDomain(reader),
      params: readTypedParameters<DomainTunableParameters>(reader, 2048),
    },
  };
}

export interface DomainAgentLifecycleEvent {
  readonly kind: 'agent-lifecycle';
  readonly domain: Domain;
  readonly state: number;
  readonly reason: number;
}

function readDomainEventCallbackAgentLifecycle(reader: XdrReader): CallbackEvent<DomainAgentLifecycleEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'agent-lifecycle',
      domain: readDomain(reader),
      state: reader.int32(),
      reason: reader.int32(),
    },
  };
}

export interface DomainDeviceAddedEvent {
  readonly kind: 'device-added';
  readonly domain: Domain;
  readonly deviceAlias: string;
}

function readDomainEventCallbackDeviceAdded(reader: XdrReader): CallbackEvent<DomainDeviceAddedEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'device-added',
      domain: readDomain(reader),
      deviceAlias: reader.string(STRING_MAX),
    },
  };
}

export interface DomainMigrationIterationEvent {
  readonly kind: 'migration-iteration';
  readonly domain: Domain;
  readonly iteration: number;
}

function readDomainEventCallbackMigrationIteration(reader: XdrReader): CallbackEvent<DomainMigrationIterationEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'migration-iteration',
      domain: readDomain(reader),
      iteration: reader.int32(),
    },
  };
}

export interface ConnectEventConnectionClosedMessage {
  readonly reason: number;
}

function readConnectEventConnectionClosed(reader: XdrReader): ConnectEventConnectionClosedMessage {
  return {
    reason: reader.int32(),
  };
}

export interface DomainJobCompletedEvent {
  readonly kind: 'job-completed';
  readonly domain: Domain;
  readonly params: TypedParameterResult<DomainJobStatsParameters>;
}

function readDomainEventCallbackJobCompleted(reader: XdrReader): CallbackEvent<DomainJobCompletedEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'job-completed',
      domain: readDomain(reader),
      params: readTypedParameters<DomainJobStatsParameters>(reader, 64),
    },
  };
}

export interface DomainDeviceRemovalFailedEvent {
  readonly kind: 'device-removal-failed';
  readonly domain: Domain;
  readonly deviceAlias: string;
}

function readDomainEventCallbackDeviceRemovalFailed(reader: XdrReader): CallbackEvent<DomainDeviceRemovalFailedEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'device-removal-failed',
      domain: readDomain(reader),
      deviceAlias: reader.string(STRING_MAX),
    },
  };
}

export interface StoragePoolLifecycleEvent {
  readonly kind: 'lifecycle';
  readonly pool: StoragePool;
  readonly event: number;
  readonly detail: number;
}

function readStoragePoolEventLifecycle(reader: XdrReader): CallbackEvent<StoragePoolLifecycleEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'lifecycle',
      pool: readStoragePool(reader),
      event: reader.int32(),
      detail: reader.int32(),
    },
  };
}

export interface StoragePoolRefreshEvent {
  readonly kind: 'refresh';
  readonly pool: StoragePool;
}

function readStoragePoolEventRefresh(reader: XdrReader): CallbackEvent<StoragePoolRefreshEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'refresh',
      pool: readStoragePool(reader),
    },
  };
}

export interface NodeDeviceLifecycleEvent {
  readonly kind: 'lifecycle';
  readonly device: NodeDevice;
  readonly event: number;
  readonly detail: number;
}

function readNodeDeviceEventLifecycle(reader: XdrReader): CallbackEvent<NodeDeviceLifecycleEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'lifecycle',
      device: readNodeDevice(reader),
      event: reader.int32(),
      detail: reader.int32(),
    },
  };
}

export interface NodeDeviceUpdateEvent {
  readonly kind: 'update';
  readonly device: NodeDevice;
}

function readNodeDeviceEventUpdate(reader: XdrReader): CallbackEvent<NodeDeviceUpdateEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'update',
      device: readNodeDevice(reader),
    },
  };
}

export interface DomainMetadataChangeEvent {
  readonly kind: 'metadata-change';
  readonly domain: Domain;
  readonly type: number;
  readonly namespaceUri: string | undefined;
}

function readDomainEventCallbackMetadataChange(reader: XdrReader): CallbackEvent<DomainMetadataChangeEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'metadata-change',
      domain: readDomain(reader),
      type: reader.int32(),
      namespaceUri: reader.bool() ? reader.string(STRING_MAX) : undefined,
    },
  };
}

export interface SecretLifecycleEvent {
  readonly kind: 'lifecycle';
  readonly secret: Secret;
  readonly event: number;
  readonly detail: number;
}

function readSecretEventLifecycle(reader: XdrReader): CallbackEvent<SecretLifecycleEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'lifecycle',
      secret: readSecret(reader),
      event: reader.int32(),
      detail: reader.int32(),
    },
  };
}

export interface SecretValueChangedEvent {
  readonly kind: 'value-changed';
  readonly secret: Secret;
}

function readSecretEventValueChanged(reader: XdrReader): CallbackEvent<SecretValueChangedEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'value-changed',
      secret: readSecret(reader),
    },
  };
}

export interface DomainBlockThresholdEvent {
  readonly kind: 'block-threshold';
  readonly domain: Domain;
  readonly device: string;
  readonly path: string | undefined;
  readonly threshold: bigint;
  readonly excess: bigint;
}

function readDomainEventBlockThreshold(reader: XdrReader): CallbackEvent<DomainBlockThresholdEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'block-threshold',
      domain: readDomain(reader),
      device: reader.string(STRING_MAX),
      path: reader.bool() ? reader.string(STRING_MAX) : undefined,
      threshold: reader.uint64(),
      excess: reader.uint64(),
    },
  };
}

export interface DomainMemoryFailureEvent {
  readonly kind: 'memory-failure';
  readonly domain: Domain;
  readonly recipient: number;
  readonly action: number;
  readonly flags: number;
}

function readDomainEventMemoryFailure(reader: XdrReader): CallbackEvent<DomainMemoryFailureEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'memory-failure',
      domain: readDomain(reader),
      recipient: reader.int32(),
      action: reader.int32(),
      flags: reader.uint32(),
    },
  };
}

export interface DomainMemoryDeviceSizeChangeEvent {
  readonly kind: 'memory-device-size-change';
  readonly domain: Domain;
  readonly alias: string;
  readonly size: bigint;
}

function readDomainEventMemoryDeviceSizeChange(reader: XdrReader): CallbackEvent<DomainMemoryDeviceSizeChangeEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'memory-device-size-change',
      domain: readDomain(reader),
      alias: reader.string(STRING_MAX),
      size: reader.uint64(),
    },
  };
}

export interface NetworkMetadataChangeEvent {
  readonly kind: 'metadata-change';
  readonly network: Network;
  readonly type: number;
  readonly namespaceUri: string | undefined;
}

function readNetworkEventCallbackMetadataChange(reader: XdrReader): CallbackEvent<NetworkMetadataChangeEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'metadata-change',
      network: readNetwork(reader),
      type: reader.int32(),
      namespaceUri: reader.bool() ? reader.string(STRING_MAX) : undefined,
    },
  };
}

export interface DomainNicMacChangeEvent {
  readonly kind: 'nic-mac-change';
  readonly domain: Domain;
  readonly alias: string;
  readonly oldMac: string;
  readonly newMac: string;
}

function readDomainEventNicMacChange(reader: XdrReader): CallbackEvent<DomainNicMacChangeEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'nic-mac-change',
      domain: readDomain(reader),
      alias: reader.string(STRING_MAX),
      oldMac: reader.string(STRING_MAX),
      newMac: reader.string(STRING_MAX),
    },
  };
}

export interface DomainVcpuRemovedEvent {
  readonly kind: 'vcpu-removed';
  readonly domain: Domain;
  readonly vcpuId: number;
}

function readDomainEventVcpuRemoved(reader: XdrReader): CallbackEvent<DomainVcpuRemovedEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'vcpu-removed',
      domain: readDomain(reader),
      vcpuId: reader.uint32(),
    },
  };
}

export interface DomainChannelLifecycleEvent {
  readonly kind: 'channel-lifecycle';
  readonly domain: Domain;
  readonly channelName: string;
  readonly state: number;
  readonly reason: number;
}

function readDomainEventCallbackChannelLifecycle(reader: XdrReader): CallbackEvent<DomainChannelLifecycleEvent> {
  return {
    callbackID: reader.int32(),
    payload: {
      kind: 'channel-lifecycle',
      domain: readDomain(reader),
      channelName: reader.string(STRING_MAX),
      state: reader.int32(),
      reason: reader.int32(),
    },
  };
}

export interface QemuDomainMonitorEventMessage {
  readonly domain: Domain;
  readonly event: string;
  readonly seconds: bigint;
  readonly microseconds: number;
  readonly details: string | undefined;
}

function readQemuDomainMonitorEvent(reader: XdrReader): CallbackEvent<QemuDomainMonitorEventMessage> {
  return {
    callbackID: reader.int32(),
    payload: {
      domain: readDomain(reader),
      event: reader.string(STRING_MAX),
      seconds: reader.int64(),
      microseconds: reader.uint32(),
      details: reader.bool() ? reader.string(STRING_MAX) : undefined,
    },
  };
}

/** The type of `eventMessages`: every unasked message by name. */
export interface EventMessageTable {
  readonly domainEventLifecycle: EventMessage<DomainEventLifecycleMessage>;
  readonly domainEventReboot: EventMessage<DomainEventRebootMessage>;
  readonly domainEventRtcChange: EventMessage<DomainEventRtcChangeMessage>;
  readonly domainEventWatchdog: EventMessage<DomainEventWatchdogMessage>;
  readonly domainEventIoError: EventMessage<DomainEventIoErrorMessage>;
  readonly domainEventGraphics: EventMessage<DomainEventGraphicsMessage>;
  readonly domainEventIoErrorReason: EventMessage<DomainEventIoErrorReasonMessage>;
  readonly domainEventControlError: EventMessage<DomainEventControlErrorMessage>;
  readonly domainEventBlockJob: EventMessage<DomainEventBlockJobMessage>;
  readonly domainEventDiskChange: EventMessage<DomainEventDiskChangeMessage>;
  readonly domainEventTrayChange: EventMessage<DomainEventTrayChangeMessage>;
  readonly domainEventPmwakeup: EventMessage<DomainEventPmwakeupMessage>;
  readonly domainEventPmsuspend: EventMessage<DomainEventPmsuspendMessage>;
  readonly domainEventBalloonChange: EventMessage<DomainEventBalloonChangeMessage>;
  readonly domainEventPmsuspendDisk: EventMessage<DomainEventPmsuspendDiskMessage>;
  readonly domainEventDeviceRemoved: EventMessage<DomainEventDeviceRemovedMessage>;
  readonly networkEventLifecycle: EventMessage<CallbackEvent<NetworkLifecycleEvent>>;
  readonly domainEventCallbackLifecycle: EventMessage<CallbackEvent<DomainLifecycleEvent>>;
  readonly domainEventCallbackReboot: EventMessage<CallbackEvent<DomainRebootEvent>>;
  readonly domainEventCallbackRtcChange: EventMessage<CallbackEvent<DomainRtcChangeEvent>>;
  readonly domainEventCallbackWatchdog: EventMessage<CallbackEvent<DomainWatchdogEvent>>;
  readonly domainEventCallbackIoError: EventMessage<CallbackEvent<DomainIoErrorEvent>>;
  readonly domainEventCallbackGraphics: EventMessage<CallbackEvent<DomainGraphicsEvent>>;
  readonly domainEventCallbackIoErrorReason: EventMessage<CallbackEvent<DomainIoErrorReasonEvent>>;
  readonly domainEventCallbackControlError: EventMessage<CallbackEvent<DomainControlErrorEvent>>;
  readonly domainEventCallbackBlockJob: EventMessage<CallbackEvent<DomainBlockJobEvent>>;
  readonly domainEventCallbackDiskChange: EventMessage<CallbackEvent<DomainDiskChangeEvent>>;
  readonly domainEventCallbackTrayChange: EventMessage<CallbackEvent<DomainTrayChangeEvent>>;
  readonly domainEventCallbackPmwakeup: EventMessage<CallbackEvent<DomainPmWakeupEvent>>;
  readonly domainEventCallbackPmsuspend: EventMessage<CallbackEvent<DomainPmSuspendEvent>>;
  readonly domainEventCallbackBalloonChange: EventMessage<CallbackEvent<DomainBalloonChangeEvent>>;
  readonly domainEventCallbackPmsuspendDisk: EventMessage<CallbackEvent<DomainPmSuspendDiskEvent>>;
  readonly domainEventCallbackDeviceRemoved: EventMessage<CallbackEvent<DomainDeviceRemovedEvent>>;
  readonly domainEventBlockJob2: EventMessage<CallbackEvent<DomainBlockJob2Event>>;
  readonly domainEventCallbackTunable: EventMessage<CallbackEvent<DomainTunableEvent>>;
  readonly domainEventCallbackAgentLifecycle: EventMessage<CallbackEvent<DomainAgentLifecycleEvent>>;
  readonly domainEventCallbackDeviceAdded: EventMessage<CallbackEvent<DomainDeviceAddedEvent>>;
  readonly domainEventCallbackMigrationIteration: EventMessage<CallbackEvent<DomainMigrationIterationEvent>>;
  readonly connectEventConnectionClosed: EventMessage<ConnectEventConnectionClosedMessage>;
  readonly domainEventCallbackJobCompleted: EventMessage<CallbackEvent<DomainJobCompletedEvent>>;
  readonly domainEventCallbackDeviceRemovalFailed: EventMessage<CallbackEvent<DomainDeviceRemovalFailedEvent>>;
  readonly storagePoolEventLifecycle: EventMessage<CallbackEvent<StoragePoolLifecycleEvent>>;
  readonly storagePoolEventRefresh: EventMessage<CallbackEvent<StoragePoolRefreshEvent>>;
  readonly nodeDeviceEventLifecycle: EventMessage<CallbackEvent<NodeDeviceLifecycleEvent>>;
  readonly nodeDeviceEventUpdate: EventMessage<CallbackEvent<NodeDeviceUpdateEvent>>;
  readonly domainEventCallbackMetadataChange: EventMessage<CallbackEvent<DomainMetadataChangeEvent>>;
  readonly secretEventLifecycle: EventMessage<CallbackEvent<SecretLifecycleEvent>>;
  readonly secretEventValueChanged: EventMessage<CallbackEvent<SecretValueChangedEvent>>;
  readonly domainEventBlockThreshold: EventMessage<CallbackEvent<DomainBlockThresholdEvent>>;
  readonly domainEventMemoryFailure: EventMessage<CallbackEvent<DomainMemoryFailureEvent>>;
  readonly domainEventMemoryDeviceSizeChange: EventMessage<CallbackEvent<DomainMemoryDeviceSizeChangeEvent>>;
  readonly networkEventCallbackMetadataChange: EventMessage<CallbackEvent<NetworkMetadataChangeEvent>>;
  readonly domainEventNicMacChange: EventMessage<CallbackEvent<DomainNicMacChangeEvent>>;
  readonly domainEventVcpuRemoved: EventMessage<CallbackEvent<DomainVcpuRemovedEvent>>;
  readonly domainEventCallbackChannelLifecycle: EventMessage<CallbackEvent<DomainChannelLifecycleEvent>>;
  readonly qemuDomainMonitorEvent: EventMessage<CallbackEvent<QemuDomainMonitorEventMessage>>;
}

/** Every message that a daemon sends unasked. */
export const eventMessages: EventMessageTable = {
  domainEventLifecycle: {
    program: 0x20008086,
    number: 107,
    name: 'domainEventLifecycle',
    read: readDomainEventLifecycle,
  },
  domainEventReboot: {
    program: 0x20008086,
    number: 169,
    name: 'domainEventReboot',
    read: readDomainEventReboot,
  },
  domainEventRtcChange: {
    program: 0x20008086,
    number: 170,
    name: 'domainEventRtcChange',
    read: readDomainEventRtcChange,
  },
  domainEventWatchdog: {
    program: 0x20008086,
    number: 171,
    name: 'domainEventWatchdog',
    read: readDomainEventWatchdog,
  },
  domainEventIoError: {
    program: 0x20008086,
    number: 172,
    name: 'domainEventIoError',
    read: readDomainEventIoError,
  },
  domainEventGraphics: {
    program: 0x20008086,
    number: 173,
    name: 'domainEventGraphics',
    read: readDomainEventGraphics,
  },
  domainEventIoErrorReason: {
    program: 0x20008086,
    number: 195,
    name: 'domainEventIoErrorReason',
    read: readDomainEventIoErrorReason,
  },
  domainEventControlError: {
    program: 0x20008086,
    number: 224,
    name: 'domainEventControlError',
    read: readDomainEventControlError,
  },
  domainEventBlockJob: {
    program: 0x20008086,
    number: 241,
    name: 'domainEventBlockJob',
    read: readDomainEventBlockJob,
  },
  domainEventDiskChange: {
    program: 0x20008086,
    number: 248,
    name: 'domainEventDiskChange',
    read: readDomainEventDiskChange,
  },
  domainEventTrayChange: {
    program: 0x20008086,
    number: 268,
    name: 'domainEventTrayChange',
    read: readDomainEventTrayChange,
  },
  domainEventPmwakeup: {
    program: 0x20008086,
    number: 269,
    name: 'domainEventPmwakeup',
    read: readDomainEventPmwakeup,
  },
  domainEventPmsuspend: {
    program: 0x20008086,
    number: 270,
    name: 'domainEventPmsuspend',
    read: readDomainEventPmsuspend,
  },
  domainEventBalloonChange: {
    program: 0x20008086,
    number: 276,
    name: 'domainEventBalloonChange',
    read: readDomainEventBalloonChange,
  },
  domainEventPmsuspendDisk: {
    program: 0x20008086,
    number: 292,
    name: 'domainEventPmsuspendDisk',
    read: readDomainEventPmsuspendDisk,
  },
  domainEventDeviceRemoved: {
    program: 0x20008086,
    number: 311,
    name: 'domainEventDeviceRemoved',
    read: readDomainEventDeviceRemoved,
  },
  networkEventLifecycle: {
    program: 0x20008086,
    number: 315,
    name: 'networkEventLifecycle',
    read: readNetworkEventLifecycle,
  },
  domainEventCallbackLifecycle: {
    program: 0x20008086,
    number: 318,
    name: 'domainEventCallbackLifecycle',
    read: readDomainEventCallbackLifecycle,
  },
  domainEventCallbackReboot: {
    program: 0x20008086,
    number: 319,
    name: 'domainEventCallbackReboot',
    read: readDomainEventCallbackReboot,
  },
  domainEventCallbackRtcChange: {
    program: 0x20008086,
    number: 320,
    name: 'domainEventCallbackRtcChange',
    read: readDomainEventCallbackRtcChange,
  },
  domainEventCallbackWatchdog: {
    program: 0x20008086,
    number: 321,
    name: 'domainEventCallbackWatchdog',
    read: readDomainEventCallbackWatchdog,
  },
  domainEventCallbackIoError: {
    program: 0x20008086,
    number: 322,
    name: 'domainEventCallbackIoError',
    read: readDomainEventCallbackIoError,
  },
  domainEventCallbackGraphics: {
    program: 0x20008086,
    number: 323,
    name: 'domainEventCallbackGraphics',
    read: readDomainEventCallbackGraphics,
  },
  domainEventCallbackIoErrorReason: {
    program: 0x20008086,
    number: 324,
    name: 'domainEventCallbackIoErrorReason',
    read: readDomainEventCallbackIoErrorReason,
  },
  domainEventCallbackControlError: {
    program: 0x20008086,
    number: 325,
    name: 'domainEventCallbackControlError',
    read: readDomainEventCallbackControlError,
  },
  domainEventCallbackBlockJob: {
    program: 0x20008086,
    number: 326,
    name: 'domainEventCallbackBlockJob',
    read: readDomainEventCallbackBlockJob,
  },
  domainEventCallbackDiskChange: {
    program: 0x20008086,
    number: 327,
    name: 'domainEventCallbackDiskChange',
    read: readDomainEventCallbackDiskChange,
  },
  domainEventCallbackTrayChange: {
    program: 0x20008086,
    number: 328,
    name: 'domainEventCallbackTrayChange',
    read: readDomainEventCallbackTrayChange,
  },
  domainEventCallbackPmwakeup: {
    program: 0x20008086,
    number: 329,
    name: 'domainEventCallbackPmwakeup',
    read: readDomainEventCallbackPmwakeup,
  },
  domainEventCallbackPmsuspend: {
    program: 0x20008086,
    number: 330,
    name: 'domainEventCallbackPmsuspend',
    read: readDomainEventCallbackPmsuspend,
  },
  domainEventCallbackBalloonChange: {
    program: 0x20008086,
    number: 331,
    name: 'domainEventCallbackBalloonChange',
    read: readDomainEventCallbackBalloonChange,
  },
  domainEventCallbackPmsuspendDisk: {
    program: 0x20008086,
    number: 332,
    name: 'domainEventCallbackPmsuspendDisk',
    read: readDomainEventCallbackPmsuspendDisk,
  },
  domainEventCallbackDeviceRemoved: {
    program: 0x20008086,
    number: 333,
    name: 'domainEventCallbackDeviceRemoved',
    read: readDomainEventCallbackDeviceRemoved,
  },
  domainEventBlockJob2: {
    program: 0x20008086,
    number: 339,
    name: 'domainEventBlockJob2',
    read: readDomainEventBlockJob2,
  },
  domainEventCallbackTunable: {
    program: 0x20008086,
    number: 346,
    name: 'domainEventCallbackTunable',
    read: readDomainEventCallbackTunable,
  },
  domainEventCallbackAgentLifecycle: {
    program: 0x20008086,
    number: 348,
    name: 'domainEventCallbackAgentLifecycle',
    read: readDomainEventCallbackAgentLifecycle,
  },
  domainEventCallbackDeviceAdded: {
    program: 0x20008086,
    number: 354,
    name: 'domainEventCallbackDeviceAdded',
    read: readDomainEventCallbackDeviceAdded,
  },
  domainEventCallbackMigrationIteration: {
    program: 0x20008086,
    number: 359,
    name: 'domainEventCallbackMigrationIteration',
    read: readDomainEventCallbackMigrationIteration,
  },
  connectEventConnectionClosed: {
    program: 0x20008086,
    number: 362,
    name: 'connectEventConnectionClosed',
    read: readConnectEventConnectionClosed,
  },
  domainEventCallbackJobCompleted: {
    program: 0x20008086,
    number: 363,
    name: 'domainEventCallbackJobCompleted',
    read: readDomainEventCallbackJobCompleted,
  },
  domainEventCallbackDeviceRemovalFailed: {
    program: 0x20008086,
    number: 367,
    name: 'domainEventCallbackDeviceRemovalFailed',
    read: readDomainEventCallbackDeviceRemovalFailed,
  },
  storagePoolEventLifecycle: {
    program: 0x20008086,
    number: 370,
    name: 'storagePoolEventLifecycle',
    read: readStoragePoolEventLifecycle,
  },
  storagePoolEventRefresh: {
    program: 0x20008086,
    number: 373,
    name: 'storagePoolEventRefresh',
    read: readStoragePoolEventRefresh,
  },
  nodeDeviceEventLifecycle: {
    program: 0x20008086,
    number: 376,
    name: 'nodeDeviceEventLifecycle',
    read: readNodeDeviceEventLifecycle,
  },
  nodeDeviceEventUpdate: {
    program: 0x20008086,
    number: 377,
    name: 'nodeDeviceEventUpdate',
    read: readNodeDeviceEventUpdate,
  },
  domainEventCallbackMetadataChange: {
    program: 0x20008086,
    number: 379,
    name: 'domainEventCallbackMetadataChange',
    read: readDomainEventCallbackMetadataChange,
  },
  secretEventLifecycle: {
    program: 0x20008086,
    number: 382,
    name: 'secretEventLifecycle',
    read: readSecretEventLifecycle,
  },
  secretEventValueChanged: {
    program: 0x20008086,
    number: 383,
    name: 'secretEventValueChanged',
    read: readSecretEventValueChanged,
  },
  domainEventBlockThreshold: {
    program: 0x20008086,
    number: 385,
    name: 'domainEventBlockThreshold',
    read: readDomainEventBlockThreshold,
  },
  domainEventMemoryFailure: {
    program: 0x20008086,
    number: 423,
    name: 'domainEventMemoryFailure',
    read: readDomainEventMemoryFailure,
  },
  domainEventMemoryDeviceSizeChange: {
    program: 0x20008086,
    number: 438,
    name: 'domainEventMemoryDeviceSizeChange',
    read: readDomainEventMemoryDeviceSizeChange,
  },
  networkEventCallbackMetadataChange: {
    program: 0x20008086,
    number: 446,
    name: 'networkEventCallbackMetadataChange',
    read: readNetworkEventCallbackMetadataChange,
  },
  domainEventNicMacChange: {
    program: 0x20008086,
    number: 453,
    name: 'domainEventNicMacChange',
    read: readDomainEventNicMacChange,
  },
  domainEventVcpuRemoved: {
    program: 0x20008086,
    number: 454,
    name: 'domainEventVcpuRemoved',
    read: readDomainEventVcpuRemoved,
  },
  domainEventCallbackChannelLifecycle: {
    program: 0x20008086,
    number: 455,
    name: 'domainEventCallbackChannelLifecycle',
    read: readDomainEventCallbackChannelLifecycle,
  },
  qemuDomainMonitorEvent: {
    program: 0x20008087,
    number: 6,
    name: 'qemuDomainMonitorEvent',
    read: readQemuDomainMonitorEvent,
  },
};

/** What can happen to a network; `kind` tells it apart. */
export type NetworkEvent =
  | NetworkLifecycleEvent
  | NetworkMetadataChangeEvent;

/** The type of `networkEvents`. */
export interface NetworkEventTable {
  readonly lifecycle: ObjectEventMessage<'lifecycle', NetworkLifecycleEvent>;
  readonly 'metadata-change': ObjectEventMessage<'metadata-change', NetworkMetadataChangeEvent>;
}

/** By kind: the id to register for, and the message that reports it. */
export const networkEvents: NetworkEventTable = {
  lifecycle: { eventID: 0, kind: 'lifecycle', message: eventMessages.networkEventLifecycle },
  'metadata-change': { eventID: 1, kind: 'metadata-change', message: eventMessages.networkEventCallbackMetadataChange },
};

/** What can happen to a domain; `kind` tells it apart. */
export type DomainEvent =
  | DomainLifecycleEvent
  | DomainRebootEvent
  | DomainRtcChangeEvent
  | DomainWatchdogEvent
  | DomainIoErrorEvent
  | DomainGraphicsEvent
  | DomainIoErrorReasonEvent
  | DomainControlErrorEvent
  | DomainBlockJobEvent
  | DomainDiskChangeEvent
  | DomainTrayChangeEvent
  | DomainPmWakeupEvent
  | DomainPmSuspendEvent
  | DomainBalloonChangeEvent
  | DomainPmSuspendDiskEvent
  | DomainDeviceRemovedEvent
  | DomainBlockJob2Event
  | DomainTunableEvent
  | DomainAgentLifecycleEvent
  | DomainDeviceAddedEvent
  | DomainMigrationIterationEvent
  | DomainJobCompletedEvent
  | DomainDeviceRemovalFailedEvent
  | DomainMetadataChangeEvent
  | DomainBlockThresholdEvent
  | DomainMemoryFailureEvent
  | DomainMemoryDeviceSizeChangeEvent
  | DomainNicMacChangeEvent
  | DomainVcpuRemovedEvent
  | DomainChannelLifecycleEvent;

/** The type of `domainEvents`. */
export interface DomainEventTable {
  readonly lifecycle: ObjectEventMessage<'lifecycle', DomainLifecycleEvent>;
  readonly reboot: ObjectEventMessage<'reboot', DomainRebootEvent>;
  readonly 'rtc-change': ObjectEventMessage<'rtc-change', DomainRtcChangeEvent>;
  readonly watchdog: ObjectEventMessage<'watchdog', DomainWatchdogEvent>;
  readonly 'io-error': ObjectEventMessage<'io-error', DomainIoErrorEvent>;
  readonly graphics: ObjectEventMessage<'graphics', DomainGraphicsEvent>;
  readonly 'io-error-reason': ObjectEventMessage<'io-error-reason', DomainIoErrorReasonEvent>;
  readonly 'control-error': ObjectEventMessage<'control-error', DomainControlErrorEvent>;
  readonly 'block-job': ObjectEventMessage<'block-job', DomainBlockJobEvent>;
  readonly 'disk-change': ObjectEventMessage<'disk-change', DomainDiskChangeEvent>;
  readonly 'tray-change': ObjectEventMessage<'tray-change', DomainTrayChangeEvent>;
  readonly 'pm-wakeup': ObjectEventMessage<'pm-wakeup', DomainPmWakeupEvent>;
  readonly 'pm-suspend': ObjectEventMessage<'pm-suspend', DomainPmSuspendEvent>;
  readonly 'balloon-change': ObjectEventMessage<'balloon-change', DomainBalloonChangeEvent>;
  readonly 'pm-suspend-disk': ObjectEventMessage<'pm-suspend-disk', DomainPmSuspendDiskEvent>;
  readonly 'device-removed': ObjectEventMessage<'device-removed', DomainDeviceRemovedEvent>;
  readonly 'block-job-2': ObjectEventMessage<'block-job-2', DomainBlockJob2Event>;
  readonly tunable: ObjectEventMessage<'tunable', DomainTunableEvent>;
  readonly 'agent-lifecycle': ObjectEventMessage<'agent-lifecycle', DomainAgentLifecycleEvent>;
  readonly 'device-added': ObjectEventMessage<'device-added', DomainDeviceAddedEvent>;
  readonly 'migration-iteration': ObjectEventMessage<'migration-iteration', DomainMigrationIterationEvent>;
  readonly 'job-completed': ObjectEventMessage<'job-completed', DomainJobCompletedEvent>;
  readonly 'device-removal-failed': ObjectEventMessage<'device-removal-failed', DomainDeviceRemovalFailedEvent>;
  readonly 'metadata-change': ObjectEventMessage<'metadata-change', DomainMetadataChangeEvent>;
  readonly 'block-threshold': ObjectEventMessage<'block-threshold', DomainBlockThresholdEvent>;
  readonly 'memory-failure': ObjectEventMessage<'memory-failure', DomainMemoryFailureEvent>;
  readonly 'memory-device-size-change': ObjectEventMessage<'memory-device-size-change', DomainMemoryDeviceSizeChangeEvent>;
  readonly 'nic-mac-change': ObjectEventMessage<'nic-mac-change', DomainNicMacChangeEvent>;
  readonly 'vcpu-removed': ObjectEventMessage<'vcpu-removed', DomainVcpuRemovedEvent>;
  readonly 'channel-lifecycle': ObjectEventMessage<'channel-lifecycle', DomainChannelLifecycleEvent>;
}

/** By kind: the id to register for, and the message that reports it. */
export const domainEvents: DomainEventTable = {
  lifecycle: { eventID: 0, kind: 'lifecycle', message: eventMessages.domainEventCallbackLifecycle },
  reboot: { eventID: 1, kind: 'reboot', message: eventMessages.domainEventCallbackReboot },
  'rtc-change': { eventID: 2, kind: 'rtc-change', message: eventMessages.domainEventCallbackRtcChange },
  watchdog: { eventID: 3, kind: 'watchdog', message: eventMessages.domainEventCallbackWatchdog },
  'io-error': { eventID: 4, kind: 'io-error', message: eventMessages.domainEventCallbackIoError },
  graphics: { eventID: 5, kind: 'graphics', message: eventMessages.domainEventCallbackGraphics },
  'io-error-reason': { eventID: 6, kind: 'io-error-reason', message: eventMessages.domainEventCallbackIoErrorReason },
  'control-error': { eventID: 7, kind: 'control-error', message: eventMessages.domainEventCallbackControlError },
  'block-job': { eventID: 8, kind: 'block-job', message: eventMessages.domainEventCallbackBlockJob },
  'disk-change': { eventID: 9, kind: 'disk-change', message: eventMessages.domainEventCallbackDiskChange },
  'tray-change': { eventID: 10, kind: 'tray-change', message: eventMessages.domainEventCallbackTrayChange },
  'pm-wakeup': { eventID: 11, kind: 'pm-wakeup', message: eventMessages.domainEventCallbackPmwakeup },
  'pm-suspend': { eventID: 12, kind: 'pm-suspend', message: eventMessages.domainEventCallbackPmsuspend },
  'balloon-change': { eventID: 13, kind: 'balloon-change', message: eventMessages.domainEventCallbackBalloonChange },
  'pm-suspend-disk': { eventID: 14, kind: 'pm-suspend-disk', message: eventMessages.domainEventCallbackPmsuspendDisk },
  'device-removed': { eventID: 15, kind: 'device-removed', message: eventMessages.domainEventCallbackDeviceRemoved },
  'block-job-2': { eventID: 16, kind: 'block-job-2', message: eventMessages.domainEventBlockJob2 },
  tunable: { eventID: 17, kind: 'tunable', message: eventMessages.domainEventCallbackTunable },
  'agent-lifecycle': { eventID: 18, kind: 'agent-lifecycle', message: eventMessages.domainEventCallbackAgentLifecycle },
  'device-added': { eventID: 19, kind: 'device-added', message: eventMessages.domainEventCallbackDeviceAdded },
  'migration-iteration': { eventID: 20, kind: 'migration-iteration', message: eventMessages.domainEventCallbackMigrationIteration },
  'job-completed': { eventID: 21, kind: 'job-completed', message: eventMessages.domainEventCallbackJobCompleted },
  'device-removal-failed': { eventID: 22, kind: 'device-removal-failed', message: eventMessages.domainEventCallbackDeviceRemovalFailed },
  'metadata-change': { eventID: 23, kind: 'metadata-change', message: eventMessages.domainEventCallbackMetadataChange },
  'block-threshold': { eventID: 24, kind: 'block-threshold', message: eventMessages.domainEventBlockThreshold },
  'memory-failure': { eventID: 25, kind: 'memory-failure', message: eventMessages.domainEventMemoryFailure },
  'memory-device-size-change': { eventID: 26, kind: 'memory-device-size-change', message: eventMessages.domainEventMemoryDeviceSizeChange },
  'nic-mac-change': { eventID: 27, kind: 'nic-mac-change', message: eventMessages.domainEventNicMacChange },
  'vcpu-removed': { eventID: 28, kind: 'vcpu-removed', message: eventMessages.domainEventVcpuRemoved },
  'channel-lifecycle': { eventID: 29, kind: 'channel-lifecycle', message: eventMessages.domainEventCallbackChannelLifecycle },
};

/** What can happen to a storage pool; `kind` tells it apart. */
export type StoragePoolEvent =
  | StoragePoolLifecycleEvent
  | StoragePoolRefreshEvent;

/** The type of `storagePoolEvents`. */
export interface StoragePoolEventTable {
  readonly lifecycle: ObjectEventMessage<'lifecycle', StoragePoolLifecycleEvent>;
  readonly refresh: ObjectEventMessage<'refresh', StoragePoolRefreshEvent>;
}

/** By kind: the id to register for, and the message that reports it. */
export const storagePoolEvents: StoragePoolEventTable = {
  lifecycle: { eventID: 0, kind: 'lifecycle', message: eventMessages.storagePoolEventLifecycle },
  refresh: { eventID: 1, kind: 'refresh', message: eventMessages.storagePoolEventRefresh },
};

/** What can happen to a node device; `kind` tells it apart. */
export type NodeDeviceEvent =
  | NodeDeviceLifecycleEvent
  | NodeDeviceUpdateEvent;

/** The type of `nodeDeviceEvents`. */
export interface NodeDeviceEventTable {
  readonly lifecycle: ObjectEventMessage<'lifecycle', NodeDeviceLifecycleEvent>;
  readonly update: ObjectEventMessage<'update', NodeDeviceUpdateEvent>;
}

/** By kind: the id to register for, and the message that reports it. */
export const nodeDeviceEvents: NodeDeviceEventTable = {
  lifecycle: { eventID: 0, kind: 'lifecycle', message: eventMessages.nodeDeviceEventLifecycle },
  update: { eventID: 1, kind: 'update', message: eventMessages.nodeDeviceEventUpdate },
};

/** What can happen to a secret; `kind` tells it apart. */
export type SecretEvent =
  | SecretLifecycleEvent
  | SecretValueChangedEvent;

/** The type of `secretEvents`. */
export interface SecretEventTable {
  readonly lifecycle: ObjectEventMessage<'lifecycle', SecretLifecycleEvent>;
  readonly 'value-changed': ObjectEventMessage<'value-changed', SecretValueChangedEvent>;
}

/** By kind: the id to register for, and the message that reports it. */
export const secretEvents: SecretEventTable = {
  lifecycle: { eventID: 0, kind: 'lifecycle', message: eventMessages.secretEventLifecycle },
  'value-changed': { eventID: 1, kind: 'value-changed', message: eventMessages.secretEventValueChanged },
};
