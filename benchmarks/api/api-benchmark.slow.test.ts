import { startSmaltApiServer } from '@smalt/bed-kubernetes';
import { expect, it } from 'vitest';

import { runApiBenchmark } from './api-benchmark.ts';
import type { ServerSource } from './api-servers.ts';

it('measures our server alone where there is no other', { timeout: 120_000 }, async () => {
  const sources: ServerSource = { name: 'smalt', start: (signal) => startSmaltApiServer({ signal }) };
  const options = { rounds: 1, quick: true, progress: () => undefined };

  const report = await runApiBenchmark(options, [sources], AbortSignal.timeout(110_000));

  const [servers, controller] = report.tables;
  expect(servers?.rows.map(([, ours, kube]) => [ours === '–', kube])).toEqual(servers?.rows.map(() => [false, '–']));
  expect(servers?.rows.at(-1)?.[1]).toBe('100.0 %');
  expect(controller?.rows.map(([, value]) => value)).not.toContain('–');
  expect(report.figures).toMatchObject({
    start_vs_kube: null,
    sync10k_ms: expect.any(Number),
    bytes_per_object: expect.any(Number),
  });
  expect(report.notes[0]).toContain('no kube-apiserver at hand');
});
