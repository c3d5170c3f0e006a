// Written by 'npm run generate' from clients/libvirt/schema. Change the schema or the generator instead.

export const ConnectCloseReason = {
  error: 0,
  eof: 1,
  keepalive: 2,
  client: 3,
} as const;
export type ConnectCloseReason = (typeof ConnectCloseReason)[keyof typeof ConnectCloseReason];

export const TypedParameterFlags = {
  stringOkay: 4,
} as const;

export const NodeSuspendTarget = {
  mem: 0,
  disk: 1,
  hybrid: 2,
} as const;
export type NodeSuspendTarget = (typeof NodeSuspendTarget)[keyof typeof NodeSuspendTarget];

export const ConnectFlags = {
  ro: 1,
  noAliases: 2,
} as const;

export const CpuCompareResult = {
  error: -1,
  incompatible: 0,
  identical: 1,
  superset: 2,
} as const;
export type CpuCompareResult = (typeof CpuCompareResult)[keyof typeof CpuCompareResult];

export const ConnectCompareCpuFlags = {
  failIncompatible: 1,
  validateXml: 2,
} as const;

export const ConnectBaselineCpuFlags = {
  expandFeatures: 1,
  migratable: 2,
  ignoreHost: 4,
} as const;

export const NodeAllocPagesFlags = {
  add: 0,
  set: 1,
} as const;

export const DomainState = {
  noState: 0,
  running: 1,
  blocked: 2,
  paused: 3,
  shutdown: 4,
  shutoff: 5,
  crashed: 6,
  pmSuspended: 7,
} as const;
export type DomainState = (typeof DomainState)[keyof typeof DomainState];

export const DomainNostateReason = {
  unknown: 0,
} as const;
export type DomainNostateReason = (typeof DomainNostateReason)[keyof typeof DomainNostateReason];

export const DomainRunningReason = {
  unknown: 0,
  booted: 1,
  migrated: 2,
  restored: 3,
  fromSnapshot: 4,
  unpaused: 5,
  migrationCanceled: 6,
  saveCanceled: 7,
  wakeup: 8,
  crashed: 9,
  postcopy: 10,
  postcopyFailed: 11,
} as const;
export type DomainRunningReason = (typeof DomainRunningReason)[keyof typeof DomainRunningReason];

export const DomainBlockedReason = {
  unknown: 0,
} as const;
export type DomainBlockedReason = (typeof DomainBlockedReason)[keyof typeof DomainBlockedReason];

export const DomainPausedReason = {
  unknown: 0,
  user: 1,
  migration: 2,
  save: 3,
  dump: 4,
  ioerror: 5,
  watchdog: 6,
  fromSnapshot: 7,
  shuttingDown: 8,
  snapshot: 9,
  crashed: 10,
  startingUp: 11,
  postcopy: 12,
  postcopyFailed: 13,
  apiError: 14,
} as const;
export type DomainPausedReason = (typeof DomainPausedReason)[keyof typeof DomainPausedReason];

export const DomainShutdownReason = {
  unknown: 0,
  user: 1,
} as const;
export type DomainShutdownReason = (typeof DomainShutdownReason)[keyof typeof DomainShutdownReason];

export const DomainShutoffReason = {
  unknown: 0,
  shutdown: 1,
  destroyed: 2,
  crashed: 3,
  migrated: 4,
  saved: 5,
  failed: 6,
  fromSnapshot: 7,
  daemon: 8,
} as const;
export type DomainShutoffReason = (typeof DomainShutoffReason)[keyof typeof DomainShutoffReason];

export const DomainCrashedReason = {
  unknown: 0,
  panicked: 1,
} as const;
export type DomainCrashedReason = (typeof DomainCrashedReason)[keyof typeof DomainCrashedReason];

export const DomainPmSuspendedReason = {
  unknown: 0,
} as const;
export type DomainPmSuspendedReason = (typeof DomainPmSuspendedReason)[keyof typeof DomainPmSuspendedReason];

export const DomainPmSuspendedDiskReason = {
  unknown: 0,
} as const;
export type DomainPmSuspendedDiskReason = (typeof DomainPmSuspendedDiskReason)[keyof typeof DomainPmSuspendedDiskReason];

export const DomainControlState = {
  ok: 0,
  job: 1,
  occupied: 2,
  error: 3,
} as const;
export type DomainControlState = (typeof DomainControlState)[keyof typeof DomainControlState];

export const DomainControlErrorReason = {
  none: 0,
  unknown: 1,
  monitor: 2,
  internal: 3,
} as const;
export type DomainControlErrorReason = (typeof DomainControlErrorReason)[keyof typeof DomainControlErrorReason];

export const DomainModificationImpact = {
  current: 0,
  live: 1,
  config: 2,
} as const;

export const DomainSetVcpuFlags = {
  affectCurrent: 0,
  affectLive: 1,
  affectConfig: 2,
  asyncUnplug: 4,
} as const;

export const DomainCreateFlags = {
  none: 0,
  paused: 1,
  autodestroy: 2,
  bypassCache: 4,
  forceBoot: 8,
  validate: 16,
  resetNvram: 32,
} as const;

export const DomainMemoryStatTags = {
  swapIn: 0,
  swapOut: 1,
  majorFault: 2,
  minorFault: 3,
  unused: 4,
  available: 5,
  actualBalloon: 6,
  rss: 7,
  usable: 8,
  lastUpdate: 9,
  diskCaches: 10,
  hugetlbPgalloc: 11,
  hugetlbPgfail: 12,
  nr: 13,
} as const;
export type DomainMemoryStatTags = (typeof DomainMemoryStatTags)[keyof typeof DomainMemoryStatTags];

