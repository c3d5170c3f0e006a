import { hasGuestMark, logicalPortOf } from '../../guest-marks.ts';
import { IssueRule } from '../../issue-rule.ts';
import { registeredChassis } from '../../status/ovn-controller.ts';
import { databaseOldNews } from '../../status/old-news.ts';
import type { OvnFacts, SouthboundFacts } from '../../switch-facts.ts';
import { blindController, unknownBlind, unreadSouthbound } from '../ovn/controller-rules.ts';
import { hasNoDevice, removal } from './device-rules.ts';
import type { Blindness, Finding, Verdict } from '../finding.ts';
import type { RuleView } from '../rule-view.ts';
import type { JudgedPort } from './judged-port.ts';

/** While our chassis is not in the southbound database, what is bound to it cannot be told from what is not. */
const unregistered: Blindness = unknownBlind('our chassis is not in the southbound database');

/** A port of a logical port that ovn-controller does not claim: there is none of that name, or not for this chassis. */
export function notClaimedVerdict({ facts, settings, ports }: RuleView): Verdict {
  const rule = IssueRule.portNotClaimed;
  const { ovn } = facts;
  const blind = databaseOldNews(facts) ?? (ovn && (blindClaims(ovn) ?? blindWithoutChassis(facts)));
  if (blind !== undefined) return { rule, findings: [], blind };
  if (ovn === undefined) return { rule, findings: [] };
  const unclaimed = ports.filter((port) => isUnclaimed(port, ovn));
  const unsure = unclaimed.filter((port) => mayBeLocalPort(port, ovn));
  const findings = unclaimed
    .filter((port) => !unsure.includes(port) && !isLocal(port, ovn) && !isBoundElsewhere(port, facts))
    .map((port): Finding => ({
      rule,
      subject: port.interface.name,
      severity: 'Warning',
      message: `Orphan port detected: ${port.interface.name} (OVN does not claim its iface-id ${logicalPortOf(port.interface)})`,
      advice: `Is there a logical port ${logicalPortOf(port.interface)} in OVN? ${removal(port)}`,
      seenAt: facts.at,
      graceMs: settings.orphanMs,
      sightings: 2,
    }));
  if (unsure.length === 0 || ovn.southbound?.kind !== 'unknown') return { rule, findings };
  return { rule, findings, blind: blindForPorts(unsure) };
}

