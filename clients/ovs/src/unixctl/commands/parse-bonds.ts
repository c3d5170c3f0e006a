import type { BondMemberReport, BondReport } from './bond-report.ts';
import { type Section, splitSections, valueOf } from './sections.ts';

// Before 2.15 a member was called a slave.
const MEMBER = /^(?:member|slave) (.+): (enabled|disabled)$/;
const ACTIVE = /^(?:active (?:member|slave))$/;
const LACP_STATUSES = ['negotiated', 'configured', 'off'] as const;

/** Reads what `bond/show` says, of one bond or of all. */
export function parseBonds(text: string): readonly BondReport[] {
  return splitSections(text).map(readBond);
}

function readBond({ title, lines }: Section): BondReport {
  const members = readMembers(lines);
  const lacp = valueOf(lines, 'lacp_status');
  return {
    name: title,
    mode: valueOf(lines, 'bond_mode'),
    lacpStatus: LACP_STATUSES.find((status) => status === lacp),
    activeMember: members.find((member) => member.isActive)?.name,
    members,
  };
}

function readMembers(lines: readonly string[]): readonly BondMemberReport[] {
  const starts = lines.flatMap((line, index) => (MEMBER.test(line) ? [index] : []));
  return starts.map((start, index) => readMember(lines.slice(start, starts[index + 1])));
}

function readMember([head = '', ...lines]: readonly string[]): BondMemberReport {
  const [, name = '', state] = MEMBER.exec(head) ?? [];
  const mayEnable = valueOf(lines, 'may_enable');
  return {
    name,
    isEnabled: state === 'enabled',
    isActive: lines.some((line) => ACTIVE.test(line.trim())),
    mayEnable: mayEnable === undefined ? undefined : mayEnable === 'true',
  };
}
