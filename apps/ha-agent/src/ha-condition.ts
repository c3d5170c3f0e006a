import type { ConditionStatement } from '@smalt/controller-runtime';

import type { Outage } from './pusher.ts';

/** What the condition of the agent is made from. */
export interface HaCircumstances {
  readonly serviceUrl: string | undefined;
  /** Whether a batch was taken since the start. */
  readonly hasDelivered: boolean;
  /** The present failure to tell the service; nothing while it takes what it is told. */
  readonly outage: Outage | undefined;
  readonly waiting: number;
  readonly degradedSince: Date | undefined;
  readonly settingsTrouble: string | undefined;
}

const TYPE = 'HaAgent';

/** The condition `HaAgent` of a node. */
export function haCondition(circumstances: HaCircumstances): ConditionStatement {
  const { settingsTrouble } = circumstances;
  const condition = withoutSettings(circumstances);
  if (settingsTrouble === undefined) return condition;
  return { ...condition, message: `${condition.message}; earlier report settings stay in use: ${settingsTrouble}` };
}

/** The condition while another agent holds the queue of this node. */
export function lockedCondition(nodeName: string, why: string): ConditionStatement {
  const message = `another HA agent runs on ${nodeName}: ${why}; stop one of the two`;
  return { type: TYPE, status: 'False', reason: 'QueueLocked', message };
}

function withoutSettings(circumstances: HaCircumstances): ConditionStatement {
  const { serviceUrl, hasDelivered, outage, waiting, degradedSince } = circumstances;
  if (serviceUrl === undefined) {
    const message = 'no HA service is configured: events are counted, not reported';
    return { type: TYPE, status: 'False', reason: 'NotConfigured', message };
  }
  const untold =
    outage &&
    `about ${rounded(waiting)} records wait since ${time(outage.since)}, because the HA service at ${serviceUrl} ${wasReached(outage) ? 'does not take them' : 'cannot be reached'}: ${outage.why}`;
  if (degradedSince !== undefined) {
    const full = `the queue cannot be written to disk since ${time(degradedSince)}, and is kept in memory and sent from there`;
    const message = untold === undefined ? full : `${full}; ${untold}`;
    return { type: TYPE, status: 'False', reason: 'QueueDegraded', message };
  }
  if (untold !== undefined) {
    const reason = outage?.failure === 'refused' ? 'ServiceRefuses' : 'ServiceUnreachable';
    return { type: TYPE, status: 'False', reason, message: untold };
  }
  if (!hasDelivered) {
    const message = `nothing was reported to the HA service at ${serviceUrl} yet`;
    return { type: TYPE, status: 'Unknown', reason: 'Starting', message };
  }
  return {
    type: TYPE,
    status: 'True',
    reason: 'Reporting',
    message: `events and reports reach the HA service at ${serviceUrl}`,
  };
}

function wasReached({ failure }: Outage): boolean {
  return failure !== 'timeout' && failure !== 'unreachable' && failure !== 'identity';
}

// One digit that counts: a message that changes with every record would be written with every record.
function rounded(count: number): number {
  const unit = 10 ** Math.max(0, String(count).length - 1);
  return Math.floor(count / unit) * unit;
}

function time(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
