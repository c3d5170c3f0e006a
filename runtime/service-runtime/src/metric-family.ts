import { metricLabels } from './metric-text.ts';
import { ServiceError } from './service-error.ts';

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const SEPARATOR = '\u0000';

export interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/** All series of one metric: one cell per combination of label values, made when it is first asked for. */
export class MetricFamily<Cell> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly #cells = new Map<string, { readonly labels: string; readonly cell: Cell }>();
  readonly #makeCell: () => Cell;

  constructor(options: MetricOptions, makeCell: () => Cell) {
    const { name, help, labelNames = [] } = options;
    if (!NAME.test(name)) throw new ServiceError('invalid-metric', `"${name}" is not a name for a metric`);
    const wrong = labelNames.find((label) => !LABEL.test(label));
    if (wrong !== undefined)
      throw new ServiceError('invalid-metric', `"${wrong}" is not a name for a label of ${name}`);
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.#makeCell = makeCell;
    if (labelNames.length === 0) this.cell([]);
  }

  /** The cell for these values, which are in the order of the label names. Callers on hot paths keep it. */
  cell(values: readonly string[]): Cell {
    const key = values.join(SEPARATOR);
    const known = this.#cells.get(key);
    if (known !== undefined) return known.cell;
    if (values.length !== this.labelNames.length) {
      const expected = this.labelNames.join(', ') || 'none';
      throw new ServiceError(
        'invalid-metric',
        `${this.name} takes the labels ${expected}, not ${values.length} values`,
      );
    }
    const cell = this.#makeCell();
    this.#cells.set(key, { labels: metricLabels(this.labelNames, values), cell });
    return cell;
  }

  /** Forgets a series, for instance of an object that is gone. */
  remove(values: readonly string[]): void {
    this.#cells.delete(values.join(SEPARATOR));
  }

  cells(): Iterable<{ readonly labels: string; readonly cell: Cell }> {
    return this.#cells.values();
  }
}
