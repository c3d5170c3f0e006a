import { isIP } from 'node:net';

import { checkDns1123Subdomain } from '@smalt/kubernetes';
import type { PodDNSConfig } from '@smalt/vm-api';

import { invalid, notSupported, required, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 6;
const MAX_SEARCH_CHARACTERS = 256;
const POLICIES: readonly string[] = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** Where names are looked up is a known way. */
export function validateDnsPolicy({ path, spec }: SpecScope): readonly Cause[] {
  const policy = spec.dnsPolicy ?? '';
  if (policy === '' || POLICIES.includes(policy)) return [];
  const message = `DNSPolicy: ${policy} is not supported, valid values: [${[...POLICIES, ''].join(' ')}]`;
  return [notSupported(`${path}.dnsPolicy`, message)];
}

/** Whoever wants no name servers of the cluster brings some, and not more than resolvers can take. */
export function validateDnsConfig({ path, spec }: SpecScope): readonly Cause[] {
  const { dnsConfig: config } = spec;
  if (spec.dnsPolicy === 'None') {
    if (config === undefined) {
      return [required(`${path}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    }
    if ((config.nameservers ?? []).length === 0) {
      return [required('nameservers', 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
    }
  }
  if (config === undefined) return [];
  const causes = [...validateNameservers(config), ...validateSearches(config), ...validateOptions(config)];
  // The short paths are those that clients know; the advice has the whole one.
  return causes.map((cause) => ({ ...cause, advice: `See ${path}.dnsConfig.` }));
}

function validateNameservers({ nameservers = [] }: PodDNSConfig): readonly Cause[] {
  const tooMany = `must not have more than ${MAX_NAMESERVERS} nameservers: [${nameservers.join(' ')}]`;
  return [
    ...(nameservers.length > MAX_NAMESERVERS ? [invalid('nameservers', tooMany)] : []),
    ...nameservers
      .filter((server) => isIP(server) === 0)
      .map((server) => invalid('nameservers', `must be valid IP address: ${server}`)),
  ];
}

function validateSearches({ searches = [] }: PodDNSConfig): readonly Cause[] {
  const causes: Cause[] = [];
  if (searches.length > MAX_SEARCHES) {
    causes.push(invalid('searchDomains', `must not have more than ${MAX_SEARCHES} search paths`));
  }
  if (Buffer.byteLength(searches.join(' ')) > MAX_SEARCH_CHARACTERS) {
    const message = `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`;
    causes.push(invalid('searchDomains', message));
  }
  const problems = searches.flatMap(checkDns1123Subdomain);
  return [...causes, ...problems.map((problem) => invalid('searchDomains', problem))];
}

function validateOptions({ options = [] }: PodDNSConfig): readonly Cause[] {
  return options
    .filter(({ name }) => name === undefined || name === '')
    .map(() => invalid('options', 'Option.Name must not be empty'));
}
