import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { debianPackages } from './packages.mjs';
import { unwantedUnits, withoutStarting } from './quiet-install.mjs';

const FORBIDDEN = 101;

it('forbids to start services while it installs, and no longer', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  const policy = join(folder.path, 'policy-rc.d');
  const answers: (number | null)[] = [];

  withoutStarting(() => answers.push(spawnSync(policy, ['some', 'start']).status), policy);

  expect(answers).toEqual([FORBIDDEN]);
  expect(existsSync(policy)).toBe(false);
});

it('takes its policy away when the installation fails or was killed before', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  const policy = join(folder.path, 'policy-rc.d');
  let left = '';
  const failing = (): void => {
    left = readFileSync(policy, 'utf8');
    throw new Error('no mirror');
  };

  expect(() => withoutStarting(failing, policy)).toThrow('no mirror');
  const afterFailure = existsSync(policy);
  writeFileSync(policy, left);
  withoutStarting(() => undefined, policy);

  expect([afterFailure, existsSync(policy)]).toEqual([false, false]);
});

it('leaves the policy of the owner of the machine as it is', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  const policy = join(folder.path, 'policy-rc.d');
  writeFileSync(policy, '#!/bin/sh\nexit 0\n');

  withoutStarting(() => undefined, policy);

  expect(readFileSync(policy, 'utf8')).toBe('#!/bin/sh\nexit 0\n');
});

it('lets nothing of Open vSwitch start at boot that only tests asked for', () => {
  expect(unwantedUnits(debianPackages('test', '12'))).toContain('openvswitch-switch.service');
  expect(unwantedUnits(['dpkg', 'ovn-host'])).toEqual(['ovn-host.service']);
});

it('lets no Prometheus start at boot, of which tests only want the checker', () => {
  expect(unwantedUnits(debianPackages('test-kubernetes', '12'))).toContain('prometheus.service');
});
