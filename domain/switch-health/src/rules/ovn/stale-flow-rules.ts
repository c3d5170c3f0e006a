import { findIntegrationBridge, integrationBridgeName } from '../../integration-bridge.ts';
import { IssueRule } from '../../issue-rule.ts';
import { unknownBlind } from './controller-rules.ts';
import { daemonTrouble } from '../switch/daemon-rules.ts';
import type { Finding, Verdict } from '../finding.ts';
import { lasting, MAXIMUM_SUSPICIONS } from '../histories/flow-scan-history.ts';
import type { RuleView } from '../histories/histories.ts';

const NAMED = 3;

/** Flows whose cookie names no row of the southbound database, in two scans, while ovn-controller is at work. */
export function unexplainedFlowsVerdict(view: RuleView): Verdict {
  const rule = IssueRule.unexplainedFlows;
  const { facts, histories } = view;
  const scan = facts.ovn?.staleFlows;
  if (scan === undefined || facts.ovn === undefined) return { rule, findings: [] };
  if (scan.kind === 'unknown') return { rule, findings: [], blind: unknownBlind(scan.why) };
  if (scan.value.unexplained === undefined) {
    return { rule, findings: [], blind: unknownBlind('the southbound database was not read') };
  }
  if (scan.value.unexplained.size === 0) return { rule, findings: [] };
  const isAtWork = unattendedWhy(view) === undefined;
  if (!isAtWork) return { rule, findings: [], blind: unknownBlind('ovn-controller is not at work') };
  const cookies = unexplained(view);
  if (cookies.length === 0 || histories.scans === undefined) return notYet(rule, histories.scans?.cookies);
  // One that has just come back needs a moment to catch up.
  const connectedSince = histories.connection?.since ?? facts.at;
  if (histories.scans.at - connectedSince < view.settings.staleFlowsMs) {
    return { rule, findings: [], blind: unknownBlind('ovn-controller was not connected all the while') };
  }
  return foundBy(view, {
    rule,
    message: `Stale flows on ${bridgeOf(view)}: ${countOf(cookies)} are in no table of the southbound database (${named(cookies, cookieText)})`,
    advice: 'Restart ovn-controller: it installs what is wanted and removes the rest',
    seenAt: histories.scans.at,
  });
}

/** Flows from or to ports that the integration bridge does not have, in two scans. */
export function missingPortsVerdict(view: RuleView): Verdict {
  const rule = IssueRule.flowsToMissingPorts;
  const { facts, histories, settings } = view;
  const scan = facts.ovn?.staleFlows;
  if (scan === undefined) return { rule, findings: [] };
  if (scan.kind === 'unknown') return { rule, findings: [], blind: unknownBlind(scan.why) };
  const { scans } = histories;
  const ports = scans === undefined ? [] : lasting(scans.ports, scans.at, settings.staleFlowsMs);
  if (ports.length === 0 || scans === undefined) return notYet(rule, scans?.ports);
  return foundBy(view, {
    rule,
    message: `Stale flows on ${bridgeOf(view)}: ${countOf(ports)} name ports that are not there (${named(ports, (port) => `port ${port}`)})`,
    advice: 'Look at whether ovn-controller works; a restart of it removes them',
    seenAt: scans.at,
  });
}

/** Flows that nobody keeps up to date, whether or not one of them is wrong yet. */
export function unattendedFlowsVerdict(view: RuleView): Verdict {
  const rule = IssueRule.flowsUnattended;
  const { facts, settings } = view;
  if (facts.ovn === undefined) return { rule, findings: [] };
  const why = unattendedWhy(view);
  if (why === undefined) {
    const { connection } = facts.ovn;
    return connection.kind === 'unknown'
      ? { rule, findings: [], blind: unknownBlind(connection.why) }
      : { rule, findings: [] };
  }
  const cookies = unexplained(view);
  const already = cookies.length === 0 ? '' : `; ${countOf(cookies)} already are (${named(cookies, cookieText)})`;
  const finding: Finding = {
    rule,
    subject: bridgeOf(view),
    severity: 'Warning',
    message: `Flows of ${bridgeOf(view)} may be stale: ${why.text}${already}`,
    advice: 'Bring ovn-controller back to work; flows stay as they were until then',
    seenAt: facts.at,
    ...(why.since !== undefined && { since: why.since }),
    graceMs: settings.unattendedFlowsMs,
  };
  return { rule, findings: [finding] };
}

/** Why ovn-controller does not look after the flows now, if so. */
function unattendedWhy({ facts, histories }: RuleView): { readonly text: string; readonly since?: number } | undefined {
  const { ovn } = facts;
  if (ovn === undefined) return undefined;
  const trouble = daemonTrouble('ovn-controller', ovn.controller);
  if (trouble !== undefined) return { text: trouble.message, since: ovn.controller.since };
  if (ovn.isPaused.kind === 'known' && ovn.isPaused.value) {
    return { text: 'ovn-controller is paused' };
  }
  if (histories.connection?.state === 'not connected') {
    return { text: 'ovn-controller is not connected to the southbound database', since: histories.connection.since };
  }
  return undefined;
}

function unexplained({ histories: { scans }, settings }: RuleView): readonly [bigint, number][] {
  return scans === undefined ? [] : lasting(scans.cookies, scans.at, settings.staleFlowsMs);
}

// While the last scan has found something, nothing is mended, though it is too early to say anything new.
function notYet(rule: Finding['rule'], suspicions: ReadonlyMap<unknown, unknown> | undefined): Verdict {
  const blind = unknownBlind('a second scan has to confirm what one has found');
  return { rule, findings: [], ...(suspicions !== undefined && suspicions.size > 0 && { blind }) };
}

function foundBy(view: RuleView, part: Pick<Finding, 'rule' | 'message' | 'advice' | 'seenAt'>): Verdict {
  // The scans themselves have waited long enough.
  return { rule: part.rule, findings: [{ ...part, subject: bridgeOf(view), severity: 'Warning', graceMs: 0 }] };
}

function bridgeOf({ facts: { configuration } }: RuleView): string {
  if (configuration === undefined) return 'br-int';
  return findIntegrationBridge(configuration)?.name ?? integrationBridgeName(configuration);
}

function countOf(found: readonly (readonly [unknown, number])[]): string {
  const flows = found.reduce((sum, [, count]) => sum + count, 0);
  return `${found.length >= MAXIMUM_SUSPICIONS ? 'at least ' : ''}${flows} ${flows === 1 ? 'flow' : 'flows'}`;
}

function named<K>(found: readonly (readonly [K, number])[], text: (key: K) => string): string {
  const names = found.slice(0, NAMED).map(([key]) => text(key));
  return [...names, ...(found.length > NAMED ? ['…'] : [])].join(', ');
}

function cookieText(cookie: bigint): string {
  return `cookie 0x${cookie.toString(16)}`;
}
