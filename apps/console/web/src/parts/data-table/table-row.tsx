import { Checkbox } from '@mantine/core';
import { memo, useEffect, useRef, type ReactElement } from 'react';

import type { Column } from './column.ts';
import classes from './data-table.module.css';

export interface TableRowProps<Row> {
  readonly row: Row;
  readonly rowKey: string;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly isActive: boolean;
  /** Undefined where rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  readonly onToggle: (key: string) => void;
  readonly onActivate: (index: number) => void;
  /** Measures the row: its height is not known before it is drawn. */
  readonly measure: (element: Element | null) => void;
  /** Whether the active row is to take the focus now; true once for each move. */
  readonly takeFocus: () => boolean;
}

/** One row, drawn anew only when its own data or state has changed. */
export const TableRow = memo(Row) as typeof Row; // oxlint-disable-line typescript/no-unsafe-type-assertion -- memo forgets type parameters

function Row<T>(props: TableRowProps<T>): ReactElement {
  const { row, rowKey, index, columns, isActive, isSelected, takeFocus } = props;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive && takeFocus()) element.current?.focus({ preventScroll: true });
  }, [isActive, takeFocus]);
  return (
    <div
      ref={(node) => {
        element.current = node;
        props.measure(node);
      }}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      data-key={rowKey}
      tabIndex={isActive ? 0 : -1}
      className={classes.row}
      onFocus={() => props.onActivate(index)}
    >
      {isSelected === undefined ? undefined : (
        <div role="gridcell" className={classes.select}>
          <Checkbox
            size="xs"
            tabIndex={-1}
            aria-label={`Select ${rowKey}`}
            checked={isSelected}
            onChange={() => props.onToggle(rowKey)}
          />
        </div>
      )}
      {columns.map(({ id, label, cell, isNumber }) => (
        <div key={id} role="gridcell" className={classes.cell} data-label={label} data-number={isNumber}>
          {cell(row)}
        </div>
      ))}
    </div>
  );
}
