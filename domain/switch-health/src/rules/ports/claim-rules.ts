import { IssueRule } from '../../issue-rule.ts';
import { chassisName } from '../../status/ovn-controller.ts';
import { databaseOldNews } from '../../status/old-news.ts';
import type { OvnFacts, SouthboundFacts } from '../../switch-facts.ts';
import { blindController, unknownBlind } from '../ovn/controller-rules.ts';
import { hasNoDevice, removal } from './device-rules.ts';
import type { Blindness, Finding, Verdict } from '../finding.ts';
import type { RuleView } from '../histories/histories.ts';
import { isMarkedAsGuest, logicalPortOf, type JudgedPort } from './judged-port.ts';

/** A port of a logical port that ovn-controller does not claim: there is none of that name, or not for this chassis. */
export function notClaimedVerdict({ facts, settings, ports }: RuleView): Verdict {
  const rule = IssueRule.portNotClaimed;
  const { ovn } = facts;
  const blind = databaseOldNews(facts) ?? (ovn && blindClaims(ovn));
  if (blind !== undefined) return { rule, findings: [], blind };
  if (ovn === undefined) return { rule, findings: [] };
  const unclaimed = ports.filter((port) => isUnclaimed(port, ovn));
  const unsure = unclaimed.filter((port) => mayBeLocalPort(port, ovn));
  const findings = unclaimed
    .filter((port) => !unsure.includes(port) && !isLocal(port, ovn) && !isBoundElsewhere(port, ovn, chassisName(facts)))
    .map((port): Finding => ({
      rule,
      subject: port.interface.name,
      severity: 'Warning',
      message: `Orphan port detected: ${port.interface.name} (OVN does not claim its iface-id ${logicalPortOf(port)})`,
      advice: `Is there a logical port ${logicalPortOf(port)} in OVN? ${removal(port)}`,
      seenAt: facts.at,
      graceMs: settings.orphanMs,
      sightings: 2,
    }));
  if (unsure.length === 0 || ovn.southbound?.kind !== 'unknown') return { rule, findings };
  return { rule, findings, blind: blindForPorts(unsure, ovn.southbound.why) };
}

/** A port whose logical port the southbound database has bound to another chassis, as after a move that left it behind. */
export function claimedElsewhereVerdict({ facts, settings, ports }: RuleView): Verdict {
  const rule = IssueRule.portClaimedElsewhere;
  const { ovn } = facts;
  const blind =
    databaseOldNews(facts) ?? (ovn?.southbound?.kind === 'unknown' ? unknownBlind(ovn.southbound.why) : undefined);
  if (blind !== undefined) return { rule, findings: [], blind };
  if (ovn?.southbound?.kind !== 'known') return { rule, findings: [] };
  const { value: southbound, at } = ovn.southbound;
  const findings = ports
    .filter((port) => isBoundElsewhere(port, ovn, chassisName(facts)))
    .map((port): Finding => {
      const isTwice = isInstalled(port);
      const { name } = port.interface;
      return {
        rule,
        subject: name,
        severity: isTwice ? 'Critical' : 'Warning',
        message: `Port ${name} is ${isTwice ? 'claimed twice' : 'left over'}: its iface-id ${logicalPortOf(port)} is bound to chassis ${bindingOf(port, southbound)}`,
        advice: `Is its guest there? Then take it away here. ${removal(port)}`,
        seenAt: at,
        // A guest that is on its way in has its port here before it is bound here.
        graceMs: isTwice ? settings.orphanMs : settings.migrationMs,
        sightings: 2,
      };
    });
  return { rule, findings };
}

/** Two interfaces that say they are the same logical port: both are called installed, and one gets the traffic. */
export function duplicateVerdict({ facts, settings, ports }: RuleView): Verdict {
  const rule = IssueRule.duplicateInterfaceId;
  const blind = databaseOldNews(facts);
  if (blind !== undefined) return { rule, findings: [], blind };
  const present = ports.filter((port) => !hasNoDevice(port));
  const owners = Map.groupBy(present, (port) => logicalPortOf(port));
  const findings = [...owners].flatMap(([id, owned]): readonly Finding[] => {
    if (id === undefined || owned.length < 2) return [];
    const names = owned.map(({ interface: { name } }) => name).toSorted();
    return [
      {
        rule,
        subject: id,
        severity: 'Critical',
        message: `Ports ${names.join(', ')} have the same iface-id ${id}: only one of them gets its traffic`,
        advice: 'Find out which of them has the guest, and take the other away with "ovs-vsctl del-port"',
        seenAt: facts.at,
        graceMs: settings.orphanMs,
        sightings: 2,
      },
    ];
  });
  return { rule, findings };
}

