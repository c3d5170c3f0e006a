import { drawStep, type ChecklistStep } from './draw-step.ts';

const FRAME_MS = 120;
const UP = (lines: number): string => `\u001B[${lines}A`;
const CLEAR_BELOW = '\u001B[0J';

export interface ChecklistScreen {
  write(text: string): unknown;
  /** Whether lines can be written over. */
  readonly isTerminal: boolean;
  readonly width: () => number;
}

interface RunningStep {
  readonly title: string;
  readonly beganAt: number;
  detail: string;
}

/** Says what a step does, or what came of it. */
export type Tell = (detail: string) => void;

/**
 * Shows what is being started: a line for each step when it ends, and, on a terminal, the steps that run below them.
 * What else is printed meanwhile goes above those.
 */
export class Checklist implements Disposable {
  readonly #screen: ChecklistScreen;
  readonly #now: () => number;
  readonly #running = new Set<RunningStep>();
  #drawn = 0;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(screen: ChecklistScreen, now: () => number) {
    this.#screen = screen;
    this.#now = now;
  }

  /** Runs a step, and tells how it ended. Steps may run side by side. */
  async step<T>(title: string, work: (tell: Tell) => Promise<T>): Promise<T> {
    const step: RunningStep = { title, beganAt: this.#now(), detail: '' };
    this.#running.add(step);
    this.#animate();
    try {
      const result = await work((detail) => {
        step.detail = detail;
      });
      this.#end(step, 'done');
      return result;
    } catch (error) {
      this.#end(step, 'failed');
      throw error;
    }
  }

  print(line: string): void {
    this.#write([line]);
  }

  [Symbol.dispose](): void {
    this.#running.clear();
    this.#stop();
    this.#write([]);
  }

  #end(step: RunningStep, state: 'done' | 'failed'): void {
    if (!this.#running.delete(step)) return;
    if (this.#running.size === 0) this.#stop();
    this.#write([this.#draw({ ...step, state })]);
  }

  #animate(): void {
    if (!this.#screen.isTerminal) return;
    this.#write([]);
    this.#timer ??= setInterval(() => {
      this.#frame += 1;
      this.#write([]);
    }, FRAME_MS).unref();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #write(lines: readonly string[]): void {
    const { isTerminal } = this.#screen;
    const below = isTerminal ? [...this.#running].map((step) => this.#draw({ ...step, state: 'running' })) : [];
    const erased = this.#drawn > 0 ? `${UP(this.#drawn)}${CLEAR_BELOW}` : '';
    this.#drawn = below.length;
    const text = erased + [...lines, ...below].map((line) => `${line}\n`).join('');
    if (text !== '') this.#screen.write(text);
  }

  #draw({ title, detail, beganAt, state }: RunningStep & Pick<ChecklistStep, 'state'>): string {
    const width = this.#screen.isTerminal ? this.#screen.width() : Number.POSITIVE_INFINITY;
    return drawStep({ title, detail, state, durationMs: this.#now() - beganAt }, { frame: this.#frame, width });
  }
}
