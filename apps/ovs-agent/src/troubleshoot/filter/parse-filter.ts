import type { CaptureFilter } from './capture-filter.ts';
import { filterError, filterWords } from './filter-words.ts';
import { FilterReader } from './filter-reader.ts';
import { parsePrimitive } from './parse-primitive.ts';

const MOST_DEPTH = 32;
const MOST_WORDS = 300;

/**
 * Reads a filter such as `host 10.0.0.1 and tcp port 443`. As in pcap-filter `and` and `or` bind alike, from left to right.
 * Names of hosts are refused: looking them up would tell others what is captured.
 */
export function parseFilter(text: string): CaptureFilter {
  const words = filterWords(text);
  if (words.length === 0) throw filterError('it is empty: leave it out to capture everything');
  if (words.length > MOST_WORDS) throw filterError(`it has more than ${MOST_WORDS} words`);
  const reader = new FilterReader(words);
  const filter = parseChain(reader, 0);
  const left = reader.peek();
  if (left !== undefined) throw reader.unexpected('"and", "or" or the end');
  return filter;
}

function parseChain(reader: FilterReader, depth: number): CaptureFilter {
  let left = parseTerm(reader, depth);
  for (let word = reader.peek(); word === 'and' || word === 'or'; word = reader.peek()) {
    reader.take();
    left = { kind: word, left, right: parseTerm(reader, depth) };
  }
  return left;
}

function parseTerm(reader: FilterReader, depth: number): CaptureFilter {
  if (depth > MOST_DEPTH) throw filterError(`it is nested more than ${MOST_DEPTH} deep`);
  const word = reader.peek();
  if (word === 'not') {
    reader.take();
    return { kind: 'not', filter: parseTerm(reader, depth + 1) };
  }
  if (word !== '(') return parsePrimitive(reader);
  reader.take();
  const inner = parseChain(reader, depth + 1);
  reader.expect(')');
  return inner;
}
