import { Button, Stack, Text } from '@mantine/core';
import type { Issue } from '@smalt/ovs-api';
import { useState, type ReactElement } from 'react';

import { Age } from '../../../parts/age.tsx';
import { Note } from '../../../parts/note.tsx';
import { Section } from '../../../parts/section.tsx';
import { issueCounts, issueTone, sortIssues } from '../switch-state.ts';

/** More than these would push the picture out of sight. */
const SHOWN_AT_FIRST = 5;

/** What an operator should look at, since when, and what to do. */
export function SwitchIssues({ issues }: { readonly issues: readonly Issue[] }): ReactElement {
  const [isWhole, setIsWhole] = useState(false);
  const sorted = sortIssues(issues);
  const shown = isWhole ? sorted : sorted.slice(0, SHOWN_AT_FIRST);
  const hasMore = issues.length > SHOWN_AT_FIRST;
  return (
    <Section
      title="Issues"
      actions={
        hasMore ? (
          <Button size="compact-xs" variant="default" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show all ${issues.length}`}
          </Button>
        ) : undefined
      }
    >
      <Text size="sm" c="dimmed" mb="xs">
        {issueCounts(issues)}
      </Text>
      <Stack gap="xs" role="list" aria-label="Issues">
        {shown.map((issue) => (
          <div role="listitem" key={`${issue.reason ?? ''} ${issue.subject ?? ''} ${issue.message}`}>
            <Note tone={issueTone(issue)} title={`${issue.severity}: ${issue.message}`}>
              <Text size="sm">{issue.advice ?? 'The agent has no advice for this.'}</Text>
              <Text size="xs" c="dimmed">
                {issue.reason ?? 'Issue'}
                {issue.subject === undefined ? '' : ` of ${issue.subject}`}, for <Age at={issue.detectedAt} />
              </Text>
            </Note>
          </div>
        ))}
      </Stack>
    </Section>
  );
}
