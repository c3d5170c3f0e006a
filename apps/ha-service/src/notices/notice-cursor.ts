import { readCursor, writeCursor } from '../ports/cursor-content.ts';
import { CursorKind, type DocumentStore } from '../ports/ha-store.ts';

const PREFIX = 'webhook/';

/** Forgets the places of receivers that are not told any more: what they have not read would be kept for ever. */
export async function forgetCursors(
  documents: DocumentStore,
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const kept = new Set(names.map((name) => PREFIX + name));
  for (const { key } of await documents.list(CursorKind.journal, signal)) {
    if (key.startsWith(PREFIX) && !kept.has(key)) await documents.delete(CursorKind.journal, key, signal);
  }
}

/** How far in the journal a receiver has been told. It is stored, so that a restart loses nothing. */
export class NoticeCursor {
  readonly #documents: DocumentStore;
  readonly #name: string;
  #revision: number;
  #after: string | undefined;

  private constructor(documents: DocumentStore, name: string, found: { revision: number; after: string | undefined }) {
    this.#documents = documents;
    this.#name = name;
    this.#revision = found.revision;
    this.#after = found.after;
  }

  static async load(documents: DocumentStore, name: string, signal: AbortSignal): Promise<NoticeCursor> {
    const document = await documents.get(CursorKind.journal, PREFIX + name, signal);
    const found = { revision: document?.revision ?? 0, after: document && readCursor(document.content) };
    return new NoticeCursor(documents, name, found);
  }

  /** The last entry that it was told of, or that it does not want; undefined when it is new. */
  get after(): string | undefined {
    return this.#after;
  }

  /** Moves on. False when somebody else has moved it meanwhile: then it has to be loaded anew. */
  async moveTo(id: string, signal: AbortSignal): Promise<boolean> {
    const document = { key: PREFIX + this.#name, revision: this.#revision + 1, content: writeCursor(id) };
    if ((await this.#documents.save(CursorKind.journal, document, signal)) === 'overtaken') return false;
    this.#revision += 1;
    this.#after = id;
    return true;
  }
}
