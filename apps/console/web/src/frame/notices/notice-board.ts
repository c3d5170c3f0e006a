/** Something the page tells in passing. */
export interface Notice {
  readonly id: number;
  readonly tone: 'done' | 'failed';
  readonly title: string;
  /** More words, one line each. */
  readonly lines: readonly string[];
}

const SHOWN_MS = 6_000;
const MOST = 5;

/** Keeps the notices that are shown. What failed stays until it is put away; what was done goes by itself. */
export class NoticeBoard {
  readonly #later: (run: () => void, delayMs: number) => () => void;
  readonly #listeners = new Set<() => void>();
  #notices: readonly Notice[] = [];
  #lastId = 0;

  constructor(later: (run: () => void, delayMs: number) => () => void) {
    this.#later = later;
  }

  readonly notices = (): readonly Notice[] => this.#notices;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  tell(notice: Omit<Notice, 'id'>): void {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#become([...this.#notices, { ...notice, id }].slice(-MOST));
    if (notice.tone === 'done') this.#later(() => this.putAway(id), SHOWN_MS);
  }

  putAway(id: number): void {
    this.#become(this.#notices.filter((notice) => notice.id !== id));
  }

  #become(notices: readonly Notice[]): void {
    this.#notices = notices;
    for (const listener of this.#listeners) listener();
  }
}
