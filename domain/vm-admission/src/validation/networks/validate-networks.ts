import { goQuote } from '@smalt/resource';

import { duplicate, invalid, required, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';

/** One network at most is the one that pods have. The path of the first rule is the one that clients know. */
export function validateDefaultNetwork({ path, spec }: SpecScope): readonly Cause[] {
  const { networks = [] } = spec;
  const pods = networks.filter(({ pod }) => pod !== undefined).length;
  const defaults = networks.filter(({ multus }) => multus?.default === true).length;
  const causes: Cause[] = [];
  if (pods > 1) {
    const field = `${path}.interfaces`;
    const message = `more than one interface is connected to a pod network in ${field}`;
    causes.push(duplicate(field, message, `Keep one network of type pod in ${path}.networks.`));
  }
  if (defaults > 1) causes.push(invalid(`${path}.networks`, 'Multus CNI should only have one default network'));
  if (pods > 0 && defaults > 0) {
    const message = 'Pod network cannot be defined when Multus default network is defined';
    causes.push(invalid(`${path}.networks`, message));
  }
  return causes;
}

/** Each network is of exactly one type and, where others provide it, names it. */
export function validateNetworkSources({ path, spec }: SpecScope): readonly Cause[] {
  return (spec.networks ?? []).flatMap(({ pod, multus, resourceClaim }, index) => {
    const field = `${path}.networks[${index}]`;
    const count = [pod, multus, resourceClaim].filter((source) => source !== undefined).length;
    const advice = 'Set one of pod, multus and resourceClaim.';
    return [
      ...(count === 0 ? [required(field, 'should have a network type', advice)] : []),
      ...(count > 1 ? [required(field, 'should have only one network type', advice)] : []),
      ...(multus?.networkName === '' ? [required(field, 'CNI delegating plugin must have a networkName')] : []),
    ];
  });
}

/** Networks and interfaces belong together in pairs by their names. */
export function validatePairing({ path, spec }: SpecScope): readonly Cause[] {
  const { networks = [] } = spec;
  const { interfaces = [] } = spec.domain.devices;
  const networkNames = networks.map(({ name }) => name);
  const interfaceNames = interfaces.map(({ name }) => name);
  return [
    ...repeated(networkNames).map((index) => {
      const name = goQuote(networkNames[index] ?? '');
      const message = `Network with name ${name} already exists, every network must have a unique name`;
      return duplicate(`${path}.networks[${index}].name`, message);
    }),
    ...without(networkNames, interfaceNames).map(([name, index]) => {
      const field = `${path}.networks[${index}].name`;
      const advice = `Add an interface named ${name}, or remove the network.`;
      return required(field, `${field} '${name}' not found.`, advice);
    }),
    ...repeated(interfaceNames).map((index) =>
      duplicate(
        `${path}.domain.devices.interfaces[${index}].name`,
        'Only one interface can be connected to one specific network',
      ),
    ),
    ...without(interfaceNames, networkNames).map(([name, index]) => {
      const field = `${path}.domain.devices.interfaces[${index}].name`;
      return invalid(field, `${field} '${name}' not found.`, `Add a network named ${name}, or remove the interface.`);
    }),
  ];
}

function repeated(names: readonly string[]): readonly number[] {
  return names.flatMap((name, index) => (names.indexOf(name) === index ? [] : [index]));
}

function without(names: readonly string[], others: readonly string[]): readonly (readonly [string, number])[] {
  return names.flatMap((name, index) => (others.includes(name) ? [] : [[name, index] as const]));
}
