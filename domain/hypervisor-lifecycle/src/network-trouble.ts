import { OVSNodeConditionType, type OVSNode, type OVSNodeCondition } from '@smalt/ovs-api';

/** How many things one message names; the object has them all. */
const MOST_NAMED = 5;

/** What is wrong with Open vSwitch on a node, in words: the conditions that do not hold, then the issues. */
export function networkTrouble({ status }: OVSNode): string {
  const unhealthy = (status?.conditions ?? []).filter((condition) => condition.status === 'False');
  const parts = unhealthy.filter(({ type }) => type !== OVSNodeConditionType.ready);
  // Ready sums the others up; where there are none, it is all that is told.
  const conditions = (parts.length > 0 ? parts : unhealthy).map(conditionInWords);
  const issues = (status?.issues ?? []).map(({ severity, message }) => `${severity}: ${message}`);
  const all = [...conditions, ...issues];
  const named = all.slice(0, MOST_NAMED).join('; ');
  return all.length > MOST_NAMED ? `${named}; and ${all.length - MOST_NAMED} more` : named;
}

function conditionInWords({ type, reason = '', message = '' }: OVSNodeCondition): string {
  const why = message === '' ? reason : message;
  return why === '' ? `${type} is False` : `${type} is False, ${why}`;
}
