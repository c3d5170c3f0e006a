import type { InstanceFacts } from './instance-facts.ts';
import type { Trouble } from './recovery-record.ts';

/** Why nothing is done: for now, or at all. `message` goes on after the name of the instance. */
export interface RecoveryObjection {
  readonly kind: 'wait' | 'drop';
  readonly message: string;
}

/** Says what keeps us from touching an instance: its owner, what it does already, or its host. */
export function objectToRecovery(facts: InstanceFacts, trouble: Trouble | undefined): RecoveryObjection | undefined {
  const { state, stateText } = facts;
  if (!facts.isRelevant) return drop('is not highly available');
  if (facts.isLocked) return drop('is locked by its owner');
  switch (state) {
    case 'paused':
    case 'suspended':
    case 'rescued':
      return drop(`is ${stateText}, as its owner wants it`);
    case 'deleting':
    case 'shelved':
      return drop(`is ${stateText}`);
    case 'stopped':
      // The compute system calls a crashed one stopped; any other was stopped by somebody.
      return trouble?.kind === 'crashed' ? hostObjection(facts) : drop(`is ${stateText}, as its owner wants it`);
    case 'building':
    case 'moving':
    case 'unconfirmed':
    case 'busy':
      return { kind: 'wait', message: `waits: it is ${stateText}` };
    case 'running':
    case 'failed':
      return hostObjection(facts);
  }
}

function hostObjection({ hostObjection: message }: InstanceFacts): RecoveryObjection | undefined {
  return message === undefined ? undefined : { kind: 'wait', message: `waits: ${message}` };
}

function drop(message: string): RecoveryObjection {
  return { kind: 'drop', message };
}
