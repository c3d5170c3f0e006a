import { houseRuleViolations } from './house-rules.ts';
import { readSourceFiles } from './source-files.ts';

const violations = houseRuleViolations(readSourceFiles('.'));

for (const { path, line, rule } of violations) console.log(`${path}:${line}: ${rule}`);
process.exitCode = violations.length > 0 ? 1 : 0;
