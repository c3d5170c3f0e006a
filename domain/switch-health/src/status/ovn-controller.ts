import type { OVNController, OVSNodeCondition } from '@smalt/ovs-api';

import { IssueRule } from '../issue-rule.ts';
import type { SwitchFacts } from '../switch-facts.ts';

/** Where ovn-controller looks for the southbound database; a key for this chassis goes before the common one. */
export function southboundRemote({ configuration }: SwitchFacts): string | undefined {
  const ids = configuration?.externalIds;
  return ids?.get(`ovn-remote-${ids.get('system-id') ?? ''}`) ?? ids?.get('ovn-remote');
}

/** The name of this chassis: as the southbound database has it, else as it is configured. */
export function chassisName({ ovn, configuration }: SwitchFacts): string | undefined {
  const registered = ovn?.southbound?.kind === 'known' ? ovn.southbound.value.chassis : undefined;
  return registered ?? configuration?.externalIds.get('system-id');
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
