import { SimpleGrid, Text } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';

import type { StreamState } from '../../../live/open-stream.ts';
import { formatBytes } from '../../../parts/format-bytes.ts';
import { Graph } from '../../../parts/graph/graph.tsx';
import { usageSeries, type UsageHistory } from './usage-history.ts';
import { StreamNote } from '../../../parts/stream-note.tsx';

export interface UsageGraphsProps {
  readonly state: StreamState;
  readonly history: UsageHistory;
}

/** Processor, memory, disks and network of a machine over the last minutes. */
export function UsageGraphs({ state, history }: UsageGraphsProps): ReactElement {
  return (
    <>
      <StreamNote state={state} of="usage" />
      {history.length > 0 ? <Graphs history={history} /> : undefined}
      {history.length === 0 && state.kind !== 'refused' ? (
        <Text c="dimmed">Waiting for the first measurements …</Text>
      ) : undefined}
    </>
  );
}

function Graphs({ history }: Pick<UsageGraphsProps, 'history'>): ReactElement {
  const series = useMemo(() => usageSeries(history), [history]);
  const { times } = series;
  const total = history.at(-1)?.memory.totalBytes;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Graph
        title="Processors"
        times={times}
        format={formatPercent}
        most={100}
        series={[{ label: 'used', values: series.processorPercent }]}
      />
      <Graph
        title="Memory"
        times={times}
        format={formatBytes}
        isBytes
        most={total}
        series={[{ label: 'used', values: series.memoryUsedBytes }]}
      />
      <Graph
        title="Disks"
        times={times}
        format={formatRate}
        isBytes
        least={LEAST_RATE}
        series={[
          { label: 'read', values: series.readPerSecond },
          { label: 'written', values: series.writtenPerSecond },
        ]}
      />
      <Graph
        title="Network"
        times={times}
        format={formatRate}
        isBytes
        least={LEAST_RATE}
        series={[
          { label: 'received', values: series.receivedPerSecond },
          { label: 'sent', values: series.sentPerSecond },
        ]}
      />
    </SimpleGrid>
  );
}

/** A quiet machine is a flat line. */
const LEAST_RATE = 16 * 1024;

function formatPercent(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} %`;
}

function formatRate(value: number): string {
  return `${formatBytes(value)}/s`;
}
