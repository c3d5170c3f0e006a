import type { LacpMemberReport, LacpReport } from './lacp-report.ts';
import { type Section, splitSections, valueOf } from './sections.ts';

const MEMBER = /^(?:member|slave): (.+): (\w+) (attached|detached)$/;
const STATES = ['current', 'expired', 'defaulted'] as const;

/** Reads what `lacp/show` says. */
export function parseLacp(text: string): readonly LacpReport[] {
  return splitSections(text).map(readPort);
}

function readPort({ title, lines }: Section): LacpReport {
  const starts = lines.flatMap((line, index) => (MEMBER.test(line) ? [index] : []));
  return {
    name: title,
    status: valueOf(lines, 'status') ?? '',
    members: starts.map((start, index) => readMember(lines.slice(start, starts[index + 1]))),
  };
}

function readMember([head = '', ...lines]: readonly string[]): LacpMemberReport {
  const [, name = '', state, attachment] = MEMBER.exec(head) ?? [];
  return {
    name,
    state: STATES.find((known) => known === state),
    isAttached: attachment === 'attached',
    partnerSystem: valueOf(lines, 'partner sys_id'),
  };
}
