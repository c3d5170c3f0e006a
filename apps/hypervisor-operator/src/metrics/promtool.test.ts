import { resolve } from 'node:path';

import { hasPromtool, runPromtool } from '@smalt/bed-prometheus';
import { describe, expect, it } from 'vitest';

const ALERTS = resolve(import.meta.dirname, '../../../../deploy/helm/smalt/files/alerts');

// Prometheus is no package that we need: where it is installed, its own judgement counts as well.
describe.runIf(hasPromtool())('promtool', () => {
  it.each([
    ['check', 'rules', `${ALERTS}/hypervisor-operator.yaml`],
    ['test', 'rules', `${ALERTS}/tests/hypervisor-operator.yaml`],
  ])('finds nothing wrong by %s %s', (...words) => {
    expect(runPromtool(words)).toBe('');
  });
});
