import { IssueRule } from '../../issue-rule.ts';
import { chassisName, registeredChassis, southboundRemote } from '../../status/ovn-controller.ts';
import { isFlapping, isTooYoung, type ConnectionHistory } from '../histories/connection-history.ts';
import { blindController, isPaused, unknownBlind, unreadSouthbound, verdict } from './controller-rules.ts';
import type { Blindness, Verdict } from '../finding.ts';
import type { RuleView } from '../rule-view.ts';

/** Whether ovn-controller has been without the southbound database for long enough to say so. */
export function southboundDisconnectedVerdict(view: RuleView): Verdict {
  const rule = IssueRule.southboundDisconnected;
  const known = connectionOf(view);
  if (known === undefined) return { rule, findings: [] };
  if ('blind' in known) return { rule, findings: [], blind: known.blind };
  const { history } = known;
  if (history.state === 'connected') return { rule, findings: [] };
  const remote = southboundRemote(view.facts);
  return verdict(rule, history.lastAt, {
    severity: 'Critical',
    message:
      remote === undefined
        ? 'ovn-controller knows no southbound database: external_ids:ovn-remote is not set'
        : `ovn-controller is not connected to the southbound database at ${remote}`,
    advice:
      remote === undefined
        ? 'Set it with "ovs-vsctl set open . external_ids:ovn-remote=…"'
        : 'Does the southbound database run, and does the network lead there from this host?',
    since: history.since,
    graceMs: remote === undefined ? 0 : view.settings.disconnectedMs,
  });
}

/** Whether the connection comes and goes, as it does with a remote that hangs. */
export function southboundFlappingVerdict(view: RuleView): Verdict {
  const rule = IssueRule.southboundFlapping;
  const known = connectionOf(view);
  if (known === undefined) return { rule, findings: [] };
  if ('blind' in known) return { rule, findings: [], blind: known.blind };
  if (!isFlapping(known.history, view.settings)) {
    const blind = unknownBlind('the connection has not been watched for long enough');
    return { rule, findings: [], ...(isTooYoung(known.history) && { blind }) };
  }
  const remote = southboundRemote(view.facts) ?? 'the southbound database';
  return verdict(rule, known.history.lastAt, {
    severity: 'Critical',
    message: `The connection of ovn-controller to ${remote} flaps: a remote that accepts and does not answer`,
    advice: 'Look at whether the southbound database hangs: it may be stopped, or out of memory or processors',
    reason: 'Flapping',
    since: known.history.changes[0] ?? known.history.since,
    graceMs: 0,
  });
}

/**
 * Whether the southbound database answers the agent. ovn-controller never probes a `unix:` remote, so with one that
 * hangs this is the only sign, and its own word counts for nothing.
 */
export function southboundUnreadableVerdict({ facts, settings }: RuleView): Verdict {
  const rule = IssueRule.southboundUnreadable;
  const southbound = facts.ovn?.southbound;
  if (southbound?.kind !== 'unknown') return { rule, findings: [] };
  // What keeps us from it alone says nothing of the database.
  if (southbound.obstacle !== 'server') return { rule, findings: [], blind: unreadSouthbound };
  return verdict(rule, facts.at, {
    severity: isUnprobed(facts) ? 'Critical' : 'Warning',
    message: `The southbound database at ${remoteOf(facts)} does not answer the agent`,
    advice: 'Look at whether it runs and answers; claims of ports and cookies of flows are not checked until then',
    since: southbound.since,
    graceMs: settings.southboundMs,
  });
}

/** Whether something of our own keeps the agent from the southbound database, which may be as well as ever. */
export function southboundNotCheckedVerdict({ facts, settings }: RuleView): Verdict {
  const rule = IssueRule.southboundNotChecked;
  const southbound = facts.ovn?.southbound;
  if (southbound?.kind !== 'unknown' || southbound.obstacle === 'unconfigured') return { rule, findings: [] };
  if (southbound.obstacle === 'server') return { rule, findings: [], blind: unreadSouthbound };
  return verdict(rule, facts.at, {
    severity: 'Warning',
    message: `The southbound database at ${remoteOf(facts)} is not checked: the agent has no way to it`,
    advice: 'The log of the agent says why: its socket may not be mounted, or its certificates may be wrong',
    since: southbound.since,
    graceMs: settings.southboundMs,
  });
}

/** Whether ovn-controller, though it is connected, has no chassis in the southbound database: then nothing is ever bound here. */
export function chassisVerdict(view: RuleView): Verdict {
  const rule = IssueRule.chassisNotRegistered;
  const { facts, settings } = view;
  const southbound = facts.ovn?.southbound;
  if (southbound === undefined || registeredChassis(facts) !== undefined) return { rule, findings: [] };
  if (southbound.kind === 'unknown') return { rule, findings: [], blind: unreadSouthbound };
  const known = connectionOf(view);
  if (known === undefined || 'blind' in known) return { rule, findings: [], ...known };
  // One that is not connected, or is paused, could not have registered; that is told elsewhere.
  if (known.history.state === 'not connected' || isPaused(facts)) {
    return { rule, findings: [], blind: unknownBlind('ovn-controller is not at work') };
  }
  const name = chassisName(facts);
  return verdict(rule, southbound.at, {
    severity: 'Critical',
    message: `There is no chassis ${name ?? 'of this node'} in the southbound database, so no port is bound here`,
    advice:
      name === undefined
        ? 'Set external_ids:system-id of Open_vSwitch'
        : 'Has another chassis the same external_ids:ovn-encap-ip? Is ovn-controller started with another name (-n)? Its log says',
    graceMs: settings.southboundMs,
    sightings: 2,
  });
}

/** Whether ovn-controller would call itself connected to its remote for ever. */
export function isUnprobed(facts: RuleView['facts']): boolean {
  return southboundRemote(facts)?.startsWith('unix:') ?? false;
}

function remoteOf(facts: RuleView['facts']): string {
  return southboundRemote(facts) ?? 'an unknown place';
}

function connectionOf({
  facts,
  histories,
}: RuleView): { readonly history: ConnectionHistory } | { readonly blind: Blindness } | undefined {
  const { ovn } = facts;
  if (ovn === undefined) return undefined;
  const blind = blindController(ovn);
  if (blind !== undefined) return { blind };
  if (ovn.connection.kind === 'unknown')
    return { blind: unknownBlind('ovn-controller does not tell of its connection') };
  return histories.connection === undefined
    ? { blind: unknownBlind('nothing was heard of the connection yet') }
    : { history: histories.connection };
}
