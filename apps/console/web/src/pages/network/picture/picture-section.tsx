import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useMemo, useState, type ReactElement } from 'react';

import { Age } from '../../../parts/age.tsx';
import { Note } from '../../../parts/note.tsx';
import { Section } from '../../../parts/section.tsx';
import { gatherPorts } from './gather-ports.ts';
import { layOutSwitch } from './switch-layout.ts';
import { PortPanel } from './port-panel.tsx';
import type { SwitchPartProps } from './switch-part-props.ts';
import { SwitchPicture } from './switch-picture.tsx';

/** Bridges, ports, bonds and patches as a picture, and what is known of the port that was chosen in it. */
export function PictureSection({ node, view, answer, offered, onView }: SwitchPartProps): ReactElement {
  const { topology, failure, isReading, again } = answer;
  const { ref, width } = useElementSize();
  const [turnedGroups, setTurned] = useState<ReadonlySet<string>>(new Set());
  const bridges = useMemo(() => (topology === undefined ? [] : gatherPorts(topology)), [topology]);
  const layout = useMemo(() => layOutSwitch(bridges, { width, turned: turnedGroups }), [bridges, width, turnedGroups]);
  const { name } = node.metadata;
  if (!offered.includes('ports')) {
    return (
      <Section title="Picture">
        <Text c="dimmed">You may not look into this switch: that needs the right to get ovsnodes/diagnostics.</Text>
      </Section>
    );
  }
  const turn = (id: string): void => setTurned((before) => turned(before, id));
  const { bridge, port } = view;
  const chosen = port === undefined ? undefined : `${bridge ?? ''}/${port}`;
  const card = layout.cards.find((box) => box.card.id === chosen)?.card;
  return (
    <Section title="Picture" actions={<ReadAgain at={topology?.at} isReading={isReading} onClick={again} />}>
      {failure === undefined ? undefined : (
        <Note
          tone="warning"
          title={topology === undefined ? 'There is no picture' : 'The picture may be old'}
          role="status"
        >
          {failure}
        </Note>
      )}
      {topology?.bondsUnknown === undefined ? undefined : (
        <Note tone="warning" title="Which members of bonds work is not known">
          {topology.bondsUnknown}
        </Note>
      )}
      {topology === undefined && failure === undefined ? (
        <Skeleton height={160} aria-label="Reading the switch" />
      ) : undefined}
      {topology?.bridges.length === 0 ? <Text c="dimmed">It has no bridges.</Text> : undefined}
      <div ref={ref}>
        {width > 0 && layout.bridges.length > 0 ? (
          <SwitchPicture
            label={`The switch of ${name}`}
            layout={layout}
            chosen={card?.id}
            onTurn={turn}
            onChoose={(each) => onView({ bridge: each.bridge, port: each.port })}
          />
        ) : undefined}
      </div>
      {topology === undefined || port === undefined || bridge === undefined ? undefined : (
        <PortPanel key={chosen} topology={topology} bridge={bridge} port={port} offered={offered} onView={onView} />
      )}
    </Section>
  );
}

interface ReadAgainProps {
  readonly at: string | undefined;
  readonly isReading: boolean;
  readonly onClick: () => void;
}

function ReadAgain({ at, isReading, onClick }: ReadAgainProps): ReactElement {
  return (
    <Group gap="xs">
      {at === undefined ? undefined : (
        <Text size="xs" c="dimmed">
          read <Age at={at} /> ago
        </Text>
      )}
      <Button size="compact-xs" variant="default" loading={isReading} onClick={onClick}>
        Read again
      </Button>
    </Group>
  );
}

function turned(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id]);
}
