import { Box, Tabs, Text } from '@mantine/core';
import { ovsNodeKind, type OVSNode } from '@smalt/ovs-api';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';

import { useMayAll } from '../../../api/use-may.ts';
import { useFollowedOne } from '../../../live/use-followed.ts';
import { FollowNote } from '../../../parts/follow-note.tsx';
import { LinkTo } from '../../../parts/link-to.tsx';
import { Note } from '../../../parts/note.tsx';
import { OfferedPart } from '../../../parts/offered-part.tsx';
import { Page } from '../../../parts/page.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { CaptureSection } from '../capture/capture-section.tsx';
import { switchState, whySwitchNotReady } from '../switch-state.ts';
import { useTopology, type TopologyAnswer } from '../topology/use-topology.ts';
import { TraceSection } from '../trace/trace-section.tsx';
import { PortTable } from './port-table.tsx';
import { SwitchOverview } from './switch-overview.tsx';
import { SWITCH_TABS, switchTabDeed, type SwitchTab, type SwitchView } from './switch-view.ts';

const ROUTE = '/network/$namespace/$node';

/** All about the switch of one host. */
export function SwitchPage(): ReactElement {
  const { namespace, node: name } = useParams({ from: ROUTE });
  const { state, object: node } = useFollowedOne(ovsNodeKind, { namespace, name });
  return (
    <Page
      title={name}
      trail={<LinkTo to="/network">Network</LinkTo>}
      aside={node === undefined ? undefined : <StatusBadge {...switchState(node)} />}
    >
      <FollowNote
        state={state}
        isEmpty={node === undefined}
        what={name}
        empty={<Text>There is no switch with this name. Its agent may have been stopped for good.</Text>}
      />
      {node === undefined ? undefined : <SwitchTabs key={`${namespace}/${name}`} node={node} />}
    </Page>
  );
}

function SwitchTabs({ node }: { readonly node: OVSNode }): ReactElement {
  const view = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const { namespace = '', name } = node.metadata;
  const answers = useMayAll(SWITCH_TABS.map((tab) => switchTabDeed(tab.name, { namespace, name })));
  const offered = SWITCH_TABS.filter((_tab, index) => answers[index] === true);
  const mayLook = offered.some((tab) => tab.name === 'ports');
  const answer = useTopology(node, mayLook);
  const { tab = 'overview' } = view;
  const why = whySwitchNotReady(node);
  const show = (changed: SwitchView): void => void navigate({ search: changed, replace: true });
  const open = (chosen: string | null): void => {
    const found = SWITCH_TABS.find((candidate) => candidate.name === chosen);
    if (found === undefined) return;
    const { tab: _left, ...rest } = view;
    show(found.name === 'overview' ? rest : { ...rest, tab: found.name });
  };
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      {why === undefined ? undefined : (
        <Box mb="md">
          <Note tone="warning" title="It is not ready">
            {why}
          </Note>
        </Box>
      )}
      <Tabs.List mb="md" aria-label={`About the switch of ${name}`}>
        {offered.map((each) => (
          <Tabs.Tab key={each.name} value={each.name}>
            {each.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab}>
        <OfferedPart deed={switchTabDeed(tab, { namespace, name })}>
          <TabContent
            tab={tab}
            node={node}
            view={view}
            answer={answer}
            offered={offered.map((each) => each.name)}
            onView={show}
          />
        </OfferedPart>
      </Tabs.Panel>
    </Tabs>
  );
}

interface TabContentProps {
  readonly tab: SwitchTab;
  readonly node: OVSNode;
  readonly view: SwitchView;
  readonly answer: TopologyAnswer;
  readonly offered: readonly SwitchTab[];
  readonly onView: (view: SwitchView) => void;
}

function TabContent({ tab, node, view, answer, offered, onView }: TabContentProps): ReactElement {
  switch (tab) {
    case 'overview':
      return <SwitchOverview node={node} view={view} answer={answer} offered={offered} onView={onView} />;
    case 'ports':
      return <PortTable answer={answer} />;
    case 'trace':
      return <TraceSection node={node} view={view} topology={answer.topology} />;
    case 'capture':
      return <CaptureSection node={node} view={view} topology={answer.topology} />;
  }
}
