import { BedKubernetesError } from './error.ts';

/** What `npm run bed:kubernetes` may be told, by the word for it; without one it starts a cluster. */
const COMMANDS = { '--build': 'build', '--check': 'check', '--help': 'help' } as const;
const WORDS = Object.keys(COMMANDS).join(', ');

export type BedCommand = 'start' | (typeof COMMANDS)[keyof typeof COMMANDS];

/** Reads the command line. Throws `invalid-option` on anything it does not know. */
export function parseBedCommand(words: readonly string[]): BedCommand {
  const [word, ...more] = words;
  if (word === undefined) return 'start';
  if (!isKnown(word)) {
    const message = `${word}: is none of ${WORDS}; without one a cluster is started`;
    throw new BedKubernetesError('invalid-option', message);
  }
  if (more.length > 0) throw new BedKubernetesError('invalid-option', `${more.join(' ')}: one of ${WORDS} at a time`);
  return COMMANDS[word];
}

/** The text of `--help`. */
export function bedHelp(): string {
  return [
    'usage: npm run bed:kubernetes [-- --build | --check]',
    '',
    'Builds the programs of Kubernetes that are missing, for which it needs Go, starts a cluster and prints its KUBECONFIG.',
    'Ctrl-C ends it, and leaves nothing.',
    '',
    '  --build  only builds what is missing',
    '  --check  only says what is missing; ends with 1 if something is',
  ].join('\n');
}

function isKnown(word: string): word is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, word);
}
