/** A request and how it was answered. */
export interface Call {
  readonly service: string;
  readonly method: string;
  /** The path below the address of the service and its version, without the query. */
  readonly path: string;
  readonly query: string;
  readonly body: string;
  /** The status of the answer; 0 if there was none. */
  readonly status: number;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
}

const ID = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d+)$/;

/** What a cloud was asked. */
export class CallLog {
  readonly #calls: Call[] = [];
  readonly #counts = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get calls(): readonly Call[] {
    return this.#calls;
  }

  add(call: Call): void {
    if (this.#calls.length < this.#most) this.#calls.push(call);
    const name = templateOf(call);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  countOf(pattern: RegExp | string): number {
    return this.#calls.filter((call) => {
      const text = `${call.service} ${call.method} ${call.path}`;
      return typeof pattern === 'string' ? text === pattern : pattern.test(text);
    }).length;
  }

  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => a.localeCompare(b)));
  }

  clear(): void {
    this.#calls.length = 0;
    this.#counts.clear();
  }
}

function templateOf({ service, method, path, body }: Call): string {
  const parts = path.split('/').map((part, index, all) => {
    if (ID.test(part)) return '{id}';
    return all[index - 1] === 'traits' ? '{trait}' : part;
  });
  // What an action does stands in the body alone.
  const action = path.endsWith('/action') ? ` ${/"([\w-]+)"/.exec(body)?.[1] ?? ''}` : '';
  return `${service} ${method} ${parts.join('/')}${action}`;
}
