import type { Counter, Logger, MetricsRegistry } from '@smalt/service-runtime';

/** More odd things than this at once are not remembered one by one. */
const MOST_REMEMBERED = 10_000;

/** Tells what is odd about domains and the host: each thing once, until it is gone and comes again. */
export class DomainNotes {
  readonly #logger: Logger;
  readonly #count: Counter;
  #told: ReadonlySet<string> = new Set();

  constructor(logger: Logger, metrics: MetricsRegistry) {
    this.#logger = logger;
    this.#count = metrics
      .counter({
        name: 'smalt_agent_domain_notes_total',
        help: 'Odd things that libvirt told about domains or the host, each counted when it was seen first.',
      })
      .cell([]);
  }

  tell(notes: readonly string[]): void {
    if (notes.length === 0 && this.#told.size === 0) return;
    const now = new Set(notes.slice(0, MOST_REMEMBERED));
    for (const note of now) {
      if (this.#told.has(note)) continue;
      this.#count.add();
      this.#logger.warn({ note }, 'libvirt tells something odd; it counts as far as it can be understood');
    }
    this.#told = now;
  }
}
