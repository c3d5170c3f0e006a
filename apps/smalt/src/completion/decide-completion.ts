import type { Command } from 'commander';

/** What can stand at the end of a command line. */
export interface Completion {
  readonly words: readonly string[];
  /** Names that only the cluster knows. */
  readonly names: readonly ('machines' | 'hosts' | 'namespaces')[];
  /** Whether a file is meant. */
  readonly isFile: boolean;
}

const NOTHING: Completion = { words: [], names: [], isFile: false };
const NAMED: Readonly<Record<string, Completion['names']>> = {
  machine: ['machines'],
  host: ['hosts'],
  node: ['hosts'],
};
const FILES: readonly string[] = ['file', 'directory', 'kernel'];

/** Decides what may follow: `words` are those after the program, the last one being typed. */
export function decideCompletion(program: Command, words: readonly string[]): Completion {
  const typed = words.at(-1) ?? '';
  const { command, positionals, open } = walk(program, words.slice(0, -1));
  const found = open ?? (typed.startsWith('-') ? flagsOf(command) : wordsOf(command, positionals));
  return { ...found, words: found.words.filter((word) => word.startsWith(typed)) };
}

interface Walk {
  readonly command: Command;
  /** How many words that are no flags came after the command. */
  readonly positionals: number;
  /** What the last flag takes, if it takes a value. */
  readonly open: Completion | undefined;
}

function walk(program: Command, words: readonly string[]): Walk {
  let command = program;
  let positionals = 0;
  let open: Completion | undefined;
  for (const word of words) {
    if (open !== undefined) {
      open = undefined;
      continue;
    }
    const child = positionals === 0 ? command.commands.find((each) => each.name() === word) : undefined;
    if (word.startsWith('-')) open = valueOf(command, word);
    else if (child === undefined) positionals += 1;
    else command = child;
  }
  return { command, positionals, open };
}

/** What a flag takes; undefined where it takes nothing, or its value is there. */
function valueOf(command: Command, word: string): Completion | undefined {
  const option = command.options.find(({ long, short }) => long === word || short === word);
  if (option === undefined || (!option.required && !option.optional)) return undefined;
  if (option.argChoices !== undefined) return { ...NOTHING, words: option.argChoices };
  if (option.long === '--namespace') return { ...NOTHING, names: ['namespaces'] };
  return completionOf(/<([^>]+)>/.exec(option.flags)?.[1] ?? '', undefined);
}

function wordsOf(command: Command, positionals: number): Completion {
  const children = command.commands.filter(isShown).map((each) => each.name());
  if (children.length > 0) return positionals === 0 ? { ...NOTHING, words: children } : NOTHING;
  const argument = command.registeredArguments[positionals];
  if (argument === undefined) return flagsOf(command);
  // The log of either can be asked for.
  if (command.name() === 'logs') return { ...NOTHING, names: ['machines', 'hosts'] };
  return completionOf(argument.name(), argument.argChoices);
}

function completionOf(name: string, choices: readonly string[] | undefined): Completion {
  if (choices !== undefined) return { ...NOTHING, words: choices };
  return { ...NOTHING, names: NAMED[name] ?? [], isFile: FILES.includes(name) };
}

function flagsOf(command: Command): Completion {
  const words = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
  return { ...NOTHING, words: [...words, '--help'] };
}

function isShown(command: Command): boolean {
  return command.name() !== COMPLETE;
}

/** The command that the scripts of shells call. */
export const COMPLETE = 'complete-words';