/** A guest's port that no guest of the host owns any more. */
export function guestGoneVerdict({ facts, settings, ports }: RuleView): Verdict {
  const rule = IssueRule.guestGone;
  const { guestDevices } = facts;
  const blind =
    databaseOldNews(facts) ?? (guestDevices?.kind === 'unknown' ? unknownBlind(guestDevices.why) : undefined);
  if (blind !== undefined) return { rule, findings: [], blind };
  if (guestDevices?.kind !== 'known') return { rule, findings: [] };
  const unsure = facts.ovn?.southbound?.kind === 'unknown' ? ports.filter((port) => !isMarkedAsGuest(port)) : [];
  const findings = ports
    .filter((port) => isGuestPort(port, facts) && !isOwned(port, guestDevices.value))
    .map((port): Finding => ({
      rule,
      subject: port.interface.name,
      severity: 'Warning',
      message: `Orphan port detected: ${port.interface.name} (no guest of this host has it)`,
      advice: removal(port),
      seenAt: guestDevices.at,
      graceMs: settings.orphanMs,
      sightings: 2,
    }));
  return {
    rule,
    findings,
    ...(unsure.length > 0 && { blind: blindForPorts(unsure, 'the southbound database is unread') }),
  };
}

function blindForPorts(ports: readonly JudgedPort[], why: string): Blindness {
  return { ...unknownBlind(why), subjects: new Set(ports.map(({ interface: { name } }) => name)) };
}

function blindClaims(ovn: OvnFacts): Blindness | undefined {
  const { connection, localBindings } = ovn;
  // While it cannot do its work, no new port is claimed; that is told once, not for each port.
  const isWorking = connection.kind === 'known' && connection.value === 'connected';
  const blind = blindController(ovn) ?? (isWorking ? undefined : unknownBlind('ovn-controller is not connected'));
  return blind ?? (localBindings.kind === 'unknown' ? unknownBlind(localBindings.why) : undefined);
}

function isUnclaimed(port: JudgedPort, { localBindings }: OvnFacts): boolean {
  const id = logicalPortOf(port);
  if (id === undefined || !port.isOnIntegrationBridge || port.isFurniture || port.isKept) return false;
  if (isInstalled(port) || hasNoDevice(port) || localBindings.kind === 'unknown') return false;
  return (localBindings.value.get(id) ?? 0) === 0;
}

// A port of every chassis, as for metadata, is never bound and never called installed: only the southbound database
// tells it from one that is not claimed.
function mayBeLocalPort(port: JudgedPort, { southbound }: OvnFacts): boolean {
  if (isMarkedAsGuest(port)) return false;
  if (southbound?.kind !== 'known') return true;
  const { portBindings, localPorts } = southbound.value;
  return localPorts === undefined && portBindings.has(logicalPortOf(port) ?? '');
}

function isLocal(port: JudgedPort, { southbound }: OvnFacts): boolean {
  return southbound?.kind === 'known' && southbound.value.localPorts?.has(logicalPortOf(port) ?? '') === true;
}

function isBoundElsewhere(port: JudgedPort, { southbound }: OvnFacts, ours: string | undefined): boolean {
  const chassis = southbound?.kind === 'known' ? bindingOf(port, southbound.value) : undefined;
  return chassis !== undefined && ours !== undefined && chassis !== ours;
}

function bindingOf(port: JudgedPort, { portBindings }: SouthboundFacts): string | undefined {
  return portBindings.get(logicalPortOf(port) ?? '');
}

function isInstalled({ interface: { externalIds } }: JudgedPort): boolean {
  return externalIds.get('ovn-installed') === 'true';
}

function isGuestPort(port: JudgedPort, facts: RuleView['facts']): boolean {
  if (port.isFurniture || port.isKept || hasNoDevice(port)) return false;
  if (isMarkedAsGuest(port)) return true;
  // Other things have an iface-id, too. Only one that is bound to a chassis, and to this one, is a guest's.
  const southbound = facts.ovn?.southbound;
  const chassis = southbound?.kind === 'known' ? bindingOf(port, southbound.value) : undefined;
  return chassis !== undefined && chassis === chassisName(facts);
}

// With a bridge of its own for each port, `qvo…` leads to the guest's `tap…`; a vhost-user socket is called `vhu…`.
function isOwned({ interface: { name } }: JudgedPort, devices: ReadonlySet<string>): boolean {
  const tap = /^(?:qvo|vhu)(.+)$/.exec(name)?.[1];
  return devices.has(name) || (tap !== undefined && devices.has(`tap${tap}`));
}
