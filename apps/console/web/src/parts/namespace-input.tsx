import { Autocomplete } from '@mantine/core';
import type { ReactElement } from 'react';

import { namespaceKind } from '../api/core-kinds.ts';
import { useFollowed } from '../live/use-followed.ts';

export interface NamespaceInputProps {
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (namespace: string) => void;
}

/** A namespace by name. Those that the user may list are offered; any other can be typed. */
export function NamespaceInput({ value, error, onChange }: NamespaceInputProps): ReactElement {
  const { objects } = useFollowed(namespaceKind);
  const names = objects.map(({ metadata }) => metadata.name).toSorted();
  return <Autocomplete label="Namespace" required data={names} value={value} error={error} onChange={onChange} />;
}
