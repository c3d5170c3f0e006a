import { Fragment, type ReactElement, type ReactNode } from 'react';

import classes from './key-values.module.css';

export interface KeyValue {
  readonly name: string;
  readonly value: ReactNode;
}

/** Facts, each with its name. One without a value shows a dash. */
export function KeyValues({ entries }: { readonly entries: readonly KeyValue[] }): ReactElement {
  return (
    <dl className={classes.list}>
      {entries.map(({ name, value }) => (
        <Fragment key={name}>
          <dt className={classes.name}>{name}</dt>
          <dd className={classes.value}>{value === undefined || value === '' ? '–' : value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
