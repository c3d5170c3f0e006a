import { SimpleGrid, Text } from '@mantine/core';
import { useState, type ReactElement } from 'react';

import { useStream } from '../../../live/use-stream.ts';
import { formatBytes } from '../../../parts/format-bytes.ts';
import { Graph } from '../../../parts/graph/graph.tsx';
import { Section } from '../../../parts/section.tsx';
import { StreamNote } from '../../../parts/stream-note.tsx';
import { nodeStreamPath } from '../node-stream-path.ts';
import { addHostUsage, processorPercents, type HostSample } from './host-usage.ts';

/** Processors and memory of a host over the last minutes. */
export function HostUsageGraphs({ host }: { readonly host: string }): ReactElement {
  const [history, setHistory] = useState<readonly HostSample[]>([]);
  const state = useStream(nodeStreamPath(host, 'usage'), (message) =>
    setHistory((before) => addHostUsage(before, message)),
  );
  const times = history.map(({ atMs }) => atMs);
  return (
    <Section title="Usage">
      <StreamNote state={state} of="usage" />
      {history.length === 0 && state.kind !== 'refused' ? (
        <Text c="dimmed">Waiting for the first measurements …</Text>
      ) : undefined}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Graph
          title="Processors"
          times={times}
          format={formatPercent}
          most={100}
          series={[{ label: 'used', values: processorPercents(history) }]}
        />
        <Graph
          title="Memory"
          times={times}
          format={formatBytes}
          isBytes
          most={history.at(-1)?.memoryTotalBytes}
          series={[{ label: 'used', values: history.map(({ memoryUsedBytes }) => memoryUsedBytes) }]}
        />
      </SimpleGrid>
    </Section>
  );
}

function formatPercent(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} %`;
}