export const DomainCoreDumpFlags = {
  crash: 1,
  live: 2,
  bypassCache: 4,
  reset: 8,
  memoryOnly: 16,
} as const;

export const DomainCoreDumpFormat = {
  raw: 0,
  kdumpZlib: 1,
  kdumpLzo: 2,
  kdumpSnappy: 3,
  winDmp: 4,
} as const;
export type DomainCoreDumpFormat = (typeof DomainCoreDumpFormat)[keyof typeof DomainCoreDumpFormat];

export const DomainMigrateFlags = {
  live: 1,
  peer2peer: 2,
  tunnelled: 4,
  persistDest: 8,
  undefineSource: 16,
  paused: 32,
  nonSharedDisk: 64,
  nonSharedInc: 128,
  changeProtection: 256,
  unsafe: 512,
  offline: 1024,
  compressed: 2048,
  abortOnError: 4096,
  autoConverge: 8192,
  rdmaPinAll: 16384,
  postcopy: 32768,
  tls: 65536,
  parallel: 131072,
  nonSharedSynchronousWrites: 262144,
  postcopyResume: 524288,
  zerocopy: 1048576,
} as const;

export const DomainMigrateMaxSpeedFlags = {
  postcopy: 1,
} as const;

export const ConnectGetDomainCapabilitiesFlags = {
  disableDeprecatedFeatures: 1,
  expandCpuFeatures: 2,
  supportedCpuFeatures: 4,
} as const;

export const DomainShutdownFlags = {
  default: 0,
  acpiPowerBtn: 1,
  guestAgent: 2,
  initctl: 4,
  signal: 8,
  paravirt: 16,
} as const;

export const DomainRebootFlags = {
  default: 0,
  acpiPowerBtn: 1,
  guestAgent: 2,
  initctl: 4,
  signal: 8,
  paravirt: 16,
} as const;

export const DomainDestroyFlags = {
  default: 0,
  graceful: 1,
  removeLogs: 2,
} as const;

export const DomainSaveRestoreFlags = {
  bypassCache: 1,
  running: 2,
  paused: 4,
  resetNvram: 8,
} as const;

export const DomainMemoryModFlags = {
  current: 0,
  live: 1,
  config: 2,
  maximum: 4,
} as const;

export const DomainNumatuneMemMode = {
  strict: 0,
  preferred: 1,
  interleave: 2,
  restrictive: 3,
} as const;
export type DomainNumatuneMemMode = (typeof DomainNumatuneMemMode)[keyof typeof DomainNumatuneMemMode];

export const DomainGetHostnameFlags = {
  lease: 1,
  agent: 2,
} as const;

export const DomainMetadataType = {
  description: 0,
  title: 1,
  element: 2,
} as const;
export type DomainMetadataType = (typeof DomainMetadataType)[keyof typeof DomainMetadataType];

export const DomainXmlFlags = {
  secure: 1,
  inactive: 2,
  updateCpu: 4,
  migratable: 8,
} as const;

export const DomainSaveImageXmlFlags = {
  secure: 1,
} as const;

export const DomainBlockResizeFlags = {
  bytes: 1,
  capacity: 2,
  extend: 4,
} as const;

export const DomainMemoryFlags = {
  virtual: 1,
  physical: 2,
} as const;

export const DomainDefineFlags = {
  validate: 1,
} as const;

export const DomainUndefineFlags = {
  managedSave: 1,
  snapshotsMetadata: 2,
  nvram: 4,
  keepNvram: 8,
  checkpointsMetadata: 16,
  tpm: 32,
  keepTpm: 64,
} as const;

export const ConnectListAllDomainsFlags = {
  active: 1,
  inactive: 2,
  persistent: 4,
  transient: 8,
  running: 16,
  paused: 32,
  shutoff: 64,
  other: 128,
  managedsave: 256,
  noManagedsave: 512,
  autostart: 1024,
  noAutostart: 2048,
  hasSnapshot: 4096,
  noSnapshot: 8192,
  hasCheckpoint: 16384,
  noCheckpoint: 32768,
} as const;

export const VcpuState = {
  offline: 0,
  running: 1,
  blocked: 2,
} as const;
export type VcpuState = (typeof VcpuState)[keyof typeof VcpuState];

export const VcpuHostCpuState = {
  offline: -1,
  unavailable: -2,
} as const;
export type VcpuHostCpuState = (typeof VcpuHostCpuState)[keyof typeof VcpuHostCpuState];

export const DomainVcpuFlags = {
  current: 0,
  live: 1,
  config: 2,
  maximum: 4,
  guest: 8,
  hotpluggable: 16,
  asyncUnplug: 32,
} as const;

export const DomainDeviceModifyFlags = {
  current: 0,
  live: 1,
  config: 2,
  force: 4,
} as const;

export const DomainStatsTypes = {
  state: 1,
  cpuTotal: 2,
  balloon: 4,
  vcpu: 8,
  interface: 16,
  block: 32,
  perf: 64,
  iothread: 128,
  memory: 256,
  dirtyrate: 512,
  vm: 1024,
} as const;

