import { Group, Select, TextInput } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

import { withChosen } from './filters.ts';
import { useChangeFilter } from './use-change-filter.ts';

/** A word of the address, and the values that it can have. */
interface FilterChoice {
  readonly word: string;
  readonly label: string;
  readonly chosen: string | undefined;
  readonly values: readonly string[];
}

export interface FilterBarProps {
  readonly text: string | undefined;
  /** What the text is looked for in. */
  readonly placeholder: string;
  readonly choices: readonly FilterChoice[];
  readonly children?: ReactNode;
}

/** What a list is narrowed by: a text, and one value of each choice. */
export function FilterBar({ text = '', placeholder, choices, children }: FilterBarProps): ReactElement {
  const change = useChangeFilter();
  return (
    <Group gap="xs" role="search" aria-label="Narrow the list">
      <TextInput
        aria-label="Filter by text"
        placeholder={placeholder}
        w="15rem"
        value={text}
        onChange={(event) => change('text', event.currentTarget.value)}
      />
      {choices.map(({ word, label, chosen, values }) => (
        <Select
          key={word}
          aria-label={label}
          placeholder={label}
          clearable
          searchable
          w="12rem"
          data={withChosen(values, chosen)}
          value={chosen ?? null}
          onChange={(value) => change(word, value ?? undefined)}
        />
      ))}
      {children}
    </Group>
  );
}
