import type { Resource } from '@smalt/resource';

/** What every client of a built-in resource is told that has something better. */
export function deprecationWarning({ group, version, plural }: Resource): string | undefined {
  if (group !== '' || version !== 'v1' || plural !== 'endpoints') return undefined;
  return 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';
}
