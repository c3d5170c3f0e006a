/** A file of the repository, as git knows it. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
}

const GRAB_BAG_NAMES = /(^|\/)(utils?|helpers?|common|types|misc|constants|shared)[.](ts|mjs)$/;

/** The rules that no linter of ours knows, over the text of every tracked file. */
export function houseRuleViolations(files: readonly SourceFile[]): readonly Violation[] {
  return [
    ...files
      .filter((file) => GRAB_BAG_NAMES.test(file.path))
      .map((file) => at(file, 1, 'a file is named for the one thing it holds')),
    ...files.flatMap((file) => lineViolations(file)),
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
  { rule: 'a lock file names no download address', pattern: /"resolved": "http/, files: /package-lock[.]json$/ },
];

function lineViolations(file: SourceFile): readonly Violation[] {
  if (file.path.startsWith('tools/check/house-rules')) return [];
  const rules = lineRules.filter((candidate) => candidate.files.test(file.path));
  return file.text
    .split('\n')
    .flatMap((line, index) =>
      rules.filter(({ pattern }) => pattern.test(line)).map(({ rule }) => at(file, index + 1, rule)),
    );
}

// The README of a package is where its users look an error code up.
function undocumentedCodes(file: SourceFile, files: readonly SourceFile[]): readonly Violation[] {
  const union = /export type \w+ErrorCode =([^;]+);/.exec(file.text)?.[1];
  if (union === undefined) return [];
  const folder = file.path.split('/src/')[0] ?? '';
  const readme = files.find((candidate) => candidate.path === `${folder}/README.md`)?.text ?? '';
  const codes = [...union.matchAll(/'([a-z-]+)'/g)].map((match) => match[1] ?? '');
  return codes
    .filter((code) => !readme.includes(`\`${code}\``))
    .map((code) => at(file, 1, `error code '${code}' is listed in ${folder}/README.md`));
}

function at(file: SourceFile, line: number, rule: string): Violation {
  return { path: file.path, line, rule };
}
