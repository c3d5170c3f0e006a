/** One action of a datapath: `ct(zone=1,nat)` is `ct` with `zone=1,nat` in it; a port is a name alone. */
export interface DatapathAction {
  readonly name: string;
  readonly inside: string | undefined;
}

/** Takes a list of datapath actions apart at its commas, those inside brackets and quotes left alone. */
export function splitDatapathActions(text: string): readonly DatapathAction[] {
  const parts: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(' || character === '{') depth++;
    else if (character === ')' || character === '}') depth--;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)].filter((part) => part.trim() !== '').map(readAction);
}

function readAction(part: string): DatapathAction {
  const text = part.trim();
  const [, name, inside] = /^([^("]+)\((.*)\)$/.exec(text) ?? [];
  return name === undefined ? { name: text.replaceAll('"', ''), inside: undefined } : { name, inside };
}
