import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

const ALERTS = resolve(import.meta.dirname, '../../../../deploy/alerts');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

// Prometheus is no package that we need: where it is installed, its own judgement counts as well.
describe.runIf(hasPromtool)('promtool', () => {
  it.each([
    ['check', 'rules', `${ALERTS}/hypervisor-operator.yaml`],
    ['test', 'rules', `${ALERTS}/tests/hypervisor-operator.yaml`],
  ])('finds nothing wrong by %s %s', (...words) => {
    const { status, stderr, stdout } = spawnSync('promtool', words, { encoding: 'utf8' });

    expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
  });
});
