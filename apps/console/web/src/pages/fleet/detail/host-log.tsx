import { SegmentedControl, Stack } from '@mantine/core';
import type { NodeLogUnit } from '@smalt/vm-api';
import { useState, type ReactElement } from 'react';

import { LogView } from '../../../parts/log-view.tsx';
import { nodeStreamPath } from '../node-stream-path.ts';

const UNITS: readonly { readonly value: NodeLogUnit; readonly label: string }[] = [
  { value: 'libvirt', label: 'libvirt' },
  { value: 'ovs', label: 'Open vSwitch' },
  { value: 'agents', label: 'Agents' },
];

/** What the daemons and agents of a host write, as they write it. */
export function HostLog({ host }: { readonly host: string }): ReactElement {
  const [unit, setUnit] = useState<NodeLogUnit>('libvirt');
  return (
    <Stack gap="sm">
      <SegmentedControl aria-label="Whose log" data={[...UNITS]} value={unit} onChange={setUnit} />
      <LogView key={unit} label={`Log of ${host}`} path={`${nodeStreamPath(host, 'logs')}?unit=${unit}`} />
    </Stack>
  );
}
