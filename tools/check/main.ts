import { checks } from './checks.ts';
import { runCheck } from './run-check.ts';

let failed = 0;
for (const check of checks) {
  const { passed, output, durationMs } = await runCheck(check);
  console.log(
    `${passed ? 'ok    ' : 'FAILED'}  ${check.name.padEnd(30)} ${(durationMs / 1000).toFixed(1).padStart(5)} s`,
  );
  if (passed) continue;
  failed += 1;
  console.log(output.replace(/^/gm, '        '));
}
process.exitCode = failed > 0 ? 1 : 0;
