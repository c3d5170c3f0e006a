// Whoever sends more of them learns of the others when these are gone.
const MAX_DUPLICATES = 100;
const MAX_TEXT = 65_536;

interface Frame {
  readonly names: Set<string> | undefined;
  name: string;
  index: number;
}

/**
 * The paths of the fields that stand more than once in their object, such as `spec.disks[0].name`; a parser keeps the
 * last and says nothing. The text must be valid JSON. The answer stops after the first hundred, or 64 KiB of paths.
 */
export function findDuplicateFields(text: string): readonly string[] {
  const duplicates = new Duplicates();
  const stack: Frame[] = [];
  let isName = false;
  for (let position = 0; position < text.length; position++) {
    const character = text[position];
    if (character === '"') {
      const end = endOfString(text, position);
      if (isName) noteName(stack, text.slice(position, end), duplicates);
      isName = false;
      position = end - 1;
    } else if (character === '{' || character === '[') {
      stack.push({ names: character === '{' ? new Set() : undefined, name: '', index: 0 });
      isName = character === '{';
    } else if (character === '}' || character === ']') {
      stack.pop();
      isName = false;
    } else if (character === ',') {
      const frame = stack.at(-1);
      isName = frame?.names !== undefined;
      if (frame !== undefined) frame.index++;
    }
  }
  return [...duplicates.paths];
}

class Duplicates {
  readonly paths = new Set<string>();
  #length = 0;

  get isFull(): boolean {
    return this.paths.size >= MAX_DUPLICATES || this.#length >= MAX_TEXT;
  }

  add(path: string): void {
    this.#length += path.length;
    this.paths.add(path);
  }
}

function noteName(stack: readonly Frame[], quoted: string, duplicates: Duplicates): void {
  const frame = stack.at(-1);
  if (frame?.names === undefined) return;
  const name: unknown = JSON.parse(quoted);
  frame.name = String(name);
  // A path costs as much as the way to it is long, so it is made only when somebody is to read it.
  if (frame.names.has(frame.name) && !duplicates.isFull) duplicates.add(pathOf(stack));
  frame.names.add(frame.name);
}

function pathOf(stack: readonly Frame[]): string {
  let path = '';
  for (const { names, name, index } of stack) {
    if (names === undefined) path += `[${index}]`;
    else path += path === '' ? name : `.${name}`;
  }
  return path;
}

function endOfString(text: string, start: number): number {
  let position = start + 1;
  while (position < text.length && text[position] !== '"') position += text[position] === '\\' ? 2 : 1;
  return position + 1;
}
