import { Text } from '@mantine/core';
import type { ReactElement } from 'react';

import { Age } from './age.tsx';
import { conditionWords, type AnyCondition, type ConditionMeaning } from './condition-words.ts';
import classes from './conditions.module.css';
import { StatusBadge } from './status-badge.tsx';

export interface ConditionsProps {
  readonly conditions: readonly AnyCondition[];
  /** What each type means, in words. */
  readonly meanings?: Readonly<Record<string, ConditionMeaning>>;
}

/** What is the case with an object, in words, with the server's reasons. */
export function Conditions({ conditions, meanings = {} }: ConditionsProps): ReactElement {
  if (conditions.length === 0) return <Text c="dimmed">Nothing has been said about it yet.</Text>;
  return (
    <ul className={classes.list}>
      {conditions.map((condition) => {
        const { words, tone, message } = conditionWords(condition, meanings[condition.type]);
        return (
          <li key={condition.type} className={classes.condition}>
            <StatusBadge tone={tone} words={words} title={condition.type} />
            <span className={classes.message}>{message || condition.reason}</span>
            <span className={classes.age}>
              <Age at={condition.lastTransitionTime ?? undefined} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
