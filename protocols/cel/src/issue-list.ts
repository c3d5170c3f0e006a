import { CelError, type CelIssue } from './cel-error.ts';
import { codePointsOf, lengthOf } from './code-points.ts';

/** Collects what is wrong in a source text, and prints it with the line and a caret under the place. */
export class IssueList {
  readonly source: string;
  readonly #found: { readonly offset: number; readonly message: string }[] = [];

  constructor(source: string) {
    this.source = source;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** Notes a message about the text at an offset. */
  add(offset: number, message: string): void {
    this.#found.push({ offset, message });
  }

  /** Everything that was noted, in the order of the text. */
  toError(): CelError {
    const issues = this.#found.map(({ offset, message }) => ({ ...placeOf(this.source, offset), message }));
    issues.sort((left, right) => left.line - right.line || left.column - right.column);
    const lines = this.source.split('\n');
    const text = issues.map((issue) => print(issue, lines[issue.line - 1] ?? '')).join('\n');
    return new CelError('compile', text, { issues });
  }
}

function placeOf(source: string, offset: number): { readonly line: number; readonly column: number } {
  const before = source.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: lengthOf(before.slice(lineStart)) + 1 };
}

function print(issue: CelIssue, line: string): string {
  const snippet = line.replaceAll('\t', ' ');
  // Wide characters get a wide dot, so that the caret stands below the right one.
  const points = codePointsOf(snippet);
  const dots = points
    .slice(0, issue.column - 1)
    .map((character) => (isWide(character) ? '．' : '.'))
    .join('');
  const marked = points[issue.column - 1];
  const caret = marked !== undefined && isWide(marked) ? '＾' : '^';
  return `ERROR: <input>:${issue.line}:${issue.column}: ${issue.message}\n | ${snippet}\n | ${dots}${caret}`;
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
