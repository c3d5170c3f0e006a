import type { Tone } from './status-badge.tsx';

/** The part of a condition that all kinds have. */
export interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | null | undefined;
}

/** What the two sides of a condition mean. */
export interface ConditionMeaning {
  readonly yes: string;
  readonly no: string;
  /** Which side is the one that is wanted; undefined where both are fine. */
  readonly wanted?: 'True' | 'False';
  /** What it means where nobody knows, if that is nothing to look at. */
  readonly unknown?: string;
}

export interface ConditionWords {
  readonly words: string;
  readonly tone: Tone;
  /** The server's own sentence, where there is one. */
  readonly message: string;
}

/** A condition for people. One without a meaning is shown by its type, taken apart to words. */
export function conditionWords(condition: AnyCondition, meaning: ConditionMeaning | undefined): ConditionWords {
  const { type, status } = condition;
  const message = sentenceOf(condition);
  const plain = splitWords(type);
  if (status === 'Unknown' && meaning?.unknown !== undefined) return { words: meaning.unknown, tone: 'quiet', message };
  if (status === 'Unknown') return { words: `${plain}: nobody knows`, tone: 'warning', message };
  const isTrue = status === 'True';
  const words = isTrue ? (meaning?.yes ?? plain) : (meaning?.no ?? `Not: ${plain}`);
  return { words, tone: toneOf(status, meaning), message };
}

// Some controllers write a mere sign, such as a green dot, which is no sentence and not in every font.
function sentenceOf({ message = '' }: AnyCondition): string {
  return /\p{L}/u.test(message) ? message : '';
}

function toneOf(status: string, meaning: ConditionMeaning | undefined): Tone {
  if (meaning?.wanted === undefined) return 'quiet';
  return meaning.wanted === status ? 'good' : 'warning';
}

/** `LiveMigratable` as `Live migratable`. */
export function splitWords(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(' ');
  return words.map((word, index) => (index === 0 || /^[A-Z0-9]+$/.test(word) ? word : word.toLowerCase())).join(' ');
}
