import { readFile } from 'node:fs/promises';

export interface DashboardPanel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

export interface Dashboard {
  readonly panels: readonly DashboardPanel[];
  readonly templating: { readonly list: readonly { readonly query: string | { readonly query: string } }[] };
}

/** A dashboard of Grafana, as far as tests look at it. */
export async function readDashboard(path: string): Promise<Dashboard> {
  return Object(JSON.parse(await readFile(path, 'utf8')));
}

/** An expression as it is when every variable of the dashboard stands for everything. */
export function withoutVariables(expr: string): string {
  return expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, '.*');
}

/** The places that more than one panel covers, as `x,y`. */
export function overlappingCells({ panels }: Pick<Dashboard, 'panels'>): readonly string[] {
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  );
  return cells.filter((cell, index) => cells.indexOf(cell) !== index);
}
