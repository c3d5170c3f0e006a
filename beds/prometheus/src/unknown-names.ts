import type { Series } from './parse-exposition.ts';
import { parsePromql } from './parse-promql.ts';
import { groupingLabelsOf, selectorsOf } from './promql-tree.ts';

/** The metrics and labels that an expression uses and no series has. */
export function unknownNames(expr: string, series: readonly Series[]): readonly string[] {
  const tree = parsePromql(expr);
  const grouping = groupingLabelsOf(tree);
  return selectorsOf(tree).flatMap(({ metric, matchers }) => {
    const known = new Set(series.filter((one) => one.metric === metric).flatMap(({ labels }) => Object.keys(labels)));
    if (known.size === 0) return [metric];
    const used = [...matchers.map(({ label }) => label), ...grouping];
    return used.filter((label) => !known.has(label)).map((label) => `${metric}{${label}}`);
  });
}

/** The values of labels that an expression asks for and no series has; each word of a pattern has to be there. */
export function unknownValues(expr: string, series: readonly Series[]): readonly string[] {
  return selectorsOf(parsePromql(expr)).flatMap(({ metric, matchers }) => {
    const values = (label: string): readonly string[] =>
      series.flatMap((one) => (one.metric === metric ? [one.labels[label] ?? ''] : []));
    return matchers.flatMap(({ label, operator, value }) => {
      if (operator !== '=' && operator !== '=~') return [];
      const words = operator === '=' ? [value] : value.split('|');
      const isThere = (word: string): boolean =>
        values(label).some((each) => each === word || (operator === '=~' && new RegExp(`^(?:${word})$`).test(each)));
      return words.filter((word) => !isThere(word)).map((word) => `${metric}{${label}="${word}"}`);
    });
  });
}
