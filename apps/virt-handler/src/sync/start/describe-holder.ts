/** How the domain that has what an instance asks for is named: names of other namespaces are nobody else's business. */
export function describeHolder(domainName: string, namespace: string | undefined): string {
  // No namespace has an underscore in its name, so the first one ends it.
  const isOwn = namespace !== undefined && domainName.startsWith(`${namespace}_`);
  return isOwn ? `the domain ${domainName}` : 'a guest of another namespace';
}
