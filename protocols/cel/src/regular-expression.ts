import { RE2JS, RE2JSException } from 're2js';

/** A pattern of RE2, the dialect of Go: no look-around, no back-references, and linear time. */
export interface RegularExpression {
  isFoundIn(text: string): boolean;
  /** The first match, or undefined. */
  firstIn(text: string): string | undefined;
  /** At most so many matches; all of them when the limit is negative. */
  allIn(text: string, limit: number): readonly string[];
}

/** Compiles a pattern, or returns the message with which Go refuses it. */
export function compilePattern(pattern: string): RegularExpression | string {
  try {
    return wrap(RE2JS.compile(pattern));
  } catch (error) {
    if (error instanceof RE2JSException) return goMessage(error.message, pattern);
    throw error;
  }
}

function wrap(compiled: RE2JS): RegularExpression {
  return {
    isFoundIn: (text) => compiled.test(text),
    firstIn: (text) => {
      const matcher = compiled.matcher(text);
      return matcher.find() ? (matcher.group() ?? '') : undefined;
    },
    allIn: (text, limit) => {
      const found: string[] = [];
      const matcher = compiled.matcher(text);
      while (found.length !== limit && matcher.find()) found.push(matcher.group() ?? '');
      return found;
    },
  };
}

function goMessage(message: string, pattern: string): string {
  return message.startsWith('error parsing regexp') ? message : `error parsing regexp: ${message}: \`${pattern}\``;
}