export const ConnectGetAllDomainStatsFlags = {
  active: 1,
  inactive: 2,
  persistent: 4,
  transient: 8,
  running: 16,
  paused: 32,
  shutoff: 64,
  other: 128,
  nowait: 536870912,
  backing: 1073741824,
  enforceStats: 2147483648,
} as const;

export const DomainBlockJobType = {
  unknown: 0,
  pull: 1,
  copy: 2,
  commit: 3,
  activeCommit: 4,
  backup: 5,
} as const;
export type DomainBlockJobType = (typeof DomainBlockJobType)[keyof typeof DomainBlockJobType];

export const DomainBlockJobAbortFlags = {
  async: 1,
  pivot: 2,
} as const;

export const DomainBlockJobInfoFlags = {
  bandwidthBytes: 1,
} as const;

export const DomainBlockJobSetSpeedFlags = {
  bandwidthBytes: 1,
} as const;

export const DomainBlockPullFlags = {
  bandwidthBytes: 64,
} as const;

export const DomainBlockRebaseFlags = {
  shallow: 1,
  reuseExt: 2,
  copyRaw: 4,
  copy: 8,
  relative: 16,
  copyDev: 32,
  bandwidthBytes: 64,
} as const;

export const DomainBlockCopyFlags = {
  shallow: 1,
  reuseExt: 2,
  transientJob: 4,
  synchronousWrites: 8,
  targetZeroed: 16,
} as const;

export const DomainBlockCommitFlags = {
  shallow: 1,
  delete: 2,
  active: 4,
  relative: 8,
  bandwidthBytes: 16,
} as const;

export const DomainDiskErrorCode = {
  none: 0,
  unspec: 1,
  noSpace: 2,
} as const;
export type DomainDiskErrorCode = (typeof DomainDiskErrorCode)[keyof typeof DomainDiskErrorCode];

export const KeycodeSet = {
  linux: 0,
  xt: 1,
  atset1: 2,
  atset2: 3,
  atset3: 4,
  osx: 5,
  xtKbd: 6,
  usb: 7,
  win32: 8,
  qnum: 9,
} as const;
export type KeycodeSet = (typeof KeycodeSet)[keyof typeof KeycodeSet];

export const DomainProcessSignal = {
  nop: 0,
  hup: 1,
  int: 2,
  quit: 3,
  ill: 4,
  trap: 5,
  abrt: 6,
  bus: 7,
  fpe: 8,
  kill: 9,
  usr1: 10,
  segv: 11,
  usr2: 12,
  pipe: 13,
  alrm: 14,
  term: 15,
  stkflt: 16,
  chld: 17,
  cont: 18,
  stop: 19,
  tstp: 20,
  ttin: 21,
  ttou: 22,
  urg: 23,
  xcpu: 24,
  xfsz: 25,
  vtalrm: 26,
  prof: 27,
  winch: 28,
  poll: 29,
  pwr: 30,
  sys: 31,
  rt0: 32,
  rt1: 33,
  rt2: 34,
  rt3: 35,
  rt4: 36,
  rt5: 37,
  rt6: 38,
  rt7: 39,
  rt8: 40,
  rt9: 41,
  rt10: 42,
  rt11: 43,
  rt12: 44,
  rt13: 45,
  rt14: 46,
  rt15: 47,
  rt16: 48,
  rt17: 49,
  rt18: 50,
  rt19: 51,
  rt20: 52,
  rt21: 53,
  rt22: 54,
  rt23: 55,
  rt24: 56,
  rt25: 57,
  rt26: 58,
  rt27: 59,
  rt28: 60,
  rt29: 61,
  rt30: 62,
  rt31: 63,
  rt32: 64,
} as const;
export type DomainProcessSignal = (typeof DomainProcessSignal)[keyof typeof DomainProcessSignal];

export const DomainEventType = {
  defined: 0,
  undefined: 1,
  started: 2,
  suspended: 3,
  resumed: 4,
  stopped: 5,
  shutdown: 6,
  pmSuspended: 7,
  crashed: 8,
} as const;
export type DomainEventType = (typeof DomainEventType)[keyof typeof DomainEventType];

export const DomainEventDefinedDetailType = {
  added: 0,
  updated: 1,
  renamed: 2,
  fromSnapshot: 3,
} as const;
export type DomainEventDefinedDetailType = (typeof DomainEventDefinedDetailType)[keyof typeof DomainEventDefinedDetailType];

export const DomainEventUndefinedDetailType = {
  removed: 0,
  renamed: 1,
} as const;
export type DomainEventUndefinedDetailType = (typeof DomainEventUndefinedDetailType)[keyof typeof DomainEventUndefinedDetailType];

export const DomainEventStartedDetailType = {
  booted: 0,
  migrated: 1,
  restored: 2,
  fromSnapshot: 3,
  wakeup: 4,
  recreated: 5,
} as const;
export type DomainEventStartedDetailType = (typeof DomainEventStartedDetailType)[keyof typeof DomainEventStartedDetailType];

export const DomainEventSuspendedDetailType = {
  paused: 0,
  migrated: 1,
  ioerror: 2,
  watchdog: 3,
  restored: 4,
  fromSnapshot: 5,
  apiError: 6,
  postcopy: 7,
  postcopyFailed: 8,
  guestShutdown: 9,
} as const;
export type DomainEventSuspendedDetailType = (typeof DomainEventSuspendedDetailType)[keyof typeof DomainEventSuspendedDetailType];

