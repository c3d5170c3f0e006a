import { appendFile, mkdtempDisposable, rename, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { followFile } from './follow-file.ts';
import { LineSplitter } from './line-splitter.ts';

const owned = new AsyncDisposableStack();
let directory: string;
let path: string;
let count = 0;

beforeAll(async () => {
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-follow-'))).path;
});

beforeEach(() => {
  count += 1;
  path = join(directory, `${count}.log`);
});

afterAll(() => owned.disposeAsync());

it.each([
  [2, 'a\nb\nc\n', ['b', 'c']],
  [9, 'a\nb', ['a', 'b']],
  [0, 'a\nb', []],
  [9, '', []],
])('gives the last %d lines and ends', async (lines, text, expected) => {
  await writeFile(path, text);

  expect(await all(lines)).toEqual(expected);
});

it('goes back a mebibyte and no further, and shows whole lines alone', async () => {
  await writeFile(path, `${'x'.repeat(99)}\n`.repeat(20_000));

  const lines = await all(20_000);

  expect(lines.length).toBe(Math.floor(2 ** 20 / 100));
  expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([99]));
});

it('has nothing of a file that is not there', async () => {
  expect(await all(5)).toEqual([]);
});

it('follows what is written, in whole lines, through rotation and truncation', async () => {
  await writeFile(path, 'old\n');
  await using reader = new LineReader(path);
  expect(await reader.line()).toBe('old');

  await appendFile(path, 'ha');
  await appendFile(path, 'lf\n');
  expect(await reader.line()).toBe('half');

  await appendFile(path, 'before\n');
  await rename(path, `${path}.1`);
  await writeFile(path, 'after\n');
  expect([await reader.line(), await reader.line()]).toEqual(['before', 'after']);

  await truncate(path);
  await appendFile(path, 'anew\n');
  expect(await reader.line()).toBe('anew');
});

it('waits for a file that comes later', async () => {
  await using reader = new LineReader(path);
  const line = reader.line();

  await writeFile(path, 'here\n');

  expect(await line).toBe('here');
});

it('makes the same lines however the bytes come', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ß', '\n', '😀'), maxLength: 200 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 7 }), (written, size) => {
      const bytes = Buffer.from(written);
      const splitter = new LineSplitter();
      const lines: string[] = [];
      for (let at = 0; at < bytes.length; at += size) lines.push(...splitter.push(bytes.subarray(at, at + size)));

      expect([...lines, ...splitter.rest()].join('\n')).toBe(written.replace(/\n$/, ''));
    }),
  );
});

it('cuts a line that has no end, so that it is never kept whole', () => {
  const splitter = new LineSplitter();

  const lines = splitter.push(Buffer.alloc(40_000, 'x'));

  expect(lines.map(({ length }) => length)).toEqual([16_384, 16_384]);
});

async function all(lines: number): Promise<readonly string[]> {
  const found: string[] = [];
  const options = { path, lines, isFollowed: false };
  for await (const part of followFile(options, new AbortController().signal)) found.push(...part);
  return found;
}

/** Reads a followed file line by line. */
class LineReader implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #parts: AsyncGenerator<readonly string[], void>;
  #lines: string[] = [];

  constructor(file: string) {
    this.#parts = followFile({ path: file, lines: 10, isFollowed: true }, this.#stop.signal);
  }

  async line(): Promise<string | undefined> {
    while (this.#lines.length === 0) {
      const { done, value } = await this.#parts.next();
      if (done === true) return undefined;
      this.#lines = [...(value ?? [])];
    }
    return this.#lines.shift();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#parts.return();
  }
}
