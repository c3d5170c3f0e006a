import { useRouter } from '@tanstack/react-router';
import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
} from 'react';

import type { Column, Selection, Sorting } from './column.ts';
import classes from './data-table.module.css';
import { nextRow } from './next-row.ts';
import { sortRows } from './sort-rows.ts';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';

export interface DataTableProps<Row extends object> {
  /** What the rows are, for those who cannot see them. */
  readonly label: string;
  /** A row whose data did not change has to be the same object as before: then it is not drawn anew. */
  readonly rows: readonly Row[];
  /** The same array at each drawing. */
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Where Enter leads. The first cell should hold a link to the same place. */
  readonly href?: (row: Row) => string;
  readonly selection?: Selection;
  readonly initialSorting?: Sorting;
}

const ROW_HEIGHT_PX = 34;
/** Shorter tables are drawn whole, so that the browser's own search finds everything. */
const DRAWN_WHOLE = 80;

/** A table of any length: sortable, for keyboard and screen reader, and a list of cards where there is little room. */
export function DataTable<Row extends object>(props: DataTableProps<Row>): ReactElement {
  const { label, columns, rowKey, selection } = props;
  const [sorting, setSorting] = useState(props.initialSorting);
  const rows = useSorted(props.rows, columns, sorting);
  const body = useRef<HTMLDivElement>(null);
  const virtualizer = useRows(body, rows.length);
  const { active, takeFocus, setActive, onKeyDown } = useRowKeys(props, rows, virtualizer);
  const onToggle = useToggle(selection);
  const tracks = [...(selection === undefined ? [] : ['2rem']), ...columns.map(({ width }) => width)].join(' ');
  const items = virtualizer.getVirtualItems();
  const above = (items[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) + virtualizer.options.scrollMargin;
  return (
    <div
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-multiselectable={selection !== undefined}
      className={classes.table}
      style={{ ['--columns' as string]: tracks }}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <TableHead
        {...{ columns, sorting, onSort: setSorting }}
        selected={selection === undefined ? undefined : howManySelected(rows, rowKey, selection)}
        onSelectAll={() => selection?.onChange(allOrNone(rows, rowKey, selection))}
      />
      <div
        role="rowgroup"
        ref={body}
        style={items.length === 0 ? {} : { paddingTop: Math.max(0, above), paddingBottom: Math.max(0, below) }}
      >
        {items.map(({ index }) => {
          const row = rows[index];
          if (row === undefined) return undefined;
          const key = rowKey(row);
          const isSelected = selection?.keys.has(key);
          return (
            <TableRow<Row>
              key={key}
              {...{ row, rowKey: key, index, columns, isSelected, onToggle, takeFocus }}
              isActive={index === Math.min(active, rows.length - 1)}
              onActivate={setActive}
              measure={virtualizer.measureElement}
            />
          );
        })}
      </div>
    </div>
  );
}

function useSorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  return useMemo(() => {
    const valueOf = columns.find(({ id }) => id === sorting?.columnId)?.sortValue;
    return valueOf === undefined ? rows : sortRows(rows, valueOf, sorting?.isDescending === true);
  }, [rows, columns, sorting]);
}

type Rows = Virtualizer<Window, Element>;

function useRows(body: RefObject<HTMLDivElement | null>, count: number): Rows {
  const [scrollMargin, setScrollMargin] = useState(0);
  // What stands above the table may grow or go at any time; then the page has another height.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const top = body.current?.getBoundingClientRect().top ?? 0;
      setScrollMargin(Math.round(top + window.scrollY));
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [body]);
  // oxlint-disable-next-line react/incompatible-library -- only a compiler that we do not use minds
  return useWindowVirtualizer({
    count,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: count <= DRAWN_WHOLE ? DRAWN_WHOLE : 8,
    scrollMargin,
    useFlushSync: false,
  });
}

interface RowKeys {
  readonly active: number;
  /** Whether the active row is to take the focus now; true once for each move. */
  readonly takeFocus: () => boolean;
  readonly setActive: (index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function useRowKeys<Row extends object>(props: DataTableProps<Row>, rows: readonly Row[], virtualizer: Rows): RowKeys {
  const [active, setActive] = useState(0);
  const wantsFocus = useRef(false);
  const { history } = useRouter();
  const onToggle = useToggle(props.selection);
  const onKeyDown = (event: KeyboardEvent): void => {
    const onRow = event.target instanceof HTMLElement && event.target.getAttribute('role') === 'row';
    const row = rows[active];
    if (!onRow || row === undefined) return;
    const next = nextRow(event.key, active, rows.length);
    const isOpening = event.key === 'Enter' && props.href !== undefined;
    const isToggling = event.key === ' ' && props.selection !== undefined;
    if (next === undefined && !isOpening && !isToggling) return;
    event.preventDefault();
    if (isOpening && props.href !== undefined) history.push(props.href(row));
    if (isToggling) onToggle(props.rowKey(row));
    if (next === undefined || next === active) return;
    wantsFocus.current = true;
    setActive(next);
    virtualizer.scrollToIndex(next, { align: 'auto' });
  };
  const takeFocus = useCallback(() => {
    const isWanted = wantsFocus.current;
    wantsFocus.current = false;
    return isWanted;
  }, []);
  return { active, takeFocus, setActive, onKeyDown };
}

// The function stays the same however the selection changes, so that rows are not drawn anew for it.
function useToggle(selection: Selection | undefined): (key: string) => void {
  const latest = useRef(selection);
  useLayoutEffect(() => {
    latest.current = selection;
  });
  return useCallback((key: string) => {
    const keys = new Set(latest.current?.keys);
    if (!keys.delete(key)) keys.add(key);
    latest.current?.onChange(keys);
  }, []);
}

function howManySelected<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  { keys }: Selection,
): 'none' | 'some' | 'all' {
  if (keys.size === 0 || rows.length === 0) return 'none';
  return rows.every((row) => keys.has(rowKey(row))) ? 'all' : 'some';
}

function allOrNone<Row>(rows: readonly Row[], rowKey: (row: Row) => string, selection: Selection): ReadonlySet<string> {
  const isAll = howManySelected(rows, rowKey, selection) === 'all';
  return new Set(isAll ? [] : rows.map((row) => rowKey(row)));
}
