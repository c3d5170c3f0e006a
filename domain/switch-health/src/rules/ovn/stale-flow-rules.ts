import { IssueRule } from '../../issue-rule.ts';
import { readOvnSettings } from '../../ovn-settings.ts';
import { isPaused, unknownBlind, unreadSouthbound } from './controller-rules.ts';
import { daemonTrouble } from '../switch/daemon-rules.ts';
import type { OvnFacts } from '../../switch-facts.ts';
import type { Blindness, Finding, Verdict } from '../finding.ts';
import { lasting, MAXIMUM_SUSPICIONS, type Suspect } from '../histories/flow-scan-history.ts';
import type { RuleView } from '../rule-view.ts';

type KnownScan = Extract<NonNullable<OvnFacts['staleFlows']>, { kind: 'known' }>;
interface NoScan {
  readonly kind: 'none';
  readonly blind?: Blindness;
}

const NAMED = 3;

/** Flows whose cookie names no row of the southbound database, in two scans, while ovn-controller is at work. */
export function unexplainedFlowsVerdict(view: RuleView): Verdict {
  const rule = IssueRule.unexplainedFlows;
  const { facts, histories } = view;
  const scan = scanOf(view);
  if (scan.kind !== 'known') return { rule, findings: [], ...blindBy(scan) };
  if (scan.value.unexplained === undefined) return { rule, findings: [], blind: unreadSouthbound };
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
    message: `Stale flows on ${bridgeOf(view)}: ${countOf(cookies, 'is', 'are')} in no table of the southbound database (${named(cookies, cookieText)})`,
    advice: 'Restart ovn-controller: it installs what is wanted and removes the rest',
    seenAt: histories.scans.at,
    since: firstOf(cookies),
  });
}

/** Flows from or to ports that the integration bridge does not have, in two scans. */
export function missingPortsVerdict(view: RuleView): Verdict {
  const rule = IssueRule.flowsToMissingPorts;
  const { histories, settings } = view;
  const scan = scanOf(view);
  if (scan.kind !== 'known') return { rule, findings: [], ...blindBy(scan) };
  const { scans } = histories;
  const ports = scans === undefined ? [] : lasting(scans.ports, scans.at, settings.staleFlowsMs);
  if (ports.length === 0 || scans === undefined) return notYet(rule, scans?.ports);
  return foundBy(view, {
    rule,
    message: `Stale flows on ${bridgeOf(view)}: ${countOf(ports, 'names', 'name')} ports that are not there (${named(ports, (port) => `port ${port}`)})`,
    advice: 'Look at whether ovn-controller works; a restart of it removes them',
    seenAt: scans.at,
    since: firstOf(ports),
  });
}

/** Flows that nobody keeps up to date, whether or not one of them is wrong yet. */
export function unattendedFlowsVerdict(view: RuleView): Verdict {
  const rule = IssueRule.flowsUnattended;
  const { facts, settings } = view;
  if (facts.ovn === undefined) return { rule, findings: [] };
  const why = unattendedWhy(view);
  if (why === undefined) {
    const isTold = facts.ovn.connection.kind === 'known';
    return { rule, findings: [], ...(!isTold && { blind: unknownBlind('ovn-controller does not tell') }) };
  }
  const cookies = unexplained(view);
  const already =
    cookies.length === 0 ? '' : `; ${countOf(cookies, 'already is', 'already are')} (${named(cookies, cookieText)})`;
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
  if (isPaused(facts)) return { text: 'ovn-controller is paused' };
  if (histories.connection?.state === 'not connected') {
    return { text: 'ovn-controller is not connected to the southbound database', since: histories.connection.since };
  }
  return undefined;
}

/** The last scan; otherwise what a rule about flows is blind by, if it is. */
function scanOf({ facts: { ovn } }: RuleView): KnownScan | NoScan {
  if (ovn === undefined || (ovn.staleFlows === undefined && ovn.isScanning === false)) return { kind: 'none' };
  const scan = ovn.staleFlows;
  if (scan?.kind === 'known') return scan;
  const why = scan === undefined ? 'no scan of the flows was made yet' : 'the flows could not be scanned';
  return { kind: 'none', blind: unknownBlind(why) };
}

function unexplained({ histories: { scans }, settings }: RuleView): readonly Suspect<bigint>[] {
  return scans === undefined ? [] : lasting(scans.cookies, scans.at, settings.staleFlowsMs);
}

// While the last scan has found something, nothing is mended, though it is too early to say anything new.
function notYet(rule: Finding['rule'], suspicions: ReadonlyMap<unknown, unknown> | undefined): Verdict {
  const blind = unknownBlind('a second scan has to confirm what one has found');
  return { rule, findings: [], ...(suspicions !== undefined && suspicions.size > 0 && { blind }) };
}

function blindBy({ blind }: NoScan): Pick<Verdict, 'blind'> {
  return blind === undefined ? {} : { blind };
}

function foundBy(view: RuleView, part: Pick<Finding, 'rule' | 'message' | 'advice' | 'seenAt' | 'since'>): Verdict {
  // The scans themselves have waited long enough.
  return { rule: part.rule, findings: [{ ...part, subject: bridgeOf(view), severity: 'Warning', graceMs: 0 }] };
}

function bridgeOf({ facts: { configuration } }: RuleView): string {
  return configuration === undefined ? 'br-int' : readOvnSettings(configuration).integrationBridge;
}

function countOf(found: readonly Suspect<unknown>[], one: string, several: string): string {
  const flows = found.reduce((sum, suspect) => sum + suspect.flows, 0);
  const least = found.length >= MAXIMUM_SUSPICIONS ? 'at least ' : '';
  return `${least}${flows} ${flows === 1 ? `flow ${one}` : `flows ${several}`}`;
}

function firstOf(found: readonly Suspect<unknown>[]): number {
  return Math.min(...found.map(({ firstAt }) => firstAt));
}

function named<K>(found: readonly Suspect<K>[], text: (key: K) => string): string {
  const names = found.slice(0, NAMED).map(({ key }) => text(key));
  return [...names, ...(found.length > NAMED ? ['…'] : [])].join(', ');
}

function cookieText(cookie: bigint): string {
  return `cookie 0x${cookie.toString(16)}`;
}
