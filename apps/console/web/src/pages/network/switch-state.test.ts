import type { Issue, OVSNode } from '@smalt/ovs-api';
import { expect, it } from 'vitest';

import { issueCounts, sortIssues, switchState, whySwitchNotReady } from './switch-state.ts';

it.each([
  { given: 'nothing was said', ready: undefined, issues: [], words: 'Not reported yet' },
  { given: 'all is well', ready: 'True', issues: [], words: 'Healthy' },
  { given: 'there is something to know', ready: 'True', issues: [issue('Info')], words: 'Healthy' },
  {
    given: 'there is a warning',
    ready: 'True',
    issues: [issue('Info'), issue('Warning')],
    words: 'Works, with issues',
  },
  { given: 'something is critical', ready: 'True', issues: [issue('Critical')], words: 'Critical issues' },
  { given: 'it is not ready', ready: 'False', issues: [issue('Critical')], words: 'Not ready' },
  { given: 'nobody knows', ready: 'Unknown', issues: [], words: 'Unknown' },
] as const)('is "$words" when $given', ({ ready, issues, words }) => {
  const conditions = ready === undefined ? [] : [{ type: 'Ready', status: ready }];

  expect(switchState({ status: { conditions, issues } }).words).toBe(words);
});

it('says why it is not ready in the words of the agent', () => {
  expect(why([{ type: 'Ready', status: 'False', reason: 'Gone', message: 'ovs-vswitchd is gone' }])).toBe(
    'ovs-vswitchd is gone',
  );
  expect(why([{ type: 'Ready', status: 'False', reason: 'Gone' }])).toBe('Gone');
  expect(why([{ type: 'Ready', status: 'True', message: 'all is well' }])).toBeUndefined();
  expect(why()).toBeUndefined();
});

it('puts the worst issues first, and of those the oldest', () => {
  const issues = [issue('Info', '1'), issue('Warning', '3'), issue('Critical', '4'), issue('Warning', '2')];

  expect(sortIssues(issues).map(({ detectedAt }) => detectedAt)).toEqual(['4', '2', '3', '1']);
});

it.each([
  [[], 'none'],
  [['Critical'], '1 critical'],
  [['Warning', 'Critical', 'Warning', 'Info'], '1 critical, 2 warnings, 1 to know'],
  [['Warning'], '1 warning'],
])('counts %j as "%s"', (severities, words) => {
  expect(issueCounts(severities.map((severity) => issue(severity)))).toBe(words);
});

function why(conditions: NonNullable<OVSNode['status']>['conditions'] = []): string | undefined {
  return whySwitchNotReady({ status: { conditions } });
}

function issue(severity: string, detectedAt = '1'): Issue {
  return { severity, detectedAt, message: 'something' };
}
