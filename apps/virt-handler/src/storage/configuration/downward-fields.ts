import type { VirtualMachineInstance } from '@smalt/vm-api';

/**
 * A field of the instance as the downward API writes it: labels and annotations as lines `key="value"`, one of them by
 * its key. Undefined for a field that is not offered.
 */
export function downwardField({ metadata }: VirtualMachineInstance, fieldPath: string): string | undefined {
  const [, map, key] = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(fieldPath) ?? [];
  if (key !== undefined) return (map === 'labels' ? metadata.labels : metadata.annotations)?.[key] ?? '';
  switch (fieldPath) {
    case 'metadata.name':
      return metadata.name ?? '';
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return lines(metadata.labels);
    case 'metadata.annotations':
      return lines(metadata.annotations);
    default:
      return undefined;
  }
}

function lines(map: Readonly<Record<string, string>> = {}): string {
  return Object.entries(map)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .toSorted()
    .join('\n');
}