export const DomainEventResumedDetailType = {
  unpaused: 0,
  migrated: 1,
  fromSnapshot: 2,
  postcopy: 3,
  postcopyFailed: 4,
} as const;
export type DomainEventResumedDetailType = (typeof DomainEventResumedDetailType)[keyof typeof DomainEventResumedDetailType];

export const DomainEventStoppedDetailType = {
  shutdown: 0,
  destroyed: 1,
  crashed: 2,
  migrated: 3,
  saved: 4,
  failed: 5,
  fromSnapshot: 6,
  recreated: 7,
} as const;
export type DomainEventStoppedDetailType = (typeof DomainEventStoppedDetailType)[keyof typeof DomainEventStoppedDetailType];

export const DomainEventShutdownDetailType = {
  finished: 0,
  guest: 1,
  host: 2,
} as const;
export type DomainEventShutdownDetailType = (typeof DomainEventShutdownDetailType)[keyof typeof DomainEventShutdownDetailType];

export const DomainEventPmSuspendedDetailType = {
  memory: 0,
  disk: 1,
} as const;
export type DomainEventPmSuspendedDetailType = (typeof DomainEventPmSuspendedDetailType)[keyof typeof DomainEventPmSuspendedDetailType];

export const DomainEventCrashedDetailType = {
  panicked: 0,
  crashloaded: 1,
} as const;
export type DomainEventCrashedDetailType = (typeof DomainEventCrashedDetailType)[keyof typeof DomainEventCrashedDetailType];

export const DomainMemoryFailureRecipientType = {
  hypervisor: 0,
  guest: 1,
} as const;
export type DomainMemoryFailureRecipientType = (typeof DomainMemoryFailureRecipientType)[keyof typeof DomainMemoryFailureRecipientType];

export const DomainMemoryFailureActionType = {
  ignore: 0,
  inject: 1,
  fatal: 2,
  reset: 3,
} as const;
export type DomainMemoryFailureActionType = (typeof DomainMemoryFailureActionType)[keyof typeof DomainMemoryFailureActionType];

export const DomainMemoryFailureFlags = {
  actionRequired: 1,
  recursive: 2,
} as const;

export const DomainJobType = {
  none: 0,
  bounded: 1,
  unbounded: 2,
  completed: 3,
  failed: 4,
  cancelled: 5,
} as const;
export type DomainJobType = (typeof DomainJobType)[keyof typeof DomainJobType];

export const DomainGetJobStatsFlags = {
  completed: 1,
  keepCompleted: 2,
} as const;

export const DomainAbortJobFlags = {
  postcopy: 1,
} as const;

export const DomainJobOperation = {
  unknown: 0,
  start: 1,
  save: 2,
  restore: 3,
  migrationIn: 4,
  migrationOut: 5,
  snapshot: 6,
  snapshotRevert: 7,
  dump: 8,
  backup: 9,
  snapshotDelete: 10,
} as const;
export type DomainJobOperation = (typeof DomainJobOperation)[keyof typeof DomainJobOperation];

export const DomainEventWatchdogAction = {
  none: 0,
  pause: 1,
  reset: 2,
  poweroff: 3,
  shutdown: 4,
  debug: 5,
  injectnmi: 6,
} as const;
export type DomainEventWatchdogAction = (typeof DomainEventWatchdogAction)[keyof typeof DomainEventWatchdogAction];

export const DomainEventIoErrorAction = {
  none: 0,
  pause: 1,
  report: 2,
} as const;
export type DomainEventIoErrorAction = (typeof DomainEventIoErrorAction)[keyof typeof DomainEventIoErrorAction];

export const DomainEventGraphicsPhase = {
  connect: 0,
  initialize: 1,
  disconnect: 2,
} as const;
export type DomainEventGraphicsPhase = (typeof DomainEventGraphicsPhase)[keyof typeof DomainEventGraphicsPhase];

export const DomainEventGraphicsAddressType = {
  ipv4: 0,
  ipv6: 1,
  unix: 2,
} as const;
export type DomainEventGraphicsAddressType = (typeof DomainEventGraphicsAddressType)[keyof typeof DomainEventGraphicsAddressType];

export const ConnectDomainEventBlockJobStatus = {
  completed: 0,
  failed: 1,
  canceled: 2,
  ready: 3,
} as const;
export type ConnectDomainEventBlockJobStatus = (typeof ConnectDomainEventBlockJobStatus)[keyof typeof ConnectDomainEventBlockJobStatus];

export const ConnectDomainEventDiskChangeReason = {
  changeMissingOnStart: 0,
  dropMissingOnStart: 1,
} as const;
export type ConnectDomainEventDiskChangeReason = (typeof ConnectDomainEventDiskChangeReason)[keyof typeof ConnectDomainEventDiskChangeReason];

export const DomainEventTrayChangeReason = {
  open: 0,
  close: 1,
} as const;
export type DomainEventTrayChangeReason = (typeof DomainEventTrayChangeReason)[keyof typeof DomainEventTrayChangeReason];

export const ConnectDomainEventAgentLifecycleState = {
  connected: 1,
  disconnected: 2,
} as const;
export type ConnectDomainEventAgentLifecycleState = (typeof ConnectDomainEventAgentLifecycleState)[keyof typeof ConnectDomainEventAgentLifecycleState];

export const ConnectDomainEventAgentLifecycleReason = {
  unknown: 0,
  domainStarted: 1,
  channel: 2,
} as const;
export type ConnectDomainEventAgentLifecycleReason = (typeof ConnectDomainEventAgentLifecycleReason)[keyof typeof ConnectDomainEventAgentLifecycleReason];