/** A port whose logical port the southbound database has bound to another chassis, as after a move that left it behind. */
export function claimedElsewhereVerdict({ facts, settings, ports }: RuleView): Verdict {
  const rule = IssueRule.portClaimedElsewhere;
  const { ovn } = facts;
  const unread = ovn?.southbound?.kind === 'unknown' ? unreadSouthbound : undefined;
  const blind = databaseOldNews(facts) ?? unread ?? blindWithoutChassis(facts);
  if (blind !== undefined) return { rule, findings: [], blind };
  if (ovn?.southbound?.kind !== 'known') return { rule, findings: [] };
  const { value: southbound, at } = ovn.southbound;
  const findings = ports
    .filter((port) => isBoundElsewhere(port, facts))
    .map((port): Finding => {
      const isTwice = isInstalled(port);
      const { name } = port.interface;
      return {
        rule,
        subject: name,
        severity: isTwice ? 'Critical' : 'Warning',
        message: `Port ${name} is ${isTwice ? 'claimed twice' : 'left over'}: its iface-id ${logicalPortOf(port.interface)} is bound to chassis ${bindingOf(port, southbound)}`,
        advice: `Is its guest there? Then it is not needed here. ${removal(port)}`,
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
  const owners = Map.groupBy(present, (port) => logicalPortOf(port.interface));
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
    databaseOldNews(facts) ??
    (guestDevices?.kind === 'unknown' ? unknownBlind('libvirt does not tell of its guests') : undefined);
  if (blind !== undefined) return { rule, findings: [], blind };
  if (guestDevices?.kind !== 'known') return { rule, findings: [] };
  const isUnsure = facts.ovn?.southbound !== undefined && registeredChassis(facts) === undefined;
  const unsure = isUnsure ? ports.filter((port) => !hasGuestMark(port.interface)) : [];
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
    ...(unsure.length > 0 && { blind: blindForPorts(unsure) }),
  };
}

function blindWithoutChassis(facts: RuleView['facts']): Blindness | undefined {
  return facts.ovn?.southbound?.kind === 'known' && registeredChassis(facts) === undefined ? unregistered : undefined;
}

function blindForPorts(ports: readonly JudgedPort[]): Blindness {
  return { ...unreadSouthbound, subjects: new Set(ports.map(({ interface: { name } }) => name)) };
}

function blindClaims(ovn: OvnFacts): Blindness | undefined {
  const { connection, localBindings } = ovn;
  // While it cannot do its work, no new port is claimed; that is told once, not for each port.
  const isWorking = connection.kind === 'known' && connection.value === 'connected';
  const blind = blindController(ovn) ?? (isWorking ? undefined : unknownBlind('ovn-controller is not connected'));
  return (
    blind ??
    (localBindings.kind === 'unknown' ? unknownBlind('ovn-controller does not tell what it has bound') : undefined)
  );
}

function isUnclaimed(port: JudgedPort, { localBindings }: OvnFacts): boolean {
  const id = logicalPortOf(port.interface);
  if (id === undefined || !port.isOnIntegrationBridge || port.isFurniture || port.isKept) return false;
  if (isInstalled(port) || hasNoDevice(port) || localBindings.kind === 'unknown') return false;
  return (localBindings.value.get(id) ?? 0) === 0;
}

// A port of every chassis, as for metadata, is never bound and never called installed: only the southbound database
// tells it from one that is not claimed.
function mayBeLocalPort(port: JudgedPort, { southbound }: OvnFacts): boolean {
  if (hasGuestMark(port.interface)) return false;
  if (southbound?.kind !== 'known') return true;
  const { portBindings, localPorts } = southbound.value;
  return localPorts === undefined && portBindings.has(logicalPortOf(port.interface) ?? '');
}

function isLocal(port: JudgedPort, { southbound }: OvnFacts): boolean {
  return southbound?.kind === 'known' && southbound.value.localPorts?.has(logicalPortOf(port.interface) ?? '') === true;
}

function isBoundElsewhere(port: JudgedPort, facts: RuleView['facts']): boolean {
  const southbound = facts.ovn?.southbound;
  const ours = registeredChassis(facts);
  const chassis = southbound?.kind === 'known' ? bindingOf(port, southbound.value) : undefined;
  return chassis !== undefined && ours !== undefined && chassis !== ours;
}

function bindingOf(port: JudgedPort, { portBindings }: SouthboundFacts): string | undefined {
  return portBindings.get(logicalPortOf(port.interface) ?? '');
}

function isInstalled({ interface: { externalIds } }: JudgedPort): boolean {
  return externalIds.get('ovn-installed') === 'true';
}

function isGuestPort(port: JudgedPort, facts: RuleView['facts']): boolean {
  if (port.isFurniture || port.isKept || hasNoDevice(port)) return false;
  if (hasGuestMark(port.interface)) return true;
  // Other things have an iface-id, too. Only one that is bound to a chassis, and to this one, is a guest's.
  const southbound = facts.ovn?.southbound;
  const chassis = southbound?.kind === 'known' ? bindingOf(port, southbound.value) : undefined;
  return chassis !== undefined && chassis === registeredChassis(facts);
}

// With a bridge of its own for each port, `qvo…` leads to the guest's `tap…`; a vhost-user socket is called `vhu…`.
function isOwned({ interface: { name } }: JudgedPort, devices: ReadonlySet<string>): boolean {
  const tap = /^(?:qvo|vhu)(.+)$/.exec(name)?.[1];
  return devices.has(name) || (tap !== undefined && devices.has(`tap${tap}`));
}
