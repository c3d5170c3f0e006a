const LONGEST_NAME = 253;

/** The name of this machine as Kubernetes allows it: small letters, digits, dashes and dots. */
export function nodeName(hostname: string): string {
  const labels = hostname
    .toLowerCase()
    .slice(0, LONGEST_NAME)
    .split('.')
    .map((label) => label.replaceAll(/[^a-z0-9-]/g, '-').replaceAll(/^-+|-+$/g, ''));
  return labels.filter((label) => label !== '').join('.') || 'localhost';
}