export const ConnectDomainEventChannelLifecycleState = {
  connected: 1,
  disconnected: 2,
} as const;
export type ConnectDomainEventChannelLifecycleState = (typeof ConnectDomainEventChannelLifecycleState)[keyof typeof ConnectDomainEventChannelLifecycleState];

export const ConnectDomainEventChannelLifecycleReason = {
  unknown: 0,
  domainStarted: 1,
  channel: 2,
} as const;
export type ConnectDomainEventChannelLifecycleReason = (typeof ConnectDomainEventChannelLifecycleReason)[keyof typeof ConnectDomainEventChannelLifecycleReason];

export const DomainEventID = {
  lifecycle: 0,
  reboot: 1,
  rtcChange: 2,
  watchdog: 3,
  ioError: 4,
  graphics: 5,
  ioErrorReason: 6,
  controlError: 7,
  blockJob: 8,
  diskChange: 9,
  trayChange: 10,
  pmwakeup: 11,
  pmsuspend: 12,
  balloonChange: 13,
  pmsuspendDisk: 14,
  deviceRemoved: 15,
  blockJob2: 16,
  tunable: 17,
  agentLifecycle: 18,
  deviceAdded: 19,
  migrationIteration: 20,
  jobCompleted: 21,
  deviceRemovalFailed: 22,
  metadataChange: 23,
  blockThreshold: 24,
  memoryFailure: 25,
  memoryDeviceSizeChange: 26,
  nicMacChange: 27,
  vcpuRemoved: 28,
  channelLifecycle: 29,
} as const;
export type DomainEventID = (typeof DomainEventID)[keyof typeof DomainEventID];

export const DomainConsoleFlags = {
  force: 1,
  safe: 2,
} as const;

export const DomainChannelFlags = {
  force: 1,
} as const;

export const DomainOpenGraphicsFlags = {
  skipauth: 1,
} as const;

export const DomainSetTimeFlags = {
  sync: 1,
} as const;

export const DomainInterfaceAddressesSource = {
  lease: 0,
  agent: 1,
  arp: 2,
} as const;
export type DomainInterfaceAddressesSource = (typeof DomainInterfaceAddressesSource)[keyof typeof DomainInterfaceAddressesSource];

export const DomainSetUserPasswordFlags = {
  encrypted: 1,
} as const;

export const DomainLifecycle = {
  poweroff: 0,
  reboot: 1,
  crash: 2,
} as const;
export type DomainLifecycle = (typeof DomainLifecycle)[keyof typeof DomainLifecycle];

export const DomainLifecycleAction = {
  destroy: 0,
  restart: 1,
  restartRename: 2,
  preserve: 3,
  coredumpDestroy: 4,
  coredumpRestart: 5,
  preserveRunning: 6,
} as const;
export type DomainLifecycleAction = (typeof DomainLifecycleAction)[keyof typeof DomainLifecycleAction];

export const DomainGuestInfoTypes = {
  users: 1,
  os: 2,
  timezone: 4,
  hostname: 8,
  filesystem: 16,
  disks: 32,
  interfaces: 64,
  load: 128,
  devices: 256,
} as const;

export const DomainAgentResponseTimeoutValues = {
  block: -2,
  default: -1,
  nowait: 0,
} as const;
export type DomainAgentResponseTimeoutValues = (typeof DomainAgentResponseTimeoutValues)[keyof typeof DomainAgentResponseTimeoutValues];

export const DomainBackupBeginFlags = {
  reuseExternal: 1,
  preserveShutdownDomain: 2,
} as const;

export const DomainAuthorizedSshKeysSetFlags = {
  append: 1,
  remove: 2,
} as const;

export const DomainMessageType = {
  deprecation: 1,
  tainting: 2,
  ioerrors: 4,
} as const;

export const DomainDirtyRateStatus = {
  unstarted: 0,
  measuring: 1,
  measured: 2,
} as const;
export type DomainDirtyRateStatus = (typeof DomainDirtyRateStatus)[keyof typeof DomainDirtyRateStatus];

export const DomainDirtyRateCalcFlags = {
  pageSampling: 0,
  dirtyBitmap: 1,
  dirtyRing: 2,
} as const;

export const DomainFdAssociateFlags = {
  seclabelRestore: 1,
  seclabelWritable: 2,
} as const;

export const DomainGraphicsReloadType = {
  any: 0,
  vnc: 1,
} as const;
export type DomainGraphicsReloadType = (typeof DomainGraphicsReloadType)[keyof typeof DomainGraphicsReloadType];

export const DomainSnapshotCreateFlags = {
  redefine: 1,
  current: 2,
  noMetadata: 4,
  halt: 8,
  diskOnly: 16,
  reuseExt: 32,
  quiesce: 64,
  atomic: 128,
  live: 256,
  validate: 512,
} as const;

export const DomainSnapshotXmlFlags = {
  secure: 1,
} as const;

export const DomainSnapshotListFlags = {
  roots: 1,
  descendants: 1,
  leaves: 4,
  noLeaves: 8,
  metadata: 2,
  noMetadata: 16,
  inactive: 32,
  active: 64,
  diskOnly: 128,
  internal: 256,
  external: 512,
  topological: 1024,
} as const;

export const DomainSnapshotRevertFlags = {
  running: 1,
  paused: 2,
  force: 4,
  resetNvram: 8,
} as const;

