import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { houseRuleViolations } from './house-rules.ts';

const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
});
const paths = tracked.split('\0').filter((path) => /[.](ts|mjs|json|md|yaml|yml|sh|c|go)$|^[.]ci\/run$/.test(path));
const violations = houseRuleViolations(paths.map((path) => ({ path, text: readFileSync(path, 'utf8') })));

for (const { path, line, rule } of violations) console.log(`${path}:${line}: ${rule}`);
process.exitCode = violations.length > 0 ? 1 : 0;
