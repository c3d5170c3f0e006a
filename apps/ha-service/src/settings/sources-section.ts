import { defaultPushSettings as push, type PushSettings } from '../sources/push/push-settings.ts';
import type { SourcesSettings } from './ha-service-settings.ts';
import { kdumpSection } from './kdump-section.ts';
import { pullSection } from './pull-section.ts';
import { list } from './shape/list-shapes.ts';
import { section } from './shape/object-shape.ts';
import { file, text, whole } from './shape/scalar-shapes.ts';
import type { Shape } from './shape/shape.ts';

const pushSection: Shape<PushSettings> = section('what agents send', {
  authorityFile: file(
    'who signs the certificates of agents, in PEM: never the one that signs those of persons; empty: they do not count',
    push.authorityFile,
  ),
  refusedCertificates: list(
    'certificates of agents that do not count any more, such as that of a stolen key',
    text('a fingerprint, as of: openssl x509 -noout -fingerprint -sha256', {
      pattern: /^[0-9a-f]{64}$/,
      what: 'its SHA-256 in 64 small hexadecimal digits without colons',
    }),
  ),
  tokensFile: file('a list of nodes and the SHA-256 of their tokens; empty for none', push.tokensFile),
  serviceAccounts: list(
    'agents that show a token of their pod, which the cluster knows the node of',
    text('an account', { pattern: /^[a-z0-9-]+:[a-z0-9.-]+$/, what: 'namespace:serviceaccount' }),
  ),
  requestsPerSecond: whole('how many batches one node may send in a second', {
    fallback: push.requestsPerSecond,
    least: 1,
  }),
  requestsPerSecondInAll: whole('how many batches all nodes together may send in a second', {
    fallback: push.requestsPerSecondInAll,
    least: 1,
  }),
  mostWaiting: whole('how many batches may wait for the store', { fallback: push.mostWaiting, least: 1 }),
});

export const sourcesSection: Shape<SourcesSettings> = section('where signals come from', {
  push: pushSection,
  pull: pullSection,
  kdump: kdumpSection,
});
