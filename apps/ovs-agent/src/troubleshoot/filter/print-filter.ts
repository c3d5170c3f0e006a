import type { CaptureFilter } from './capture-filter.ts';

/** The filter in words of our own making: nothing of what a caller wrote is in it but addresses and numbers that were read. */
export function printFilter(filter: CaptureFilter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${printFilter(filter.left)} ${filter.kind} ${printFilter(filter.right)})`;
    case 'not':
      return `(not ${printFilter(filter.filter)})`;
    case 'host':
      return `(${words(filter.scope, filter.direction, 'host', filter.address)})`;
    case 'net':
      return `(${words(filter.direction, 'net', filter.network)})`;
    case 'port':
      return `(${words(filter.transport, filter.direction, ...portWords(filter.first, filter.last))})`;
    case 'protocol':
      return `(${filter.name})`;
    case 'protocol-number':
      return `(${filter.scope} proto ${filter.number})`;
    case 'cast':
      return `(${words(filter.scope, filter.cast)})`;
    case 'label':
      return `(${words(filter.name, filter.id?.toString())})`;
    case 'length':
      return `(${filter.comparison} ${filter.bytes})`;
  }
}

function portWords(first: number, last: number): readonly string[] {
  return first === last ? ['port', String(first)] : ['portrange', `${first}-${last}`];
}

function words(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(' ');
}
