import type { Column } from '../../../parts/data-table/column.ts';
import { Age } from '../../../parts/age.tsx';
import { LinkTo } from '../../../parts/link-to.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import type { WatchedHost } from '../fleet-objects.ts';
import { judgementWords, obstacleWords, signalsWords } from '../words.ts';

export const HOST_COLUMNS: readonly Column<WatchedHost>[] = [
  {
    id: 'name',
    label: 'Host',
    width: 'minmax(8rem, 1fr)',
    sortValue: ({ name }) => name,
    cell: ({ name }) => (
      <LinkTo to="/high-availability/hosts/$host" params={{ host: name }}>
        {name}
      </LinkTo>
    ),
  },
  {
    id: 'judgement',
    label: 'Judgement',
    width: 'minmax(10rem, 1.5fr)',
    sortValue: ({ judgement }) => judgementWords(judgement).words,
    cell: ({ judgement }) => <StatusBadge {...judgementWords(judgement)} title={judgementWords(judgement).words} />,
  },
  {
    id: 'since',
    label: 'Since',
    width: '5rem',
    isNumber: true,
    cell: ({ judgedSince }) => <Age at={judgedSince ?? undefined} />,
  },
  {
    id: 'signals',
    label: 'Signals',
    width: 'minmax(12rem, 2fr)',
    sortValue: (host) => signalsWords(host).words,
    cell: (host) => <StatusBadge {...signalsWords(host)} title={signalsWords(host).words} />,
  },
  {
    id: 'obstacle',
    label: 'What holds it back',
    width: 'minmax(10rem, 2fr)',
    cell: (host) => obstacleWords(host) ?? '–',
  },
];
