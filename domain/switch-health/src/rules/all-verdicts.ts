import { bondVerdict } from './switch/bond-rule.ts';
import { bridgeVerdict } from './switch/bridge-rule.ts';
import { cardVerdict } from './switch/card-rule.ts';
import { captureVerdict } from './ports/capture-rule.ts';
import { claimedElsewhereVerdict, duplicateVerdict, guestGoneVerdict, notClaimedVerdict } from './ports/claim-rules.ts';
import {
  controllerBehindVerdict,
  controllerDownVerdict,
  controllerOnSwitchVerdict,
  controllerPausedVerdict,
} from './ovn/controller-rules.ts';
import { configurationVerdict, databaseVerdict, vswitchdVerdict } from './switch/daemon-rules.ts';
import { deviceGoneVerdict, deviceMissingVerdict, patchVerdict, unmanagedVerdict } from './ports/device-rules.ts';
import type { Verdict } from './finding.ts';
import type { RuleView } from './rule-view.ts';
import {
  chassisVerdict,
  southboundDisconnectedVerdict,
  southboundFlappingVerdict,
  southboundNotCheckedVerdict,
  southboundUnreadableVerdict,
} from './ovn/southbound-rules.ts';
import { missingPortsVerdict, unattendedFlowsVerdict, unexplainedFlowsVerdict } from './ovn/stale-flow-rules.ts';

const rules: readonly ((view: RuleView) => Verdict)[] = [
  databaseVerdict,
  vswitchdVerdict,
  configurationVerdict,
  bridgeVerdict,
  bondVerdict,
  cardVerdict,
  controllerDownVerdict,
  southboundDisconnectedVerdict,
  southboundFlappingVerdict,
  southboundUnreadableVerdict,
  southboundNotCheckedVerdict,
  chassisVerdict,
  controllerPausedVerdict,
  controllerOnSwitchVerdict,
  controllerBehindVerdict,
  deviceMissingVerdict,
  deviceGoneVerdict,
  patchVerdict,
  notClaimedVerdict,
  claimedElsewhereVerdict,
  duplicateVerdict,
  unmanagedVerdict,
  guestGoneVerdict,
  unexplainedFlowsVerdict,
  missingPortsVerdict,
  unattendedFlowsVerdict,
  captureVerdict,
];

/** What every rule says that is switched on. */
export function allVerdicts(view: RuleView): readonly Verdict[] {
  const off = new Set<string>(view.settings.disabledRules);
  return rules.map((judge) => judge(view)).filter(({ rule }) => !off.has(rule));
}
