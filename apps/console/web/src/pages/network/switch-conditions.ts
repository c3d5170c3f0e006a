import type { OVSNodeStatus } from '@smalt/ovs-api';

import type { ConditionMeaning } from '../../parts/condition-words.ts';

const MEANINGS: Readonly<Record<string, ConditionMeaning>> = {
  Ready: { yes: 'Carries traffic', no: 'Does not work as it should', wanted: 'True' },
  OVSDBConnected: { yes: 'Its database answers', no: 'Its database does not answer', wanted: 'True' },
  OVNControllerConnected: { yes: 'OVN is connected', no: 'OVN is not connected', wanted: 'True' },
  AllBridgesHealthy: { yes: 'All bridges work', no: 'A bridge does not work', wanted: 'True' },
  AllBondsHealthy: { yes: 'All bonds are whole', no: 'A bond is not whole', wanted: 'True' },
};

/** What the conditions of a switch mean. Where there is no OVN nobody has to know whether it is connected. */
export function switchConditions(status: OVSNodeStatus | undefined): Readonly<Record<string, ConditionMeaning>> {
  if (status?.ovnController?.connected !== undefined) return MEANINGS;
  const { OVNControllerConnected: ovn } = MEANINGS;
  return ovn === undefined ? MEANINGS : { ...MEANINGS, OVNControllerConnected: { ...ovn, unknown: 'OVN is not used' } };
}
