interface Frame {
  readonly names: Set<string> | undefined;
  readonly path: string;
  name: string;
  index: number;
}

/**
 * The paths of the fields that stand more than once in their object, such as `spec.disks[0].name`; a parser keeps the
 * last and says nothing. The text must be valid JSON.
 */
export function findDuplicateFields(text: string): readonly string[] {
  const duplicates = new Set<string>();
  const stack: Frame[] = [];
  let isName = false;
  for (let position = 0; position < text.length; position++) {
    const character = text[position];
    if (character === '"') {
      const end = endOfString(text, position);
      if (isName) noteName(stack.at(-1), text.slice(position, end), duplicates);
      isName = false;
      position = end - 1;
    } else if (character === '{' || character === '[') {
      stack.push(open(character, stack.at(-1)));
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
  return [...duplicates];
}

function open(bracket: '{' | '[', parent: Frame | undefined): Frame {
  return { names: bracket === '{' ? new Set() : undefined, path: pathOf(parent), name: '', index: 0 };
}

function pathOf(frame: Frame | undefined): string {
  if (frame === undefined) return '';
  if (frame.names === undefined) return `${frame.path}[${frame.index}]`;
  return frame.path === '' ? frame.name : `${frame.path}.${frame.name}`;
}

function noteName(frame: Frame | undefined, quoted: string, duplicates: Set<string>): void {
  if (frame?.names === undefined) return;
  const name: unknown = JSON.parse(quoted);
  frame.name = String(name);
  if (frame.names.has(frame.name)) duplicates.add(pathOf(frame));
  frame.names.add(frame.name);
}

function endOfString(text: string, start: number): number {
  let position = start + 1;
  while (position < text.length && text[position] !== '"') position += text[position] === '\\' ? 2 : 1;
  return position + 1;
}
