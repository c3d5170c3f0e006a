import type { ReactElement, ReactNode } from 'react';

import classes from './note.module.css';
import type { Tone } from './status-badge.tsx';

export interface NoteProps {
  readonly tone: Tone;
  readonly title?: string;
  /** Set it for what has to be read out at once. */
  readonly role?: 'alert' | 'status';
  readonly children?: ReactNode;
}

/** Something to know, set apart from the rest. */
export function Note({ tone, title, role, children }: NoteProps): ReactElement {
  return (
    <div className={classes.note} data-tone={tone} role={role}>
      {title === undefined ? undefined : <div className={classes.title}>{title}</div>}
      {children}
    </div>
  );
}
