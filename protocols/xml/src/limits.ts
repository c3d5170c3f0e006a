import { errorAt, XmlError } from './error.ts';
import { tagEnd } from './tag-end.ts';

/** What a text may cost at most. */
export interface XmlLimits {
  /** Length of the text in UTF-16 units. The default is what a libvirt message can carry, 4 Mi. */
  readonly maxLength?: number;
  /** Elements inside one another. The default is 256, as in libxml2; more than 1024 is refused. */
  readonly maxDepth?: number;
  /** Elements, comments, CDATA sections and instructions together. The default is 200 000. */
  readonly maxNodes?: number;
}

const MAX_LENGTH = 4 * 1024 * 1024;
const MAX_DEPTH = 256;
const MAX_NODES = 200_000;

// The parser below us calls itself once per level, so this is what keeps it inside the stack.
const HIGHEST_MAX_DEPTH = 1024;

const SECTIONS = [
  { opening: '<!--', closing: '-->' },
  { opening: '<![CDATA[', closing: ']]>' },
  { opening: '<?', closing: '?>' },
] as const;

/** Refuses a text that is too long. */
export function checkLength(text: string, limits: XmlLimits): void {
  const max = limits.maxLength ?? MAX_LENGTH;
  if (text.length > max) throw new XmlError('too-large', `document of ${text.length} characters, the limit is ${max}`);
}

/**
 * Refuses a text that is nested too deep or has too many nodes, before any tree is made. Looks at marks alone: at the
 * first one that is not well-formed it stops and leaves the verdict to the parser, which stops there too.
 */
export function checkNesting(text: string, limits: XmlLimits): void {
  const maxDepth = depthLimit(limits);
  const maxNodes = limits.maxNodes ?? MAX_NODES;
  let depth = 0;
  let nodes = 0;

  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const end = markEnd(text, at);
    if (end < 0) return;
    if (text.startsWith('</', at)) {
      depth -= 1;
    } else {
      nodes += 1;
      if (nodes > maxNodes) throw errorAt({ text, offset: at }, 'too-many-nodes', `more than ${maxNodes} nodes`);
      const isOpening = isStartTag(text, at);
      if (isOpening && depth + 1 > maxDepth) {
        throw errorAt({ text, offset: at }, 'too-deep', `elements nested deeper than ${maxDepth}`);
      }
      if (isOpening && text[end - 2] !== '/') depth += 1;
    }
    at = end;
  }
}

function depthLimit(limits: XmlLimits): number {
  const depth = limits.maxDepth ?? MAX_DEPTH;
  if (depth > HIGHEST_MAX_DEPTH) {
    throw new XmlError('invalid-value', `maxDepth of ${depth} is over ${HIGHEST_MAX_DEPTH}`);
  }
  return depth;
}

function isStartTag(text: string, at: number): boolean {
  const next = text[at + 1];
  return next !== '!' && next !== '?';
}

/** The offset behind the tag, comment, section or declaration that starts at `at`, or -1 if it has no end. */
function markEnd(text: string, at: number): number {
  for (const { opening, closing } of SECTIONS) {
    if (!text.startsWith(opening, at)) continue;
    const end = text.indexOf(closing, at + opening.length);
    return end < 0 ? -1 : end + closing.length;
  }
  return text.startsWith('<!', at) ? doctypeEnd(text, at) : tagEnd(text, at);
}

function doctypeEnd(text: string, at: number): number {
  const subset = /["'[>]/g;
  subset.lastIndex = at;
  for (let mark = subset.exec(text); mark; mark = subset.exec(text)) {
    if (mark[0] === '>') return subset.lastIndex;
    if (mark[0] === '[') return subsetEnd(text, subset.lastIndex);
    const quote = text.indexOf(mark[0], subset.lastIndex);
    if (quote < 0) return -1;
    subset.lastIndex = quote + 1;
  }
  return -1;
}

function subsetEnd(text: string, at: number): number {
  const closing = /\][ \t\r\n]*>/g;
  closing.lastIndex = at;
  return closing.test(text) ? closing.lastIndex : -1;
}