export const DomainSnapshotDeleteFlags = {
  children: 1,
  metadataOnly: 2,
  childrenOnly: 4,
} as const;

export const DomainCheckpointCreateFlags = {
  redefine: 1,
  quiesce: 2,
  redefineValidate: 4,
} as const;

export const DomainCheckpointXmlFlags = {
  secure: 1,
  noDomain: 2,
  size: 4,
} as const;

export const DomainCheckpointListFlags = {
  roots: 1,
  descendants: 1,
  topological: 2,
  leaves: 4,
  noLeaves: 8,
} as const;

export const DomainCheckpointDeleteFlags = {
  children: 1,
  metadataOnly: 2,
  childrenOnly: 4,
} as const;

export const NetworkXmlFlags = {
  inactive: 1,
} as const;

export const ConnectListAllNetworksFlags = {
  inactive: 1,
  active: 2,
  persistent: 4,
  transient: 8,
  autostart: 16,
  noAutostart: 32,
} as const;

export const NetworkCreateFlags = {
  validate: 1,
} as const;

export const NetworkDefineFlags = {
  validate: 1,
} as const;

export const NetworkUpdateCommand = {
  none: 0,
  modify: 1,
  delete: 2,
  addLast: 3,
  addFirst: 4,
} as const;
export type NetworkUpdateCommand = (typeof NetworkUpdateCommand)[keyof typeof NetworkUpdateCommand];

export const NetworkUpdateSection = {
  none: 0,
  bridge: 1,
  domain: 2,
  ip: 3,
  ipDhcpHost: 4,
  ipDhcpRange: 5,
  forward: 6,
  forwardInterface: 7,
  forwardPf: 8,
  portgroup: 9,
  dnsHost: 10,
  dnsTxt: 11,
  dnsSrv: 12,
} as const;
export type NetworkUpdateSection = (typeof NetworkUpdateSection)[keyof typeof NetworkUpdateSection];

export const NetworkUpdateFlags = {
  current: 0,
  live: 1,
  config: 2,
} as const;

export const NetworkEventLifecycleType = {
  defined: 0,
  undefined: 1,
  started: 2,
  stopped: 3,
} as const;
export type NetworkEventLifecycleType = (typeof NetworkEventLifecycleType)[keyof typeof NetworkEventLifecycleType];

export const NetworkEventID = {
  lifecycle: 0,
  metadataChange: 1,
} as const;
export type NetworkEventID = (typeof NetworkEventID)[keyof typeof NetworkEventID];

export const IpAddrType = {
  ipv4: 0,
  ipv6: 1,
} as const;
export type IpAddrType = (typeof IpAddrType)[keyof typeof IpAddrType];

export const NetworkPortCreateFlags = {
  reclaim: 1,
  validate: 2,
} as const;

export const NetworkMetadataType = {
  description: 0,
  title: 1,
  element: 2,
} as const;
export type NetworkMetadataType = (typeof NetworkMetadataType)[keyof typeof NetworkMetadataType];

export const StoragePoolState = {
  inactive: 0,
  building: 1,
  running: 2,
  degraded: 3,
  inaccessible: 4,
} as const;
export type StoragePoolState = (typeof StoragePoolState)[keyof typeof StoragePoolState];

export const StoragePoolBuildFlags = {
  new: 0,
  repair: 1,
  resize: 2,
  noOverwrite: 4,
  overwrite: 8,
} as const;

export const StoragePoolDeleteFlags = {
  normal: 0,
  zeroed: 1,
} as const;

export const StoragePoolCreateFlags = {
  normal: 0,
  withBuild: 1,
  withBuildOverwrite: 2,
  withBuildNoOverwrite: 4,
} as const;

export const StorageVolType = {
  file: 0,
  block: 1,
  dir: 2,
  network: 3,
  netdir: 4,
  ploop: 5,
} as const;
export type StorageVolType = (typeof StorageVolType)[keyof typeof StorageVolType];

export const StorageVolDeleteFlags = {
  normal: 0,
  zeroed: 1,
  withSnapshots: 2,
} as const;

export const StorageVolWipeAlgorithm = {
  zero: 0,
  nnsa: 1,
  dod: 2,
  bsi: 3,
  gutmann: 4,
  schneier: 5,
  pfitzner7: 6,
  pfitzner33: 7,
  random: 8,
  trim: 9,
} as const;
export type StorageVolWipeAlgorithm = (typeof StorageVolWipeAlgorithm)[keyof typeof StorageVolWipeAlgorithm];

export const StorageVolInfoFlags = {
  useAllocation: 0,
  getPhysical: 1,
} as const;

export const StorageXmlFlags = {
  inactive: 1,
} as const;

export const ConnectListAllStoragePoolsFlags = {
  inactive: 1,
  active: 2,
  persistent: 4,
  transient: 8,
  autostart: 16,
  noAutostart: 32,
  dir: 64,
  fs: 128,
  netfs: 256,
  logical: 512,
  disk: 1024,
  iscsi: 2048,
  scsi: 4096,
  mpath: 8192,
  rbd: 16384,
  sheepdog: 32768,
  gluster: 65536,
  zfs: 131072,
  vstorage: 262144,
  iscsiDirect: 524288,
} as const;

export const StoragePoolDefineFlags = {
  validate: 1,
} as const;

export const StorageVolCreateFlags = {
  preallocMetadata: 1,
  reflink: 2,
  validate: 4,
} as const;

