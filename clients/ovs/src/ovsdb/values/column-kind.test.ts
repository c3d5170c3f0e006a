import { expectTypeOf, it } from 'vitest';

import type { ColumnValue, Row, RowChange } from './column-kind.ts';

it('infers the types of rows from the kinds of their columns', () => {
  expectTypeOf<ColumnValue<'optional-integer'>>().toEqualTypeOf<bigint | undefined>();
  expectTypeOf<ColumnValue<'references'>>().toEqualTypeOf<ReadonlySet<string>>();
  expectTypeOf<ColumnValue<'booleans'>>().toEqualTypeOf<ReadonlySet<boolean>>();
  expectTypeOf<ColumnValue<'map'>>().toEqualTypeOf<ReadonlyMap<string, string>>();
  expectTypeOf<ColumnValue<'map-integer-reference'>>().toEqualTypeOf<ReadonlyMap<bigint, string>>();
  expectTypeOf<Row<{ readonly weight: 'real' }>['weight']>().toEqualTypeOf<number>();
  expectTypeOf<Row<{ readonly name: 'string' }>['_uuid']>().toEqualTypeOf<string>();
});

it('tells by its table which row a change is about', () => {
  type Change = RowChange<{
    readonly Bridge: { readonly name: 'string' };
    readonly Queue: { readonly dscp: 'integer' };
  }>;
  type Inserted = Extract<Change, { readonly table: 'Queue'; readonly kind: 'inserted' }>;

  expectTypeOf<Inserted['row']['dscp']>().toEqualTypeOf<bigint>();
  expectTypeOf<Change['table']>().toEqualTypeOf<'Bridge' | 'Queue'>();
});
