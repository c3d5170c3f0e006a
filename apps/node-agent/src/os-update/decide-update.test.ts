import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decideUpdate, unitFor, versionProblem, type UpdateView } from './decide-update.ts';

const FAILURE = { message: 'it broke', atMs: 1_000_000 };
const START = { kind: 'update', unit: 'systemd-sysupdate@1877.5.service' };

describe('decideUpdate', () => {
  it.each<[string, Partial<UpdateView>, object]>([
    ['does nothing when nothing is wanted', { version: '' }, { kind: 'idle' }],
    ['starts an update', {}, START],
    [
      'takes the plain unit for the latest',
      { version: 'latest' },
      { kind: 'update', unit: 'systemd-sysupdate.service' },
    ],
    ['is done when it runs already', { running: '1877.5' }, { kind: 'installed' }],
    ['is done when it is installed', memory({ installed: '1877.5' }), { kind: 'installed' }],
    [
      'is done when the latest is installed',
      { version: 'latest', ...memory({ installed: 'latest' }) },
      { kind: 'installed' },
    ],
    [
      'reboots when it was installed in this boot and that is wanted',
      { reboot: true, ...memory({ installed: '1877.5', installedInBoot: 'boot-1' }) },
      { kind: 'reboot' },
    ],
    [
      'does not reboot unless that is wanted',
      memory({ installed: '1877.5', installedInBoot: 'boot-1' }),
      { kind: 'installed' },
    ],
    [
      'does not reboot a second time when the host came up with the old version',
      { reboot: true, ...memory({ installed: '1877.5', installedInBoot: 'boot-0' }) },
      { kind: 'installed' },
    ],
    ['does not reboot into what runs', { reboot: true, running: '1877.5' }, { kind: 'installed' }],
    ['picks up what an earlier run of the agent began', memory({ begunInBoot: 'boot-1' }), START],
    [
      'waits after a failure',
      { nowMs: 1_000_000, ...memory({ triesLeft: 2, failure: FAILURE }) },
      { kind: 'wait', milliseconds: 60_000, why: 'it broke' },
    ],
    [
      'waits twice as long after the next one',
      { nowMs: 1_030_000, ...memory({ triesLeft: 1, failure: FAILURE }) },
      { kind: 'wait', milliseconds: 90_000, why: 'it broke' },
    ],
    ['tries again after that', { nowMs: 1_060_000, ...memory({ triesLeft: 2, failure: FAILURE }) }, START],
    ['tries again when the clock was set back', { nowMs: 5, ...memory({ triesLeft: 2, failure: FAILURE }) }, START],
    ['gives up in the end', memory({ triesLeft: 0, failure: FAILURE }), { kind: 'give-up', why: 'it broke' }],
    ['begins anew with another version', memory({ version: '1877.4', triesLeft: 0, failure: FAILURE }), START],
  ])('%s', (_, view, step) => {
    expect(decideUpdate(viewOf(view))).toEqual(step);
  });
});

describe('versions', () => {
  it.each(['latest', '1877.5', '1877.5-rc1', 'v1_2:3', '0'])('takes %s', (version) => {
    expect(versionProblem(version)).toBeUndefined();
  });

  it.each(['../etc', 'a b', '-1', '.hidden', 'a@b', '1.0;reboot', 'a/b', 'ä', 'a\n', '$x', '%i', String.raw`\x2d`])(
    'refuses %j and names the field',
    (version) => {
      expect(decideUpdate(viewOf({ version }))).toEqual({
        kind: 'refuse',
        why: expect.stringMatching(/^spec\.version: ".*" is not a version/),
      });
    },
  );

  it('refuses one that is too long for the name of a unit', () => {
    expect(decideUpdate(viewOf({ version: '1'.repeat(129) }))).toMatchObject({ kind: 'refuse' });
  });

  it('lets nothing odd into the name of a unit', () => {
    assert(
      property(string(), (version) => {
        const step = decideUpdate(viewOf({ version }));
        const unit = step.kind === 'update' ? step.unit : 'systemd-sysupdate.service';

        expect(['update', 'refuse', 'idle']).toContain(step.kind);
        expect(unit).toMatch(/^systemd-sysupdate(@[A-Za-z0-9][\w.:-]{0,127})?\.service$/);
      }),
    );
    expect(unitFor('latest')).toBe('systemd-sysupdate.service');
  });
});

function viewOf(view: Partial<UpdateView>): UpdateView {
  return {
    version: '1877.5',
    reboot: false,
    running: '1877.4',
    memory: { version: '', triesLeft: 3 },
    bootId: 'boot-1',
    nowMs: 2_000_000,
    tries: 3,
    retryMs: 60_000,
    ...view,
  };
}

function memory(fields: Partial<UpdateView['memory']>): Pick<UpdateView, 'memory'> {
  return { memory: { version: '1877.5', triesLeft: 3, ...fields } };
}
