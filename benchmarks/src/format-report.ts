import type { BenchmarkReport } from './benchmark.ts';
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

function figureTable({ figures, targets }: BenchmarkReport): Table {
  return {
    title: 'Figures (cost of the peer over ours, larger is better)',
    columns: ['figure', 'value', 'target', 'met'],
    rows: Object.entries(figures).map(([name, figure]) => {
      const target = targets[name];
      // Times and sizes of ours alone have no peer to be a ratio to.
      if (/_ms$|^bytes_/.test(name)) return [name, String(roundFigure(figure) ?? '–'), '', ''];
      if (target === undefined) return [name, formatRatio(figure), '', ''];
      return [name, formatRatio(figure), `≥ ${formatRatio(target)}`, verdict(figure, target)];
    }),
  };
}

function verdict(figure: number | null, target: number): string {
  if (figure === null) return 'not measured';
  return figure >= target ? 'yes' : 'no';
}

function lastLine({ bench, figures }: BenchmarkReport): string {
  const rounded = Object.entries(figures).map(([name, figure]) => [name, roundFigure(figure)]);
  return JSON.stringify({ bench, figures: Object.fromEntries(rounded) });
}
