import { parseBatch } from '@smalt/ha-telemetry';
import { expect, it } from 'vitest';

import { batchJson } from './batch-of.ts';

it('makes batches that the contract allows of what is in the queue', () => {
  const domain = { uuid: '6f1c2a4e-7f6b-4a0a-9d4e-3d2c1b0a9f8e', name: 'quotes " and \\ and ü' };
  const content = { kind: 'reboot', domain, time: '2026-01-02T03:04:05.678Z' };
  const storedAt = Date.parse('2026-01-02T03:04:05.678Z');

  const json = batchJson({ node: 'n1', epoch: 'e', agent: 'a' }, [
    { kind: 'gap', firstSequence: 3, sequence: 6, reason: 'unsaved', storedAt },
    { kind: 'item', sequence: 7, body: JSON.stringify(content), isExpendable: false, storedAt },
  ]);

  expect(parseBatch(JSON.parse(json))).toEqual({
    version: 1,
    node: 'n1',
    epoch: 'e',
    agent: 'a',
    firstSequence: 3,
    lastSequence: 7,
    records: [
      { kind: 'gap', firstSequence: 3, sequence: 6, reason: 'unsaved', time: '2026-01-02T03:04:05.678Z' },
      { ...content, sequence: 7 },
    ],
  });
});
