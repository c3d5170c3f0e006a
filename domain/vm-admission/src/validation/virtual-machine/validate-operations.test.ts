import { describe, expect, it } from 'vitest';

import { notSupported } from '../../cause.ts';
import { context, machine, spec, withDisk, withoutAdvice } from '../../fixtures/small-instance.ts';
import { validateVirtualMachine } from './validate-virtual-machine.ts';

describe('the rules about snapshots in progress', () => {
  const old = machine({ runStrategy: 'Always' });

  it('refuses other volumes and another run strategy while a snapshot is taken', () => {
    const changed = machine(
      { runStrategy: 'Halted', template: { spec: withDisk({}) } },
      { status: { snapshotInProgress: 'snap' } },
    );

    expect(withoutAdvice(validateVirtualMachine(changed, old, context()))).toEqual([
      notSupported('spec', 'Cannot update vm disks or volumes until snapshot "snap" completes'),
      notSupported('spec', 'Cannot update vm running state until snapshot "snap" completes'),
    ]);
  });

  it('refuses another run strategy while a snapshot is brought back', () => {
    const changed = machine({ runStrategy: 'Halted' }, { status: { restoreInProgress: 'back' } });

    expect(withoutAdvice(validateVirtualMachine(changed, old, context()))).toEqual([
      notSupported('spec', 'Cannot update VM runStrategy until restore "back" completes'),
    ]);
  });

  it('takes anything else meanwhile', () => {
    const changed = machine(
      { runStrategy: 'Always', template: { spec: spec({ hostname: 'a' }) } },
      {
        status: { snapshotInProgress: 'snap', restoreInProgress: 'back' },
      },
    );

    expect(validateVirtualMachine(changed, old, context())).toEqual([]);
  });
});
