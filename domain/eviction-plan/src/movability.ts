import type { ComputeInstance } from '@smalt/compute';

import type { EvictionLimits } from './eviction-limits.ts';

/** How an instance can be moved as it is now. */
export type Movability =
  | { readonly kind: 'live' }
  | { readonly kind: 'cold' }
  /** It is on its way already. */
  | { readonly kind: 'moving' }
  /** What it is doing ends by itself. */
  | { readonly kind: 'busy'; readonly message: string }
  /** It is broken; moving it would make that worse. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The compute system cannot move it in this state; `message` says what to do. */
  | { readonly kind: 'non-migratable'; readonly message: string };

type Rules = Pick<EvictionLimits, 'coldMovesOfRunning' | 'lockedInstances'>;

/** Says how an instance that is on the host can be moved, by its state alone. */
export function movability(instance: ComputeInstance, rules: Rules): Movability {
  const { id, state, stateText, fault } = instance;
  switch (state) {
    case 'moving':
      return { kind: 'moving' };
    case 'running':
    case 'paused':
    case 'stopped':
      return instance.isLocked && rules.lockedInstances === 'leave'
        ? stays('it is locked by its owner: unlock it, or set lockedInstances to move')
        : movable(instance, rules);
    case 'failed':
      return { kind: 'failed', message: fault ?? `it is in state ${stateText}: reset its state or delete it` };
    // Nova moves what runs, is paused or is stopped, and nothing else.
    case 'suspended':
      return stays(`it is ${stateText} and cannot be moved so: resume it with 'openstack server resume ${id}'`);
    case 'rescued':
      return stays(`it is in state ${stateText} and cannot be moved so: end it with 'openstack server unrescue ${id}'`);
    case 'unconfirmed':
      return busy(`waits for its owner to confirm or revert the resize of ${id}`);
    case 'deleting':
      return busy(`Live migration of terminating instance ${id} skipped`);
    case 'shelved':
      return busy(`waits until it leaves its host: unshelve it, or try 'openstack server shelve --offload ${id}'`);
    case 'building':
    case 'busy':
      return busy(`waits until it is no longer ${stateText}`);
  }
}

function movable(instance: ComputeInstance, { coldMovesOfRunning }: Rules): Movability {
  // A device or a disk of the host is in the way of a move only while the instance runs.
  if (instance.state === 'stopped') return { kind: 'cold' };
  if (instance.obstacles.length === 0) return { kind: 'live' };
  const obstacles = instance.obstacles.join('; ');
  if (instance.state === 'paused') return stays(`it cannot be moved while it is paused (${obstacles}): stop it`);
  if (coldMovesOfRunning === 'allowed') return { kind: 'cold' };
  return stays(`it cannot be moved while it runs (${obstacles}): stop it, or allow coldMovesOfRunning`);
}

function stays(message: string): Movability {
  return { kind: 'non-migratable', message };
}

function busy(message: string): Movability {
  return { kind: 'busy', message };
}
