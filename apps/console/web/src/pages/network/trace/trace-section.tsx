import { Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { OVSNode, SwitchTopology } from '@smalt/ovs-api';
import { useState, type ReactElement } from 'react';

import { ApiError, messageOf } from '../../../api/api-error.ts';
import { Note } from '../../../parts/note.tsx';
import { Section } from '../../../parts/section.tsx';
import { useServices } from '../../../services.ts';
import type { SwitchView } from '../detail/switch-view.ts';
import { switchPath } from '../switch-path.ts';
import { interfaceNames } from '../topology/interface-names.ts';
import { readTrace, type TraceAnswer } from './read-trace.ts';
import {
  EMPTY_TRACE,
  fieldsOf,
  placeProblems,
  TRACE_PROTOCOLS,
  traceBody,
  type TraceField,
  type TraceForm,
} from './trace-form.ts';
import { TraceResult } from './trace-result.tsx';

export interface TraceSectionProps {
  readonly node: OVSNode;
  /** What the packet comes in at, as the picture or the address says. */
  readonly view: SwitchView;
  readonly topology: SwitchTopology | undefined;
}

type Outcome =
  | { readonly kind: 'traced'; readonly trace: TraceAnswer }
  | { readonly kind: 'failed'; readonly error: unknown };

const LABELS: Readonly<Partial<Record<TraceField, { readonly label: string; readonly placeholder: string }>>> = {
  ethernetSource: { label: 'From MAC', placeholder: '52:54:00:00:00:01' },
  ethernetDestination: { label: 'To MAC', placeholder: '52:54:00:00:00:02' },
  ipSource: { label: 'From address', placeholder: '192.0.2.1' },
  ipDestination: { label: 'To address', placeholder: '192.0.2.2' },
  sourcePort: { label: 'From port', placeholder: '40000' },
  destinationPort: { label: 'To port', placeholder: '443' },
  vlan: { label: 'VLAN', placeholder: 'none' },
};

/** Asks the switch what it would do with a packet. */
export function TraceSection({ node, view, topology }: TraceSectionProps): ReactElement {
  const { api } = useServices();
  const [outcome, setOutcome] = useState<Outcome>();
  const [isAsking, setIsAsking] = useState(false);
  const ask = async (form: TraceForm): Promise<void> => {
    setIsAsking(true);
    try {
      const trace = readTrace(await api.call('POST', switchPath(node.metadata, 'v1/trace'), { body: traceBody(form) }));
      setOutcome(
        trace === undefined
          ? { kind: 'failed', error: new Error('The agent answered no trace.') }
          : { kind: 'traced', trace },
      );
    } catch (error) {
      setOutcome({ kind: 'failed', error });
    } finally {
      setIsAsking(false);
    }
  };
  const error = outcome?.kind === 'failed' ? outcome.error : undefined;
  const { fields, others } = placeProblems(error instanceof ApiError ? error.causes : []);
  const lines = others.length > 0 || Object.keys(fields).length > 0 ? others : [messageOf(error)];
  return (
    <Stack>
      <Section title="What would become of a packet">
        <TraceFields node={node} view={view} topology={topology} problems={fields} isAsking={isAsking} onAsk={ask} />
        {error === undefined || lines.length === 0 ? undefined : (
          <Note tone="bad" title="The packet was not traced" role="alert">
            {lines.join('; ')}
          </Note>
        )}
      </Section>
      {outcome?.kind === 'traced' ? <TraceResult trace={outcome.trace} /> : undefined}
    </Stack>
  );
}

interface TraceFieldsProps extends TraceSectionProps {
  readonly problems: Readonly<Partial<Record<TraceField, string>>>;
  readonly isAsking: boolean;
  readonly onAsk: (form: TraceForm) => Promise<void>;
}

function TraceFields({ node, view, topology, problems, isAsking, onAsk }: TraceFieldsProps): ReactElement {
  const bridges = node.status?.bridges?.map(({ name }) => name) ?? [];
  const bridge = view.bridge ?? bridges[0] ?? '';
  const [form, setForm] = useState({ ...EMPTY_TRACE, bridge, inPort: view.port ?? '' });
  const change = (field: TraceField, value: string): void => setForm((before) => ({ ...before, [field]: value }));
  const ports = interfaceNames(topology, form.bridge);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onAsk(form);
      }}
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} mb="md">
        <NativeSelect
          label="Bridge"
          data={[...new Set([bridge, ...bridges])]}
          value={form.bridge}
          error={problems.bridge}
          onChange={(event) => change('bridge', event.currentTarget.value)}
        />
        <TextInput
          label="Comes in at"
          required
          list="trace-ports"
          placeholder="name of a port"
          value={form.inPort}
          error={problems.inPort}
          onChange={(event) => change('inPort', event.currentTarget.value)}
        />
        <datalist id="trace-ports">
          {ports.map((port) => (
            <option key={port}>{port}</option>
          ))}
        </datalist>
        <NativeSelect
          label="Protocol"
          data={[...TRACE_PROTOCOLS]}
          value={form.protocol}
          error={problems.protocol}
          onChange={(event) => change('protocol', event.currentTarget.value)}
        />
        {fieldsOf(form.protocol).map((field) => (
          <TextInput
            key={field}
            {...LABELS[field]}
            value={form[field]}
            error={problems[field]}
            onChange={(event) => change(field, event.currentTarget.value)}
          />
        ))}
      </SimpleGrid>
      <Group mb="sm">
        <Button type="submit" loading={isAsking}>
          Trace
        </Button>
      </Group>
    </form>
  );
}
