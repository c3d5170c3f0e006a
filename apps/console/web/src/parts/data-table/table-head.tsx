import { Checkbox, UnstyledButton } from '@mantine/core';
import type { ReactElement } from 'react';

import type { Column, Sorting } from './column.ts';
import classes from './data-table.module.css';

export interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly sorting: Sorting | undefined;
  readonly onSort: (sorting: Sorting) => void;
  /** Undefined where rows cannot be selected. */
  readonly selected: 'none' | 'some' | 'all' | undefined;
  readonly onSelectAll: () => void;
}

export function TableHead<Row>({ columns, sorting, onSort, selected, onSelectAll }: TableHeadProps<Row>): ReactElement {
  return (
    <div role="rowgroup" className={classes.head}>
      <div role="row" aria-rowindex={1} className={classes.row}>
        {selected === undefined ? undefined : (
          <div role="columnheader" className={classes.select}>
            <Checkbox
              size="xs"
              aria-label="Select all"
              checked={selected === 'all'}
              indeterminate={selected === 'some'}
              onChange={onSelectAll}
            />
          </div>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} {...{ column, sorting, onSort }} />
        ))}
      </div>
    </div>
  );
}

interface HeadCellProps<Row> extends Pick<TableHeadProps<Row>, 'sorting' | 'onSort'> {
  readonly column: Column<Row>;
}

function HeadCell<Row>({ column, sorting, onSort }: HeadCellProps<Row>): ReactElement {
  const isSorted = sorting?.columnId === column.id;
  const order = isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none';
  const arrow = isSorted ? (sorting.isDescending ? ' ↓' : ' ↑') : '';
  if (column.sortValue === undefined) {
    return (
      <div role="columnheader" className={classes.cell} data-number={column.isNumber}>
        {column.label}
      </div>
    );
  }
  const sort = (): void => onSort({ columnId: column.id, isDescending: isSorted && !sorting.isDescending });
  return (
    <div role="columnheader" aria-sort={order} className={classes.cell} data-number={column.isNumber}>
      <UnstyledButton className={classes.sort} onClick={sort}>
        {column.label}
        <span aria-hidden="true">{arrow}</span>
      </UnstyledButton>
    </div>
  );
}
