import { Code, Stack, Text } from '@mantine/core';
import { ovsNodeKind, type OVSNode } from '@smalt/ovs-api';
import type { ReactElement } from 'react';

import { useFollowed } from '../../../live/use-followed.ts';
import { objectKey } from '../../../live/object-key.ts';
import { DataTable } from '../../../parts/data-table/data-table.tsx';
import { FollowNote } from '../../../parts/follow-note.tsx';
import { Page } from '../../../parts/page.tsx';
import { SWITCH_COLUMNS } from './switch-columns.tsx';
import { switchesWords } from './switches-words.ts';

/** The switches of all hosts. */
export function SwitchesPage(): ReactElement {
  const { state, objects: switches } = useFollowed(ovsNodeKind);
  return (
    <Page title="Network">
      <Stack gap="sm">
        <FollowNote
          state={state}
          isEmpty={switches.length === 0}
          what="switches"
          empty={
            <Text>
              No host has told of its Open vSwitch yet. The OVS agent does that: <Code>smalt ovs-agent</Code> on each
              host; <Code>smalt up</Code> has it inside as soon as Open vSwitch runs.
            </Text>
          }
        />
        {switches.length === 0 ? undefined : (
          <>
            <Text size="sm" c="dimmed" role="status">
              {switchesWords(switches)}
            </Text>
            <DataTable
              label="Switches"
              rows={switches}
              columns={SWITCH_COLUMNS}
              rowKey={switchKey}
              href={switchHref}
              initialSorting={{ columnId: 'name', isDescending: false }}
            />
          </>
        )}
      </Stack>
    </Page>
  );
}

function switchKey({ metadata }: OVSNode): string {
  return objectKey(metadata);
}

function switchHref({ metadata: { namespace = '', name } }: OVSNode): string {
  return `/network/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
}
