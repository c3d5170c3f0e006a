import { IssueRule } from '../../issue-rule.ts';
import { southboundRemote } from '../../status/ovn-controller.ts';
import { isFlapping, isTooYoung, type ConnectionHistory } from '../histories/connection-history.ts';
import { blindController, unknownBlind, verdict } from './controller-rules.ts';
import type { Blindness, Verdict } from '../finding.ts';
import type { RuleView } from '../histories/histories.ts';

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
 * Whether the agent itself can read the southbound database. ovn-controller never probes a `unix:` remote, so with one
 * that hangs this is the only sign, and its own word counts for nothing.
 */
export function southboundUnreadableVerdict({ facts, settings }: RuleView): Verdict {
  const rule = IssueRule.southboundUnreadable;
  const southbound = facts.ovn?.southbound;
  if (southbound?.kind !== 'unknown') return { rule, findings: [] };
  const remote = southboundRemote(facts) ?? 'the southbound database';
  return verdict(rule, facts.at, {
    severity: isUnprobed(facts) ? 'Critical' : 'Warning',
    message: `The southbound database at ${remote} cannot be read from here`,
    advice: 'Look at whether it runs and answers; claims of ports and cookies of flows are not checked until then',
    since: southbound.since,
    graceMs: settings.southboundMs,
  });
}

/** Whether ovn-controller would call itself connected to its remote for ever. */
export function isUnprobed(facts: RuleView['facts']): boolean {
  return southboundRemote(facts)?.startsWith('unix:') ?? false;
}

function connectionOf({
  facts,
  histories,
}: RuleView): { readonly history: ConnectionHistory } | { readonly blind: Blindness } | undefined {
  const { ovn } = facts;
  if (ovn === undefined) return undefined;
  const blind = blindController(ovn);
  if (blind !== undefined) return { blind };
  if (ovn.connection.kind === 'unknown') return { blind: unknownBlind(ovn.connection.why) };
  return histories.connection === undefined
    ? { blind: unknownBlind('nothing was heard of the connection yet') }
    : { history: histories.connection };
}
