import type { BenchmarkReport, Figure } from './benchmark.ts';
import { formatRatio } from './format-quantity.ts';
import { formatTable, type Table } from './format-table.ts';
import { roundFigure } from './ratio.ts';

/** The whole report as text. The last line is JSON: the name of the benchmark and its figures. */
export function formatReport(report: BenchmarkReport): string {
  const sections = [
    report.facts.join('\n'),
    ...report.tables.map(formatTable),
    formatTable(figureTable(report)),
    report.notes.map((note) => `note: ${note}`).join('\n'),
    lastLine(report),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

function figureTable({ figures, targets, limits = {} }: BenchmarkReport): Table {
  return {
    title: 'Figures (cost of the peer over ours, larger is better)',
    columns: ['figure', 'value', 'target', 'met'],
    rows: Object.entries(figures).map(([name, figure]) => {
      const [target, limit] = [targets[name], limits[name]];
      if (limit !== undefined) return [name, plain(figure), `≤ ${limit}`, verdict(figure, (value) => value <= limit)];
      // Times, sizes and counts of ours alone have no peer to be a ratio to.
      if (/_m?s(_\d+)?$|_mb(_\d+k?)?$|^bytes_|_per_(host|vmi)$|_per_host_minute|_hosts(_kube)?$|_share_/.test(name)) {
        if (target === undefined) return [name, plain(figure), '', ''];
        return [name, plain(figure), `≥ ${target}`, verdict(figure, (value) => value >= target)];
      }
      if (target === undefined) return [name, formatRatio(figure), '', ''];
      return [name, formatRatio(figure), `≥ ${formatRatio(target)}`, verdict(figure, (value) => value >= target)];
    }),
  };
}

function plain(figure: Figure): string {
  return String(roundFigure(figure) ?? '–');
}

function verdict(figure: Figure, isMet: (value: number) => boolean): string {
  if (figure === null) return 'not measured';
  return isMet(figure) ? 'yes' : 'no';
}

function lastLine({ bench, figures }: BenchmarkReport): string {
  const rounded = Object.entries(figures).map(([name, figure]) => [name, roundFigure(figure)]);
  return JSON.stringify({ bench, figures: Object.fromEntries(rounded) });
}
