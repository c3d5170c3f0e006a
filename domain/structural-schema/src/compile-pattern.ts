import { RE2JS } from 're2js';

/** Tells whether a text holds a match. The pattern is one of RE2, whose time grows with the text and no faster. */
export function compilePattern(pattern: string): (text: string) => boolean {
  const expression = RE2JS.compile(pattern);
  return (text) => expression.test(text);
}

/** Says why a pattern is none, or nothing when it is one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
