export type { BackOffOptions } from './connection/back-off.ts';
export { type Clock, systemClock } from './connection/clock.ts';
export type { OvsWarning } from './connection/ovs-warning.ts';
export { type OvsdbTarget, type OvsEndpoint, parseRemote, printEndpoint } from './connection/parse-remote.ts';
export type { TlsFiles } from './connection/tls-files.ts';
export {
  isAborted,
  isOvsError,
  isRefused,
  isTimeout,
  isUnreachable,
  OvsError,
  type OvsErrorCode,
  type OvsErrorOptions,
} from './ovs-error.ts';
export type {
  AtomKind,
  AtomValue,
  ColumnKind,
  ColumnKinds,
  ColumnValue,
  Row,
  RowChange,
  Rows,
  TableKinds,
} from './ovsdb/values/column-kind.ts';
export { openOvsdb } from './ovsdb/open-ovsdb.ts';
export {
  namedReference,
  type OvsdbAtom,
  type OvsdbCondition,
  type OvsdbMutation,
  type OvsdbOperation,
  type OvsdbReference,
  type OvsdbResult,
  type OvsdbResults,
  type OvsdbRowValues,
  type OvsdbValue,
  rowReference,
} from './ovsdb/values/operation.ts';
export type { OvsdbOptions } from './ovsdb/ovsdb-options.ts';
export type { ColumnType, OvsdbSchema } from './ovsdb/values/ovsdb-schema.ts';
export type {
  MonitorOptions,
  Ovsdb,
  OvsdbCallOptions,
  OvsdbChange,
  OvsdbMonitor,
  OvsdbState,
  SelectRequest,
} from './ovsdb/ovsdb.ts';
export { type DaemonSighting, findDaemon, type FindDaemonOptions } from './daemons/find-daemon.ts';
export { openOpenFlow, type OpenFlowOptions } from './openflow/open-openflow.ts';
export type { OpenFlowConnection } from './openflow/openflow-connection.ts';
export type { BondMemberReport, BondReport } from './unixctl/commands/bond-report.ts';
export { showBond, showBonds } from './unixctl/commands/bond.ts';
export type { DaemonVersion } from './unixctl/commands/daemon-version.ts';
export { readCoverageCounter, readVersion, showCoverage, showMemory } from './unixctl/commands/daemon.ts';
export type {
  DatapathBridge,
  DatapathCounters,
  DatapathPort,
  DatapathReport,
  ForwardingEntry,
} from './unixctl/commands/datapath-report.ts';
export { readDatapathCounters, showDatapaths, showForwardingTable } from './unixctl/commands/datapath.ts';
export type { LacpMemberReport, LacpReport } from './unixctl/commands/lacp-report.ts';
export { showLacp } from './unixctl/commands/lacp.ts';
export type { LocalBinding } from './unixctl/commands/local-binding.ts';
export {
  connectionStatus,
  dumpLocalBindings,
  isPaused,
  listConntrackZones,
} from './unixctl/commands/ovn-controller.ts';
export { openUnixctl, type UnixctlOptions } from './unixctl/open-unixctl.ts';
export { traceFlow } from './unixctl/trace/trace-flow.ts';
export type { TracePass, TraceReport, TraceStep, TraceVerdict } from './unixctl/trace/trace-report.ts';
export type {
  ConntrackState,
  TcpFlag,
  TracePacket,
  TraceProtocol,
  TraceRequest,
} from './unixctl/trace/trace-request.ts';
export type { RequestOptions, Unixctl } from './unixctl/unixctl.ts';
