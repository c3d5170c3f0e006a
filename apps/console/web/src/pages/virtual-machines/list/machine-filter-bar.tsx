import type { ReactElement } from 'react';

import { FilterBar } from '../../../parts/filters/filter-bar.tsx';
import type { Machine } from '../machine.ts';
import { filterChoices, type MachineFilters } from './machine-filters.ts';

export interface MachineFilterBarProps {
  readonly machines: readonly Machine[];
  readonly filters: MachineFilters;
}

export function MachineFilterBar({ machines, filters }: MachineFilterBarProps): ReactElement {
  const { text, status, host, namespace } = filters;
  const { statuses, hosts, namespaces } = filterChoices(machines);
  const choices = [
    { word: 'status', label: 'Status', chosen: status, values: statuses },
    { word: 'host', label: 'Host', chosen: host, values: hosts },
    { word: 'namespace', label: 'Namespace', chosen: namespace, values: namespaces },
  ];
  return <FilterBar text={text} placeholder="Name, host or address" choices={choices} />;
}
