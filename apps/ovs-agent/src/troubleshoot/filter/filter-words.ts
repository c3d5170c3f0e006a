import { OvsAgentError } from '../../ovs-agent-error.ts';

const MOST_CHARACTERS = 1_000;
const TOKEN = /\s*(?:(?<word>[A-Za-z0-9][A-Za-z0-9._:/-]*|::[A-Fa-f0-9.:/]*)|(?<sign>&&|\|\||[()!]))/y;
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
]);

/** One word of a filter, and where it begins, counted from 1. */
export interface FilterWord {
  readonly text: string;
  readonly at: number;
}

/** Takes a filter apart. Signs such as `&&` become the words that they stand for. */
export function filterWords(text: string): readonly FilterWord[] {
  if (text.length > MOST_CHARACTERS) {
    throw filterError(`it has ${text.length} characters: at most ${MOST_CHARACTERS} are allowed`);
  }
  const found: FilterWord[] = [];
  const end = text.trimEnd().length;
  const token = new RegExp(TOKEN);
  let at = 0;
  while (at < end) {
    token.lastIndex = at;
    const { word, sign = '' } = token.exec(text)?.groups ?? {};
    if (word === undefined && sign === '') throw unreadable(text, at);
    found.push({
      text: word?.toLowerCase() ?? SIGNS.get(sign) ?? sign,
      at: token.lastIndex - (word ?? sign).length + 1,
    });
    at = token.lastIndex;
  }
  return found;
}

/** What is wrong with a filter, with what may be written instead. */
export function filterError(why: string): OvsAgentError {
  const message = `filter: ${why}`;
  return new OvsAgentError('invalid-request', message, { problems: [{ field: 'filter', message: why }] });
}

function unreadable(text: string, from: number): OvsAgentError {
  const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
  const character = JSON.stringify(text.slice(at, at + 1));
  return filterError(
    `${character} at character ${at + 1} is no part of a filter: write words such as "tcp and port 80"; bytes of packets cannot be compared`,
  );
}
