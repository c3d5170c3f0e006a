import { Group, Select, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';

import { filterChoices, type MachineFilters } from './machine-filters.ts';
import type { Machine } from '../machine.ts';

export interface MachineFilterBarProps {
  readonly machines: readonly Machine[];
  readonly filters: MachineFilters;
  readonly onChange: (filters: MachineFilters) => void;
}

export function MachineFilterBar({ machines, filters, onChange }: MachineFilterBarProps): ReactElement {
  const { statuses, hosts, namespaces } = filterChoices(machines);
  const change = (name: keyof MachineFilters, value: string | null): void => {
    const { [name]: _, ...rest } = filters;
    onChange(value === null || value === '' ? rest : { ...rest, [name]: value });
  };
  const choices = [
    { name: 'status', label: 'Status', values: statuses },
    { name: 'host', label: 'Host', values: hosts },
    { name: 'namespace', label: 'Namespace', values: namespaces },
  ] as const;
  return (
    <Group gap="xs" role="search" aria-label="Narrow the list">
      <TextInput
        aria-label="Filter by text"
        placeholder="Name, host or address"
        value={filters.text ?? ''}
        onChange={(event) => change('text', event.currentTarget.value)}
      />
      {choices.map(({ name, label, values }) => (
        <Select
          key={name}
          aria-label={label}
          placeholder={label}
          clearable
          searchable
          w="10rem"
          data={withChosen(values, filters[name])}
          value={filters[name] ?? null}
          onChange={(value) => change(name, value)}
        />
      ))}
    </Group>
  );
}

// What is chosen stays to be seen when nothing has that value any more.
function withChosen(values: readonly string[], chosen: string | undefined): string[] {
  return chosen === undefined || values.includes(chosen) ? [...values] : [...values, chosen];
}
