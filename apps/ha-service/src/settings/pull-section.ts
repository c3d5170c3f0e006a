import {
  defaultPullEndpoint as defaults,
  PullOperator,
  type PullEndpoint,
  type PullHost,
  type PullMeaning,
  type PullRule,
} from '../sources/pull/pull-settings.ts';
import { list, named } from './shape/list-shapes.ts';
import { section } from './shape/object-shape.ts';
import { choice, file, milliseconds, number, text, whole } from './shape/scalar-shapes.ts';
import { optional, type Shape } from './shape/shape.ts';
import { variant } from './shape/variant-shape.ts';

const hostSection: Shape<PullHost> = section('which host a value is about', {
  from: text('the label, in JSON the field, that tells it'),
  pattern: optional(text('an expression that it has to match as a whole')),
  name: optional(text('what is made of the match, such as $1.example; its first group if it is left out')),
  known: optional(named('hosts by what came out, such as addresses; nothing else is a host then', text('a host'))),
});

const meaningSection: Shape<PullMeaning> = variant<PullMeaning>('what the value means', 'kind', {
  age: section<Extract<PullMeaning, { kind: 'age' }>>('seconds since the host did something', {
    kind: choice(['age'], 'how long ago the host did something, in seconds'),
  }),
  moment: section<Extract<PullMeaning, { kind: 'moment' }>>('when the host did something', {
    kind: choice(['moment'], 'when the host did something, in seconds since 1970'),
  }),
  compare: section<Extract<PullMeaning, { kind: 'compare' }>>('the host is alive while it compares so', {
    kind: choice(['compare'], 'alive while the value compares so'),
    operator: choice(Object.values(PullOperator), 'how'),
    than: number('with what'),
    otherwise: choice(['nothing', 'dead'], 'what it means when it does not', 'nothing'),
  }),
});

const ruleSection: Shape<PullRule> = section('how values become signals', {
  source: choice(['agent', 'libvirt', 'storage'], 'what they speak of'),
  value: text('the name of a metric; in JSON where the value is, such as value.1'),
  where: named(
    'labels, in JSON fields, and expressions that they match as a whole',
    text('an expression', { fallback: '' }),
  ),
  host: hostSection,
  meaning: meaningSection,
  time: optional(text('in JSON: where it says when the value was read')),
});

const endpointSection: Shape<PullEndpoint> = section('an endpoint', {
  name: text('names it in metrics and in the log', {
    pattern: /^[a-z0-9][a-z0-9-]{0,62}$/,
    what: 'small letters, digits and dashes',
  }),
  url: text('where it is', { pattern: /^https?:\/\/\S+$/, what: 'an http or https address' }),
  format: choice(['prometheus', 'json'], 'what it answers', 'prometheus'),
  intervalMs: milliseconds('how often it is asked', defaults.intervalMs, 500),
  timeoutMs: milliseconds('how long it may take to answer', defaults.timeoutMs, 100),
  mostBytes: whole('how large its answer may be', { fallback: defaults.mostBytes, least: 1_024, most: 67_108_864 }),
  authorityFile: optional(file('who signs its certificate, beside the authorities of this system')),
  certificateFile: optional(file('the certificate by which it knows us')),
  keyFile: optional(file('the key of that')),
  tokenFile: optional(file('a file with a bearer token')),
  user: optional(text('an account of it')),
  passwordFile: optional(file('a file with the password of that')),
  items: optional(text('in JSON: where the list is, such as data.result')),
  rules: list('how its values become signals', ruleSection, { least: 1 }),
});

export const pullSection: Shape<readonly PullEndpoint[]> = list('who is asked what hosts do', endpointSection);