export const StorageVolDownloadFlags = {
  sparseStream: 1,
} as const;

export const StorageVolUploadFlags = {
  sparseStream: 1,
} as const;

export const StorageVolResizeFlags = {
  allocate: 1,
  delta: 2,
  shrink: 4,
} as const;

export const StoragePoolEventID = {
  lifecycle: 0,
  refresh: 1,
} as const;
export type StoragePoolEventID = (typeof StoragePoolEventID)[keyof typeof StoragePoolEventID];

export const StoragePoolEventLifecycleType = {
  defined: 0,
  undefined: 1,
  started: 2,
  stopped: 3,
  created: 4,
  deleted: 5,
} as const;
export type StoragePoolEventLifecycleType = (typeof StoragePoolEventLifecycleType)[keyof typeof StoragePoolEventLifecycleType];

export const ConnectListAllInterfacesFlags = {
  inactive: 1,
  active: 2,
} as const;

export const InterfaceXmlFlags = {
  inactive: 1,
} as const;

export const InterfaceDefineFlags = {
  validate: 1,
} as const;

export const ConnectListAllNodeDeviceFlags = {
  capSystem: 1,
  capPciDev: 2,
  capUsbDev: 4,
  capUsbInterface: 8,
  capNet: 16,
  capScsiHost: 32,
  capScsiTarget: 64,
  capScsi: 128,
  capStorage: 256,
  capFcHost: 512,
  capVports: 1024,
  capScsiGeneric: 2048,
  capDrm: 4096,
  capMdevTypes: 8192,
  capMdev: 16384,
  capCcwDev: 32768,
  capCssDev: 65536,
  capVdpa: 131072,
  capApCard: 262144,
  capApQueue: 524288,
  capApMatrix: 1048576,
  capVpd: 2097152,
  capCcwgroupDev: 4194304,
  capCcwgroupMember: 8388608,
  persistent: 268435456,
  transient: 536870912,
  inactive: 1073741824,
  active: 2147483648,
} as const;

export const NodeDeviceXmlFlags = {
  inactive: 1,
} as const;

export const NodeDeviceCreateXmlFlags = {
  validate: 1,
} as const;

export const NodeDeviceDefineXmlFlags = {
  validate: 1,
} as const;

export const NodeDeviceUpdateFlags = {
  current: 0,
  live: 1,
  config: 2,
} as const;

export const NodeDeviceEventID = {
  lifecycle: 0,
  update: 1,
} as const;
export type NodeDeviceEventID = (typeof NodeDeviceEventID)[keyof typeof NodeDeviceEventID];

export const NodeDeviceEventLifecycleType = {
  created: 0,
  deleted: 1,
  defined: 2,
  undefined: 3,
} as const;
export type NodeDeviceEventLifecycleType = (typeof NodeDeviceEventLifecycleType)[keyof typeof NodeDeviceEventLifecycleType];

export const NwfilterDefineFlags = {
  validate: 1,
} as const;

export const NwfilterBindingCreateFlags = {
  validate: 1,
} as const;

export const SecretUsageType = {
  none: 0,
  volume: 1,
  ceph: 2,
  iscsi: 3,
  tls: 4,
  vtpm: 5,
} as const;
export type SecretUsageType = (typeof SecretUsageType)[keyof typeof SecretUsageType];

export const ConnectListAllSecretsFlags = {
  ephemeral: 1,
  noEphemeral: 2,
  private: 4,
  noPrivate: 8,
} as const;

export const SecretDefineFlags = {
  validate: 1,
} as const;

export const SecretEventID = {
  lifecycle: 0,
  valueChanged: 1,
} as const;
export type SecretEventID = (typeof SecretEventID)[keyof typeof SecretEventID];

export const SecretEventLifecycleType = {
  defined: 0,
  undefined: 1,
} as const;
export type SecretEventLifecycleType = (typeof SecretEventLifecycleType)[keyof typeof SecretEventLifecycleType];

export const DomainQemuMonitorCommandFlags = {
  default: 0,
  hmp: 1,
} as const;

export const DomainQemuAgentCommandTimeoutValues = {
  min: -2,
  block: -2,
  default: -1,
  nowait: 0,
  shutdown: 60,
} as const;
export type DomainQemuAgentCommandTimeoutValues = (typeof DomainQemuAgentCommandTimeoutValues)[keyof typeof DomainQemuAgentCommandTimeoutValues];

export const ConnectDomainQemuMonitorEventRegisterFlags = {
  regex: 1,
  nocase: 2,
} as const;

export const ErrorLevel = {
  none: 0,
  warning: 1,
  error: 2,
} as const;
export type ErrorLevel = (typeof ErrorLevel)[keyof typeof ErrorLevel];

