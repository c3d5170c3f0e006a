export { updateServerTls, type AdministeredServer } from './admin/update-server-tls.ts';
export type { CloseOptions } from './close-options.ts';
export { connect } from './connect.ts';
export type { ConnectOptions } from './connect-options.ts';
export { Connection } from './connection.ts';
export { systemClock, type Clock } from './clock.ts';
export {
  type DomainEventOptions,
  type HypervisorLostEvent,
  type MonitorEvent,
  type MonitorEventOptions,
  type NetworkEventOptions,
  type NodeDeviceEventOptions,
  type ObjectEventOptions,
  type SecretEventOptions,
  type StoragePoolEventOptions,
} from './events/connection-events.ts';
export type { SubscribeOptions } from './events/event-hub.ts';
export type { EventIterator } from './events/event-iterator.ts';
export type { EventOverflow } from './events/event-queue.ts';
export {
  isAborted,
  isConnectionLost,
  isLibvirtError,
  isNoDomain,
  isNoNetwork,
  isNoNodeDevice,
  isNoSecret,
  isNoStoragePool,
  isNoStorageVolume,
  isOperationInvalid,
  isTimeout,
  isUnsupported,
  LibvirtError,
  type ClientErrorCode,
  type DaemonErrorCode,
  type LibvirtErrorCode,
  type LibvirtErrorLevel,
  type LibvirtErrorOptions,
} from './libvirt-error.ts';
export { fillHoles } from './fill-holes.ts';
export type { LibvirtStream, OpenedStream, StreamHole } from './libvirt-stream.ts';
export type { LibvirtWarning } from './libvirt-warning.ts';
export {
  migrate,
  type MigrateDestination,
  type MigrateOptions,
  type MigrateResult,
  type MigrateSource,
} from './migration/migrate.ts';
export { migrateToUri, type MigrateToUriOptions } from './migration/migrate-to-uri.ts';
export type { CallOptions, EventMessage, Procedure, StreamProcedure } from './procedure.ts';
export { readWholeStream } from './read-whole-stream.ts';
export type { ChannelLimits } from './rpc/channel-options.ts';
export type { KeepaliveOptions } from './rpc/keepalive.ts';
export { sendToStream } from './send-to-stream.ts';
export type { BackOffOptions } from './session/back-off.ts';
export { LibvirtSession } from './session/libvirt-session.ts';
export { openSession } from './session/open-session.ts';
export type { Resubscribed, SessionEventIterator } from './session/session-event-iterator.ts';
export type { SessionOptions } from './session/session-options.ts';
export type { SessionState } from './session/session-state.ts';
export type { FeedReader } from './session/state-feed.ts';
export { describeEndpoint, type LibvirtEndpoint, type LibvirtTarget } from './transport/libvirt-target.ts';
export { parseLibvirtUri, type ParseUriOptions } from './transport/parse-uri.ts';
export type { TlsOptions } from './transport/tls-credentials.ts';
export type {
  Counters,
  TaggedTypedParameter,
  TypedParameterInput,
  TypedParameterResult,
  TypedParameters,
  TypedParameterType,
  TypedParameterValue,
} from './typed-parameters.ts';
// The generated files hold nothing but what is meant to be used, and their hundreds of names change with the schema.
export * from './generated/constants.gen.ts';
export type * from './generated/events.gen.ts';
export type * from './generated/parameter-sets.gen.ts';
export * from './generated/procedures.gen.ts';
export type * from './generated/structs.gen.ts';
export { RemoteProcedures } from './generated/remote-procedures.gen.ts';
export { lifecycleDetailName, lifecycleEventName } from './lifecycle-event-name.ts';
