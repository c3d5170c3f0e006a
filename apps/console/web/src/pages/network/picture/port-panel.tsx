import { Button, Group, Text, Title } from '@mantine/core';
import type { SwitchTopology, TopologyInterface } from '@smalt/ovs-api';
import { useEffect, useRef, type ReactElement } from 'react';

import { KeyValues, type KeyValue } from '../../../parts/key-values.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import type { SwitchTab, SwitchView } from '../detail/switch-view.ts';
import { kindWords, portKind } from '../topology/port-kind.ts';
import { findPatches, memberState, otherEnd, portState } from '../topology/port-state.ts';
import classes from './port-panel.module.css';

export interface PortPanelProps {
  readonly topology: SwitchTopology;
  readonly bridge: string;
  readonly port: string;
  readonly offered: readonly SwitchTab[];
  readonly onView: (view: SwitchView) => void;
}

/** The port that was chosen in the picture, and what can be done with it. */
export function PortPanel({ topology, bridge, port: name, offered, onView }: PortPanelProps): ReactElement {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers give back a promise, which React would take for what cleans up.
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const port = topology.bridges.find((each) => each.name === bridge)?.ports.find((each) => each.name === name);
  if (port === undefined) {
    return (
      <Text mt="md" role="status">
        {bridge} has no port {name} any more.
      </Text>
    );
  }
  const isBond = port.interfaces.length > 1;
  const patches = findPatches(topology);
  const [device] = port.interfaces;
  const end = device === undefined ? undefined : otherEnd(device, patches);
  const members = isBond ? port.interfaces.map(memberEntry) : [];
  return (
    <div ref={panel} className={classes.panel} role="region" aria-label={`Port ${name}`}>
      <Group justify="space-between" mb="xs">
        <Group gap="xs">
          <Title order={3}>{name}</Title>
          <StatusBadge {...portState(port, patches)} />
        </Group>
        <Group gap="xs">
          {offered.includes('trace') && !isBond ? (
            <Button size="compact-sm" variant="default" onClick={() => onView({ tab: 'trace', bridge, port: name })}>
              Trace from here
            </Button>
          ) : undefined}
          {/* A patch cannot be copied by Open vSwitch: its bridge can. */}
          {offered.includes('capture') && device?.type !== 'patch' ? (
            <Button size="compact-sm" variant="default" onClick={() => onView({ tab: 'capture', bridge, port: name })}>
              Capture here
            </Button>
          ) : undefined}
          <Button size="compact-sm" variant="subtle" onClick={() => onView({})}>
            Close
          </Button>
        </Group>
      </Group>
      <KeyValues
        entries={[
          { name: 'Bridge', value: bridge },
          { name: 'Kind', value: kindWords(portKind(port)) },
          ...(isBond ? [{ name: 'Mode', value: port.bondMode }, ...members] : deviceEntries(device, end?.bridge)),
        ]}
      />
    </div>
  );
}

function memberEntry(device: TopologyInterface): KeyValue {
  return { name: device.name, value: <StatusBadge {...memberState(device)} /> };
}

function deviceEntries(device: TopologyInterface | undefined, otherBridge: string | undefined): readonly KeyValue[] {
  const entries: readonly KeyValue[] = [
    { name: 'Number', value: device?.number },
    { name: 'Type', value: device?.type === '' ? 'device of the kernel' : device?.type },
    { name: 'Logical port', value: device?.logicalPort },
    { name: 'Far end', value: device?.remote },
    {
      name: 'Patched to',
      value: device?.peer === undefined ? undefined : `${device.peer} on ${otherBridge ?? 'no bridge'}`,
    },
    { name: 'Error', value: device?.error },
  ];
  return entries.filter(({ value }) => value !== undefined);
}
