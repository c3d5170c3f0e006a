import { styleText } from 'node:util';

/** A step of a start, as a person sees it. */
export interface ChecklistStep {
  readonly title: string;
  readonly state: 'running' | 'done' | 'failed';
  /** What it does, or what came of it. */
  readonly detail: string;
  readonly durationMs: number;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const TITLE_WIDTH = 18;

export interface DrawOptions {
  /** Counts up while something runs. */
  readonly frame: number;
  /** No line is longer; it could not be written over. */
  readonly width: number;
}

/** One line for a step: its mark, its title, what it tells, and how long it took. */
export function drawStep(step: ChecklistStep, { frame, width }: DrawOptions): string {
  const seconds = `${(step.durationMs / 1000).toFixed(1)} s`;
  const words = [step.title.padEnd(TITLE_WIDTH), step.detail === '' ? seconds : `${step.detail} (${seconds})`];
  const text = words.join(' ');
  const room = Math.max(10, width - 2);
  return `${mark(step, frame)} ${text.length > room ? `${text.slice(0, room - 1)}…` : text}`;
}

function mark({ state }: ChecklistStep, frame: number): string {
  switch (state) {
    case 'running':
      return styleText('cyan', FRAMES[frame % FRAMES.length] ?? '');
    case 'done':
      return styleText('green', '✔');
    case 'failed':
      return styleText('red', '✘');
  }
}
