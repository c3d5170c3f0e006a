import { describe, expect, it } from 'vitest';

import { judge } from '../../fixtures/judge.ts';
import { invalid, notSupported, required } from '../../cause.ts';
import { spec, withVolume } from '../../fixtures/small-instance.ts';

const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_RULE = String.raw`a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`;

describe('the rules about names, strategies and name resolution', () => {
  it.each([
    {
      rule: 'a host name is one label',
      bad: spec({ hostname: 'a_b' }),
      causes: [
        invalid('spec.hostname', `spec.hostname does not conform to the kubernetes DNS_LABEL rules : ${LABEL_RULE}`),
      ],
      good: spec({ hostname: 'a-b' }),
    },
    {
      rule: 'a host name has no dots',
      bad: spec({ hostname: 'a.b' }),
      causes: [
        invalid(
          'spec.hostname',
          'spec.hostname does not conform to the kubernetes DNS_LABEL rules : must not contain dots',
        ),
      ],
      good: spec({ hostname: '' }),
    },
    {
      rule: 'a subdomain is a name',
      bad: spec({ subdomain: 'A' }),
      causes: [
        invalid(
          'spec.subdomain',
          `spec.subdomain does not conform to the kubernetes DNS_SUBDOMAIN rules : ${SUBDOMAIN_RULE}`,
        ),
      ],
      good: spec({ subdomain: 'a.b' }),
    },
    {
      rule: 'an architecture is known',
      bad: spec({ architecture: 'vax' }),
      causes: [invalid('spec.architecture', 'unsupported architecture: vax')],
      good: spec({ architecture: 'amd64' }),
    },
    {
      rule: 'an eviction strategy is known',
      bad: spec({ evictionStrategy: 'Run' }),
      causes: [invalid('spec.evictionStrategy', 'spec.evictionStrategy is set with an unrecognized option: Run')],
      good: spec({ evictionStrategy: 'External' }),
    },
    {
      rule: 'a start strategy is known',
      bad: spec({ startStrategy: 'Slow' }),
      causes: [invalid('spec.startStrategy', 'spec.startStrategy is set with an unrecognized option: Slow')],
      good: spec({ startStrategy: 'Paused' }),
    },
    {
      rule: 'a paused start goes without a liveness probe',
      bad: spec({ startStrategy: 'Paused', livenessProbe: { guestAgentPing: {} } }),
      causes: [
        invalid(
          'spec.startStrategy',
          'either spec.startStrategy or spec.livenessProbe should be provided.Pausing VMI with LivenessProbe is not supported',
        ),
      ],
      good: spec({ startStrategy: 'Paused', readinessProbe: { guestAgentPing: {} } }),
    },
    {
      rule: 'a service account has a good name',
      bad: spec({ serviceAccountName: 'A' }),
      causes: [
        invalid(
          'spec.serviceAccountName',
          `spec.serviceAccountName is not a valid service account name: ${SUBDOMAIN_RULE}`,
        ),
      ],
      good: spec({ serviceAccountName: 'robot' }),
    },
    {
      rule: 'a service account is that of the volume',
      bad: { ...withVolume({ serviceAccount: { serviceAccountName: 'other' } }), serviceAccountName: 'robot' },
      causes: [
        invalid(
          'spec.serviceAccountName',
          'spec.serviceAccountName "robot" and serviceAccount volume "other" must reference the same service account',
        ),
      ],
      good: { ...withVolume({ serviceAccount: { serviceAccountName: 'robot' } }), serviceAccountName: 'robot' },
    },
    {
      rule: 'a DNS policy is known',
      bad: spec({ dnsPolicy: 'Guess' }),
      causes: [
        notSupported(
          'spec.dnsPolicy',
          'DNSPolicy: Guess is not supported, valid values: [ClusterFirstWithHostNet ClusterFirst Default None ]',
        ),
      ],
      good: spec({ dnsPolicy: 'ClusterFirst' }),
    },
    {
      rule: 'without name servers of the cluster there is a configuration',
      bad: spec({ dnsPolicy: 'None' }),
      causes: [required('spec.dnsConfig', 'must provide `dnsConfig` when `dnsPolicy` is None')],
      good: spec({ dnsPolicy: 'None', dnsConfig: { nameservers: ['10.0.0.1'] } }),
    },
    {
      rule: 'without name servers of the cluster there are others',
      bad: spec({ dnsPolicy: 'None', dnsConfig: { searches: ['a'] } }),
      causes: [required('nameservers', 'must provide at least one DNS nameserver when `dnsPolicy` is None')],
      good: spec({ dnsConfig: { searches: ['a'] } }),
    },
    {
      rule: 'there are three name servers at most',
      bad: spec({ dnsConfig: { nameservers: ['1.1.1.1', '2.2.2.2', '3.3.3.3', '::1'] } }),
      causes: [invalid('nameservers', 'must not have more than 3 nameservers: [1.1.1.1 2.2.2.2 3.3.3.3 ::1]')],
      good: spec({ dnsConfig: { nameservers: ['1.1.1.1', '2.2.2.2', '::1'] } }),
    },
    {
      rule: 'a name server is an address',
      bad: spec({ dnsConfig: { nameservers: ['dns.example'] } }),
      causes: [invalid('nameservers', 'must be valid IP address: dns.example')],
      good: spec({ dnsConfig: { nameservers: ['fd00::53'] } }),
    },
    {
      rule: 'there are six search paths at most',
      bad: spec({ dnsConfig: { searches: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] } }),
      causes: [invalid('searchDomains', 'must not have more than 6 search paths')],
      good: spec({ dnsConfig: { searches: ['a', 'b', 'c', 'd', 'e', 'f'] } }),
    },
    {
      rule: 'the search list is not too long',
      bad: spec({
        dnsConfig: {
          searches: ['a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), `${'d'.repeat(60)}.${'e'.repeat(10)}`],
        },
      }),
      causes: [
        invalid('searchDomains', 'must not have more than 256 characters (including spaces) in the search list'),
      ],
      good: spec({ dnsConfig: { searches: ['a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(63)] } }),
    },
    {
      rule: 'a search path is a name',
      bad: spec({ dnsConfig: { searches: ['A'] } }),
      causes: [invalid('searchDomains', SUBDOMAIN_RULE)],
      good: spec({ dnsConfig: { searches: ['a.example'] } }),
    },
    {
      rule: 'an option of the resolver has a name',
      bad: spec({ dnsConfig: { options: [{ value: '2' }] } }),
      causes: [invalid('options', 'Option.Name must not be empty')],
      good: spec({ dnsConfig: { options: [{ name: 'ndots', value: '2' }] } }),
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad)).toEqual(causes);
    expect(judge(good)).toEqual([]);
  });
});
