import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

// Inside the repository, so that an example finds our packages by name.
const CACHE = resolve(import.meta.dirname, '../../../.cache');
const TIMEOUT_MS = 20_000;

/** A piece of TypeScript in a README. */
export interface ReadmeExample {
  /** Its number and the heading it stands under. */
  readonly title: string;
  readonly code: string;
}

/** The examples of a README, in order. */
export async function readExamples(readme: URL): Promise<readonly ReadmeExample[]> {
  const text = await readFile(readme, 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match, index) => ({
    title: `${index + 1}, under "${/.*^#+ (.*?)$/ms.exec(text.slice(0, match.index))?.[1]}",`,
    code: match[1] ?? '',
  }));
}

/** Runs an example as a program of its own, and gives what it printed. Fails when the program does. */
export async function runExample({ code }: ReadmeExample, environment: NodeJS.ProcessEnv): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'readme-'));
  try {
    const file = join(folder, 'example.ts');
    await writeFile(file, code);
    const options = { timeout: TIMEOUT_MS, env: environment };
    return (await promisify(execFile)(process.execPath, [file], options)).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
