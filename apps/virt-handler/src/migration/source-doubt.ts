import type { SourceRunOptions } from './source-run-options.ts';

/** Why nothing can be done to a guest on its way for now, as it is told to people. */
export class SourceDoubt {
  readonly #options: Pick<SourceRunOptions, 'instance' | 'logger' | 'onChange'>;
  #text: string | undefined;
  #isOver = false;

  constructor(options: Pick<SourceRunOptions, 'instance' | 'logger' | 'onChange'>) {
    this.#options = options;
  }

  get text(): string | undefined {
    return this.#text;
  }

  /** Whether what was told does not hold any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Tells it, once as long as it stays the same. */
  tell(text: string, error?: unknown): void {
    if (text === this.#text) return;
    const { logger, instance, onChange } = this.#options;
    const { name } = instance.metadata;
    if (error !== undefined) logger.warn({ error, instance: name }, 'a migration does not get on; trying again');
    this.#text = text;
    this.#isOver = false;
    onChange();
  }

  end(): void {
    if (this.#text === undefined) return;
    this.#text = undefined;
    this.#isOver = true;
    this.#options.onChange();
  }
}
