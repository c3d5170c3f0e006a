/** When an image is pulled if nobody says: each time for one without a version, or with the one that moves. */
export function defaultPullPolicy(image: string): 'Always' | 'IfNotPresent' {
  return isLatest(image) ? 'Always' : 'IfNotPresent';
}

function isLatest(image: string): boolean {
  if (image.includes('@')) return false;
  const last = image.slice(image.lastIndexOf('/') + 1);
  const colon = last.indexOf(':');
  return colon < 0 || last.slice(colon + 1) === 'latest';
}
