/** The types of conditions on an OVSNode. */
export const OVSNodeConditionType = {
  ready: 'Ready',
  ovsdbConnected: 'OVSDBConnected',
  ovnControllerConnected: 'OVNControllerConnected',
  allBridgesHealthy: 'AllBridgesHealthy',
  allBondsHealthy: 'AllBondsHealthy',
} as const;
export type OVSNodeConditionType = (typeof OVSNodeConditionType)[keyof typeof OVSNodeConditionType];
