/** What is looked for. The word stands in `reason` of an issue and in the settings that switch a rule off. */
export const IssueRule = {
  databaseUnreachable: 'DatabaseUnreachable',
  vswitchdDown: 'VswitchdDown',
  configurationBehind: 'ConfigurationBehind',
  bridgeUnhealthy: 'BridgeUnhealthy',
  bondUnhealthy: 'BondUnhealthy',
  linkDown: 'LinkDown',
  controllerDown: 'ControllerDown',
  southboundDisconnected: 'SouthboundDisconnected',
  southboundFlapping: 'SouthboundFlapping',
  southboundUnreadable: 'SouthboundUnreadable',
  southboundNotChecked: 'SouthboundNotChecked',
  chassisNotRegistered: 'ChassisNotRegistered',
  controllerPaused: 'ControllerPaused',
  controllerNotOnSwitch: 'ControllerNotOnSwitch',
  controllerBehind: 'ControllerBehind',
  portDeviceMissing: 'PortDeviceMissing',
  portDeviceGone: 'PortDeviceGone',
  patchWithoutPeer: 'PatchWithoutPeer',
  portNotClaimed: 'PortNotClaimed',
  portClaimedElsewhere: 'PortClaimedElsewhere',
  duplicateInterfaceId: 'DuplicateInterfaceId',
  unmanagedPort: 'UnmanagedPort',
  guestGone: 'GuestGone',
  unexplainedFlows: 'UnexplainedFlows',
  flowsToMissingPorts: 'FlowsToMissingPorts',
  flowsUnattended: 'FlowsUnattended',
  leftoverCapture: 'LeftoverCapture',
} as const;
export type IssueRule = (typeof IssueRule)[keyof typeof IssueRule];

/** All rules, in the order in which equally grave issues are listed. */
export const issueRules: readonly IssueRule[] = Object.values(IssueRule);

/** Reads the word of a rule. */
export function isIssueRule(word: unknown): word is IssueRule {
  return issueRules.some((rule) => rule === word);
}