export const ErrorDomain = {
  none: 0,
  xen: 1,
  xend: 2,
  xenstore: 3,
  sexpr: 4,
  xml: 5,
  dom: 6,
  rpc: 7,
  proxy: 8,
  conf: 9,
  qemu: 10,
  net: 11,
  test: 12,
  remote: 13,
  openvz: 14,
  xenxm: 15,
  statsLinux: 16,
  lxc: 17,
  storage: 18,
  network: 19,
  domain: 20,
  uml: 21,
  nodedev: 22,
  xenInotify: 23,
  security: 24,
  vbox: 25,
  interface: 26,
  one: 27,
  esx: 28,
  phyp: 29,
  secret: 30,
  cpu: 31,
  xenapi: 32,
  nwfilter: 33,
  hook: 34,
  domainSnapshot: 35,
  audit: 36,
  sysinfo: 37,
  streams: 38,
  vmware: 39,
  event: 40,
  libxl: 41,
  locking: 42,
  hyperv: 43,
  capabilities: 44,
  uri: 45,
  auth: 46,
  dbus: 47,
  parallels: 48,
  device: 49,
  ssh: 50,
  lockspace: 51,
  initctl: 52,
  identity: 53,
  cgroup: 54,
  access: 55,
  systemd: 56,
  bhyve: 57,
  crypto: 58,
  firewall: 59,
  polkit: 60,
  thread: 61,
  admin: 62,
  logging: 63,
  xenxl: 64,
  perf: 65,
  libssh: 66,
  resctrl: 67,
  firewalld: 68,
  domainCheckpoint: 69,
  tpm: 70,
  bpf: 71,
  ch: 72,
} as const;
export type ErrorDomain = (typeof ErrorDomain)[keyof typeof ErrorDomain];

export const ErrorNumber = {
  ok: 0,
  internalError: 1,
  noMemory: 2,
  noSupport: 3,
  unknownHost: 4,
  noConnect: 5,
  invalidConn: 6,
  invalidDomain: 7,
  invalidArg: 8,
  operationFailed: 9,
  getFailed: 10,
  postFailed: 11,
  httpError: 12,
  sexprSerial: 13,
  noXen: 14,
  xenCall: 15,
  osType: 16,
  noKernel: 17,
  noRoot: 18,
  noSource: 19,
  noTarget: 20,
  noName: 21,
  noOs: 22,
  noDevice: 23,
  noXenstore: 24,
  driverFull: 25,
  callFailed: 26,
  xmlError: 27,
  domExist: 28,
  operationDenied: 29,
  openFailed: 30,
  readFailed: 31,
  parseFailed: 32,
  confSyntax: 33,
  writeFailed: 34,
  xmlDetail: 35,
  invalidNetwork: 36,
  networkExist: 37,
  systemError: 38,
  rpc: 39,
  gnutlsError: 40,
  warNoNetwork: 41,
  noDomain: 42,
  noNetwork: 43,
  invalidMac: 44,
  authFailed: 45,
  invalidStoragePool: 46,
  invalidStorageVol: 47,
  warNoStorage: 48,
  noStoragePool: 49,
  noStorageVol: 50,
  warNoNode: 51,
  invalidNodeDevice: 52,
  noNodeDevice: 53,
  noSecurityModel: 54,
  operationInvalid: 55,
  warNoInterface: 56,
  noInterface: 57,
  invalidInterface: 58,
  multipleInterfaces: 59,
  warNoNwfilter: 60,
  invalidNwfilter: 61,
  noNwfilter: 62,
  buildFirewall: 63,
  warNoSecret: 64,
  invalidSecret: 65,
  noSecret: 66,
  configUnsupported: 67,
  operationTimeout: 68,
  migratePersistFailed: 69,
  hookScriptFailed: 70,
  invalidDomainSnapshot: 71,
  noDomainSnapshot: 72,
  invalidStream: 73,
  argumentUnsupported: 74,
  storageProbeFailed: 75,
  storagePoolBuilt: 76,
  snapshotRevertRisky: 77,
  operationAborted: 78,
  authCancelled: 79,
  noDomainMetadata: 80,
  migrateUnsafe: 81,
  overflow: 82,
  blockCopyActive: 83,
  operationUnsupported: 84,
  ssh: 85,
  agentUnresponsive: 86,
  resourceBusy: 87,
  accessDenied: 88,
  dbusService: 89,
  storageVolExist: 90,
  cpuIncompatible: 91,
  xmlInvalidSchema: 92,
  migrateFinishOk: 93,
  authUnavailable: 94,
  noServer: 95,
  noClient: 96,
  agentUnsynced: 97,
  libssh: 98,
  deviceMissing: 99,
  invalidNwfilterBinding: 100,
  noNwfilterBinding: 101,
  invalidDomainCheckpoint: 102,
  noDomainCheckpoint: 103,
  noDomainBackup: 104,
  invalidNetworkPort: 105,
  networkPortExist: 106,
  noNetworkPort: 107,
  noHostname: 108,
  checkpointInconsistent: 109,
  multipleDomains: 110,
  noNetworkMetadata: 111,
  agentCommandTimeout: 112,
  agentCommandFailed: 113,
  invalidEncrKeySecret: 114,
} as const;
export type ErrorNumber = (typeof ErrorNumber)[keyof typeof ErrorNumber];

export const DriverFeature = {
  migrationV1: 1,
  remote: 2,
  migrationV2: 3,
  migrationP2p: 4,
  migrationDirect: 5,
  migrationV3: 6,
  migrateChangeProtection: 7,
  fdPassing: 8,
  typedParamString: 9,
  programKeepalive: 10,
  xmlMigratable: 11,
  migrationOffline: 12,
  migrationParams: 13,
  remoteEventCallback: 14,
  remoteCloseCallback: 15,
  networkUpdateHasCorrectOrder: 16,
} as const;
export type DriverFeature = (typeof DriverFeature)[keyof typeof DriverFeature];

export const AuthType = {
  none: 0,
  sasl: 1,
  polkit: 2,
} as const;
export type AuthType = (typeof AuthType)[keyof typeof AuthType];
