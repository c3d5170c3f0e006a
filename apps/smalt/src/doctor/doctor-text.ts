import type { Paint } from '../output/live-screen.ts';
import { printableText } from '../printable-text.ts';
import type { Finding, FindingLevel } from './finding.ts';

const MARKS: Readonly<Record<FindingLevel, string>> = { good: '✓', warning: '!', problem: '✗' };
const TITLES = { machine: 'This machine', fleet: 'The fleet' } as const;

/** What was found, for people: a line each, and below what is to be done. */
export function doctorText(findings: readonly Finding[], paint: Paint): string {
  const areas = (['machine', 'fleet'] as const).filter((area) => findings.some((each) => each.area === area));
  const parts = areas.map((area) => {
    const some = findings.filter((each) => each.area === area);
    const width = Math.max(...some.map(({ what }) => what.length));
    return [paint.strong(TITLES[area]), ...some.flatMap((each) => linesOf(each, width, paint))].join('\n');
  });
  return `${[...parts, summaryOf(findings)].join('\n\n')}\n`;
}

function linesOf({ level, what, found, next }: Finding, width: number, paint: Paint): readonly string[] {
  const colour = { good: paint.good, warning: paint.warning, problem: paint.bad }[level];
  const head = `  ${colour(MARKS[level])} ${printableText(what).padEnd(width)}  ${printableText(found)}`;
  return next === undefined ? [head] : [head, paint.faint(`    ${''.padEnd(width)}  → ${printableText(next)}`)];
}

function summaryOf(findings: readonly Finding[]): string {
  const count = (level: FindingLevel): number => findings.filter((each) => each.level === level).length;
  const problems = count('problem');
  const warnings = count('warning');
  if (problems + warnings === 0) return 'Everything is well.';
  const words = [
    ...(problems === 0 ? [] : [`${problems} to mend`]),
    ...(warnings === 0 ? [] : [`${warnings} to know of`]),
  ];
  return `${words.join(', ')}.`;
}
