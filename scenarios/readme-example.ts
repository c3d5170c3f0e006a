import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = new URL('../', import.meta.url).pathname;

/** An example of a README that runs as a program of its own. */
export interface RunningExample extends AsyncDisposable {
  /** What it printed until its end; fails if it did not end well. */
  readonly output: Promise<string>;
  /** Resolves when it has printed this. */
  printed(text: string): Promise<void>;
  /** Where it runs, and where what it writes is found. */
  readonly folder: string;
}

export interface ExampleOptions {
  /** The README, seen from the repository's root. */
  readonly readme: string;
  /** What the example is recognised by: some text that only it contains. */
  readonly containing: string;
  /** The names in the example, and what stands for them here. */
  readonly replace: Readonly<Record<string, string>>;
  /** Files the example finds where it runs. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
}

/** Starts an example as its README shows it, with real names in the place of made-up ones. */
export async function startReadmeExample(options: ExampleOptions): Promise<RunningExample> {
  const code = await findExample(options);
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache', 'example-'));
  await writeFile(join(folder, 'example.ts'), code);
  for (const [name, bytes] of Object.entries(options.files ?? {})) await writeFile(join(folder, name), bytes);
  const program = spawn(process.execPath, ['example.ts'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const { output, printed } = listen(program);
  return {
    output,
    printed,
    folder,
    [Symbol.asyncDispose]: async () => {
      program.kill('SIGKILL');
      await output.catch(() => undefined);
      await rm(folder, { recursive: true });
    },
  };
}

async function findExample({ readme, containing, replace }: ExampleOptions): Promise<string> {
  const text = await readFile(join(root, readme), 'utf8');
  const examples = [...text.matchAll(/^```ts[^\n]*\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
  const found = examples.filter((example) => example.includes(containing));
  if (found.length !== 1) throw new Error(`${readme} has ${found.length} examples with ${containing}`);
  return Object.entries(replace).reduce((code, [from, to]) => code.replaceAll(from, to), found[0] ?? '');
}

function listen(program: ChildProcess): Pick<RunningExample, 'output' | 'printed'> {
  let stdout = '';
  let stderr = '';
  program.stdout?.on('data', (bytes: Buffer) => (stdout += bytes.toString()));
  program.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
  const output = once(program, 'close').then(([code]: readonly unknown[]) => {
    if (code !== 0) throw new Error(`the example ended with ${String(code)}: ${stderr}`);
    return stdout;
  });
  // Whoever waits for the output is told of a failure, even if it comes before the wait.
  output.catch(() => undefined);
  const printed = async (text: string): Promise<void> => {
    while (!stdout.includes(text)) {
      const ended = output.then(() => 'ended');
      const next = program.stdout ? once(program.stdout, 'data') : ended;
      if ((await Promise.race([next, ended])) === 'ended') throw new Error(`the example printed only ${stdout}`);
    }
  };
  return { output, printed };
}
