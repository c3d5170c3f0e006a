import type { SourceFile } from './source-files.ts';

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
}

const GRAB_BAG_NAMES = /(^|\/)(utils?|helpers?|common|types|misc|constants|shared)[.](ts|mjs)$/;
const DECISION = /^docs\/decisions\/[^/]+[.]md$/;
const DECISION_LINES = 60;

/** The rules that no linter of ours knows, over the text of every file. */
export function houseRuleViolations(files: readonly SourceFile[]): readonly Violation[] {
  return [
    ...files
      .filter((file) => GRAB_BAG_NAMES.test(file.path))
      .map((file) => at(file, 1, 'a file is named for the one thing it holds')),
    ...files.flatMap((file) => lineViolations(file)),
    ...files.filter((file) => file.path.endsWith('.test.ts')).flatMap((file) => titleViolations(file)),
    ...files
      .filter((file) => DECISION.test(file.path) && file.text.trimEnd().split('\n').length > DECISION_LINES)
      .map((file) => at(file, DECISION_LINES + 1, `a decision has at most ${DECISION_LINES} lines`)),
    ...files
      .filter((file) => file.path.endsWith('/error.ts') || file.path.endsWith('-error.ts'))
      .flatMap((file) => undocumentedCodes(file, files)),
  ];
}

const lineRules: readonly { readonly rule: string; readonly pattern: RegExp; readonly files: RegExp }[] = [
  {
    rule: 'an index lists every export by name',
    pattern: /^export (type )?\* from '(?!.*[.]gen[.]ts')/,
    files: /[.]ts$/,
  },
  { rule: 'a TODO is an issue, not a comment', pattern: /\b(TODO|FIXME|XXX)\b/, files: /[.](ts|mjs)$/ },
  {
    rule: 'a test is never skipped or singled out in a commit',
    pattern: /\b(it|test|describe)[.](only|skip)\b/,
    files: /[.]test[.]ts$/,
  },
  {
    rule: 'no registry host',
    pattern: /https?:\/\/(deb|registry|proxy|pypi|files|static)[.][a-z]+[.](org|com|io)/,
    files: /./,
  },
  {
    rule: 'protocols and domain do no I/O: of node:net they take isIP and its like',
    pattern: /^(?!import \{ isIP(v[46])?(, isIP(v[46])?)* \} ).*from 'node:net'/,
    files: /^(protocols|domain)\/[^/]+\/src\/(?!.*[.]test[.]ts$)/,
  },
  { rule: 'a lock file names no download address', pattern: /"resolved": "http/, files: /package-lock[.]json$/ },
];

function lineViolations(file: SourceFile): readonly Violation[] {
  if (isAboutTheRules(file)) return [];
  const rules = lineRules.filter((candidate) => candidate.files.test(file.path));
  return file.text
    .split('\n')
    .flatMap((line, index) =>
      rules.filter(({ pattern }) => pattern.test(line)).map(({ rule }) => at(file, index + 1, rule)),
    );
}

/** The title of `it('…'`, of `it.each(table)('…'` and of `])('…'`, the end of a table of several lines. */
const TITLE = /^\s*(?:it(?:[.]each[(].*[)])?|\][)])[(]\s*(['"`])(.*)\1,/gm;

function titleViolations(file: SourceFile): readonly Violation[] {
  if (isAboutTheRules(file)) return [];
  return [...file.text.matchAll(TITLE)]
    .filter(([, , title = '']) => /^should\b|^\s*$|[.]$/.test(title))
    .map((match) => {
      const line = file.text.slice(0, match.index + match[0].length).split('\n').length;
      return at(file, line, 'the title of a test is a sentence about behaviour, without "should" and period');
    });
}

function isAboutTheRules(file: SourceFile): boolean {
  return file.path.startsWith('tools/check/house-rules');
}

// The README of a package is where its users look an error code up.
function undocumentedCodes(file: SourceFile, files: readonly SourceFile[]): readonly Violation[] {
  const folder = file.path.split('/src/')[0] ?? '';
  const readme = files.find((candidate) => candidate.path === `${folder}/README.md`)?.text ?? '';
  const codes = [...file.text.matchAll(/export type \w+ErrorCode =([^;]+);/g)].flatMap(([, union = '']) =>
    [...union.matchAll(/'([a-z-]+)'/g)].map(([, code = '']) => code),
  );
  return codes
    .filter((code) => !readme.includes(`\`${code}\``))
    .map((code) => at(file, 1, `error code '${code}' is listed in ${folder}/README.md`));
}

function at(file: SourceFile, line: number, rule: string): Violation {
  return { path: file.path, line, rule };
}
