import type { Blindness } from '../rules/finding.ts';
import type { SwitchFacts } from '../switch-facts.ts';

/** Why what the database says of links and ports cannot be trusted now: it keeps its last word when others die. */
export function oldNews(facts: SwitchFacts): Blindness | undefined {
  return databaseOldNews(facts) ?? vswitchdOldNews(facts);
}

/** Why the database cannot be read now. */
export function databaseOldNews({ database, configuration }: SwitchFacts): Blindness | undefined {
  if (database.state === 'disconnected') {
    return { reason: 'DatabaseDisconnected', why: 'the database of Open vSwitch is not connected' };
  }
  if (database.state === 'silent') {
    return { reason: 'DatabaseSilent', why: 'the database of Open vSwitch does not answer' };
  }
  if (configuration === undefined) {
    return { reason: 'NotReadYet', why: 'the database of Open vSwitch was not read yet' };
  }
  return undefined;
}

/** Why nobody keeps the database up to date now. */
export function vswitchdOldNews({ vswitchd }: SwitchFacts): Blindness | undefined {
  switch (vswitchd.state) {
    case 'answering':
      return undefined;
    case 'silent':
      return { reason: 'VswitchdSilent', why: 'ovs-vswitchd does not answer, so what the database says is old' };
    case 'gone':
      return { reason: 'VswitchdGone', why: 'ovs-vswitchd is gone, so what the database says is old' };
    case 'absent':
      return { reason: 'VswitchdAbsent', why: 'ovs-vswitchd does not run, so what the database says is old' };
  }
}

export function isLinkNews(facts: SwitchFacts): boolean {
  return oldNews(facts) === undefined;
}
