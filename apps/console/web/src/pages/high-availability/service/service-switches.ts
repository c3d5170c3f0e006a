import type { ActWords } from '../../../frame/notices/use-act.ts';
import type { ServiceStatus } from '../fleet-objects.ts';

/** Something by which a person makes the service act or not. */
export interface ServiceSwitch {
  readonly label: string;
  readonly warning: string;
  readonly path: 'pause' | 'resume' | 'dry-run';
  readonly body: { readonly enabled?: boolean };
  readonly words: ActWords;
}

/** What can be switched, as things are now. */
export function serviceSwitches({
  isPaused,
  isDryRun,
}: Pick<ServiceStatus, 'isPaused' | 'isDryRun'>): readonly ServiceSwitch[] {
  return [isPaused ? RESUME : PAUSE, isDryRun ? END_DRY_RUN : BEGIN_DRY_RUN];
}

const PAUSE: ServiceSwitch = {
  label: 'Pause',
  warning: 'Nothing is fenced or rebuilt until somebody resumes it, whatever happens to hosts.',
  path: 'pause',
  body: {},
  words: { done: 'High availability is paused', failed: 'High availability is not paused' },
};

const RESUME: ServiceSwitch = {
  label: 'Resume',
  warning: 'It acts again: hosts that are lost now are fenced, and what they ran is rebuilt.',
  path: 'resume',
  body: {},
  words: { done: 'High availability acts again', failed: 'High availability is still paused' },
};

const BEGIN_DRY_RUN: ServiceSwitch = {
  label: 'Begin a dry run',
  warning: 'It only tells what it would do. Hosts that are lost stay lost.',
  path: 'dry-run',
  body: { enabled: true },
  words: { done: 'The dry run has begun', failed: 'The dry run has not begun' },
};

const END_DRY_RUN: ServiceSwitch = {
  label: 'End the dry run',
  warning: 'It acts for real from now on.',
  path: 'dry-run',
  body: { enabled: false },
  words: { done: 'The dry run is over', failed: 'The dry run goes on' },
};
