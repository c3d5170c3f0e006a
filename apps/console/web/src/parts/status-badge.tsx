import type { ReactElement } from 'react';

import classes from './status-badge.module.css';

/** How a state is to be taken: fine, under way, to be looked at, wrong, or simply so. */
export type Tone = 'good' | 'busy' | 'warning' | 'bad' | 'quiet';

export interface StatusBadgeProps {
  readonly tone: Tone;
  /** The state in words; colour alone says nothing. */
  readonly words: string;
  readonly title?: string | undefined;
}

/** A state, in words and in colour. */
export function StatusBadge({ tone, words, title }: StatusBadgeProps): ReactElement {
  return (
    <span className={classes.badge} data-tone={tone} title={title}>
      <span className={classes.dot} aria-hidden="true" />
      {words}
    </span>
  );
}
