import { expect, it } from 'vitest';
import type { BenchmarkReport } from './benchmark.ts';
import { formatReport } from './format-report.ts';

it('ends with one line of JSON that holds the rounded figures', () => {
  const text = formatReport(report({ figures: { serial_vs_c: 1.0349, connect_vs_go: null } }));

  const lastLine = text.split('\n').at(-1) ?? '';
  expect(JSON.parse(lastLine)).toEqual({ bench: 'libvirt', figures: { serial_vs_c: 1.03, connect_vs_go: null } });
});

it('says of each target whether it is met, missed or not measured', () => {
  const text = formatReport(
    report({ figures: { fast: 1.3, slow: 0.99, absent: null, free: 2 }, targets: { fast: 1.2, slow: 1, absent: 1 } }),
  );

  expect(text).toMatch(/^fast +1\.30× +≥ 1\.20× +yes$/m);
  expect(text).toMatch(/^slow +0\.99× +≥ 1\.00× +no$/m);
  expect(text).toMatch(/^absent +– +≥ 1\.00× +not measured$/m);
  expect(text).toMatch(/^free +2\.00×$/m);
});

it('calls a target missed that is met by rounding alone', () => {
  const text = formatReport(report({ figures: { serial_vs_c: 0.9999 }, targets: { serial_vs_c: 1 } }));

  expect(text).toMatch(/^serial_vs_c .* no$/m);
});

function report(changes: Partial<BenchmarkReport>): BenchmarkReport {
  return { bench: 'libvirt', facts: ['CPU: 2'], tables: [], notes: [], figures: {}, targets: {}, ...changes };
}

it('shows a time, a size or a count of ours alone as it is', () => {
  const figures = { sync_ms: 123.456, bytes_per_object: null, onboard1000_s: 9.5, rss_mb_1000: 80, calls_per_host: 12 };

  const text = formatReport({ bench: 'x', facts: [], tables: [], notes: [], figures, targets: {} });

  expect(text).toMatch(/^sync_ms +123\.46$/m);
  expect(text).toMatch(/^bytes_per_object +–$/m);
  expect(text).toMatch(/^onboard1000_s +9\.5$/m);
  expect(text).toMatch(/^rss_mb_1000 +80$/m);
  expect(text).toMatch(/^calls_per_host +12$/m);
});

it('says of each limit whether a figure of ours stays within it', () => {
  const figures = { event_p99_ms: 200, rss_mb_1000: 80.01, calls_per_refresh: null };
  const limits = { event_p99_ms: 200, rss_mb_1000: 80, calls_per_refresh: 10 };

  const text = formatReport(report({ figures, limits }));

  expect(text).toMatch(/^event_p99_ms +200 +≤ 200 +yes$/m);
  expect(text).toMatch(/^rss_mb_1000 +80\.01 +≤ 80 +no$/m);
  expect(text).toMatch(/^calls_per_refresh +– +≤ 10 +not measured$/m);
});

it('says of a rate of ours alone whether it is high enough', () => {
  const figures = { sqlite_batches_per_s: 6000, other_per_s: 4999 };

  const text = formatReport(report({ figures, targets: { sqlite_batches_per_s: 5000, other_per_s: 5000 } }));

  expect(text).toMatch(/^sqlite_batches_per_s +6000 +≥ 5000 +yes$/m);
  expect(text).toMatch(/^other_per_s +4999 +≥ 5000 +no$/m);
});
