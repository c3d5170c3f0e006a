import { isBadArguments } from './benchmark-error.ts';
import { formatReport } from './format-report.ts';
import { checkChoices, helpText, parseArguments } from './parse-arguments.ts';
import { benchmarks } from './registry.ts';

async function main(words: readonly string[], signal: AbortSignal): Promise<void> {
  const command = parseArguments(
    words,
    benchmarks.map(({ name }) => name),
  );
  if (command.kind === 'help') return console.log(helpText(benchmarks));

  const benchmark = benchmarks.find(({ name }) => name === command.name);
  if (benchmark !== undefined) checkChoices(command, benchmark);
  const report = await benchmark?.run({ ...command, progress: (line) => console.error(line) }, signal);
  if (report) console.log(formatReport(report));
  if (report?.hasFailed === true) process.exitCode = 1;
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => stopping.abort(new Error(`stopped by ${name}`)));

try {
  await main(process.argv.slice(2), stopping.signal);
} catch (error) {
  console.error(isBadArguments(error) ? error.message : error);
  process.exitCode = isBadArguments(error) ? 2 : 1;
}
