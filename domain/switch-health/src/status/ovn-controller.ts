import type { OVNController, OVSNodeCondition } from '@smalt/ovs-api';

import { IssueRule } from '../issue-rule.ts';
import { readOvnSettings } from '../ovn-settings.ts';
import type { SwitchFacts } from '../switch-facts.ts';

/** Where ovn-controller looks for the southbound database. */
export function southboundRemote({ configuration }: SwitchFacts): string | undefined {
  return configuration && readOvnSettings(configuration).remote;
}

/** The name of this chassis: as the southbound database has it, else as ovn-controller was told. */
export function chassisName(facts: SwitchFacts): string | undefined {
  return registeredChassis(facts) ?? (facts.configuration && readOvnSettings(facts.configuration).chassis);
}

/** The name of this chassis in the southbound database. Without it nobody can say which ports are bound here. */
export function registeredChassis({ ovn }: SwitchFacts): string | undefined {
  return ovn?.southbound?.kind === 'known' ? ovn.southbound.value.chassis : undefined;
}

/** What the object says of ovn-controller: connected as the condition has it, and left out where that is not known. */
export function ovnControllerStatus(facts: SwitchFacts, condition: OVSNodeCondition): OVNController | undefined {
  if (facts.ovn === undefined) return undefined;
  const sbConnection = southboundRemote(facts);
  const chassisId = chassisName(facts);
  // One that is paused keeps its connection and does nothing with it.
  const isConnected = condition.status === 'True' || condition.reason === IssueRule.controllerPaused;
  return {
    ...((condition.status !== 'Unknown' || isConnected) && { connected: isConnected }),
    ...(sbConnection !== undefined && { sbConnection }),
    ...(chassisId !== undefined && { chassisId }),
  };
}
