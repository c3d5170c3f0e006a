type Node = Readonly<Record<string, unknown>> | readonly unknown[] | string;

interface Line {
  readonly indent: number;
  readonly text: string;
}

const KEY = /^(?<key>(?!(?:true|false|null):)[A-Za-z][\w.-]*):(?: +(?<value>.*))?$/i;
/** Begins like text, and can be nothing else: no number, no boolean, no date, no mark with a meaning. */
const PLAIN = /^(?!(?:true|false|yes|no|on|off|null|nan|inf)$)[A-Za-z/](?:[\w./@+=-]|:(?=[\w./@+=-]))*$/i;
const SINGLE_QUOTED = /^'(?<text>[^']*)'$/;
const DOUBLE_QUOTED = /^"[^"\\]*"$/;

/**
 * Reads YAML as programs write it into a kubeconfig: maps and lists in block style with texts in them. Undefined for all
 * else, down to the first comment or number: that is for a real parser, which is worth loading only then.
 */
export function readPlainYaml(text: string): Node | undefined {
  // Tabs, returns and letters of other alphabets have rules of their own.
  if (/[^\n -~]/.test(text)) return undefined;
  const lines: Line[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const indent = line.search(/[^ ]/);
    lines.push({ indent, text: line.slice(indent).trimEnd() });
  }
  const [first] = lines;
  if (first === undefined || first.indent !== 0) return undefined;
  const reader = new BlockReader(lines);
  const value = reader.block(0);
  return reader.isAtEnd ? value : undefined;
}

class BlockReader {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = [...lines];
  }

  get isAtEnd(): boolean {
    return this.#at === this.#lines.length;
  }

  /** The map or list whose lines have this indent; undefined for what is neither. */
  block(indent: number): Node | undefined {
    return isItem(this.#lines[this.#at]) ? this.#list(indent) : this.#map(indent);
  }

  #list(indent: number): Node | undefined {
    const items: unknown[] = [];
    for (let line = this.#lineAt(indent); line !== undefined && isItem(line); line = this.#lineAt(indent)) {
      const inner = line.text.slice(1).trimStart();
      const depth = indent + line.text.length - inner.length;
      const item = KEY.test(inner) ? this.#nested(depth, inner) : this.#scalar(inner);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }

  /** An item that is a map begins on the line of its dash. */
  #nested(indent: number, text: string): Node | undefined {
    this.#lines[this.#at] = { indent, text };
    return this.#map(indent);
  }

  #map(indent: number): Node | undefined {
    const fields = new Map<string, unknown>();
    for (let line = this.#lineAt(indent); line !== undefined && !isItem(line); line = this.#lineAt(indent)) {
      const { key, value } = KEY.exec(line.text)?.groups ?? {};
      if (key === undefined || fields.has(key)) return undefined;
      const field = value === undefined || value === '' ? this.#below(indent) : this.#scalar(value);
      if (field === undefined) return undefined;
      fields.set(key, field);
    }
    return Object.fromEntries(fields);
  }

  /** What a key without a value on its line holds. A list may stand as far left as its key. */
  #below(indent: number): Node | undefined {
    this.#at++;
    const next = this.#lines[this.#at];
    if (next === undefined || next.indent < indent || (next.indent === indent && !isItem(next))) return undefined;
    return this.block(next.indent);
  }

  #scalar(text: string): Node | undefined {
    this.#at++;
    if (text === '{}') return {};
    if (text === '[]') return [];
    if (DOUBLE_QUOTED.test(text)) return text.slice(1, -1);
    return SINGLE_QUOTED.exec(text)?.groups?.['text'] ?? (PLAIN.test(text) ? text : undefined);
  }

  #lineAt(indent: number): Line | undefined {
    const line = this.#lines[this.#at];
    return line?.indent === indent ? line : undefined;
  }
}

function isItem(line: Line | undefined): boolean {
  return line !== undefined && (line.text === '-' || line.text.startsWith('- '));
}
