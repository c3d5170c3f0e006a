import { expect, it } from 'vitest';

import { houseRuleViolations } from './house-rules.ts';

it.each([
  {
    name: 'a grab-bag file',
    path: 'clients/a/src/utils.ts',
    text: '',
    rule: 'a file is named for the one thing it holds',
  },
  {
    name: 'a star export',
    path: 'clients/a/src/index.ts',
    text: "export * from './b.ts';",
    rule: 'an index lists every export by name',
  },
  {
    name: 'a note to oneself',
    path: 'clients/a/src/b.ts',
    text: '// TODO later',
    rule: 'a TODO is an issue, not a comment',
  },
  {
    name: 'a test singled out',
    path: 'clients/a/src/b.test.ts',
    text: "it.only('x')",
    rule: 'a test is never skipped or singled out in a commit',
  },
  {
    name: 'a download address',
    path: 'package-lock.json',
    text: '"resolved": "https://example/x.tgz"',
    rule: 'a lock file names no download address',
  },
  {
    name: 'a socket where nothing is read or written',
    path: 'domain/a/src/b.ts',
    text: "import { connect, isIP } from 'node:net';",
    rule: 'protocols and domain do no I/O: of node:net they take isIP and its like',
  },
  {
    name: 'an error code the README does not list',
    path: 'clients/a/src/error.ts',
    text: "export type AErrorCode = 'lost';",
    rule: "error code 'lost' is listed in clients/a/README.md",
  },
  {
    name: 'an error code of a second union',
    path: 'clients/a/src/a-error.ts',
    text: "export type OneErrorCode = Numbers[1];\nexport type TwoErrorCode =\n  | 'lost';",
    rule: "error code 'lost' is listed in clients/a/README.md",
  },
  ...["it('should work', () => {", "it('', () => {", "it.each(rows)('works.', () => {", '])(`works.`, () => {'].map(
    (text) => ({
      name: `the title of ${text}`,
      path: 'clients/a/src/b.test.ts',
      text,
      rule: 'the title of a test is a sentence about behaviour, without "should" and period',
    }),
  ),
])('finds $name', ({ path, text, rule }) => {
  expect(houseRuleViolations([{ path, text }])).toEqual([{ path, line: 1, rule }]);
});

it('counts lines up to a title that stands on a line of its own', () => {
  const text = "\nit(\n  'should work',\n  async () => {";

  expect(houseRuleViolations([{ path: 'a/b.test.ts', text }])).toMatchObject([{ line: 3 }]);
});

it.each([
  { path: 'docs/decisions/0001-a.md', lines: 61, violations: [{ line: 61, rule: 'a decision has at most 60 lines' }] },
  { path: 'docs/decisions/0001-a.md', lines: 60, violations: [] },
  { path: 'docs/concepts/a.md', lines: 61, violations: [] },
])('lets $path with $lines lines through or not', ({ path, lines, violations }) => {
  const text = 'a line\n'.repeat(lines);

  expect(houseRuleViolations([{ path, text }])).toEqual(violations.map((each) => ({ path, ...each })));
});

it('finds nothing in a file that keeps the rules', () => {
  const files = [
    { path: 'clients/a/src/error.ts', text: "export type AErrorCode = 'lost' | 'late';" },
    { path: 'clients/a/README.md', text: '| `lost` | … |\n| `late` | … |' },
    { path: 'clients/a/src/index.ts', text: "export { a } from './a.ts';" },
    { path: 'clients/a/src/b.ts', text: "import { connect } from 'node:net';" },
    { path: 'domain/a/src/b.ts', text: "import { isIP, isIPv6 } from 'node:net';" },
    { path: 'domain/a/src/b.test.ts', text: "import { connect } from 'node:net';" },
    {
      path: 'clients/a/src/a.test.ts',
      text: "it('reads what it wrote', () => {\nit.each(rows)('reads $text …', () => {",
    },
  ];

  expect(houseRuleViolations(files)).toEqual([]);
});
