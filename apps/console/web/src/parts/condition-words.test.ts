import { expect, it } from 'vitest';

import { conditionWords, splitWords } from './condition-words.ts';

const READY = { yes: 'Ready', no: 'Not ready', wanted: 'True' } as const;

it.each([
  { status: 'True', meaning: READY, words: 'Ready', tone: 'good' },
  { status: 'False', meaning: READY, words: 'Not ready', tone: 'warning' },
  { status: 'Unknown', meaning: READY, words: 'Agent connected: nobody knows', tone: 'warning' },
  { status: 'True', meaning: undefined, words: 'Agent connected', tone: 'quiet' },
  { status: 'False', meaning: undefined, words: 'Not: Agent connected', tone: 'quiet' },
  { status: 'False', meaning: { yes: 'x', no: 'Not so' }, words: 'Not so', tone: 'quiet' },
])('says $words for $status', ({ status, meaning, words, tone }) => {
  const said = conditionWords({ type: 'AgentConnected', status, message: 'why' }, meaning);

  expect(said).toEqual({ words, tone, message: 'why' });
});

it('leaves out a message that is a mere sign', () => {
  expect(conditionWords({ type: 'Ready', status: 'True', message: '🟢' }, READY).message).toBe('');
});

it.each([
  { name: 'LiveMigratable', words: 'Live migratable' },
  { name: 'HotVCPUChange', words: 'Hot VCPU change' },
  { name: 'Ready', words: 'Ready' },
])('takes $name apart', ({ name, words }) => {
  expect(splitWords(name)).toBe(words);
});
