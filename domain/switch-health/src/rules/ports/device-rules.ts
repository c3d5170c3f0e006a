import { logicalPortOf } from '../../guest-marks.ts';
import { IssueRule } from '../../issue-rule.ts';
import { shellWord } from '../../shell-word.ts';
import { databaseOldNews, oldNews } from '../../status/old-news.ts';
import type { Finding, Verdict } from '../finding.ts';
import type { RuleView } from '../rule-view.ts';
import type { JudgedPort } from './judged-port.ts';

type PortFinding = Omit<Finding, 'rule' | 'subject' | 'seenAt' | 'graceMs' | 'sightings'>;

/** A port whose device could not be opened: whoever owned it has gone without taking the port away. */
export function deviceMissingVerdict(view: RuleView): Verdict {
  return portVerdict(view, IssueRule.portDeviceMissing, (port) =>
    isDeviceMissing(port) && !port.isPhysical
      ? {
          severity: 'Warning',
          message: `Orphan port detected: ${port.interface.name}`,
          advice: removal(port),
        }
      : undefined,
  );
}

/** A port whose device went away while ovs-vswitchd had it open, which leaves no error behind. */
export function deviceGoneVerdict(view: RuleView): Verdict {
  return portVerdict(view, IssueRule.portDeviceGone, (port) =>
    isDeviceGone(port) && !port.isPhysical
      ? {
          severity: 'Warning',
          message: `Orphan port detected: ${port.interface.name} (its device is gone)`,
          advice: removal(port),
        }
      : undefined,
  );
}

/** A patch port that leads nowhere. Its link is up all the same. */
export function patchVerdict(view: RuleView): Verdict {
  return portVerdict(view, IssueRule.patchWithoutPeer, ({ interface: face }) =>
    face.type === 'patch' && hasError(face.error)
      ? {
          severity: 'Warning',
          message: `Patch port ${face.name} leads nowhere: ${face.error}`,
          advice: `Set options:peer of ${face.name} to its other end, on a bridge of the same datapath_type`,
        }
      : undefined,
  );
}

/** A port of the integration bridge that OVN knows nothing of. */
export function unmanagedVerdict(view: RuleView): Verdict {
  const rule = IssueRule.unmanagedPort;
  const { facts, settings, ports } = view;
  const blind = databaseOldNews(facts);
  if (blind !== undefined) return { rule, findings: [], blind };
  if (facts.ovn === undefined) return { rule, findings: [] };
  const findings = ports
    .filter((port) => isUnmanaged(port))
    .map(({ interface: { name }, bridge }): Finding => ({
      rule,
      subject: name,
      severity: 'Info',
      message: `Port ${name} of ${bridge.name} is not managed by OVN: it has no iface-id`,
      advice: 'If it is wanted, set external_ids:skip_cleanup=true on it',
      seenAt: facts.at,
      graceMs: settings.orphanMs,
      sightings: 2,
    }));
  return { rule, findings };
}

/** Whether another rule has a better word for what ails a port. */
export function hasNoDevice(port: JudgedPort): boolean {
  return isDeviceMissing(port) || isDeviceGone(port);
}

/** How to take a port away. */
export function removal({ port, bridge }: JudgedPort): string {
  const [from, name] = [shellWord(bridge.name), shellWord(port.name)];
  const command = from === undefined || name === undefined ? '' : `: ovs-vsctl --if-exists del-port ${from} ${name}`;
  return `If nothing needs it any more, take it away${command}`;
}

function portVerdict(
  { facts, settings, ports }: RuleView,
  rule: IssueRule,
  look: (port: JudgedPort) => PortFinding | undefined,
): Verdict {
  const blind = oldNews(facts);
  if (blind !== undefined) return { rule, findings: [], blind };
  const findings = ports.flatMap((port): readonly Finding[] => {
    const found = look(port);
    if (found === undefined) return [];
    const { name } = port.interface;
    return [{ rule, subject: name, ...found, seenAt: facts.at, graceMs: settings.orphanMs, sightings: 2 }];
  });
  return { rule, findings };
}

function isDeviceMissing(port: JudgedPort): boolean {
  const { ofport, error, type } = port.interface;
  return isOrphanable(port) && type !== 'patch' && ofport === -1n && hasError(error);
}

function isDeviceGone(port: JudgedPort): boolean {
  const { ifindex, linkState, error, type } = port.interface;
  // An internal port in another network namespace, and what is no device of the kernel at all, look like that for ever.
  const isKernelDevice = port.hasKernelDevices && (type === '' || type === 'system');
  return isOrphanable(port) && isKernelDevice && ifindex === 0n && linkState === 'down' && !hasError(error);
}

function isOrphanable({ isFurniture, isKept }: JudgedPort): boolean {
  return !isFurniture && !isKept;
}

function isUnmanaged(port: JudgedPort): boolean {
  if (!port.isOnIntegrationBridge || !isOrphanable(port) || port.isPhysical) return false;
  return port.interface.type !== 'patch' && logicalPortOf(port.interface) === undefined && !hasNoDevice(port);
}

function hasError(error: string | undefined): boolean {
  return error !== undefined && error !== '';
}
