import type { OVSNode } from '@smalt/ovs-api';

import type { Column } from '../../../parts/data-table/column.ts';
import { LinkTo } from '../../../parts/link-to.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { issueCounts, sortIssues, switchState } from '../switch-state.ts';

export const SWITCH_COLUMNS: readonly Column<OVSNode>[] = [
  {
    id: 'name',
    label: 'Switch',
    width: 'minmax(9rem, 1.5fr)',
    sortValue: ({ metadata }) => metadata.name,
    cell: ({ metadata: { namespace = '', name } }) => (
      <LinkTo to="/network/$namespace/$node" params={{ namespace, node: name }}>
        {name}
      </LinkTo>
    ),
  },
  {
    id: 'state',
    label: 'State',
    width: 'minmax(9rem, 1fr)',
    sortValue: (node) => switchState(node).words,
    cell: (node) => <StatusBadge {...switchState(node)} />,
  },
  count('bridges', 'Bridges', ({ status }) => status?.bridges?.length ?? 0),
  count('ports', 'Ports', ({ status }) => (status?.bridges ?? []).reduce((sum, { ports = 0 }) => sum + ports, 0)),
  count('bonds', 'Bonds', ({ status }) => status?.interfaces?.bonds?.length ?? 0),
  count('flows', 'Flows', ({ status }) => status?.flowStats?.totalFlows ?? 0),
  {
    id: 'version',
    label: 'Version',
    width: '5rem',
    sortValue: ({ status }) => status?.ovsVersion ?? '',
    cell: ({ status }) => status?.ovsVersion ?? '–',
  },
  {
    id: 'issues',
    label: 'Issues',
    width: 'minmax(8rem, 2fr)',
    sortValue: ({ status }) => -(status?.issues?.length ?? 0),
    cell: ({ status }) => {
      const issues = status?.issues ?? [];
      const [first] = sortIssues(issues);
      return (
        <span title={first?.message}>{first === undefined ? 'none' : `${issueCounts(issues)}: ${first.message}`}</span>
      );
    },
  },
];

function count(id: string, label: string, of: (node: OVSNode) => number): Column<OVSNode> {
  return { id, label, width: '4.5rem', isNumber: true, sortValue: of, cell: (node) => of(node).toLocaleString() };
}
